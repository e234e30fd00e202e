// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "fluvia/base/vector.hpp"

namespace fluvia {

/// Values at the points of a regular lattice, some of which may have none; case units.
struct RegularSamples {
  Real3 first{};                        ///< position of the point (0, 0, 0)
  Real3 spacing{1, 1, 1};               ///< distance between points along each axis, above 0
  std::array<std::int64_t, 3> count{};  ///< points along x, y, z
  int components = 1;                   ///< components of a value: 1 or 3
  std::vector<float> values;            ///< values of all points, x fastest; or of those in `numbers`. NaN: none
  /// Numbers of the points that have values, x fastest, ascending; empty: all.
  std::vector<std::uint64_t> numbers;

  /// The value at a position, linear between the points around, of which some may have no value; along axes with one
  /// point it does not change. None where no point around has a value.
  [[nodiscard]] std::optional<Real3> at(const Real3& position) const noexcept;

  /// A value, and the part of what it depends on that is known: 1 if all points around have values, 0 if none has.
  struct Sample {
    Real3 value{};
    double known = 0;
  };
  [[nodiscard]] Sample sample(const Real3& position) const noexcept;

 private:
  [[nodiscard]] const float* find(const std::array<std::int64_t, 3>& point) const noexcept;
};

/// A field that was sampled with several spacings, as a run with levels of refinement leaves it: the coarsest first.
class SampledField {
 public:
  explicit SampledField(std::vector<RegularSamples> coarsest_first) : samples_(std::move(coarsest_first)) {}

  /// The value at a position, of the finest samples that have a value at all points around; where there are none, of
  /// the finest that have one at any. None where nobody has.
  [[nodiscard]] std::optional<Real3> at(const Real3& position) const noexcept;

 private:
  std::vector<RegularSamples> samples_;
};

}  // namespace fluvia
