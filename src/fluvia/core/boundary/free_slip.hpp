// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/boundary/slip.hpp"

namespace fluvia::core {

/// A surface without shear. A face of the box is a plane of symmetry then, which the streaming knows as it knows
/// periodic faces, so that this boundary condition has nothing to do there. Other surfaces let the fluid slide along
/// them (slide()).
struct FreeSlip {
  static constexpr ConditionFacts facts = {
      .name = "free_slip",
      .meaning = "no flow through and no friction; on a face of the box a plane of symmetry",
      .priority = 3,
      .mirrors_on_faces = true,
      .slides = Slides::off_faces,
      .needs_normal = true};

  template <class Node>
  static FLUVIA_FUNCTION void apply(const Node& node) {
    slide(node, typename Node::T(1));
  }
};

/// A face of the box that is a plane of symmetry: what arrives from beyond it is what left the mirrored node along the
/// mirrored direction.
struct Symmetry {
  using Rule = FreeSlip;
  static constexpr ConditionFacts facts = {.name = "symmetry",
                                           .meaning = "a face of the box that is a plane of symmetry",
                                           .priority = 3,
                                           .mirrors_on_faces = true,
                                           .only_on_faces = true};
};

}  // namespace fluvia::core
