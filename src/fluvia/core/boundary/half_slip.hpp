// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/boundary/slip.hpp"

namespace fluvia::core {

/// A surface on which the fluid slides against friction: Navier's u_t = L du_t/dn with the slip length L; 0 sticks.
/// The fraction for slide() follows from a linear shear flow. What leaves along c has w (3 c.u - 3 (tau - 1) c.S.c),
/// what comes back w (3 c.u - 3 tau c.S.c). So u = (1/2 + L) du/dn at the node asks for L / (L + tau - 1/2).
struct HalfSlip {
  static constexpr ConditionFacts facts = {
      .name = "half_slip",
      .meaning = "wall on which the fluid slides against friction",
      .priority = 3,
      .order = 1,
      .slides = Slides::everywhere,
      .slides_by_length = true,
      .needs_normal = true,
      .keys = {{.name = "slip_length",
                .dimension = Dimension::length,
                .meaning = "depth behind the wall at which the velocity would vanish",
                .required = true,
                .least = 0}}};

  template <class Node>
  static FLUVIA_FUNCTION void apply(const Node& node) {
    using T = typename Node::T;
    const T length = T(node.surface.values[0]);
    slide(node, length / (length + T(1) / node.parameters.omega - T(0.5)));
  }
};

}  // namespace fluvia::core
