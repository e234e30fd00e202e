// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/scalars/solid_neighbours.hpp"

#include <algorithm>
#include <map>

namespace fluvia {

void add_solid_neighbours(const Problem& problem, const std::vector<ScalarMethod>& scalars,
                          const std::vector<std::uint64_t>& cuts, Block& block) {
  const NodeMap& nodes = problem.geometry.nodes;
  std::map<std::uint32_t, std::uint64_t> beside;
  bool any = false;
  for (const ScalarMethod& scalar : scalars) {
    if (scalar.solids.empty()) continue;
    any = true;
    for_each_link_to(make_scalar_solids(problem, scalar), nodes, *scalar.lattice,
                     [&](std::uint32_t tile, const Int3& at, int, const Int3&) {
                       if (block.tiles.contains(tile)) beside[tile] |= std::uint64_t{1} << nodes.find_fluid(at)->bit;
                     });
  }
  if (!any) return;
  for (const auto& [tile, mask] : beside) block.beside_solids.push_back({tile, mask});
  for (int other = 0; other + 1 < static_cast<int>(cuts.size()); ++other) {
    if (other == block.number ||
        std::ranges::find(block.neighbours, other, &Neighbour::block) != block.neighbours.end())
      continue;
    Neighbour& neighbour = block.neighbours.emplace_back();
    neighbour.block = other;
    neighbour.tiles = {cuts[static_cast<std::size_t>(other)], cuts[static_cast<std::size_t>(other) + 1]};
  }
  std::ranges::sort(block.neighbours, {}, &Neighbour::block);
}

}  // namespace fluvia
