// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/profiles/sponge_nodes.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "fluvia/core/boundary/sponge.hpp"

namespace fluvia {

std::vector<BoundarySetup::SpongeNode> sponge_nodes(const SurfaceRoles& roles, const Problem& problem,
                                                    const std::vector<Int3>& velocities, const TileRange& tiles) {
  const Geometry& geometry = problem.geometry;
  const NodeMap& nodes = geometry.nodes;
  std::vector<BoundarySetup::SpongeNode> result;
  for (const Opening& opening : geometry.openings) {
    const Case::Boundary* b = roles.boundary[opening.surface];
    if (!b || !(b->sponge > 0)) continue;
    const double depth = problem.units.length(b->sponge);
    const Real3& n = opening.normal;
    std::array<float, 3> normal{};
    for (int a = 0; a < 3; ++a) normal[a] = static_cast<float>(n[a]);
    std::vector<bool> is_opening(geometry.surfaces.size(), false);
    is_opening[static_cast<std::size_t>(opening.surface)] = true;
    const std::vector<CutLink> cut = collect_cut_links(geometry, velocities, is_opening, tiles);
    auto next_cut = cut.begin();
    for (std::uint64_t t = tiles.first; t < tiles.end; ++t)
      for (std::uint64_t bits = nodes.tiles[t].mask; bits; bits &= bits - 1) {
        const int bit = std::countr_zero(bits);
        const Int3 x = nodes.node_position(nodes.tiles[t], bit);
        const Real3 point = {x[0] + 0.5, x[1] + 0.5, x[2] + 0.5};
        const double before = dot(opening.centroid - point, n), share = 1 - before / depth;
        if (before <= 0 || share <= 0) continue;
        if (opening.surface >= surface_id::wall && opening.parabola && opening.parabola(point + before * n) <= 0)
          continue;
        next_cut = std::find_if(next_cut, cut.end(), [&](const CutLink& link) {
          return std::pair<std::uint64_t, int>(link.tile, link.bit) >= std::pair(t, bit);
        });
        if (next_cut != cut.end() && next_cut->tile == t && next_cut->bit == bit) continue;
        result.push_back({static_cast<std::uint32_t>(t), static_cast<std::uint16_t>(opening.surface),
                          static_cast<std::uint8_t>(bit), static_cast<float>(core::Sponge::damping(depth, share)),
                          normal});
      }
  }
  return result;
}

}  // namespace fluvia
