// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "fluvia/geometry/problem.hpp"

namespace fluvia {

/// What `collision = "auto"` means, and why.
struct CollisionChoice {
  std::string collision, reason;
};

/// The collision to try where a flow blew up under another: of the collisions for most lattices, the one that stays
/// stable longest (docs/stability.md).
inline constexpr const char* endures_most = "mrt";

/// Steps in which moments that are not the fluid's relax at most beside levels of refinement: 2.2 are unstable at an
/// interface (docs/decisions/0051-levels-exchange-populations-that-cross.md).
inline constexpr double longest_time_beside_levels = 1.6;

/// The magic parameter with which `trt` relaxes on a level of refinement, of which `tau` is given: that of the case, or
/// as much less as odd moments need to relax fast enough, tau- = 1/2 + Lambda / (tau - 1/2).
double magic_beside_levels(double magic, double tau);

/// What lies in a flow that not every collision bears.
enum class Interfaces {
  none,
  levels,              ///< between levels of refinement
  levels_and_openings  ///< and a stream passes them, from one opening to another
};

/// Returns what lies in the flow of a problem.
Interfaces interfaces_of(const Problem& problem);

/// Chooses `trt` with the magic parameter 3/16, which puts plane walls exactly half-way, as long as that is harmless:
/// for tau of at least 0.55. Below, odd moments relax ever more slowly (tau- = 1/2 + Lambda / (tau - 1/2)), and
/// whatever Lambda is, two rates are not enough: of all collisions, `bgk` and `trt` are the first to become unstable
/// (docs/stability.md). There it chooses `mrt`, where the lattice has a moment basis, else `cumulant`, else
/// `regularized`; decision 0015 has the measurements. `speed`: the lattice speed that the case names, 0 if none: beyond
/// 6 times the viscosity `trt` is less stable at any tau. With levels of refinement, of which tau is that of the
/// coarsest, `trt` is unstable at interfaces unless odd moments relax fast there; streams whose nodes have Reynolds
/// numbers beyond 60 get `recursive-regularized`, the only one that is stable in openings then, and so do lattices
/// without `mrt` (decision 0051). Names must be registered; the equilibrium must work on the lattice.
CollisionChoice choose_collision(const std::string& lattice, const std::string& equilibrium, double tau,
                                 double speed = 0, Interfaces interfaces = Interfaces::none);

/// Whether outlets bear a stream past levels, at this lattice speed, with `recursive-regularized` only: its nodes have
/// Reynolds numbers beyond 60 (docs/openings.md).
bool is_thin_stream(const std::string& lattice, const std::string& equilibrium, double tau, double speed,
                    Interfaces interfaces);

}  // namespace fluvia
