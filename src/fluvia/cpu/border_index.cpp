// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cpu/border_index.hpp"

#include <algorithm>
#include <bit>

#include "fluvia/base/error.hpp"

namespace fluvia::cpu {
namespace {

/// Where what crosses lies when the next step reads it, by the streaming's read_from; a block has the node that
/// reads and the one that wrote, so sender and receiver find the same slot of the same node.
class HaloPopulationElements {
 public:
  HaloPopulationElements(const NodeMap& nodes, const StreamingTable& streaming, const ElementOf& element_of)
      : nodes_(nodes), streaming_(streaming), element_of_(element_of) {}

  /// The node that populations come from.
  [[nodiscard]] Int3 origin(const HaloPopulation& c) const { return node_along(c, c.is_cut ? 0 : -1); }
  [[nodiscard]] BorderList list(const std::vector<HaloPopulation>& halo_populations) const {
    BorderList list;
    list.elements = halo_populations.size();
    if (list.elements >> 32 != 0)
      throw_resource("domain: more crosses between parts than 32-bit numbers count; use more ranks");
    for (int parity = 0; parity < streaming_.parities; ++parity) list.runs[parity] = runs(halo_populations, parity);
    return list;
  }
  /// Between levels of refinement.
  [[nodiscard]] BorderList decoded_list(const std::vector<HaloPopulation>& halo_populations) const {
    BorderList decoded = list(halo_populations);
    decoded.is_decoded = true;
    for (int parity = 0; parity < streaming_.parities; ++parity) {
      std::vector<Run>& runs = decoded.runs[parity];
      if (std::any_of(runs.begin(), runs.end(), [](const Run& run) { return (run.element + run.count) >> 32 != 0; }))
        continue;
      for (const Run& run : runs)
        for (std::uint32_t k = 0; k < run.count; ++k)
          decoded.singles[parity].push_back(static_cast<std::uint32_t>(run.element) + k);
      std::vector<Run>().swap(runs);
    }
    return decoded;
  }

 private:
  [[nodiscard]] std::vector<Run> runs(const std::vector<HaloPopulation>& halo_populations, int parity) const {
    std::vector<Run> runs;
    std::uint32_t at = 0;
    for (const HaloPopulation& c : halo_populations) {
      const StepAccess& step = streaming_.step[parity];
      const core::Access read = (c.is_cut ? step.read_cut : step.read)[c.direction];
      const std::uint64_t element = element_of_(node_along(c, 0), step.c[c.direction], read);
      if (!runs.empty() && runs.back().element + runs.back().count == element)
        ++runs.back().count;
      else
        runs.push_back({element, at, 1});
      ++at;
    }
    runs.shrink_to_fit();
    return runs;
  }
  [[nodiscard]] Int3 node_along(const HaloPopulation& halo_population, int side) const {
    Int3 x = nodes_.node_position(nodes_.tiles[halo_population.tile], halo_population.bit);
    const signed char* c = streaming_.step[0].c[halo_population.direction];
    for (int a = 0; a < 3; ++a) x[a] += side * c[a];
    if (!nodes_.wrap(x)) throw Error(ExitCode::internal, "a population crosses out of the box");
    return x;
  }

  const NodeMap& nodes_;
  const StreamingTable& streaming_;
  const ElementOf& element_of_;
};

/// What nodes with boundary conditions keep and another part needs goes there with the populations.
void index_kept(const BoundarySetup& setup, const std::vector<NodeRecord>& records, const FitTables& fits,
                std::span<const NodeArray> arrays, const Block& block, std::vector<BorderIndex::Border>& borders) {
  for (std::size_t a = 0; a < arrays.size(); ++a) {
    if (!arrays[a].exchanged || arrays[a].over != Over::stateful_nodes) continue;
    std::vector<HaloMemory> memory = halo_memory(setup, records, fits, block);
    for (std::size_t k = 0; k < borders.size(); ++k) {
      borders[k].arrives.kept.push_back({a, std::move(memory[k].arrives)});
      borders[k].leaves.kept.push_back({a, std::move(memory[k].leaves)});
    }
  }
}

/// BorderIndex::distance, where own nodes have been marked.
std::vector<std::uint8_t> distances(const NodeMap& nodes, const Block& block, const std::vector<Which>& which,
                                    const StorageIndexOf& storage_index_of) {
  std::vector<std::uint8_t> distance(which.size(), BorderIndex::too_far);
  for (std::size_t k = 0; k + 1 < block.halo.size(); ++k)
    for (const NodesOfTile& some : block.halo[k])
      for (std::uint64_t bits = some.mask; bits != 0; bits &= bits - 1) {
        const Int3 node = nodes.node_position(nodes.tiles[some.tile], std::countr_zero(bits));
        std::uint8_t& of_group = distance[storage_index_of(node) / group_lanes];
        of_group = std::min(of_group, static_cast<std::uint8_t>(k + 1));
      }
  for (std::size_t group = 0; group < which.size(); ++group)
    if (which[group] != Which::none) distance[group] = 0;
  return distance;
}

/// BorderIndex::level, where groups of the border are known.
std::vector<std::uint8_t> levels(const NodeMap& nodes, const Block& block, const BorderIndex& index,
                                 const StorageIndexOf& storage_index_of, const NodesOf& nodes_of) {
  std::vector<std::uint8_t> level(index.which.size(), BorderIndex::too_far);
  std::vector<std::uint64_t> front = index.leaving, next;
  for (const std::uint64_t group : front) level[group] = 0;
  for (int k = 1; k < block.steps; ++k) {
    for (const std::uint64_t group : front)
      nodes_of(group, [&](const Int3& node) {
        for (const Int3& c : block.velocities) {
          Int3 there = {node[0] + c[0], node[1] + c[1], node[2] + c[2]};
          if (!nodes.wrap(there)) continue;
          const std::uint64_t beside = storage_index_of(there) / group_lanes;
          if (beside >= level.size() || level[beside] != BorderIndex::too_far) continue;  // not stored, or known
          level[beside] = static_cast<std::uint8_t>(k);
          next.push_back(beside);
        }
      });
    front.swap(next);
    next.clear();
  }
  return level;
}

/// What a block exchanges with each neighbour, by bits with those of its level and by numbers with other levels, whose
/// blocks own no node of its map. The lists of the block are freed, but for those of scalars, which stay for these.
std::vector<BorderIndex::Border> list_borders(const HaloPopulationElements& elements, Block& block) {
  std::vector<BorderIndex::Border> borders;
  for (Neighbour& neighbour : block.neighbours) {
    if (neighbour.scalar != Neighbour::of_flow) {
      borders.emplace_back();
      continue;
    }
    if (neighbour.link == ExchangeLink::copy)
      borders.push_back({elements.list(neighbour.arrives), elements.list(neighbour.leaves)});
    else
      borders.push_back({elements.decoded_list(neighbour.arrives), elements.decoded_list(neighbour.leaves)});
    std::vector<HaloPopulation>().swap(neighbour.arrives);
    std::vector<HaloPopulation>().swap(neighbour.leaves);
  }
  return borders;
}

}  // namespace

BorderIndex index_borders(const BoundarySetup& setup, const std::vector<NodeRecord>& records, const FitTables& fits,
                          std::span<const NodeArray> arrays, const NodeMap& nodes, const StreamingTable& streaming,
                          Block& block, std::uint64_t groups, const StorageIndexOf& storage_index_of,
                          const ElementOf& element_of, const NodesOf& nodes_of) {
  BorderIndex index;
  const HaloPopulationElements elements(nodes, streaming, element_of);
  if (block.tiles.count() == nodes.tiles.size()) {
    index.borders = list_borders(elements, block);
    return index;
  }
  index.which.assign(groups, Which::none);
  const auto mark = [&](const Int3& node, Which which) {
    Which& of_group = index.which[storage_index_of(node) / group_lanes];
    of_group = std::max(of_group, which);
  };
  for (std::uint64_t t = block.tiles.first; t < block.tiles.end; ++t)
    for (std::uint64_t bits = nodes.tiles[t].mask; bits != 0; bits &= bits - 1)
      mark(nodes.node_position(nodes.tiles[t], std::countr_zero(bits)), Which::interior);
  if (block.steps > 1) index.distance = distances(nodes, block, index.which, storage_index_of);
  for (const Neighbour& neighbour : block.neighbours) {
    if (neighbour.link != ExchangeLink::copy) continue;  // levels exchange when all of a step is done
    for (const HaloPopulation& c : neighbour.leaves) mark(elements.origin(c), Which::border);
    for (const auto& ring : neighbour.halo)  // what conditions keep of these leaves, too
      for (const NodesOfTile& some : ring)
        for (std::uint64_t bits = some.mask; bits != 0; bits &= bits - 1)
          mark(nodes.node_position(nodes.tiles[some.tile], std::countr_zero(bits)), Which::border);
  }
  for (const NodesOfTile& some : block.beside_solids)  // what leaves these to solids goes to all blocks
    for (std::uint64_t bits = some.mask; bits != 0; bits &= bits - 1)
      mark(nodes.node_position(nodes.tiles[some.tile], std::countr_zero(bits)), Which::border);
  index.borders = list_borders(elements, block);
  index_kept(setup, records, fits, arrays, block, index.borders);
  for (Neighbour& neighbour : block.neighbours) neighbour.halo.clear();
  for (std::uint64_t group = 0; group < index.which.size(); ++group)
    if (index.which[group] == Which::border) index.leaving.push_back(group);
  if (block.steps > 1) index.level = levels(nodes, block, index, storage_index_of, nodes_of);
  return index;
}

}  // namespace fluvia::cpu
