// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>

#include "fluvia/solver/solver.hpp"

namespace fluvia {

/// Shear rate sqrt(2 S:S) of a node, lattice units, from what Moments::stress holds.
double shear_rate(const Plan& plan, double density, const std::array<double, 6>& flux);

/// Viscous stress xx, yy, zz, xy, yz, zx of a node from its Moments, lattice units: 2 rho nu S without trace, S =
/// -omega/(2 rho c_s^2) Pi, nu the viscosity at the shear rate sqrt(2 S:S). For one relaxation rate this is eq. 5 of
/// Toelke & Krafczyk, Int. J. Comput. Fluid Dyn. 22 (2008) 443, with the non-equilibrium flux Pi written as one.
std::array<double, 6> viscous_stress(const Plan& plan, int dimension, double density,
                                     const std::array<double, 6>& flux);

}  // namespace fluvia
