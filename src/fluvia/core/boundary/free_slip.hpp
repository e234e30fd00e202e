// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/boundary/slip.hpp"

namespace fluvia::core {

/// No shear. On a plane normal to an axis populations are reflected in the node itself, f_i = f_j with j the mirror
/// image of i: exact where the flow does not change along the plane, of first order otherwise; no momentum is lost
/// along it. On its edges with other surfaces the plane may cut i but not its mirror image; such populations stay
/// bounced back, because taking the other's would use it twice and lose one: mass would not be conserved. Other
/// surfaces move along with the fluid (slide).
struct FreeSlip {
  static constexpr ConditionFacts facts = {.name = "free_slip",
                                           .meaning = "no flow through and no friction: a plane of symmetry",
                                           .priority = 3,
                                           .slides = Slides::off_faces,
                                           .needs_normal = true};

  template <class Node>
  static FLUVIA_FUNCTION void apply(const Node& node) {
    using Lattice = typename Node::Lattice;
    const float(&n)[3] = node.links.normal;
    const int axes = (n[0] != 0) + (n[1] != 0) + (n[2] != 0), axis = n[0] != 0 ? 0 : n[1] != 0 ? 1 : 2;
    if (axes != 1) return slide(node, typename Node::T(1));
    node.for_each_cut([&](auto i) {
      // What left along j was bounced into the opposite of j.
      constexpr int source[3] = {opposite(mirrored<Lattice>(i.i, 0)), opposite(mirrored<Lattice>(i.i, 1)),
                                 opposite(mirrored<Lattice>(i.i, 2))};
      if (axis == 0 && node.is_cut(source[0])) node.f[i.i] = node.loaded[source[0]];
      if (axis == 1 && node.is_cut(source[1])) node.f[i.i] = node.loaded[source[1]];
      if (axis == 2 && node.is_cut(source[2])) node.f[i.i] = node.loaded[source[2]];
    });
  }
};

}  // namespace fluvia::core
