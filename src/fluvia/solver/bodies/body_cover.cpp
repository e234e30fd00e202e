// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/bodies/body_cover.hpp"

#include <omp.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

namespace fluvia {

namespace {

constexpr double rounding = 1e-6;
/// A way is counted from 0 again when it has become so long, since single precision has no more than 7 digits; what is
/// due within so much of a node is due.
constexpr double most_way = 64;
constexpr double due_rounding = 1e-5;
/// Tiles farther from the surface than a link by so much know no distances of their nodes.
constexpr double slack = 0.25;

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

/// Half the diagonal between the nodes of a tile.
double reach_of_tile(int dimension) {
  const Int3 shape = tile_shape(dimension);
  return 0.5 * norm(Real3{shape[0] - 1.0, shape[1] - 1.0, shape[2] - 1.0});
}

/// Lists those k < count for which is_wanted(k), in order, by several threads.
template <class Wanted>
void list(std::size_t count, int threads, std::vector<std::uint32_t>& to, const Wanted& is_wanted) {
  constexpr std::size_t least = 4096;  // that are worth several threads
  to.clear();
  if (threads == 1 || count < least) {
    for (std::size_t k = 0; k < count; ++k)
      if (is_wanted(k)) to.push_back(static_cast<std::uint32_t>(k));
    return;
  }
  std::vector<std::vector<std::uint32_t>> of_threads(static_cast<std::size_t>(threads));
#pragma omp parallel num_threads(threads)
  {
    std::vector<std::uint32_t>& found = of_threads[static_cast<std::size_t>(omp_get_thread_num())];
#pragma omp for schedule(static)
    for (std::size_t k = 0; k < count; ++k)
      if (is_wanted(k)) found.push_back(static_cast<std::uint32_t>(k));
  }
  for (const std::vector<std::uint32_t>& found : of_threads) to.insert(to.end(), found.begin(), found.end());
}

}  // namespace

bool FluidNodes::has(const Int3& place) const {
  if (is_full) {
    for (std::size_t a = 0; a < 3; ++a)
      if (!nodes->periodic[a] && (place[a] < 0 || place[a] >= nodes->size[a])) return false;
    return true;
  }
  const NodeMap::Landing at = nodes->land(place);
  if (!at.inside) return false;
  const Int3 shape = tile_shape(nodes->dimension), &node = at.node;
  return nodes->directory.holds(nodes->directory_index({node[0] / shape[0], node[1] / shape[1], node[2] / shape[2]})) &&
         nodes->is_fluid(node);
}

std::uint64_t FluidNodes::of_tile(const Int3& place) const {
  const Int3 shape = tile_shape(nodes->dimension);
  Int3 first = place;
  for (std::size_t a = 0; a < 3; ++a) {
    const int size = nodes->size[a];
    if (first[a] + shape[a] > 0 && first[a] < size) continue;
    if (!nodes->periodic[a]) return 0;
    if (size % shape[a] == 0) first[a] = (first[a] % size + size) % size;
  }
  if (is_in_box(first)) {
    if (is_full) return ~std::uint64_t{0};
    const std::uint64_t at = nodes->directory_index({first[0] / shape[0], first[1] / shape[1], first[2] / shape[2]});
    const std::uint32_t tile = nodes->directory.holds(at) ? nodes->directory[at] : empty_tile;
    return tile == empty_tile ? 0 : nodes->tiles[tile].mask;
  }
  std::uint64_t mask = 0;
  for (int bit = 0; bit < nodes_per_tile; ++bit) {
    const Int3 local = tile_local(nodes->dimension, bit);
    if (has({first[0] + local[0], first[1] + local[1], first[2] + local[2]})) mask |= std::uint64_t{1} << bit;
  }
  return mask;
}

Int3 BodyCover::Part::position(std::size_t tile) const {
  const auto across = static_cast<std::size_t>(size[0]), layer = across * static_cast<std::size_t>(size[1]);
  return {static_cast<int>(tile % across), static_cast<int>(tile % layer / across), static_cast<int>(tile / layer)};
}

Int3 BodyCover::Part::node_of(const Int3& tile) const {
  const Int3 shape = tile_shape(dimension);
  return {shape[0] * (low[0] + tile[0]), shape[1] * (low[1] + tile[1]), shape[2] * (low[2] + tile[2])};
}

/// The part may reach so far that a node has several images in it, of which the body covers one at most.
std::optional<Int3> BodyCover::Part::covered_place(const Int3& node, const NodeMap& nodes) const {
  if (covered.empty()) return {};
  const Int3 shape = tile_shape(dimension), corner = node_of({0, 0, 0});
  Int3 first, images;
  for (std::size_t a = 0; a < 3; ++a) {
    const int period = nodes.size[a], end = shape[a] * size[a];
    first[a] = node[a] - corner[a];
    if (nodes.periodic[a]) first[a] = (first[a] % period + period) % period;
    if (first[a] < 0 || first[a] >= end) return {};
    images[a] = nodes.periodic[a] ? (end - 1 - first[a]) / period : 0;
  }
  Int3 image;
  for (image[2] = 0; image[2] <= images[2]; ++image[2])
    for (image[1] = 0; image[1] <= images[1]; ++image[1])
      for (image[0] = 0; image[0] <= images[0]; ++image[0]) {
        Int3 local, tile, within;
        for (std::size_t a = 0; a < 3; ++a) {
          local[a] = first[a] + image[a] * nodes.size[a];
          tile[a] = local[a] / shape[a];
          within[a] = local[a] % shape[a];
        }
        if ((covered[at(tile)] >> tile_bit(dimension, within) & 1) == 0) continue;
        return Int3{corner[0] + local[0], corner[1] + local[1], corner[2] + local[2]};
      }
  return {};
}

void BodyCover::Part::append_nodes(std::size_t tile, std::uint64_t mask, std::vector<Int3>& to) const {
  const Int3 first = node_of(position(tile));
  for (; mask != 0; mask &= mask - 1) {
    const Int3 local = tile_local(dimension, std::countr_zero(mask));
    to.push_back({first[0] + local[0], first[1] + local[1], first[2] + local[2]});
  }
}

void BodyCover::Part::append_difference(const Part& other, std::vector<Int3>& to) const {
  for (std::size_t tile = 0; tile < covered.size(); ++tile) {
    if (covered[tile] == 0) continue;
    const Int3 own = position(tile);
    const Int3 there{own[0] + low[0] - other.low[0], own[1] + low[1] - other.low[1], own[2] + low[2] - other.low[2]};
    append_nodes(tile, other.has(there) ? covered[tile] & ~other.covered[other.at(there)] : covered[tile], to);
  }
}

BodyCover::Around BodyCover::around(std::size_t tile) const {
  Around around{};
  const Int3 own = now_.position(tile);
  for (int z = -1; z <= 1; ++z)
    for (int y = -1; y <= 1; ++y)
      for (int x = -1; x <= 1; ++x) {
        const Int3 there{own[0] + x, own[1] + y, own[2] + z};
        if (!now_.has(there)) continue;
        const std::size_t at = now_.at(there);
        around.covered[tile_around(x, y, z)] = now_.covered[at];
        if (is_near_[at] != 0) around.due[tile_around(x, y, z)] = due_.data() + at * nodes_per_tile;
      }
  return around;
}

void BodyCover::move_to(const Asked& asked, const std::array<Real3, 2>& corners) {
  way_ += way_between(asked.whole, asked.center, std::exchange(pose_, asked.pose), asked.pose);
  if (way_ > most_way) {
    for (float& way : wake_) way -= static_cast<float>(way_);
    for (float& way : due_) way -= static_cast<float>(way_);
    way_ = 0;
  }
  const bool is_framed_anew = frame(asked.fluid.nodes->dimension, corners);
  if (!is_framed_anew)
    for (const std::uint32_t tile : changed_) before_.covered[tile] = now_.covered[tile];
  list(tiles(), asked.threads, awake_, [&](std::size_t tile) { return static_cast<double>(wake_[tile]) <= way_; });
  const auto awake = static_cast<std::int64_t>(awake_.size());
  constexpr std::int64_t least_tiles = 64;
  has_changed_.assign(awake_.size(), 0);
#pragma omp parallel for schedule(dynamic, 16) num_threads(asked.threads) if (awake > least_tiles)
  for (std::int64_t k = 0; k < awake; ++k) {
    const auto at = static_cast<std::size_t>(k);
    has_changed_[at] = update(asked, awake_[at]) ? 1 : 0;
  }
  list(tiles(), asked.threads, beside_, [&](std::size_t tile) {
    return is_near_[tile] != 0 && static_cast<double>(wake_[tile]) - way_ <= longest_link;
  });
  gained_.clear();
  lost_.clear();
  changed_.clear();
  for (std::size_t k = 0; k < awake_.size(); ++k)
    if (has_changed_[k] != 0) changed_.push_back(awake_[k]);
  if (is_framed_anew) {
    now_.append_difference(before_, gained_);
    before_.append_difference(now_, lost_);
    return;
  }
  for (const std::uint32_t tile : changed_) {
    now_.append_nodes(tile, now_.covered[tile] & ~before_.covered[tile], gained_);
    now_.append_nodes(tile, before_.covered[tile] & ~now_.covered[tile], lost_);
  }
}

/// Lays tiles around the body, unless those that are there will do; keeps what is known of tiles. Returns whether it
/// has.
bool BodyCover::frame(int dimension, const std::array<Real3, 2>& corners) {
  const Int3 shape = tile_shape(dimension);
  const auto tile_of = [&](double place, int more, std::size_t a) {
    return static_cast<int>(std::floor((std::floor(place) + more) / shape[a]));
  };
  Int3 least{}, most{};  // tiles that are needed
  bool is_inside = !now_.covered.empty();
  for (std::size_t a = 0; static_cast<int>(a) < dimension; ++a) {
    least[a] = tile_of(corners[0][a], -margin, a);
    most[a] = tile_of(corners[1][a], margin, a);
    is_inside = is_inside && least[a] >= now_.low[a] && most[a] < now_.low[a] + now_.size[a];
  }
  if (is_inside && before_.low == now_.low && before_.size == now_.size) return false;
  std::swap(before_, now_);
  if (is_inside) {  // the frame before the last move was another one
    now_ = before_;
    return true;
  }
  now_.dimension = dimension;
  for (std::size_t a = 0; a < 3; ++a) {
    const int more = static_cast<int>(a) < dimension ? 1 : 0;  // so that the next steps need no others
    now_.low[a] = least[a] - more;
    now_.size[a] = most[a] + more + 1 - now_.low[a];
  }
  const auto count = static_cast<std::size_t>(now_.size[0]) * static_cast<std::size_t>(now_.size[1]) *
                     static_cast<std::size_t>(now_.size[2]);
  constexpr float at_once = -std::numeric_limits<float>::max();
  std::vector<float> wake(count, at_once), due(count * nodes_per_tile, at_once);
  std::vector<std::uint8_t> is_near(count, 0);
  now_.covered.assign(count, 0);
  for (std::size_t tile = 0; tile < before_.covered.size(); ++tile) {
    const Int3 own = before_.position(tile);
    const Int3 there{own[0] + before_.low[0] - now_.low[0], own[1] + before_.low[1] - now_.low[1],
                     own[2] + before_.low[2] - now_.low[2]};
    if (!now_.has(there)) continue;
    const std::size_t at = now_.at(there);
    now_.covered[at] = before_.covered[tile];
    wake[at] = wake_[tile];
    is_near[at] = is_near_[tile];
    std::copy_n(due_.begin() + static_cast<std::ptrdiff_t>(tile * nodes_per_tile), nodes_per_tile,
                due.begin() + static_cast<std::ptrdiff_t>(at * nodes_per_tile));
  }
  wake_ = std::move(wake);
  due_ = std::move(due);
  is_near_ = std::move(is_near);
  return true;
}

/// Looks at a tile again; whether other nodes of it are covered than before.
bool BodyCover::update(const Asked& asked, std::size_t tile) {
  const int dimension = now_.dimension;
  const TileGeometry& geometry = TileGeometry::of(dimension);
  const Int3 first = node_of(tile), shape = tile_shape(dimension);
  const auto distance_at = [&](const Real3& place) {
    return asked.shape.distance(asked.center + asked.pose.in_body(place));
  };
  const std::uint64_t before = now_.covered[tile];
  float* const due = due_.data() + tile * nodes_per_tile;
  if (is_near_[tile] == 0) {
    const Real3 middle{first[0] + 0.5 * shape[0], first[1] + 0.5 * shape[1], first[2] + 0.5 * shape[2]};
    const double distance = distance_at(middle);
    const double apart = std::abs(distance) - reach_of_tile(dimension) - longest_link;
    if (apart > slack) {
      now_.covered[tile] = distance > 0 ? 0 : asked.fluid.of_tile(first);
      wake_[tile] = static_cast<float>(way_ + apart - due_rounding);
      return now_.covered[tile] != before;
    }
    is_near_[tile] = 1;
    constexpr float never = std::numeric_limits<float>::max();
    const std::uint64_t fluid = asked.fluid.of_tile(first);
    for (int bit = 0; bit < nodes_per_tile; ++bit) due[bit] = (fluid >> bit & 1) != 0 ? -never : never;
    now_.covered[tile] = 0;
  }
  std::uint64_t covered = now_.covered[tile];
  float least = std::numeric_limits<float>::max();
  for (int bit = 0; bit < nodes_per_tile; ++bit) {
    if (static_cast<double>(due[bit]) <= way_) {
      const Int3& local = geometry.local[static_cast<std::size_t>(bit)];
      const double distance =
          distance_at({first[0] + local[0] + 0.5, first[1] + local[1] + 0.5, first[2] + local[2] + 0.5});
      due[bit] = static_cast<float>(way_ + std::abs(distance) - due_rounding);
      const std::uint64_t one = std::uint64_t{1} << bit;
      covered = distance <= 0 ? covered | one : covered & ~one;
    }
    least = std::min(least, due[bit]);
  }
  wake_[tile] = least;
  now_.covered[tile] = covered;
  return covered != before;
}

}  // namespace fluvia
