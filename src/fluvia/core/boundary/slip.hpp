// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/boundary/surface.hpp"

namespace fluvia::core {

/// Bounce-back from a wall that moves along with the fluid: with `share` of the node's own velocity along the surface,
/// 1 for no friction. That velocity depends on the populations to be completed,
///   rho u = j + sum_cut 6 w_i c_i (c_i . u_wall),  u_wall = share P u,  P = 1 - n n,
/// a linear system for P u, solved here. A flow along the surface at constant speed is a solution, however the surface
/// lies; half-way along the links, so of first order on surfaces that do not follow the lattice.
template <class Node, class T = typename Node::T>
FLUVIA_FUNCTION void slide(const Node& node, T share) {
  using Lattice = typename Node::Lattice;
  using Equilibrium = typename Node::Equilibrium;
  T n[3];
  for (int a = 0; a < 3; ++a) n[a] = T(node.links.normal[a]);
  // B = P (sum_cut 6 w c c) P
  T sum[3][3] = {}, b[3][3] = {};
  node.for_each_cut([&](auto i) {
    T c[3], along_normal = 0;
    for (int a = 0; a < 3; ++a) along_normal += T(Lattice::c[i.i][a]) * n[a];
    for (int a = 0; a < 3; ++a) c[a] = T(Lattice::c[i.i][a]) - along_normal * n[a];
    for (int a = 0; a < 3; ++a)
      for (int k = 0; k < 3; ++k) sum[a][k] += T(6 * Lattice::w[i.i]) * c[a] * c[k];
  });
  const Macroscopic<T> m = moments<Lattice, Equilibrium>(node.f, node.parameters.force);
  const T inverse = Equilibrium::inverse_density(m.density_deviation);
  // In a node most of whose links are cut the system could become singular; there the fluid slides with friction.
  constexpr T most = T(0.9);  // of the trace, which is 2/3 at a plane
  const T trace = (sum[0][0] + sum[1][1] + sum[2][2]) * inverse;
  if (share * trace > most) share = most / trace;
  T u[3], normal_velocity = 0;
  for (int a = 0; a < 3; ++a) normal_velocity += m.velocity[a] * n[a];
  for (int a = 0; a < 3; ++a) u[a] = m.velocity[a] - normal_velocity * n[a];
  // (1 - share B / rho) x = u by Cramer's rule
  for (int a = 0; a < 3; ++a)
    for (int k = 0; k < 3; ++k) b[a][k] = (a == k ? T(1) : T(0)) - share * inverse * sum[a][k];
  const auto cofactor = [&](int r, int s, int p, int q) { return b[r][p] * b[s][q] - b[r][q] * b[s][p]; };
  const T determinant =
      b[0][0] * cofactor(1, 2, 1, 2) - b[0][1] * cofactor(1, 2, 0, 2) + b[0][2] * cofactor(1, 2, 0, 1);
  const T factor = share / determinant;
  const T velocity[3] = {
      factor * (u[0] * cofactor(1, 2, 1, 2) - u[1] * cofactor(0, 2, 1, 2) + u[2] * cofactor(0, 1, 1, 2)),
      factor * (-u[0] * cofactor(1, 2, 0, 2) + u[1] * cofactor(0, 2, 0, 2) - u[2] * cofactor(0, 1, 0, 2)),
      factor * (u[0] * cofactor(1, 2, 0, 1) - u[1] * cofactor(0, 2, 0, 1) + u[2] * cofactor(0, 1, 0, 1))};
  node.add_velocity(velocity);
}

}  // namespace fluvia::core
