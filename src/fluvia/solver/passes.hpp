// SPDX-License-Identifier: Apache-2.0
// How many time steps a scheme that fuses them takes in one pass over memory.
#pragma once
#include "fluvia/solver/scheme.hpp"
#include "fluvia/solver/solver.hpp"

namespace fluvia {

/// Sets Plan::steps_per_pass and pass_reason: what the case asks for, or the measured best for its lattice and format,
/// fewer where the case does not allow that. `plan` names both. Throws Error(input) if the case asks for more than it
/// allows.
void choose_steps_per_pass(const Case& c, const Scheme& scheme, const NodeMap& nodes, Plan& plan);

}  // namespace fluvia
