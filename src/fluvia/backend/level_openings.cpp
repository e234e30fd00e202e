// SPDX-License-Identifier: Apache-2.0
#include "fluvia/backend/level_openings.hpp"

#include <algorithm>
#include <memory>

#include "fluvia/solver/profiles/opening_of_levels.hpp"

namespace fluvia {

namespace {

/// Whether tiles of a level lie in the sponge of an opening, or at most so little outside.
bool reaches_into_sponge(const LevelProblem& level, const Opening& opening, double sponge) {
  const NodeMap& nodes = level.geometry.nodes;
  const Int3 shape = tile_shape(nodes.dimension);
  const double depth = level.units.length(sponge) + norm(Real3{0.5 * shape[0], 0.5 * shape[1], 0.5 * shape[2]});
  return std::any_of(nodes.tiles.begin(), nodes.tiles.end(), [&](const NodeMap::Tile& tile) {
    Real3 middle;
    for (int a = 0; a < 3; ++a) middle[a] = (tile.position[a] + 0.5) * shape[a];
    const double before = dot(opening.centroid - middle, opening.normal);
    return before > 0 && before < depth;
  });
}

/// Whether a level meets an opening of its own list or, with a sponge, reaches into that.
bool takes_part(const LevelProblem& level, const std::vector<bool>& met, const Opening& opening, double sponge) {
  const auto s = static_cast<std::size_t>(opening.surface);
  return (s < met.size() && met[s]) || (sponge > 0 && reaches_into_sponge(level, opening, sponge));
}

}  // namespace

void share_openings(const std::string& lattice, std::vector<std::vector<bool>>& met,
                    std::vector<LevelProblem>& levels) {
  std::vector<const Geometry*> geometries;
  for (const LevelProblem& level : levels) geometries.push_back(&level.geometry);
  const LevelProblem& coarsest = levels.front();
  for (std::size_t k = 0; k < coarsest.geometry.openings.size(); ++k) {
    const auto surface = static_cast<std::size_t>(coarsest.geometry.openings[k].surface);
    const auto& boundaries = coarsest.settings.boundaries;
    const auto b = std::find_if(boundaries.begin(), boundaries.end(), [&](const Case::Boundary& other) {
      return other.surface == coarsest.geometry.surfaces[surface];
    });
    if (b == boundaries.end()) continue;
    std::vector<std::size_t> parts;
    for (std::size_t l = 0; l < levels.size(); ++l)
      if (takes_part(levels[l], met[l], levels[l].geometry.openings[k], b->sponge)) parts.push_back(l);
    if (parts.size() < 2) continue;
    const auto gathered = gather_opening(coarsest.geometry.openings[k], geometries, lattice);
    for (const std::size_t l : parts) {
      levels[l].geometry.openings[k].of_levels = gathered;
      met[l][surface] = true;
    }
  }
}

}  // namespace fluvia
