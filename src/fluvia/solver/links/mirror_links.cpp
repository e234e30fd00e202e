// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/links/mirror_links.hpp"

#include <algorithm>
#include <bit>
#include <tuple>

namespace fluvia {

std::optional<MirrorEnd> mirror_image(const NodeMap& nodes, const std::vector<Int3>& velocities, const MirrorEnd& end) {
  const Int3 x = nodes.node_position(nodes.tiles[end.tile], end.bit);
  const Int3& c = velocities[end.direction];
  const NodeMap::Landing landing = nodes.land({x[0] - c[0], x[1] - c[1], x[2] - c[2]});
  if (!landing.inside || !landing.reflected) return {};
  const std::optional<NodeMap::Node> there = nodes.find_fluid(landing.node);
  if (!there) return {};
  Int3 back;
  for (int axis = 0; axis < 3; ++axis) back[axis] = -landing.sign[static_cast<std::size_t>(axis)] * c[axis];
  const auto found = std::find(velocities.begin(), velocities.end(), back);
  return MirrorEnd{there->tile, there->bit, static_cast<std::uint8_t>(found - velocities.begin())};
}

std::vector<MirrorPair> mirror_pairs(const NodeMap& nodes, const std::vector<Int3>& velocities,
                                     const std::function<bool(std::uint32_t tile)>& takes) {
  std::vector<MirrorPair> pairs;
  if (!nodes.has_mirrors()) return pairs;
  const Int3 shape = tile_shape(nodes.dimension);
  const auto at_mirror = [&](const NodeMap::Tile& tile) {
    bool is_at = false;
    for (int axis = 0; axis < nodes.dimension; ++axis) {
      const auto face = static_cast<std::size_t>(2 * axis);
      is_at = is_at || (nodes.mirrors[face] && tile.position[axis] == 0) ||
              (nodes.mirrors[face + 1] && (tile.position[axis] + 1) * shape[axis] >= nodes.size[axis]);
    }
    return is_at;
  };
  const auto key = [](const MirrorEnd& e) { return std::tuple(e.tile, e.bit, e.direction); };
  for (std::uint64_t t = 0; t < nodes.tiles.size(); ++t) {
    const auto tile = static_cast<std::uint32_t>(t);
    if ((takes && !takes(tile)) || !at_mirror(nodes.tiles[t])) continue;
    for (std::uint64_t bits = nodes.tiles[t].mask; bits != 0; bits &= bits - 1)
      for (std::size_t i = 1; i < velocities.size(); ++i) {
        const MirrorEnd end{tile, static_cast<std::uint8_t>(std::countr_zero(bits)), static_cast<std::uint8_t>(i)};
        const std::optional<MirrorEnd> other = mirror_image(nodes, velocities, end);
        if (other && key(end) < key(*other) && (!takes || takes(other->tile))) pairs.push_back({end, *other});
      }
  }
  return pairs;
}

}  // namespace fluvia
