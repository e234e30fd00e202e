// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/links/exchanged_links.hpp"

#include <algorithm>
#include <bit>
#include <span>
#include <tuple>

namespace fluvia {

namespace {

std::uint8_t find_direction(const std::vector<Int3>& velocities, const Int3& c) {
  return static_cast<std::uint8_t>(std::find(velocities.begin(), velocities.end(), c) - velocities.begin());
}

Int3 opposite_of(const Int3& c) {
  return {-c[0], -c[1], -c[2]};
}

/// The other end of a link that a sheet crosses between two nodes of fluid.
std::optional<ExchangedEnd> behind_sheet(const NodeMap& nodes, const std::vector<Int3>& velocities,
                                         const ExchangedEnd& end) {
  const Int3 x = nodes.node_position(nodes.tiles[end.tile], end.bit);
  const Int3& c = velocities[end.direction];
  const std::optional<NodeMap::Node> there = nodes.find_fluid({x[0] - c[0], x[1] - c[1], x[2] - c[2]});
  if (!there) return {};
  return ExchangedEnd{there->tile, there->bit, find_direction(velocities, opposite_of(c))};
}

/// Whether a tile lies beside a plane of symmetry.
bool is_at_mirror(const NodeMap& nodes, const NodeMap::Tile& tile) {
  const Int3 shape = tile_shape(nodes.dimension);
  for (int axis = 0; axis < nodes.dimension; ++axis) {
    const auto face = static_cast<std::size_t>(2 * axis);
    if (nodes.mirrors[face] && tile.position[axis] == 0) return true;
    if (nodes.mirrors[face + 1] && (tile.position[axis] + 1) * shape[axis] >= nodes.size[axis]) return true;
  }
  return false;
}

/// Whether a sheet crosses the link along which a direction arrives.
bool is_barred(std::span<const BarredLinks::Node> of_tile, int bit, const Int3& c) {
  const std::uint32_t offset = BarredLinks::bit_of(opposite_of(c));
  return std::any_of(of_tile.begin(), of_tile.end(),
                     [&](const BarredLinks::Node& n) { return n.bit == bit && (n.offsets & offset) != 0; });
}

}  // namespace

std::optional<ExchangedEnd> mirror_image(const NodeMap& nodes, const std::vector<Int3>& velocities,
                                         const ExchangedEnd& end) {
  const Int3 x = nodes.node_position(nodes.tiles[end.tile], end.bit);
  const Int3& c = velocities[end.direction];
  if (nodes.barring_surface(x, opposite_of(c)) >= 0) return {};
  const NodeMap::Landing landing = nodes.land({x[0] - c[0], x[1] - c[1], x[2] - c[2]});
  if (!landing.inside || !landing.reflected) return {};
  const std::optional<NodeMap::Node> there = nodes.find_fluid(landing.node);
  if (!there) return {};
  Int3 back;
  for (int axis = 0; axis < 3; ++axis) back[axis] = -landing.sign[static_cast<std::size_t>(axis)] * c[axis];
  return ExchangedEnd{there->tile, there->bit, find_direction(velocities, back)};
}

std::vector<ExchangedPair> exchanged_pairs(const NodeMap& nodes, const std::vector<Int3>& velocities,
                                           const std::function<bool(std::uint32_t tile)>& takes) {
  std::vector<ExchangedPair> pairs;
  if (!nodes.has_exchanged_links()) return pairs;
  const auto key = [](const ExchangedEnd& e) { return std::tuple(e.tile, e.bit, e.direction); };
  for (std::uint64_t t = 0; t < nodes.tiles.size(); ++t) {
    const auto tile = static_cast<std::uint32_t>(t);
    if (takes && !takes(tile)) continue;
    std::span<const BarredLinks::Node> barred;
    if (nodes.barred) barred = nodes.barred->of_tile(nodes.directory_index(nodes.tiles[t].position));
    const bool at_mirror = is_at_mirror(nodes, nodes.tiles[t]);
    if (!at_mirror && barred.empty()) continue;
    for (std::uint64_t bits = nodes.tiles[t].mask; bits != 0; bits &= bits - 1)
      for (std::size_t i = 1; i < velocities.size(); ++i) {
        const ExchangedEnd end{tile, static_cast<std::uint8_t>(std::countr_zero(bits)), static_cast<std::uint8_t>(i)};
        const bool over_sheet = is_barred(barred, end.bit, velocities[i]);
        std::optional<ExchangedEnd> other;
        if (over_sheet)
          other = behind_sheet(nodes, velocities, end);
        else if (at_mirror)
          other = mirror_image(nodes, velocities, end);
        if (!other) continue;
        const bool takes_both = !takes || takes(other->tile);
        if (takes_both ? key(end) < key(*other) : over_sheet) pairs.push_back({end, *other});
      }
  }
  return pairs;
}

}  // namespace fluvia
