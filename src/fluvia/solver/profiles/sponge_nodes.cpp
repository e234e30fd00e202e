// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/profiles/sponge_nodes.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "fluvia/core/boundary/sponge.hpp"

namespace fluvia {

std::vector<SpongeLayer> sponge_layers(const SurfaceRoles& roles, const Problem& problem) {
  const Geometry& geometry = problem.geometry;
  std::vector<SpongeLayer> layers;
  for (const Opening& opening : geometry.openings)
    if (const Case::Boundary* b = roles.boundary[opening.surface]; b && b->sponge > 0)
      layers.push_back({opening.surface, opening.centroid, opening.normal, problem.units.length(b->sponge), &opening});
  for (int face = 0; face < surface_id::wall; ++face) {
    const Case::Boundary* b = roles.boundary[static_cast<std::size_t>(face)];
    if (!b || !(b->sponge > 0) || !geometry.nodes.mirrors[static_cast<std::size_t>(face)]) continue;
    SpongeLayer& layer = layers.emplace_back();
    layer.surface = face;
    layer.depth = problem.units.length(b->sponge);
    layer.normal[face / 2] = face % 2 == 0 ? -1 : 1;
    if (face % 2 != 0) layer.at[face / 2] = geometry.nodes.size[face / 2];
  }
  return layers;
}

std::vector<BoundarySetup::SpongeNode> sponge_nodes(const SurfaceRoles& roles, const Problem& problem,
                                                    const std::vector<Int3>& velocities, const TileRange& tiles) {
  const Geometry& geometry = problem.geometry;
  const NodeMap& nodes = geometry.nodes;
  const double steps = std::exp2(geometry.level);  // in one of the coarsest level
  std::vector<BoundarySetup::SpongeNode> result;
  for (const SpongeLayer& layer : sponge_layers(roles, problem)) {
    const Real3& n = layer.normal;
    std::array<float, 3> normal{};
    for (int a = 0; a < 3; ++a) normal[a] = static_cast<float>(n[a]);
    std::vector<CutLink> cut;
    if (layer.opening != nullptr) {
      std::vector<bool> is_opening(geometry.surfaces.size(), false);
      is_opening[static_cast<std::size_t>(layer.surface)] = true;
      cut = collect_cut_links(geometry, velocities, is_opening, tiles);
    }
    auto next_cut = cut.begin();
    for (std::uint64_t t = tiles.first; t < tiles.end; ++t)
      for (std::uint64_t bits = nodes.tiles[t].mask; bits; bits &= bits - 1) {
        const int bit = std::countr_zero(bits);
        const Int3 x = nodes.node_position(nodes.tiles[t], bit);
        const Real3 point = {x[0] + 0.5, x[1] + 0.5, x[2] + 0.5};
        const double before = dot(layer.at - point, n), share = 1 - before / layer.depth;
        if (before <= 0 || share <= 0) continue;
        if (layer.surface >= surface_id::wall && layer.opening->parabola &&
            layer.opening->parabola(point + before * n) <= 0)
          continue;
        next_cut = std::find_if(next_cut, cut.end(), [&](const CutLink& link) {
          return std::pair<std::uint64_t, int>(link.tile, link.bit) >= std::pair(t, bit);
        });
        if (next_cut != cut.end() && next_cut->tile == t && next_cut->bit == bit) continue;
        // On finer levels as much in a time as on the coarsest.
        const double damping = core::Sponge::damping(layer.depth / steps, share) / steps;
        result.push_back({static_cast<std::uint32_t>(t), static_cast<std::uint16_t>(layer.surface),
                          static_cast<std::uint8_t>(bit), static_cast<float>(damping), normal});
      }
  }
  return result;
}

}  // namespace fluvia
