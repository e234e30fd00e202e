// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>

#include "fluvia/permeability/permeability.hpp"

namespace fluvia {

/// The pores of an image, at one node for each voxel.
struct PoreSpace {
  double porosity = 0;
  double percolating_porosity = 0;  ///< part of the box with fluid that runs on without end along the axis; 0: no flow
  double hydraulic_diameter = 0;    ///< 4 x volume / wall area of that fluid, voxels
};

/// The pores of the domain that the settings make of the image for a flow along `axis`. Throws Error(input).
PoreSpace find_pores(const PermeabilitySettings& settings, int axis);

/// Whether the settings ask for an end.
inline bool is_interrupted(const PermeabilitySettings& settings) {
  return settings.interrupted && settings.interrupted();
}

/// The flow along `axis` on a grid of `refine` nodes for each voxel edge, run until its remaining change is below
/// `tolerance` (relative) or the steps end. None, and the reason in `refusal`, if memory does not suffice. Throws
/// Error: input, unstable.
std::optional<PermeabilityFlow> solve_creeping_flow(const PermeabilitySettings& settings, const PoreSpace& pores,
                                                    int axis, int refine, double tolerance, std::string& refusal);

}  // namespace fluvia
