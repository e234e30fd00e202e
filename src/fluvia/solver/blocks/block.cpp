// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/blocks/block.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <span>

#include "fluvia/base/error.hpp"
#include "fluvia/geometry/geometry.hpp"
#include "fluvia/solver/links/exchanged_links.hpp"

namespace fluvia {

namespace {

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

/// Nodes of a tile that are next to the one `step` away from it.
std::uint64_t nodes_beside(int dimension, const Int3& step) {
  const Int3 shape = tile_shape(dimension);
  std::uint64_t mask = 0;
  for (int bit = 0; bit < nodes_per_tile; ++bit) {
    const Int3 local = tile_local(dimension, bit);
    bool is_beside = true;
    for (int axis = 0; axis < dimension; ++axis)
      is_beside = is_beside && (step[axis] == 0 || local[axis] == (step[axis] < 0 ? 0 : shape[axis] - 1));
    if (is_beside) mask |= std::uint64_t{1} << bit;
  }
  return mask;
}

/// Which nodes of own tiles may have neighbours outside of their range.
class BorderNodes {
 public:
  BorderNodes(const NodeMap& nodes, const TileRange& range)
      : nodes_(nodes), range_(range), inside_(layers_inside(nodes, range)) {
    for (int axis = 0; axis < nodes.dimension; ++axis)
      ends_in_tile_ |= nodes.periodic[axis] && nodes.size[axis] % tile_shape(nodes.dimension)[axis] != 0;
    const int depth = nodes.dimension == 3 ? 1 : 0;
    for (int dz = -depth; dz <= depth; ++dz)
      for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx)
          if (const Int3 step{dx, dy, dz}; step != Int3{})
            around_.push_back({step, nodes_beside(nodes.dimension, step)});
  }

  [[nodiscard]] std::uint64_t of(const NodeMap::Tile& tile) const {
    if (inside_[static_cast<std::size_t>(tile.position[nodes_.dimension - 1])]) return 0;
    std::uint64_t mask = 0;
    for (const auto& [step, beside] : around_) {
      const Int3& p = tile.position;
      const std::uint32_t other = nodes_.tile_at({p[0] + step[0], p[1] + step[1], p[2] + step[2]});
      if (other == empty_tile || range_.contains(other)) continue;
      if (ends_in_tile_) return tile.mask;  // what is next to each other there lies anywhere in tiles
      mask |= beside;
    }
    return mask & tile.mask;
  }

 private:
  struct Beside {
    Int3 step;
    std::uint64_t nodes;
  };
  const NodeMap& nodes_;
  TileRange range_;
  std::vector<bool> inside_;
  std::vector<Beside> around_;
  bool ends_in_tile_ = false;
};

/// Calls visit(node) for own nodes that may have neighbours outside of the range.
template <class Visit>
void for_each_node_at_borders(const NodeMap& nodes, const TileRange& range, const Visit& visit) {
  const BorderNodes border(nodes, range);
  for (std::uint64_t t = range.first; t < range.end; ++t)
    for (std::uint64_t bits = border.of(nodes.tiles[t]); bits != 0; bits &= bits - 1)
      visit(NodeMap::Node{static_cast<std::uint32_t>(t), static_cast<std::uint8_t>(std::countr_zero(bits))});
}

template <class Visit>
void for_each_node(const std::vector<NodesOfTile>& ring, const Visit& visit) {
  for (const NodesOfTile& some : ring)
    for (std::uint64_t bits = some.mask; bits != 0; bits &= bits - 1)
      visit(NodeMap::Node{some.tile, static_cast<std::uint8_t>(std::countr_zero(bits))});
}

std::uint64_t mask_in(const std::vector<NodesOfTile>& ring, std::uint32_t tile) {
  const auto found = std::lower_bound(ring.begin(), ring.end(), tile,
                                      [](const NodesOfTile& n, std::uint32_t t) { return n.tile < t; });
  return found != ring.end() && found->tile == tile ? found->mask : 0;
}

/// All neighbours of a node: those that planes of symmetry put in place of others may be further than a velocity leads.
std::vector<Int3> all_around(int dimension) {
  std::vector<Int3> all;
  const int depth = dimension == 3 ? 1 : 0;
  for (int z = -depth; z <= depth; ++z)
    for (int y = -1; y <= 1; ++y)
      for (int x = -1; x <= 1; ++x) all.push_back({x, y, z});
  return all;
}

/// Block::halo of so many steps.
Halo find_halo(const NodeMap& nodes, const std::vector<Int3>& velocities, const TileRange& own, int steps) {
  Halo halo;
  std::map<std::uint32_t, std::uint64_t> seen, ring;  // masks by tile
  const auto look_around = [&](const NodeMap::Node& node) {
    const Int3 x = nodes.node_position(nodes.tiles[node.tile], node.bit);
    for (const Int3& c : velocities) {
      const std::optional<NodeMap::Node> there = nodes.find_fluid({x[0] - c[0], x[1] - c[1], x[2] - c[2]});
      if (!there || own.contains(there->tile)) continue;
      std::uint64_t& known = seen[there->tile];
      const std::uint64_t bit = std::uint64_t{1} << there->bit;
      if ((known & bit) != 0) continue;
      known |= bit;
      ring[there->tile] |= bit;
    }
  };
  for (int k = 0; k < steps; ++k) {
    if (k == 0)
      for_each_node_at_borders(nodes, own, look_around);
    else
      for_each_node(halo.back(), look_around);
    std::vector<NodesOfTile>& list = halo.emplace_back();
    for (const auto& [tile, mask] : ring) list.push_back({tile, mask});
    ring.clear();
  }
  return halo;
}

/// Calls visit(halo population, the same as the sender has it, tile of its origin) for what arrives at the nodes that a
/// block steps from nodes that it does not own. Nodes of its halo are such, too: of these all populations arrive.
template <class Visit>
void for_each_halo_population(const NodeMap& nodes, const std::vector<Int3>& velocities, const Block& block,
                              const Visit& visit) {
  const bool has_mirrors = nodes.has_mirrors();
  const auto visit_node = [&](const NodeMap::Node& node) {
    const Int3 x = nodes.node_position(nodes.tiles[node.tile], node.bit);
    for (std::size_t i = 0; i < velocities.size(); ++i) {
      const Int3& c = velocities[i];
      if (nodes.barring_surface(x, {-c[0], -c[1], -c[2]}) >= 0) continue;  // it comes back to its own part
      const std::optional<NodeMap::Node> origin = nodes.find_fluid({x[0] - c[0], x[1] - c[1], x[2] - c[2]});
      const HaloPopulation::Arrival arrival{node.tile, node.bit, static_cast<std::uint8_t>(i)};
      std::optional<ExchangedEnd> image;
      if (!origin && has_mirrors)
        image = mirror_image(nodes, velocities, {arrival.tile, arrival.bit, arrival.direction});
      const std::uint32_t tile = origin ? origin->tile : image ? image->tile : node.tile;
      if (block.tiles.contains(tile)) continue;
      const HaloPopulation arrives{arrival.tile, arrival.bit, arrival.direction, !origin, arrival};
      visit(arrives, image ? HaloPopulation{image->tile, image->bit, image->direction, true, arrival} : arrives, tile);
    }
  };
  for_each_node_at_borders(nodes, block.tiles, visit_node);
  for (std::size_t k = 0; k + 1 < block.halo.size(); ++k) for_each_node(block.halo[k], visit_node);
}

/// By direction and row of the box, as most storages have them: what is packed then lies in long runs.
void sort_by_rows(const NodeMap& nodes, std::vector<HaloPopulation>& halo_populations) {
  std::vector<std::pair<std::uint64_t, HaloPopulation>> keyed;
  keyed.reserve(halo_populations.size());
  for (const HaloPopulation& c : halo_populations) {
    const Int3 x = nodes.node_position(nodes.tiles[c.arrival.tile], c.arrival.bit);
    const std::uint64_t place =
        x[0] + static_cast<std::uint64_t>(nodes.size[0]) * (x[1] + static_cast<std::uint64_t>(nodes.size[1]) * x[2]);
    keyed.emplace_back(c.arrival.direction * nodes.box_nodes() + place, c);
  }
  std::sort(keyed.begin(), keyed.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (std::size_t k = 0; k < keyed.size(); ++k) halo_populations[k] = keyed[k].second;
}

/// Nodes of a range of tiles and of rings around it.
NodeMap kept(const NodeMap& nodes, const TileRange& own, std::span<const std::vector<NodesOfTile>> halo) {
  std::map<std::uint64_t, std::uint64_t> masks;
  for (const auto& ring : halo)
    for (const NodesOfTile& some : ring) masks[some.tile] |= some.mask;
  NodeMap stored;
  stored.dimension = nodes.dimension;
  stored.size = nodes.size;
  stored.periodic = nodes.periodic;
  stored.mirrors = nodes.mirrors;
  stored.barred = nodes.barred;
  stored.tiles_in_box = nodes.tiles_in_box;
  stored.half = nodes.half;
  stored.directory.assign(nodes.directory.size(), empty_tile);
  stored.tiles.reserve(own.count() + masks.size());
  const auto add = [&](std::uint64_t tile, std::uint64_t mask) {
    const Int3& position = nodes.tiles[tile].position;
    stored.directory[stored.directory_index(position)] = static_cast<std::uint32_t>(stored.tiles.size());
    stored.tiles.push_back({mask, stored.fluid_nodes, position});
    stored.fluid_nodes += static_cast<std::uint64_t>(std::popcount(mask));
  };
  auto around = masks.begin();
  for (; around != masks.end() && around->first < own.first; ++around) add(around->first, around->second);
  for (std::uint64_t tile = own.first; tile < own.end; ++tile) add(tile, nodes.tiles[tile].mask);
  for (; around != masks.end(); ++around)
    if (!own.contains(around->first)) add(around->first, around->second);
  return stored;
}

/// Marks the layers of tiles across the last axis that hold some of a part's nodes, and those beside them.
std::vector<bool> layers_around(const NodeMap& nodes, const Block& block) {
  const int axis = nodes.dimension - 1, count = nodes.tiles_in_box[axis];
  std::vector<bool> has(static_cast<std::size_t>(count), false), around = has;
  const auto mark = [&](std::uint64_t tile) { has[static_cast<std::size_t>(nodes.tiles[tile].position[axis])] = true; };
  for (std::uint64_t tile = block.tiles.first; tile < block.tiles.end; ++tile) mark(tile);
  for (const auto& ring : block.halo)
    for (const NodesOfTile& some : ring) mark(some.tile);
  for (int layer = 0; layer < count; ++layer)
    for (int k = layer - 1; k <= layer + 1; ++k) {
      const int there = nodes.periodic[axis] ? wrapped(k, count) : std::clamp(k, 0, count - 1);
      if (has[static_cast<std::size_t>(there)]) around[static_cast<std::size_t>(layer)] = true;
    }
  return around;
}

/// The first tile before which there are no fewer fluid nodes; the end if there is none.
std::uint64_t first_tile_from(const NodeMap& nodes, std::uint64_t fluid_nodes) {
  const auto found = std::lower_bound(nodes.tiles.begin(), nodes.tiles.end(), fluid_nodes,
                                      [](const NodeMap::Tile& tile, std::uint64_t n) { return tile.first_node < n; });
  return static_cast<std::uint64_t>(found - nodes.tiles.begin());
}

/// Fluid nodes of a plane across the last axis, in the mean of each layer of tiles.
std::vector<double> plane_nodes(const NodeMap& nodes) {
  const int axis = nodes.dimension - 1;
  std::vector<double> planes(static_cast<std::size_t>(nodes.tiles_in_box[axis]), 0.0);
  for (std::uint64_t t = 0; t < nodes.tiles.size(); ++t)
    planes[static_cast<std::size_t>(nodes.tiles[t].position[axis])] +=
        static_cast<double>(std::popcount(nodes.tiles[t].mask)) / tile_shape(nodes.dimension)[axis];
  return planes;
}

/// Fluid nodes before the first of each part, and all: as many in each, but for borders as cut_tiles() says.
std::vector<std::uint64_t> nodes_before_cuts(const NodeMap& nodes, int parts, double border_cost) {
  const auto count = static_cast<std::uint64_t>(parts);
  std::vector<std::uint64_t> before;
  for (std::uint64_t k = 0; k <= count; ++k)
    before.push_back(nodes.fluid_nodes / count * k + nodes.fluid_nodes % count * k / count);
  if (border_cost <= 0 || parts == 1) return before;
  const int axis = nodes.dimension - 1;
  const std::vector<double> planes = plane_nodes(nodes);
  const double mean = static_cast<double>(nodes.fluid_nodes) / parts;
  std::vector<double> borders(before.size()), own(before.size() - 1);
  for (int round = 0; round < 4; ++round) {  // where a part ends, its border may be of another size
    for (std::uint64_t k = 0; k <= count; ++k) {
      const std::uint64_t tile = std::min(first_tile_from(nodes, before[k]), nodes.tiles.size() - 1);
      const bool is_end = (k == 0 || k == count) && !nodes.periodic[axis];
      borders[k] = is_end ? 0 : border_cost * planes[static_cast<std::size_t>(nodes.tiles[tile].position[axis])];
    }
    double all = static_cast<double>(nodes.fluid_nodes);
    for (std::uint64_t k = 0; k < count; ++k) all += borders[k] + borders[k + 1];
    double sum = 0;
    for (std::uint64_t k = 0; k < count; ++k) {
      constexpr double most = 0.025;
      own[k] = std::clamp(all / parts - borders[k] - borders[k + 1], (1 - most) * mean, (1 + most) * mean);
      sum += own[k];
    }
    double end = 0;
    for (std::uint64_t k = 0; k + 1 < count; ++k) {
      end += own[k] / sum * static_cast<double>(nodes.fluid_nodes);
      before[k + 1] = static_cast<std::uint64_t>(end);
    }
  }
  return before;
}

}  // namespace

std::vector<std::uint64_t> cut_tiles(const NodeMap& nodes, int parts, double border_cost) {
  const std::uint64_t tiles = nodes.tiles.size(), count = static_cast<std::uint64_t>(parts);
  if (tiles < count)
    throw_input(
        fmt::format("domain: {} parts were asked for, but only {} tiles of {} nodes hold fluid, and each part "
                    "needs one; use fewer ranks or a finer spacing",
                    parts, tiles, nodes_per_tile));
  std::vector<std::uint64_t> cuts = {0};
  const auto first_node = [&](std::uint64_t t) { return t == tiles ? nodes.fluid_nodes : nodes.tiles[t].first_node; };
  const std::vector<std::uint64_t> targets = nodes_before_cuts(nodes, parts, border_cost);
  for (std::uint64_t k = 1; k < count; ++k) {
    const std::uint64_t target = targets[k];
    std::uint64_t cut = first_tile_from(nodes, target);
    if (cut > 0 && target - first_node(cut - 1) < first_node(cut) - target) --cut;
    cuts.push_back(std::clamp(cut, cuts.back() + 1, tiles - (count - k)));
  }
  cuts.push_back(tiles);
  return cuts;
}

std::vector<std::uint64_t> domain_cuts(const NodeMap& nodes, const Domain& domain) {
  return cut_tiles(nodes, domain.blocks, domain.border_cost);
}

int part_with(const std::vector<std::uint64_t>& cuts, std::uint64_t tile) {
  return static_cast<int>(std::upper_bound(cuts.begin(), cuts.end(), tile) - cuts.begin()) - 1;
}

Block make_block(const NodeMap& nodes, const std::vector<Int3>& velocities, const std::vector<std::uint64_t>& cuts,
                 int part, int steps, Crosses crosses) {
  const bool has_populations = crosses == Crosses::populations;
  if (has_populations && steps > 1 && cuts.size() > 2 && nodes.has_exchanged_links())  // plans know it
    throw Error(ExitCode::internal, "parts that meet planes of symmetry or sheets take single steps");
  const auto tiles_of = [&](int k) {
    return TileRange{cuts[static_cast<std::size_t>(k)], cuts[static_cast<std::size_t>(k) + 1]};
  };
  Block result;
  result.number = part;
  result.tiles = tiles_of(part);
  result.steps = steps;
  result.velocities = !has_populations && nodes.has_mirrors() ? all_around(nodes.dimension) : velocities;
  result.halo = find_halo(nodes, result.velocities, result.tiles, steps);
  std::map<int, Neighbour> neighbours;
  for (const auto& ring : result.halo)
    for (const NodesOfTile& some : ring) neighbours[part_with(cuts, some.tile)];
  if (has_populations)
    for_each_halo_population(nodes, velocities, result,
                             [&](const HaloPopulation& halo_population, const HaloPopulation&, std::uint32_t origin) {
                               neighbours[part_with(cuts, origin)].arrives.push_back(halo_population);
                             });
  for (auto& [owner, neighbour] : neighbours) {
    neighbour.block = owner;
    neighbour.tiles = tiles_of(owner);
    Block there;  // what of it decides about what crosses
    there.tiles = neighbour.tiles;
    there.halo = find_halo(nodes, result.velocities, there.tiles, steps);
    if (steps > 1 || !has_populations) neighbour.halo = part_of(there.halo, result.tiles);
    if (has_populations)
      for_each_halo_population(nodes, velocities, there,
                               [&](const HaloPopulation&, const HaloPopulation& sent, std::uint32_t origin) {
                                 if (result.tiles.contains(origin)) neighbour.leaves.push_back(sent);
                               });
    sort_by_rows(nodes, neighbour.arrives);
    sort_by_rows(nodes, neighbour.leaves);
    result.neighbours.push_back(std::move(neighbour));
  }
  return result;
}

bool contains(const Halo& halo, std::uint32_t tile, int bit) {
  return std::any_of(halo.begin(), halo.end(), [&](const auto& ring) { return (mask_in(ring, tile) >> bit & 1) != 0; });
}

Halo part_of(const Halo& halo, const TileRange& tiles) {
  Halo part;
  for (const auto& ring : halo) {
    std::vector<NodesOfTile>& list = part.emplace_back();
    for (const NodesOfTile& some : ring)
      if (tiles.contains(some.tile)) list.push_back(some);
  }
  return part;
}

Block whole_domain(const NodeMap& nodes) {
  Block whole;
  whole.tiles = {0, nodes.tiles.size()};
  return whole;
}

bool Block::takes(std::uint32_t tile, int bit) const {
  if (tiles.contains(tile)) return true;
  for (std::size_t k = 0; k + 1 < halo.size(); ++k)
    if ((mask_in(halo[k], tile) >> bit & 1) != 0) return true;
  return false;
}

std::vector<TileRange> Block::stepped_halo_tiles() const {
  std::vector<std::uint64_t> list;
  for (std::size_t k = 0; k + 1 < halo.size(); ++k)
    for (const NodesOfTile& some : halo[k]) list.push_back(some.tile);
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
  std::vector<TileRange> ranges;
  for (const std::uint64_t tile : list) {
    if (ranges.empty() || ranges.back().end != tile) ranges.push_back({tile, tile});
    ++ranges.back().end;
  }
  return ranges;
}

void keep_local_part(NodeMap& nodes, const Block& block) {
  nodes.hold_layers(layers_around(nodes, block));
}

void keep_local_part(Geometry& geometry, const Block& block) {
  keep_local_part(geometry.nodes, block);
  geometry.forget_surfaces();
}

NodeMap stored_nodes(const NodeMap& nodes, const Block& block) {
  return kept(nodes, block.tiles, {block.halo.begin(), block.halo.end()});
}

NodeMap stepped_halo(const NodeMap& nodes, const Block& block) {
  return kept(nodes, {}, {block.halo.begin(), block.halo.empty() ? block.halo.end() : block.halo.end() - 1});
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

PartitionFacts partition_facts(const NodeMap& nodes, const std::vector<Int3>& velocities,
                               const std::vector<std::uint64_t>& cuts, int steps, int numbers,
                               Communicator& communicator) {
  struct Part {
    std::uint64_t nodes = 0, halo = 0, halo_populations = 0, repeated = 0, neighbours = 0;
  };
  std::vector<Part> own;
  const Communicator::Share share = communicator.share_of(cuts.size() - 1);
  for (std::uint64_t part = share.first; part < share.end; ++part) {
    const Block block = make_block(nodes, velocities, cuts, static_cast<int>(part), steps,
                                   numbers > 0 ? Crosses::nodes : Crosses::populations);
    Part& facts = own.emplace_back();
    facts.nodes = nodes.nodes_of(block.tiles.first, block.tiles.count());
    for (std::size_t k = 0; k < block.halo.size(); ++k)
      for (const NodesOfTile& some : block.halo[k]) {
        const auto count = static_cast<std::uint64_t>(std::popcount(some.mask));
        facts.halo += count;
        // Nodes so far away take part in these first steps only.
        facts.repeated += count * (block.halo.size() - 1 - k);
      }
    facts.halo_populations = facts.halo * static_cast<std::uint64_t>(numbers);
    for (const Neighbour& neighbour : block.neighbours) facts.halo_populations += neighbour.arrives.size();
    facts.neighbours = block.neighbours.size();
  }
  PartitionFacts facts;
  facts.steps = steps;
  for (const Part& part : communicator.join(std::move(own))) {
    facts.nodes.push_back(part.nodes);
    facts.halo_nodes.push_back(part.halo);
    facts.repeated.push_back(part.repeated);
    facts.halo_populations.push_back(part.halo_populations);
    facts.neighbours.push_back(static_cast<int>(part.neighbours));
  }
  return facts;
}

}  // namespace fluvia
