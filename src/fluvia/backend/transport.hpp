// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/case/case.hpp"
#include "fluvia/domain/scaling.hpp"
#include "fluvia/solver/solver.hpp"

namespace fluvia {

/// How the parts of a domain exchange halo populations, on the device that choose_device() names, beside steps or after
/// them. `bandwidth`: of copies there, bytes per second.
domain::Transport transport_of(const Case& c, const Plan& plan, double bandwidth);

}  // namespace fluvia
