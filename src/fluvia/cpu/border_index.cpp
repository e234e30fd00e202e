// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cpu/border_index.hpp"

#include <algorithm>
#include <bit>

#include "fluvia/base/error.hpp"

namespace fluvia::cpu {
namespace {

/// Where what crosses lies when the next step reads it, by the streaming's read_from; a subdomain has the node that
/// reads and the one that wrote, so sender and receiver find the same slot of the same node.
class CrossingPlaces {
 public:
  CrossingPlaces(const NodeMap& nodes, const StreamingTable& streaming, const ElementOf& element_of)
      : nodes_(nodes), streaming_(streaming), element_of_(element_of) {}

  /// The node that populations come from.
  [[nodiscard]] Int3 origin(const Crossing& c) const { return node_along(c, -1); }
  [[nodiscard]] BorderList list(const std::vector<Crossing>& crossings) const {
    BorderList list;
    list.elements = crossings.size();
    if (list.elements >> 32 != 0)
      throw_resource("domain: more crosses between parts than 32-bit numbers count; use more ranks");
    for (int parity = 0; parity < streaming_.parities; ++parity) list.runs[parity] = runs(crossings, parity);
    return list;
  }

 private:
  [[nodiscard]] std::vector<Run> runs(const std::vector<Crossing>& crossings, int parity) const {
    std::vector<Run> runs;
    std::uint32_t at = 0;
    for (const Crossing& c : crossings) {
      const core::Access read = streaming_.step[parity].read[c.direction];
      const std::uint64_t element = element_of_(node_along(c, read.side), read.slot);
      if (!runs.empty() && runs.back().element + runs.back().count == element)
        ++runs.back().count;
      else
        runs.push_back({element, at, 1});
      ++at;
    }
    runs.shrink_to_fit();
    return runs;
  }
  [[nodiscard]] Int3 node_along(const Crossing& crossing, int side) const {
    Int3 x = nodes_.node_position(nodes_.tiles[crossing.tile], crossing.bit);
    const signed char* c = streaming_.step[0].c[crossing.direction];
    for (int a = 0; a < 3; ++a) x[a] += side * c[a];
    if (!nodes_.wrap(x)) throw Error(ExitCode::internal, "a population crosses out of the box");
    return x;
  }

  const NodeMap& nodes_;
  const StreamingTable& streaming_;
  const ElementOf& element_of_;
};

/// What conditions keep of a node upstream of another part's node goes there with the populations.
void index_memory(const BoundarySetup& setup, const std::vector<NodeRecord>& records, const Subdomain& subdomain,
                  std::vector<BorderIndex::Border>& borders) {
  for (const MemoryCrossing& crossing : memory_crossings(setup, records)) {
    for (std::size_t k = 0; k < borders.size(); ++k) {
      const TileRange &here = subdomain.tiles, &there = subdomain.neighbours[k].tiles;
      BorderList* list = nullptr;
      if (here.contains(crossing.to_tile) && there.contains(crossing.from_tile)) list = &borders[k].arrives;
      if (here.contains(crossing.from_tile) && there.contains(crossing.to_tile)) list = &borders[k].leaves;
      if (list == nullptr) continue;
      for (std::uint32_t n = 0; n < crossing.count; ++n) list->memory.push_back(crossing.memory + n);
    }
  }
}

}  // namespace

BorderIndex index_borders(const BoundarySetup& setup, const std::vector<NodeRecord>& records, const NodeMap& nodes,
                          const StreamingTable& streaming, Subdomain& subdomain, std::uint64_t groups,
                          const PlaceOf& place_of, const ElementOf& element_of) {
  BorderIndex index;
  if (subdomain.tiles.count() == nodes.tiles.size()) return index;
  index.which.assign(groups, Which::none);
  const auto mark = [&](const Int3& node, Which which) {
    Which& of_group = index.which[place_of(node) / group_lanes];
    of_group = std::max(of_group, which);
  };
  for (std::uint64_t t = subdomain.tiles.first; t < subdomain.tiles.end; ++t)
    for (std::uint64_t bits = nodes.tiles[t].mask; bits != 0; bits &= bits - 1)
      mark(nodes.node_position(nodes.tiles[t], std::countr_zero(bits)), Which::interior);
  const CrossingPlaces places(nodes, streaming, element_of);
  index.borders.resize(subdomain.neighbours.size());
  for (std::size_t k = 0; k < index.borders.size(); ++k) {
    Neighbour& neighbour = subdomain.neighbours[k];
    index.borders[k] = {places.list(neighbour.arrives), places.list(neighbour.leaves)};
    for (const Crossing& c : neighbour.leaves) mark(places.origin(c), Which::border);
    std::vector<Crossing>().swap(neighbour.arrives);
    std::vector<Crossing>().swap(neighbour.leaves);
  }
  index_memory(setup, records, subdomain, index.borders);
  for (std::uint64_t group = 0; group < index.which.size(); ++group)
    if (index.which[group] == Which::border) index.leaving.push_back(group);
  return index;
}

}  // namespace fluvia::cpu
