// SPDX-License-Identifier: Apache-2.0
// What walls that move add to populations that they turn round between levels. For find_level_links() alone.
#pragma once
#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "fluvia/domain/levels/level_surroundings.hpp"

namespace fluvia::domain::crossing {

/// -6 w_j c_j.u of a population of direction j that comes back from a wall with velocity u (at SurfaceState::scale 1).
struct WallGain {
  std::uint32_t surface = 0;
  double value = 0;
  bool is_interpolated = false;
  Real3 velocity{};  ///< of the wall

  /// What of it the condition of a node adds, rather than the rule of walls between the nodes.
  [[nodiscard]] WallGain by_condition() const {
    return {surface, is_interpolated ? value / 2 : value, false, velocity};
  }
  [[nodiscard]] WallGain operator-() const { return {surface, -value, is_interpolated, velocity}; }
  /// The difference of two parts of one gain.
  [[nodiscard]] WallGain operator-(const WallGain& other) const {
    return {surface, value - other.value, false, velocity};
  }
};

inline std::map<std::uint32_t, double> sums_by_surface(const std::vector<WallGain>& gains) {
  std::map<std::uint32_t, double> sums;
  for (const WallGain& gain : gains) sums[gain.surface] += gain.value;
  return sums;
}

/// A link of the finer level that a wall cuts.
struct Stop {
  Int3 cell, offset;
};

/// The wall that lets a population through from a place in a coarse cell to no fine node: the first that turns it
/// round, or, if the place is in a solid, the one beside it. None if no fluid lies beside it in the cell.
inline std::optional<Stop> stop_of(const Surroundings& around, const Int3& cell, const Int3& place, int direction) {
  const std::vector<Int3>& velocities = around.velocities();
  if (around.fine_kind(place) == Kind::ghost) {
    Arrival at{place, direction, false};
    for (int step = 0; step < 2; ++step) {
      const Arrival next = around.follow_fine(at.cell, at.direction);
      if (next.bounced) return Stop{at.cell, velocities[static_cast<std::size_t>(at.direction)]};
      at = next;
    }
    return {};
  }
  for (int k = 0; k < around.children(); ++k) {
    const Int3 beside = around.child(cell, k);
    const Int3 step{place[0] - beside[0], place[1] - beside[1], place[2] - beside[2]};
    if (around.fine_kind(beside) == Kind::ghost && std::ranges::find(velocities, step) != velocities.end())
      return Stop{beside, step};
  }
  return {};
}

class MovingWalls {
 public:
  MovingWalls(const LevelPair& levels, const LatticeFacts& lattice) : levels_(levels), lattice_(lattice) {}

  /// Of the wall of a level's own that turns round what leaves a node, or a fine place in a coarse cell.
  [[nodiscard]] WallGain coarse_gain(const Int3& cell, int direction) const {
    return gain(levels_.level, cell, velocity(direction), direction);
  }
  [[nodiscard]] WallGain fine_gain(const Int3& cell, int direction) const {
    return gain(levels_.level + 1, cell, velocity(direction), direction);
  }
  [[nodiscard]] WallGain gain_of(const Crossing& crossing) const {
    return crossing.turned ? fine_gain(crossing.turned->cell, crossing.turned->direction) : WallGain{};
  }
  [[nodiscard]] WallGain gain_of(const Stop& stop, int direction) const {
    return gain(levels_.level + 1, stop.cell, stop.offset, direction);
  }

 private:
  [[nodiscard]] const Int3& velocity(int direction) const {
    return lattice_.velocities[static_cast<std::size_t>(direction)];
  }
  [[nodiscard]] WallGain gain(int level, const Int3& cell, const Int3& offset, int direction) const {
    if (!levels_.moving_wall) return {};
    const std::optional<MovingWall> wall = levels_.moving_wall(level, cell, offset);
    if (!wall) return {};
    const Int3& c = velocity(direction);
    const double along = c[0] * wall->velocity[0] + c[1] * wall->velocity[1] + c[2] * wall->velocity[2];
    return {wall->surface, -6 * lattice_.weights[static_cast<std::size_t>(direction)] * along, wall->is_interpolated,
            wall->velocity};
  }

  const LevelPair& levels_;
  const LatticeFacts& lattice_;
};

}  // namespace fluvia::domain::crossing
