// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "fluvia/base/numbers/extrapolation.hpp"
#include "fluvia/case/case.hpp"
#include "fluvia/solver/solver.hpp"

namespace fluvia {

/// A flow that has just ended, for pictures of it; in lattice units.
struct PermeabilityState {
  const FlowState& state;
  const Units& units;
  const Grid& grid;
  int axis = 0, refine = 1;
};

/// How the permeability of an image is to be found.
struct PermeabilitySettings {
  /// geometry.voxels or geometry.mask with what is fluid and which part of it; domain.dimension; numerics (device,
  /// threads, format, ...). All else is filled in for each flow.
  Case image;
  double voxel = 0;               ///< edge of a voxel, m
  std::vector<int> axes;          ///< axes along which a flow is driven
  std::string ends = "mirrored";  ///< along the flow: mirrored, periodic
  std::string sides = "closed";   ///< across it: closed, mirrored, periodic
  double tolerance = 0.05;        ///< relative error that is asked for
  int refine = 0;                 ///< nodes along the edge of a voxel; 0 = as many as the tolerance asks for
  int largest_refine = 4;         ///< largest number that is tried
  double tau = 1;                 ///< relaxation time; with TRT the result does not depend on it
  /// Magic parameter of TRT. 3/16 makes the velocity at the nodes of a plane channel exact, 1/8 their sum, the flux; in
  /// rock, too, 1/8 is nearer to the limit (docs/permeability.md).
  double magic = 1.0 / 8;
  std::int64_t largest_steps = 200000;                    ///< steps of each flow
  std::function<void(const std::string&)> on_message;     ///< one line of information; may be empty
  std::function<bool()> interrupted;                      ///< whether to end with what there is; may be empty
  std::function<void(const PermeabilityState&)> on_flow;  ///< called at the end of each flow; may be empty
};

/// One steady flow on one grid.
struct PermeabilityFlow {
  int refine = 1;
  Int3 nodes{};
  std::uint64_t fluid_nodes = 0;  ///< nodes that take part in the flow
  std::int64_t steps = 0;
  bool steady = false;            ///< false: largest_steps, or an interruption, came first
  Real3 permeability{};           ///< m2: mean flux along x, y, z for a force along the axis
  double remaining = 0;           ///< estimated relative change of the component along the axis, had the run gone on
  double tortuosity = 0;          ///< mean speed / mean velocity along the axis, over the fluid that takes part
  double hydraulic_diameter = 0;  ///< m: 4 x fluid volume / wall area
  double reynolds = 0;            ///< mean speed x hydraulic diameter / viscosity
  double mach = 0;                ///< Mach number of the fastest node
  double mflups = 0;
};

/// The result for a force along one axis.
struct AxisPermeability {
  int axis = 0;
  double porosity = 0, percolating_porosity = 0;
  std::vector<PermeabilityFlow> flows;  ///< coarsest first; none if nothing connects the ends
  Real3 permeability{};                 ///< m2, extrapolated if there is more than one flow
  Extrapolation extrapolation;
  double error = 0;  ///< estimated relative error: that of the grid and of the remaining transient
  bool within_tolerance = false;
  bool interrupted = false;        ///< ended before it was done
  std::vector<std::string> notes;  ///< complete sentences

  [[nodiscard]] bool percolates() const { return percolating_porosity > 0; }
};

inline constexpr double darcy_in_m2 = 9.869233e-13;

/// Drives a creeping flow through the image by a body force, along each of the axes by itself, until the mean flux is
/// steady, and finds the permeability from Darcy's law, k_ij = viscosity mean(u_i) / g_j with the mean over the whole
/// image, solid included. Refines the grid until the estimated error is within the tolerance, memory ends or
/// largest_refine is reached. Once settings.interrupted says so, ends with the flows so far, the last of them not
/// steady, and leaves out axes along which none has begun. Throws Error: input (image, settings), resource (memory for
/// the coarsest grid), unstable.
std::vector<AxisPermeability> measure_permeability(const PermeabilitySettings& settings);

}  // namespace fluvia
