// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/streaming/access.hpp"

namespace fluvia::core {

/// One lattice, in place: every step touches, for each pair of opposites, one slot of the node and one of its positive
/// neighbour. Lehmann, Computation 10 (2022) 92. A cut link keeps its populations in the neighbour that is not fluid,
/// so every node of the box needs storage.
struct EsotericPull {
  static constexpr const char* name = "esoteric-pull";
  static constexpr int copies = 1, parities = 2;
  static constexpr bool is_positive(int i) { return i % 2 == 1; }
  static constexpr Access read_from(int parity, int i) {
    if (i == 0) return {0, 0};
    if (is_positive(i)) return {0, parity == 0 ? opposite(i) : i};
    return {-1, parity == 0 ? opposite(i) : i};
  }
  static constexpr Access read_cut(int, int i) {
    if (i == 0) return {0, 0};
    return is_positive(i) ? Access{0, opposite(i)} : Access{-1, opposite(i)};
  }
  static constexpr Access write_to(int parity, int i) {
    if (i == 0) return {0, 0};
    if (is_positive(i)) return {+1, parity == 0 ? i : opposite(i)};
    return {0, parity == 0 ? i : opposite(i)};
  }
  static constexpr Access write_cut(int, int i) {
    if (i == 0) return {0, 0};
    return is_positive(i) ? Access{+1, i} : Access{0, i};
  }
};

}  // namespace fluvia::core
