// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/geometry/problem.hpp"
#include "fluvia/solver/blocks/block.hpp"
#include "fluvia/solver/solver.hpp"

namespace fluvia {

class InitialFields;

// In all of these functions the problem has the geometry of the solver.

/// Gives a fluid at rest the fields that the case says it begins with, if it says any. Throws Error as InitialFields
/// does.
void set_initial_state(Solver& solver, const Problem& problem);
/// Gives the solver of a block the fields that the case says its flow begins with, if it says any. Throws Error as
/// InitialFields does.
void set_initial_state(Solver& solver, const Problem& problem, const Block& block);

/// Begins again at time step 0 from these fields: places them, then bounces cut links.
void start_from(Solver& solver, const InitialFields& fields);

/// Sets the fields of the case without bounce_cut_links(): for parts of a domain, which is bounced as a whole.
void place_initial_state(Solver& solver, const Problem& problem);

/// Begins again from the fields of the case, in whatever state the flow is.
void reset_to_initial_state(Solver& solver, const Problem& problem);

/// Replaces what arrives over cut links by what leaves along them, bounced back, as it is after any step. An
/// equilibrium that was set at every node takes no notice of cut links; where the fluid moves, boundary conditions
/// would then change its momentum at the first step although it moves with them.
void bounce_cut_links(Solver& solver);

}  // namespace fluvia
