// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/streaming/access.hpp"

namespace fluvia::core {

/// Two lattices: collide what lies in the node, then scatter to the neighbours in the other copy. The classical order
/// of the two halves of a step; S2 section 3.2.1.
struct Push {
  static constexpr const char* name = "push";
  static constexpr int copies = 2, parities = 1;
  static constexpr Access read_from(int, int i) { return {0, i}; }
  static constexpr Access read_cut(int, int i) { return {0, i}; }
  static constexpr Access write_to(int, int i) { return {+1, i}; }
  static constexpr Access write_cut(int, int i) { return {0, opposite(i)}; }
};

}  // namespace fluvia::core
