// SPDX-License-Identifier: Apache-2.0
// What comes back from the surface of a body that moves between the nodes, and what nodes get that it uncovers
// (docs/decisions/0053).
#pragma once
#include "fluvia/core/moments.hpp"

namespace fluvia::core {

/// f+ + q (f*+ - f+) - 3 w rho c.u_w: the population that comes back along the opposite of c from the surface at the
/// part q of a link (interpolated bounce-back, BeforeWalls with kappa = 0), which moves with u_w there. `even`,
/// `even_after`: half the sum of the pair before and after the collision, deviations; `density` of the node; `drive`:
/// 3 w c.u_w.
template <class T>
FLUVIA_FUNCTION T returned_by_body(T even, T even_after, T part, T density, T drive) {
  return even + part * (even_after - even) - density * drive;
}

/// Adds what a population along c that is so much apart from equilibrium has of the stress of a node.
template <class Velocity>
FLUVIA_FUNCTION void add_to_stress(const Velocity& c, double apart, double (&stress)[6]) {
  unroll<6>([&](auto k) { stress[k.i] += c[tensor_row[k.i]] * c[tensor_column[k.i]] * apart; });
}

/// What a population along c with this weight has of a stress, beside equilibrium (Grad): 9/2 w (c c - 1/3) : stress.
template <class Velocity>
FLUVIA_FUNCTION double part_of_stress(const Velocity& c, double weight, const double (&stress)[6]) {
  double sum = 0;
  unroll<6>([&](auto k) {
    constexpr int a = tensor_row[k.i], b = tensor_column[k.i];
    const double part = c[a] * c[b] - (a == b ? sound_speed_squared : 0);
    sum += (a == b ? 1 : 2) * part * stress[k.i];
  });
  return 4.5 * weight * sum;
}

}  // namespace fluvia::core
