// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "fluvia/base/error.hpp"
#include "fluvia/domain/levels/level_links.hpp"

namespace fluvia::domain {

void require_balance(const LevelLinks& links, const LevelPair& levels) {
  if (links.unbalanced == 0) return;
  const Grid grid = levels.map.grid(levels.level);
  const Int3 cell = links.examples.value_or(Int3{});
  Real3 place = grid.origin;
  for (int a = 0; a < 3; ++a) place[a] += grid.spacing * (cell[a] + 0.5);
  throw Error(
      ExitCode::internal,
      fmt::format("refine: between levels {} and {} what {} links lose and gain differs, first at ({:.6g}, {:.6g}, "
                  "{:.6g}); this is an error of Fluvia: move the region of [[refine]] there a little, and report it",
                  levels.level, levels.level + 1, links.unbalanced, place[0], place[1], place[2]));
}

void add_gains(const LevelLinks::WallForces& forces, std::uint32_t surface, std::uint32_t tile, double scale,
               ForceSum& sum) {
  const auto add = [&](const std::vector<LevelLinks::WallForce>& list, double factor) {
    for (const LevelLinks::WallForce& force : list) {
      if (force.surface != surface || force.tile != tile) continue;
      const Real3 momentum = factor * force.momentum;
      sum = sum + ForceSum{momentum, cross(force.at, momentum)};
    }
  };
  add(forces.of_gains, scale);
  add(forces.of_motion, scale * scale);
}

}  // namespace fluvia::domain
