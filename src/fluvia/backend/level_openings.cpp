// SPDX-License-Identifier: Apache-2.0
#include "fluvia/backend/level_openings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fluvia/base/error.hpp"
#include "fluvia/solver/links/boundary_setup.hpp"
#include "fluvia/solver/profiles/changing_profile.hpp"
#include "fluvia/solver/profiles/prescribed_flux.hpp"

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

void refuse_parts(const LevelProblem& coarsest, const Case::Boundary& b, std::size_t first, std::size_t second) {
  const auto refuse = [&](const std::string& what) {
    throw_input(
        fmt::format("refine: '{}' is divided between levels {} and {}, with which {} is not possible yet; let "
                    "regions of [[refine]] take in all of it, or keep them away from it",
                    b.surface, first, second, what));
  };
  if (b.profile == "developed") refuse("profile = \"developed\"");
  if (changes_shape(coarsest.settings, b, coarsest.geometry.nodes.dimension))
    refuse("a profile that changes its shape in time");
}

void refuse_sponge(const std::vector<LevelProblem>& levels, const Case::Boundary& b, int surface) {
  std::vector<std::size_t> reaching;
  for (std::size_t l = 0; l < levels.size(); ++l)
    for (const Opening& opening : levels[l].geometry.openings)
      if (opening.surface == surface && reaches_into_sponge(levels[l], opening, b.sponge)) reaching.push_back(l);
  if (reaching.size() > 1)
    throw_input(
        fmt::format("refine: levels {} and {} both reach into the sponge of '{}', which is not possible yet; "
                    "keep regions of [[refine]] out of it, or remove 'sponge'",
                    reaching[0], reaching[1], b.surface));
}

}  // namespace

void share_openings(const std::vector<std::vector<bool>>& met, const std::string& lattice,
                    std::vector<LevelProblem>& levels) {
  const LevelProblem& coarsest = levels.front();
  for (const Opening& opening : std::vector<Opening>(coarsest.geometry.openings)) {
    const auto surface = static_cast<std::size_t>(opening.surface);
    const auto& boundaries = coarsest.settings.boundaries;
    const auto b = std::find_if(boundaries.begin(), boundaries.end(), [&](const Case::Boundary& other) {
      return other.surface == coarsest.geometry.surfaces[surface];
    });
    if (b == boundaries.end()) continue;
    if (b->sponge > 0) refuse_sponge(levels, *b, opening.surface);
    std::vector<std::size_t> parts;
    for (std::size_t l = 0; l < levels.size(); ++l)
      if (surface < met[l].size() && met[l][surface]) parts.push_back(l);
    if (parts.size() < 2) continue;
    refuse_parts(coarsest, *b, parts[0], parts[1]);
    if (!prescribes_flux(*b)) continue;
    std::vector<double> flux;
    double whole = 0;
    for (const std::size_t l : parts) {
      const double area = std::exp2(-static_cast<double>(l) * (coarsest.geometry.nodes.dimension - 1));
      flux.push_back(area * unscaled_flux(levels[l].problem(), lattice, opening.surface));
      whole += flux.back();
    }
    for (std::size_t k = 0; k < parts.size(); ++k)
      for (Opening& own : levels[parts[k]].geometry.openings)
        if (own.surface == opening.surface && whole > 0) own.share = flux[k] / whole;
  }
}

}  // namespace fluvia
