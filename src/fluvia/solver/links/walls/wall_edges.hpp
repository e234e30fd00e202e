// SPDX-License-Identifier: Apache-2.0
// Edges of walls whose friction is that of a law: no law of a boundary layer holds where a wall turns.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "fluvia/base/vector.hpp"
#include "fluvia/core/boundary/condition.hpp"
#include "fluvia/geometry/geometry.hpp"
#include "fluvia/solver/links/cut_links.hpp"

namespace fluvia {

/// Whether a wall of which `models_friction` turns by 40 degrees or more beside a node: between its own normal and
/// those of walls of this kind at the nodes around it, a node away along each axis. A flow leaves a wall at such an
/// edge, which it does not do where the wall is one along which it slides. `facts`: of the condition of each surface;
/// `velocities`: of the lattice.
bool is_beside_edge(const Geometry& geometry, const std::vector<const core::ConditionFacts*>& facts,
                    const std::vector<Int3>& velocities, const CutLink& link, const std::array<float, 3>& normal);

/// is_beside_edge() for one link after the other. Links of a node follow each other and mostly have one normal, for
/// which all around the node is looked at once.
class EdgesOfWalls {
 public:
  /// What is given must outlive it.
  EdgesOfWalls(const Geometry& geometry, const std::vector<const core::ConditionFacts*>& facts,
               const std::vector<Int3>& velocities)
      : geometry_(geometry), facts_(facts), velocities_(velocities) {}
  [[nodiscard]] bool are_beside(const CutLink& link, const std::array<float, 3>& normal);

 private:
  struct Answer {
    std::uint32_t tile;
    std::uint8_t bit;
    std::array<float, 3> normal;
    bool is_beside;
  };
  const Geometry& geometry_;
  const std::vector<const core::ConditionFacts*>& facts_;
  const std::vector<Int3>& velocities_;
  std::optional<Answer> last_;
};

}  // namespace fluvia
