// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/subdomain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <tuple>

#include "fluvia/base/error.hpp"
#include "fluvia/core/lattice/lattice.hpp"

namespace fluvia {

namespace {

/// Tile and bit of a node of the box.
struct TileNode {
  std::uint32_t tile;
  std::uint8_t bit;
};

/// Layers of tiles along the last axis, which canonical order goes through one by one, all of whose tiles a range has,
/// and those of the layers beside them, too.
std::vector<bool> layers_inside(const NodeMap& nodes, const TileRange& range) {
  const int axis = nodes.dimension - 1, count = nodes.tiles_in_box[axis];
  std::vector<bool> has(static_cast<std::size_t>(count), true), inside = has;
  for (std::uint64_t t = 0; t < nodes.tiles.size(); ++t)
    if (!range.contains(t)) has[static_cast<std::size_t>(nodes.tiles[t].position[axis])] = false;
  for (int layer = 0; layer < count; ++layer)
    for (int k = layer - 1; k <= layer + 1; ++k) {
      const int there = nodes.periodic[axis] ? wrapped(k, count) : std::clamp(k, 0, count - 1);
      if (!has[static_cast<std::size_t>(there)]) inside[static_cast<std::size_t>(layer)] = false;
    }
  return inside;
}

/// Calls visit(tile, bit, direction, there) for what arrives at the nodes of a range along `direction` from a fluid
/// node `there` outside of the range.
template <class Visit>
void for_each_arrival(const NodeMap& nodes, const std::vector<Int3>& velocities, const TileRange& range,
                      const Visit& visit) {
  const Int3 shape = tile_shape(nodes.dimension);
  const int depth = nodes.dimension == 3 ? 1 : 0;
  const std::vector<bool> inside = layers_inside(nodes, range);
  const auto is_inside = [&](const NodeMap::Tile& tile) {
    if (inside[static_cast<std::size_t>(tile.position[nodes.dimension - 1])]) return true;
    for (int dz = -depth; dz <= depth; ++dz)
      for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx) {
          const std::uint32_t t = nodes.tile_at({tile.position[0] + dx, tile.position[1] + dy, tile.position[2] + dz});
          if (t != empty_tile && !range.contains(t)) return false;
        }
    return true;
  };
  for (std::uint64_t t = range.first; t < range.end; ++t) {
    const NodeMap::Tile& tile = nodes.tiles[t];
    if (is_inside(tile)) continue;
    for (std::uint64_t bits = tile.mask; bits != 0; bits &= bits - 1) {
      const int bit = std::countr_zero(bits);
      const Int3 x = nodes.node_position(tile, bit);
      for (std::size_t i = 1; i < velocities.size(); ++i) {
        const Int3& c = velocities[i];
        Int3 from = {x[0] - c[0], x[1] - c[1], x[2] - c[2]};
        if (!nodes.wrap(from)) continue;
        const Int3 p = {from[0] / shape[0], from[1] / shape[1], from[2] / shape[2]};
        const std::uint32_t there = nodes.directory[nodes.directory_index(p)];
        if (there == empty_tile || range.contains(there)) continue;
        const int there_bit = tile_bit(nodes.dimension, {from[0] % shape[0], from[1] % shape[1], from[2] % shape[2]});
        if ((nodes.tiles[there].mask >> there_bit & 1) == 0) continue;
        visit(TileNode{static_cast<std::uint32_t>(t), static_cast<std::uint8_t>(bit)}, static_cast<int>(i),
              TileNode{there, static_cast<std::uint8_t>(there_bit)});
      }
    }
  }
}

}  // namespace

std::vector<std::uint64_t> cut_tiles(const NodeMap& nodes, int parts) {
  const std::uint64_t tiles = nodes.tiles.size(), count = static_cast<std::uint64_t>(parts);
  if (tiles < count)
    throw_input(
        fmt::format("domain: {} parts were asked for, but only {} tiles of {} nodes hold fluid, and each part "
                    "needs one; use fewer ranks or a finer spacing",
                    parts, tiles, nodes_per_tile));
  std::vector<std::uint64_t> cuts = {0};
  const auto first_node = [&](std::uint64_t t) { return t == tiles ? nodes.fluid_nodes : nodes.tiles[t].first_node; };
  for (std::uint64_t k = 1; k < count; ++k) {
    const std::uint64_t target = nodes.fluid_nodes / count * k + nodes.fluid_nodes % count * k / count;
    const auto found = std::lower_bound(nodes.tiles.begin(), nodes.tiles.end(), target,
                                        [](const NodeMap::Tile& tile, std::uint64_t n) { return tile.first_node < n; });
    auto cut = static_cast<std::uint64_t>(found - nodes.tiles.begin());
    if (cut > 0 && target - first_node(cut - 1) < first_node(cut) - target) --cut;
    cuts.push_back(std::clamp(cut, cuts.back() + 1, tiles - (count - k)));
  }
  cuts.push_back(tiles);
  return cuts;
}

Subdomain make_subdomain(const NodeMap& nodes, const std::vector<Int3>& velocities,
                         const std::vector<std::uint64_t>& cuts, int part) {
  Subdomain result;
  result.part = part;
  result.tiles = {cuts[static_cast<std::size_t>(part)], cuts[static_cast<std::size_t>(part) + 1]};
  std::map<int, Neighbour> neighbours;
  for_each_arrival(nodes, velocities, result.tiles, [&](const TileNode& node, int direction, const TileNode& there) {
    const int owner = static_cast<int>(std::upper_bound(cuts.begin(), cuts.end(), there.tile) - cuts.begin()) - 1;
    Neighbour& neighbour = neighbours[owner];
    neighbour.part = owner;
    neighbour.tiles = {cuts[static_cast<std::size_t>(owner)], cuts[static_cast<std::size_t>(owner) + 1]};
    neighbour.arrives.push_back({node.tile, node.bit, static_cast<std::uint8_t>(direction)});
    neighbour.leaves.push_back({there.tile, there.bit, static_cast<std::uint8_t>(core::opposite(direction))});
  });
  // By direction and row of the box, as most storages have them: what is packed then lies in long runs.
  const auto key = [&](const Crossing& c) {
    const Int3 x = nodes.node_position(nodes.tiles[c.tile], c.bit);
    return std::tuple(c.direction, x[2], x[1], x[0]);
  };
  for (auto& [owner, neighbour] : neighbours) {
    for (std::vector<Crossing>* list : {&neighbour.arrives, &neighbour.leaves})
      std::sort(list->begin(), list->end(), [&](const Crossing& a, const Crossing& b) { return key(a) < key(b); });
    result.neighbours.push_back(std::move(neighbour));
  }
  return result;
}

NodeMap stored_nodes(const NodeMap& nodes, const std::vector<Int3>& velocities, const Subdomain& subdomain) {
  std::map<std::uint64_t, std::uint64_t> halo;  // masks by tile
  for_each_arrival(nodes, velocities, subdomain.tiles, [&](const TileNode&, int, const TileNode& there) {
    halo[there.tile] |= std::uint64_t{1} << there.bit;
  });
  NodeMap stored = nodes;
  stored.keep([&](std::uint64_t tile) {
    if (subdomain.tiles.contains(tile)) return nodes.tiles[tile].mask;
    const auto found = halo.find(tile);
    return found == halo.end() ? std::uint64_t{0} : found->second;
  });
  return stored;
}

double PartitionFacts::imbalance() const {
  std::uint64_t sum = 0, most = 0;
  for (const std::uint64_t n : nodes) {
    sum += n;
    most = std::max(most, n);
  }
  return sum == 0 ? 0 : static_cast<double>(most) * static_cast<double>(nodes.size()) / static_cast<double>(sum) - 1;
}

double PartitionFacts::largest_halo() const {
  double largest = 0;
  for (std::size_t k = 0; k < nodes.size(); ++k)
    largest = std::max(largest, static_cast<double>(halo_nodes[k]) / static_cast<double>(nodes[k]));
  return largest;
}

PartitionFacts partition_facts(const NodeMap& nodes, const std::vector<Int3>& velocities, int parts) {
  const std::vector<std::uint64_t> cuts = cut_tiles(nodes, parts);
  PartitionFacts facts;
  for (int part = 0; part < parts; ++part) {
    const Subdomain subdomain = make_subdomain(nodes, velocities, cuts, part);
    const std::uint64_t owned = nodes.nodes_of(subdomain.tiles.first, subdomain.tiles.count());
    facts.nodes.push_back(owned);
    facts.halo_nodes.push_back(stored_nodes(nodes, velocities, subdomain).fluid_nodes - owned);
    std::uint64_t crossings = 0;
    for (const Neighbour& neighbour : subdomain.neighbours) crossings += neighbour.arrives.size();
    facts.crossings.push_back(crossings);
    facts.neighbours.push_back(static_cast<int>(subdomain.neighbours.size()));
  }
  return facts;
}

}  // namespace fluvia
