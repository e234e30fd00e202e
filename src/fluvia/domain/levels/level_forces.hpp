// SPDX-License-Identifier: Apache-2.0
// What walls between two levels get of the momentum of populations that cross there. For find_level_links() alone.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "fluvia/base/error.hpp"
#include "fluvia/domain/levels/level_walls.hpp"

namespace fluvia::domain::crossing {

/// Where a surface on which forces are measured turns a population round, in nodes of the coarse level.
struct MeasuredWall {
  std::uint32_t surface;
  Real3 at;
};

/// Lists momentum that walls get: of each population what it had, less what it has after.
class WallForceLists {
 public:
  WallForceLists(const LevelPair& levels, int children, LevelLinks::WallForces& lists)
      : levels_(levels), share_(1.0 / children), lists_(lists) {}

  [[nodiscard]] std::optional<MeasuredWall> coarse_wall(const Int3& cell, const Int3& offset) const {
    return wall(levels_.level, cell, offset, 1);
  }
  [[nodiscard]] std::optional<MeasuredWall> fine_wall(const Stop& stop) const {
    return wall(levels_.level + 1, stop.cell, stop.offset, 0.5);
  }
  /// A wall turns round what a number of a list has of a direction c, and adds something to it. `cell`: the coarse one
  /// to whose tile that belongs.
  void turn(std::vector<LevelLinks::WallForce>& list, std::uint32_t number, const std::optional<MeasuredWall>& wall,
            const Int3& cell, const Int3& c, const WallGain& gain) {
    add(list, number, wall, cell, c, 2);
    add_gain(wall, cell, c, gain);
  }
  /// Momentum of `times` what a number of a list has of a direction c.
  void add(std::vector<LevelLinks::WallForce>& list, std::uint32_t number, const std::optional<MeasuredWall>& wall,
           const Int3& cell, const Int3& c, double times) {
    const double part = times * share_;
    if (wall && part != 0)
      list.push_back({number, wall->surface, tile_of(cell), {part * c[0], part * c[1], part * c[2]}, wall->at});
  }
  /// The momentum along c of what a wall adds, and that of its own motion, which is none of a force.
  void add_gain(const std::optional<MeasuredWall>& wall, const Int3& cell, const Int3& c, const WallGain& gain) {
    if (!wall || gain.value == 0) return;
    add(lists_.of_gains, 0, wall, cell, c, gain.value);
    add_motion(wall, cell, gain);
  }
  void add_motion(const std::optional<MeasuredWall>& wall, const Int3& cell, const WallGain& gain) {
    if (!wall || gain.value == 0) return;
    lists_.of_motion.push_back({0, wall->surface, tile_of(cell), share_ * gain.value * gain.velocity, wall->at});
  }

 private:
  [[nodiscard]] std::optional<MeasuredWall> wall(int level, const Int3& cell, const Int3& offset,
                                                 double spacing) const {
    if (!levels_.measured_surface) return {};
    const int surface = levels_.measured_surface(level, cell, offset);
    if (surface < 0) return {};
    Real3 at;
    for (int a = 0; a < 3; ++a) at[a] = spacing * (cell[a] + 0.5 + 0.5 * offset[a]);
    return MeasuredWall{static_cast<std::uint32_t>(surface), at};
  }
  [[nodiscard]] std::uint32_t tile_of(const Int3& cell) const {
    const auto node = levels_.coarse.find_fluid(cell);
    if (!node) throw Error(ExitCode::internal, "levels: a wall gets momentum where there is no fluid");
    return node->tile;
  }

  const LevelPair& levels_;
  double share_;
  LevelLinks::WallForces& lists_;
};

}  // namespace fluvia::domain::crossing
