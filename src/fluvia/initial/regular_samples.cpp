// SPDX-License-Identifier: Apache-2.0
#include "fluvia/initial/regular_samples.hpp"

#include <algorithm>
#include <cmath>

namespace fluvia {

const float* RegularSamples::find(const std::array<std::int64_t, 3>& point) const noexcept {
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (point[axis] < 0 || point[axis] >= count[axis]) return nullptr;
  auto number = static_cast<std::uint64_t>(point[0] + count[0] * (point[1] + count[1] * point[2]));
  if (!numbers.empty()) {
    const auto found = std::lower_bound(numbers.begin(), numbers.end(), number);
    if (found == numbers.end() || *found != number) return nullptr;
    number = static_cast<std::uint64_t>(found - numbers.begin());
  }
  const float* value = values.data() + number * static_cast<std::uint64_t>(components);
  for (int k = 0; k < components; ++k)
    if (std::isnan(value[k])) return nullptr;
  return value;
}

namespace {
/// Rounding must not let a point one spacing away count.
constexpr double least_weight = 1e-6;
}  // namespace

std::optional<Real3> RegularSamples::at(const Real3& position) const noexcept {
  const Sample found = sample(position);
  return found.known > 0 ? std::optional(found.value) : std::nullopt;
}

RegularSamples::Sample RegularSamples::sample(const Real3& position) const noexcept {
  std::array<std::int64_t, 3> base{};
  Real3 part{};
  for (int axis = 0; axis < 3; ++axis) {
    const auto a = static_cast<std::size_t>(axis);
    if (count[a] == 1) continue;
    const double place = (position[axis] - first[axis]) / spacing[axis];
    if (!(place > -1 && place < static_cast<double>(count[a]))) return {};
    base[a] = static_cast<std::int64_t>(std::floor(place));
    part[axis] = place - static_cast<double>(base[a]);
  }
  Sample found;
  for (int corner = 0; corner < 8; ++corner) {
    double weight = 1;
    std::array<std::int64_t, 3> point = base;
    for (int axis = 0; axis < 3; ++axis) {
      const int far = corner >> axis & 1;
      weight *= far ? part[axis] : 1 - part[axis];
      point[static_cast<std::size_t>(axis)] += far;
    }
    if (weight < least_weight) continue;
    const float* value = find(point);
    if (value == nullptr) continue;
    found.known += weight;
    for (int k = 0; k < components; ++k) found.value[k] += weight * static_cast<double>(value[k]);
  }
  if (found.known > 0)
    for (int k = 0; k < components; ++k) found.value[k] /= found.known;
  return found;
}

std::optional<Real3> SampledField::at(const Real3& position) const noexcept {
  constexpr double all = 1 - 8 * least_weight;
  std::optional<Real3> partly;
  for (auto samples = samples_.rbegin(); samples != samples_.rend(); ++samples) {
    const RegularSamples::Sample found = samples->sample(position);
    if (found.known > all) return found.value;
    if (found.known > 0 && !partly) partly = found.value;
  }
  return partly;
}

}  // namespace fluvia
