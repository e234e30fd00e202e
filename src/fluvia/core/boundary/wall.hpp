// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/boundary/surface.hpp"

namespace fluvia::core {

/// A wall at rest: what the streaming does with cut links by itself, half-way bounce-back.
struct Wall {
  static constexpr ConditionFacts facts = {
      .name = "wall", .meaning = "at rest; what surfaces without a boundary are", .sticks = true, .acts = false};
  template <class Node>
  static FLUVIA_FUNCTION void apply(const Node&) {}
};

}  // namespace fluvia::core
