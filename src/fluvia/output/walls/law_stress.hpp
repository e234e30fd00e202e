// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "fluvia/geometry/problem.hpp"
#include "fluvia/output/walls/wall_mesh.hpp"
#include "fluvia/solver/solver.hpp"

namespace fluvia {

/// Shear stress at walls whose friction is that of a law (ConditionFacts::models_friction): u_tau^2 times the density
/// at rest, along the velocity that core::WallFunction asks the law with. It follows from what that condition keeps of
/// its nodes, so it is what the wall takes in the next step, on any device.
class LawStress {
 public:
  /// Whether some wall of a case has such a friction.
  static bool is_needed(const Case& c);
  /// Finds what the wall at each patch is asked with: by the node beside it, or the nearest one that has a link which
  /// the surface of the patch cuts. The mesh must outlive this object.
  LawStress(const Problem& problem, const Plan& plan, const WallMesh& mesh);
  /// Replaces the shear stress of patches on which the law acts, one load for each patch; lattice units. Those where
  /// the wall bounces back, below y+ = 5, beside edges and in the first step, keep theirs.
  void replace(const FlowState& state, std::span<WallLoad> loads) const;
  /// Bytes that it takes, what replace() reads included, where there are so many patches.
  static std::uint64_t planned_bytes(const Problem& problem, std::size_t patches);

 private:
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
  /// What the law is asked with at a patch.
  struct Place {
    std::uint32_t own = none, sampled = none;  ///< numbers kept of its node and of the one whose velocity counts
    float normal[3] = {0, 0, 0};               ///< of the wall beside the node
    float distance = 0;                        ///< of that other node from the wall
    double sand_grain = 0;
  };

  const WallMesh& mesh_;
  double viscosity_;
  std::vector<Place> places_;  ///< [patch]
};

}  // namespace fluvia
