// SPDX-License-Identifier: Apache-2.0
// Solids in which scalars spread, of a domain in blocks: each block steps all of them, and is told by all others what
// leaves the fluid beside them (docs/decisions/0066).
#pragma once
#include <bit>
#include <cstdint>
#include <vector>

#include "fluvia/case/physics/registered_scalars.hpp"
#include "fluvia/geometry/problem.hpp"
#include "fluvia/solver/blocks/block.hpp"
#include "fluvia/solver/scalars/scalar_method.hpp"
#include "fluvia/solver/scalars/scalar_solids.hpp"

namespace fluvia {

/// Calls visit(tile, node, direction, node of a solid) for each link of a lattice from a node of the fluid to one of
/// solids, in canonical order.
template <class Visit>
void for_each_link_to(const ScalarSolids& solids, const NodeMap& fluid, const ScalarLatticeFacts& lattice,
                      const Visit& visit);

/// Lets a block know all others as neighbours, and which of its nodes lie beside solids. `cuts`: of all blocks.
void add_solid_neighbours(const Problem& problem, const std::vector<ScalarMethod>& scalars,
                          const std::vector<std::uint64_t>& cuts, Block& block);

template <class Visit>
void for_each_link_to(const ScalarSolids& solids, const NodeMap& fluid, const ScalarLatticeFacts& lattice,
                      const Visit& visit) {
  const int depth = fluid.dimension == 3 ? 1 : 0;
  const auto is_near = [&](const Int3& p) {
    for (int z = -depth; z <= depth; ++z)
      for (int y = -1; y <= 1; ++y)
        for (int x = -1; x <= 1; ++x)
          if (solids.nodes.tile_at({p[0] + x, p[1] + y, p[2] + z}) != empty_tile) return true;
    return false;
  };
  for (std::uint32_t t = 0; t < fluid.tiles.size(); ++t) {
    const NodeMap::Tile tile = fluid.tiles[t];
    if (!is_near(tile.position)) continue;
    for (std::uint64_t rest = tile.mask; rest != 0; rest &= rest - 1) {
      const Int3 at = fluid.node_position(tile, std::countr_zero(rest));
      for (int i = 1; i < lattice.directions; ++i) {
        const Int3& c = lattice.velocities[static_cast<std::size_t>(i)];
        const NodeMap::Landing landing = fluid.land({at[0] + c[0], at[1] + c[1], at[2] + c[2]});
        if (landing.inside && solids.find(landing.node) >= 0) visit(t, at, i, landing.node);
      }
    }
  }
}

}  // namespace fluvia
