// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/boundary/surface.hpp"

namespace fluvia::core {

/// A wall that moves within itself: a lid, a belt, a spinning cylinder. Half-way along the link: bounce-back plus
/// 6 w_i c_i.u_wall (at reference density 1, so that an opening prescribes its mass flux exactly).
/// Ladd, J. Fluid Mech. 271 (1994) 285, eq. 3.3.
struct MovingWall {
  static constexpr ConditionFacts facts = {.name = "moving_wall",
                                           .meaning = "moves within itself: a lid, a spinning cylinder",
                                           .priority = 1,
                                           .order = 1,
                                           .drives = true,
                                           .sticks = true,
                                           .velocity = VelocityKeys::wall};

  template <class Node>
  static FLUVIA_FUNCTION void apply(const Node& node) {
    using T = typename Node::T;
    T velocity[3];
    for (int axis = 0; axis < 3; ++axis) velocity[axis] = T(node.links.velocity[axis] * node.surface.scale);
    node.add_velocity(velocity);
  }
};

/// An opening with a prescribed velocity, mostly an inlet.
struct VelocityOpening {
  using Rule = MovingWall;
  static constexpr ConditionFacts facts = {.name = "velocity",
                                           .meaning = "opening with a prescribed velocity or flow rate",
                                           .priority = 2,
                                           .order = 1,
                                           .is_opening = true,
                                           .drives = true,
                                           .velocity = VelocityKeys::opening};
};

}  // namespace fluvia::core
