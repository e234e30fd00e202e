// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/bodies/body_cover.hpp"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace fluvia {

namespace {

constexpr double rounding = 1e-6;
/// The way after which a part is laid anew: so far nodes at the rim of the margin are no neighbours of the surface.
constexpr double most_way = 0.25;
static_assert(BodyCover::margin - 0.5 - most_way > longest_link);

/// How far the surface has gone between two poses, at most: a motion is linear in places, so that the corners of a box
/// around the body go farthest.
double way_between(const std::array<Real3, 2>& whole, const Real3& center, const Pose& from, const Pose& to) {
  double farthest = 0;
  for (int corner = 0; corner < 8; ++corner) {
    Real3 arm;
    for (std::size_t a = 0; a < 3; ++a) arm[a] = whole[static_cast<std::size_t>(corner >> a & 1)][a] - center[a];
    farthest = std::max(farthest, norm(to.in_box(arm) - from.in_box(arm)));
  }
  return farthest + rounding;
}

/// Calls body(k, found) for 0 <= k < count by several threads, and returns what all have found in the order of k.
template <class Found, class Body>
std::vector<Found> gather(std::int64_t count, int threads, std::int64_t least, const Body& body) {
  std::vector<std::vector<Found>> of_threads(static_cast<std::size_t>(threads));
#pragma omp parallel num_threads(threads) if (count > least)
  {
    std::vector<Found>& found = of_threads[static_cast<std::size_t>(omp_get_thread_num())];
#pragma omp for schedule(static)
    for (std::int64_t k = 0; k < count; ++k) body(k, found);
  }
  std::vector<Found> all = std::move(of_threads.front());
  for (std::size_t t = 1; t < of_threads.size(); ++t) all.insert(all.end(), of_threads[t].begin(), of_threads[t].end());
  return all;
}

}  // namespace

bool FluidNodes::has(const Int3& place) const {
  if (is_full) {
    for (std::size_t a = 0; a < 3; ++a)
      if (!nodes->periodic[a] && (place[a] < 0 || place[a] >= nodes->size[a])) return false;
    return true;
  }
  const NodeMap::Landing at = nodes->land(place);
  return at.inside && nodes->is_fluid(at.node);
}

std::optional<Int3> BodyCover::Part::covered_place(const Int3& node, const NodeMap& nodes) const {
  Int3 local;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    local[axis] = node[axis] - low[axis];
    if (nodes.periodic[axis]) local[axis] = (local[axis] % nodes.size[axis] + nodes.size[axis]) % nodes.size[axis];
    if (local[axis] < 0 || local[axis] >= size[axis]) return {};
  }
  if (kind[at(local)] != covered) return {};
  return Int3{low[0] + local[0], low[1] + local[1], low[2] + local[2]};
}

void BodyCover::move_to(const Asked& asked, const std::function<std::array<Real3, 2>()>& extent) {
  way_ += way_between(asked.whole, asked.center, std::exchange(pose_, asked.pose), asked.pose);
  if (now_.kind.empty() || !(way_ <= most_way)) {
    std::swap(before_, now_);
    lay(asked, extent());
    find_band(asked.fluid.nodes->dimension, asked.threads);
    differ_in_band_ = false;
    gained_ = difference(now_, before_, asked.threads);
    lost_ = difference(before_, now_, asked.threads);
    return;
  }
  if (!std::exchange(differ_in_band_, true)) before_ = now_;
  follow(asked);
}

/// Finds what a body covers row by row. As distances change by no more than the way, most nodes need none.
void BodyCover::lay(const Asked& asked, const std::array<Real3, 2>& corners) {
  way_ = 0;
  for (int a = 0; a < 3; ++a) {
    const auto axis = static_cast<std::size_t>(a);
    const bool flat = a >= asked.fluid.nodes->dimension;
    now_.low[axis] = flat ? 0 : static_cast<int>(std::floor(corners[0][axis])) - margin;
    now_.size[axis] = flat ? 1 : static_cast<int>(std::floor(corners[1][axis])) + margin + 1 - now_.low[axis];
  }
  const auto rows = static_cast<std::int64_t>(now_.size[1]) * now_.size[2];
  now_.kind.assign(static_cast<std::size_t>(rows) * static_cast<std::size_t>(now_.size[0]), open);
  due_.resize(now_.kind.size());
#pragma omp parallel for schedule(dynamic, 16) num_threads(asked.threads) if (rows > 256)
  for (std::int64_t row = 0; row < rows; ++row) {
    const int y = static_cast<int>(row % now_.size[1]), z = static_cast<int>(row / now_.size[1]);
    Kind* const kinds = now_.kind.data() + now_.at({0, y, z});
    float* const due = due_.data() + now_.at({0, y, z});
    for (int x = 0; x < now_.size[0];) {
      const Real3 place{now_.low[0] + x + 0.5, now_.low[1] + y + 0.5, now_.low[2] + z + 0.5};
      const double distance = asked.shape.distance(asked.center + asked.pose.in_body(place));
      // A hair less than may be skipped, for rounding.
      const double sure = (distance <= 0 ? -distance : distance - longest_link) - rounding;
      const int end = std::min(now_.size[0], x + std::max(1, static_cast<int>(std::floor(sure)) + 1));
      const Kind kind = distance <= 0 ? covered : distance > longest_link + rounding ? open : near;
      for (int at = x; at < end; ++at) {
        // How near the surface is at least follows from where it was asked for.
        const double least = std::abs(distance) - (at - x);
        due[at] = static_cast<float>(least) - 1e-5F;
        const bool is_beside = least <= longest_link + most_way + rounding;
        kinds[at] = is_beside && !asked.fluid.has({now_.low[0] + at, now_.low[1] + y, now_.low[2] + z}) ? absent : kind;
      }
      x = end;
    }
  }
}

/// Lists the places that can be near the surface, or change sides, before the part is laid anew. Places at the rim of
/// the part lie too far away for a link, though distances may be too small to say so.
void BodyCover::find_band(int dimension, int threads) {
  const int flat = dimension == 2 ? 1 : 0, rows = now_.size[1] - 2, layers = now_.size[2] - 2 + 2 * flat;
  constexpr std::int64_t least_rows = 256;
  band_ = gather<Place>(std::int64_t{rows} * layers, threads, least_rows, [&](std::int64_t k, auto& found) {
    const int y = 1 + static_cast<int>(k % rows), z = 1 - flat + static_cast<int>(k / rows);
    const std::size_t row = now_.at({0, y, z});
    for (int x = 1; x + 1 < now_.size[0]; ++x) {
      const std::size_t at = row + static_cast<std::size_t>(x);
      const Kind kind = now_.kind[at];
      if (kind == absent || due_[at] > (kind == covered ? most_way : longest_link + most_way)) continue;
      found.push_back({static_cast<std::uint32_t>(at),
                       {static_cast<std::int16_t>(x), static_cast<std::int16_t>(y), static_cast<std::int16_t>(z)}});
    }
  });
}

std::vector<Int3> BodyCover::difference(const Part& part, const Part& other, int threads) {
  const Int3 shift{part.low[0] - other.low[0], part.low[1] - other.low[1], part.low[2] - other.low[2]};
  const auto is_in = [&](std::size_t axis, int at) { return at >= 0 && at < other.size[axis]; };
  constexpr std::int64_t least_rows = 256;
  return gather<Int3>(std::int64_t{part.size[1]} * part.size[2], threads, least_rows, [&](std::int64_t k, auto& found) {
    const int y = static_cast<int>(k % part.size[1]), z = static_cast<int>(k / part.size[1]);
    const Kind* const kind = part.kind.data() + part.at({0, y, z});
    const bool has_row = !other.kind.empty() && is_in(1, y + shift[1]) && is_in(2, z + shift[2]);
    const std::size_t row = has_row ? other.at({0, y + shift[1], z + shift[2]}) : 0;
    for (int x = 0; x < part.size[0]; ++x) {
      if (kind[x] != covered) continue;
      const int there = x + shift[0];
      if (has_row && is_in(0, there) && other.kind[row + static_cast<std::size_t>(there)] == covered) continue;
      found.push_back({part.low[0] + x, part.low[1] + y, part.low[2] + z});
    }
  });
}

/// Keeps what is known of the places of the band true, as the surface has gone on.
void BodyCover::follow(const Asked& asked) {
  constexpr std::int64_t least_places = 4096;
  const auto places = static_cast<std::int64_t>(band_.size());
  const auto changed = gather<std::uint32_t>(places, asked.threads, least_places, [&](std::int64_t k, auto& found) {
    const Place& place = band_[static_cast<std::size_t>(k)];
    Kind& kind = now_.kind[place.at];
    const Kind before = before_.kind[place.at] = kind;
    if (way_ >= due_[place.at]) {
      const Int3 node = in_grid(place);
      const double distance =
          asked.shape.distance(asked.center + asked.pose.in_body({node[0] + 0.5, node[1] + 0.5, node[2] + 0.5}));
      due_[place.at] = static_cast<float>(way_ + std::abs(distance)) - 1e-5F;
      kind = distance <= 0 ? covered : near;
    }
    if (kind != covered) kind = gap(place.at) > longest_link ? open : near;
    if ((kind == covered) != (before == covered)) found.push_back(static_cast<std::uint32_t>(k));
  });
  gained_.clear();
  lost_.clear();
  for (const std::uint32_t k : changed)
    (now_.kind[band_[k].at] == covered ? gained_ : lost_).push_back(in_grid(band_[k]));
}

}  // namespace fluvia
