// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/case/case.hpp"
#include "fluvia/domain/scaling.hpp"
#include "fluvia/solver/solver.hpp"

namespace fluvia {

/// How the parts of a domain in parts exchange what crosses, on what choose_device() says, beside steps or after them;
/// `bandwidth`: of copies there.
domain::Transport transport_of(const Case& c, const Plan& plan, double bandwidth);

}  // namespace fluvia
