// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/boundary/surface.hpp"

namespace fluvia::core {

/// `least` of slide() that rounding asks for. 18 parts of it in 1 are left of what the links of a face carry.
template <class T>
inline constexpr T least_for_rounding = sizeof(T) == 8 ? T(1e-13) : T(1e-7);

/// Reflection that keeps a fraction of what the links carry along the surface: 0 sticks, 1 slides without friction. On
/// a plane of the lattice it is the mean of bounce-back and of reflection as in a mirror with these weights. What was
/// bounced
/// back has the part w_i c_i.a along the surface (c_i without what is along the normal and without the mean over the
/// links, so that no mass gets in or out and the fluid at rest stays at rest), a from
///   sum_cut w_i c_i (c_i.a) = sum_cut c_i f_i,
/// and becomes f_i - 2 share w_i c_i.a. As this projects, in the norm sum f_i^2 / w_i in which the collision at rest
/// does not grow either, nothing can grow: a wall that moves with the node's own velocity instead amplifies what
/// changes along it. Half-way along the links: on surfaces that do not follow the lattice the steps leave some
/// friction. `add(carried)` may add to what the links carry, and so have more taken away; `least` is added to the
/// tensor of the links, beside 1/18 of a face, for nodes where no link that is left goes along some direction.
template <class Node, class Add, class T = typename Node::T>
FLUVIA_FUNCTION void slide(const Node& node, T share, T least, Add&& add) {
  using Lattice = typename Node::Lattice;
  T n[3], mean[3] = {}, weight = 0;
  for (int a = 0; a < 3; ++a) n[a] = T(node.links.normal[a]);
  const auto along = [&](auto i, T(&c)[3]) {
    T along_normal = 0;
    for (int a = 0; a < 3; ++a) along_normal += T(Lattice::c[i.i][a]) * n[a];
    for (int a = 0; a < 3; ++a) c[a] = T(Lattice::c[i.i][a]) - along_normal * n[a] - mean[a];
  };
  T sum[3] = {};
  node.for_each_cut([&](auto i) {
    T c[3];
    along(i, c);
    weight += T(Lattice::w[i.i]);
    for (int a = 0; a < 3; ++a) sum[a] += T(Lattice::w[i.i]) * c[a];
  });
  if (!(weight > T(0))) return;
  for (int a = 0; a < 3; ++a) mean[a] = sum[a] / weight;
  T b[3][3], carried[3] = {};
  for (int a = 0; a < 3; ++a)
    for (int k = 0; k < 3; ++k) b[a][k] = n[a] * n[k] + (a == k ? least : T(0));
  node.for_each_cut([&](auto i) {
    T c[3];
    along(i, c);
    for (int a = 0; a < 3; ++a) {
      carried[a] += c[a] * node.f[i.i];
      for (int k = 0; k < 3; ++k) b[a][k] += T(Lattice::w[i.i]) * c[a] * c[k];
    }
  });
  add(carried);
  // Cramer's rule for b, which is symmetric.
  const auto cofactor = [&](int r, int s, int p, int q) { return b[r][p] * b[s][q] - b[r][q] * b[s][p]; };
  const T determinant =
      b[0][0] * cofactor(1, 2, 1, 2) - b[0][1] * cofactor(1, 2, 0, 2) + b[0][2] * cofactor(1, 2, 0, 1);
  const T factor = T(2) * share / determinant;
  const T away[3] = {
      factor *
          (carried[0] * cofactor(1, 2, 1, 2) - carried[1] * cofactor(0, 2, 1, 2) + carried[2] * cofactor(0, 1, 1, 2)),
      factor *
          (-carried[0] * cofactor(1, 2, 0, 2) + carried[1] * cofactor(0, 2, 0, 2) - carried[2] * cofactor(0, 1, 0, 2)),
      factor *
          (carried[0] * cofactor(1, 2, 0, 1) - carried[1] * cofactor(0, 2, 0, 1) + carried[2] * cofactor(0, 1, 0, 1))};
  node.for_each_cut([&](auto i) {
    T c[3];
    along(i, c);
    node.f[i.i] -= T(Lattice::w[i.i]) * (c[0] * away[0] + c[1] * away[1] + c[2] * away[2]);
  });
}

template <class Node, class T = typename Node::T>
FLUVIA_FUNCTION void slide(const Node& node, T share) {
  slide(node, share, least_for_rounding<T>, [](T(&)[3]) {});
}

}  // namespace fluvia::core
