// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/streaming/access.hpp"

namespace fluvia::core {

/// One lattice, in place: even steps stay in the node, odd steps exchange with the neighbours.
/// Bailey, Myre, Walsh, Lilja & Saar, ICPP 2009.
struct Aa {
  static constexpr const char* name = "aa";
  static constexpr int copies = 1, parities = 2;
  static constexpr Access read_from(int parity, int i) { return parity == 0 ? Access{0, i} : Access{-1, opposite(i)}; }
  static constexpr Access read_cut(int, int i) { return {0, i}; }
  static constexpr Access write_to(int parity, int i) { return parity == 0 ? Access{0, opposite(i)} : Access{+1, i}; }
  static constexpr Access write_cut(int, int i) { return {0, opposite(i)}; }
};

}  // namespace fluvia::core
