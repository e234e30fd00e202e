// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "fluvia/units/units.hpp"

/// What a case may prescribe: within these limits the lattice Boltzmann method means something. make_units() checks
/// what the case states; speeds that depend on the geometry and values over time are for others to check.
namespace fluvia {

/// Relaxation times above this leave omega no digits beside 1 in single precision, and no flow is slow enough for them.
inline constexpr double largest_possible_tau = 1000;

/// Throws Error(input) if `speed` (lattice) exceeds run.max_mach, where the guard stops the run. `key` and `value`
/// (case units) are for the message.
void check_speed(const Case& c, const Units& u, const std::string& key, double value, double speed);
/// Throws Error(input) if a gauge pressure (lattice) means a density that is not above 0 or twice that at rest.
void check_pressure(const Case& c, const Units& u, const std::string& key, double value, double pressure);

/// Checks tau, initial state, acceleration and boundaries. Throws Error(input).
void check_limits(const Case& c, const Units& u);

}  // namespace fluvia
