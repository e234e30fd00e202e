// SPDX-License-Identifier: Apache-2.0
// How many time steps one pass over memory takes.
#pragma once
#include <vector>

#include "fluvia/core/boundary/registry.hpp"
#include "fluvia/solver/plan/scheme.hpp"
#include "fluvia/solver/solver.hpp"

namespace fluvia {

/// Boundary conditions with which passes on a GPU are as fast as with plain walls: those by the rule of walls that
/// move. Others look at all populations of a node.
inline constexpr core::ConditionSet conditions_like_walls =
    1u << core::boundary_rule(core::detail::index_of<core::MovingWall>(core::Boundaries{}));

/// Sets Plan::steps_per_pass and pass_reason: what the case asks for, or the measured best for its scheme, lattice and
/// format, as far as the device, the box and the number of parts allow it. The rest of the plan is known. Throws
/// Error(input) if the case asks for more.
void choose_steps_per_pass(const Case& c, const Scheme& scheme, const NodeMap& nodes, Plan& plan);

/// How much faster than was measured a scheme is expected to be with the number of steps per pass that it would take; 0
/// for scheme "fused" where a case keeps it from passes, or where passes are not known to pay. The plan must have
/// device, lattice, collision, viscosity, format, threads and parts.
double gain_of_passes(const Case& c, const Scheme& scheme, const NodeMap& nodes, const Plan& plan);

/// A number of steps in a pass, and how much faster than single steps it is expected to be beyond what is known of the
/// scheme.
struct PassOption {
  int steps = 1;
  double gain = 1;
};

/// Numbers of steps that may be the fastest: what choose_steps_per_pass() takes, then others unless the case asks for a
/// number; none where the case asks for more than the scheme can.
std::vector<PassOption> pass_options(const Case& c, const Scheme& scheme, const NodeMap& nodes, const Plan& plan);

/// Steps after which passes, and schemes that alternate between two copies, are where they began.
int steps_of_round(int steps_per_pass);

/// The first boundary that gets other values before every step, also while a ramp lasts; null if there is none. Throws
/// Error(input) if the file of a table cannot be read.
const Case::Boundary* changing_boundary(const Case& c, int dimension);

}  // namespace fluvia
