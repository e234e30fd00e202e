// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>

#include "fluvia/output/fields.hpp"

namespace fluvia {

/// Shear stress at the walls at which the fluid sticks, found for every node beside them as the field
/// `wall_shear_stress` is, and how far these nodes are from the wall in units of the viscous length.
struct WallResolution {
  double mean_stress = 0, max_stress = 0;  ///< lattice units; the mean is taken over nodes
  Int3 max_node{};                         ///< node beside which the stress is largest
  /// y+ = y sqrt(stress / density) / viscosity at the wall's stress, the real fluid's viscosity where another is
  /// computed with.
  double mean_y_plus = 0, max_y_plus = 0;
  std::uint64_t nodes = 0;  ///< nodes that were looked at
  /// There are walls whose friction is that of a law (ConditionFacts::models_friction); their stress and y+ are those
  /// that the law has for the velocity of the node beside them.
  bool modelled = false;
  /// Part of the nodes beside which such a law acts on a wall that is no plane of the lattice: its steps take what the
  /// law does not.
  double at_angles = 0;
  bool whole = true;  ///< false: of a very large domain only a part of the slabs was looked at
};

/// The walls' resolution at the current time. None if no node is beside such a wall. Walks once over the moments, a
/// slab at a time; the result does not depend on the number of threads.
std::optional<WallResolution> resolve_walls(const Case& c, const OutputContext& output);

}  // namespace fluvia
