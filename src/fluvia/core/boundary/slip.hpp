// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/boundary/surface.hpp"

namespace fluvia::core {

/// The parts along a surface of a node's cut links: c_i without what is along the normal and without the mean over the
/// links, so that what is added by them brings no mass, and their tensor sum_cut w_i c_i c_i.
template <class Node>
class LinksAlong {
  using T = typename Node::T;
  using Lattice = typename Node::Lattice;

 public:
  /// `least` is added to the tensor, beside 1/18 of a face, for nodes where no link that is left goes along some
  /// direction.
  FLUVIA_FUNCTION LinksAlong(const Node& node, T least) : node_(node) {
    for (int a = 0; a < 3; ++a) n_[a] = T(node.links.normal[a]);
    T weight = 0, sum[3] = {};
    node.for_each_cut([&](auto i) {
      T c[3];
      along(i, c);
      weight += T(Lattice::w[i.i]);
      for (int a = 0; a < 3; ++a) sum[a] += T(Lattice::w[i.i]) * c[a];
    });
    any_ = weight > T(0);
    if (!any_) return;
    for (int a = 0; a < 3; ++a) mean_[a] = sum[a] / weight;
    for (int a = 0; a < 3; ++a)
      for (int k = 0; k < 3; ++k) b_[a][k] = n_[a] * n_[k] + (a == k ? least : T(0));
    node.for_each_cut([&](auto i) {
      T c[3];
      along(i, c);
      for (int a = 0; a < 3; ++a)
        for (int k = 0; k < 3; ++k) b_[a][k] += T(Lattice::w[i.i]) * c[a] * c[k];
    });
  }
  /// Whether the surface cuts any link.
  [[nodiscard]] FLUVIA_FUNCTION bool any() const { return any_; }
  /// The momentum along the surface of populations on the cut links, f_i of the node.
  FLUVIA_FUNCTION void carried(T (&sum)[3]) const {
    for (int a = 0; a < 3; ++a) sum[a] = T(0);
    node_.for_each_cut([&](auto i) {
      T c[3];
      along(i, c);
      for (int a = 0; a < 3; ++a) sum[a] += c[a] * node_.f[i.i];
    });
  }
  /// Takes `factor` times the momentum along the surface `of` away from the populations, w_i c_i.a from each of them.
  FLUVIA_FUNCTION void take(const T (&of)[3], T factor) const {
    // Cramer's rule for the tensor, which is symmetric.
    const auto cofactor = [&](int r, int s, int p, int q) { return b_[r][p] * b_[s][q] - b_[r][q] * b_[s][p]; };
    const T determinant =
        b_[0][0] * cofactor(1, 2, 1, 2) - b_[0][1] * cofactor(1, 2, 0, 2) + b_[0][2] * cofactor(1, 2, 0, 1);
    factor = factor / determinant;
    const T away[3] = {
        factor * (of[0] * cofactor(1, 2, 1, 2) - of[1] * cofactor(0, 2, 1, 2) + of[2] * cofactor(0, 1, 1, 2)),
        factor * (-of[0] * cofactor(1, 2, 0, 2) + of[1] * cofactor(0, 2, 0, 2) - of[2] * cofactor(0, 1, 0, 2)),
        factor * (of[0] * cofactor(1, 2, 0, 1) - of[1] * cofactor(0, 2, 0, 1) + of[2] * cofactor(0, 1, 0, 1))};
    node_.for_each_cut([&](auto i) {
      T c[3];
      along(i, c);
      node_.f[i.i] -= T(Lattice::w[i.i]) * (c[0] * away[0] + c[1] * away[1] + c[2] * away[2]);
    });
  }

 private:
  const Node& node_;
  T n_[3], mean_[3] = {}, b_[3][3];
  bool any_;

  template <class Direction>
  FLUVIA_FUNCTION void along(Direction i, T (&c)[3]) const {
    T along_normal = 0;
    for (int a = 0; a < 3; ++a) along_normal += T(Lattice::c[i.i][a]) * n_[a];
    for (int a = 0; a < 3; ++a) c[a] = T(Lattice::c[i.i][a]) - along_normal * n_[a] - mean_[a];
  }
};

/// Reflection that keeps a fraction of what the links carry along the surface: 0 sticks, 1 slides without friction. On
/// a plane of the lattice it is the mean of bounce-back and of reflection as in a mirror with these weights. What was
/// bounced back has the part w_i c_i.a along the surface (c_i of LinksAlong, so that no mass gets in or out and the
/// fluid at rest stays at rest), a from
///   sum_cut w_i c_i (c_i.a) = sum_cut c_i f_i,
/// and becomes f_i - 2 share w_i c_i.a. As this projects, in the norm sum f_i^2 / w_i in which the collision at rest
/// does not grow either, nothing can grow: a wall that moves with the node's own velocity instead amplifies what
/// changes along it. Half-way along the links: on surfaces that do not follow the lattice the steps leave some
/// friction.
template <class Node, class T = typename Node::T>
FLUVIA_FUNCTION void slide(const Node& node, T share) {
  constexpr T least = sizeof(T) == 8 ? T(1e-13) : T(1e-7);  // what rounding leaves room for
  const LinksAlong<Node> links(node, least);
  if (!links.any()) return;
  T carried[3];
  links.carried(carried);
  links.take(carried, T(2) * share);
}

}  // namespace fluvia::core
