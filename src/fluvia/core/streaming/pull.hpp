// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/streaming/access.hpp"

namespace fluvia::core {

/// Two lattices: gather from the neighbours in one copy, write to the other.
struct Pull {
  static constexpr const char* name = "pull";
  static constexpr int copies = 2, parities = 1;
  static constexpr Access read_from(int, int i) { return {-1, i}; }
  static constexpr Access read_cut(int, int i) { return {0, opposite(i)}; }
  static constexpr Access write_to(int, int i) { return {0, i}; }
  static constexpr Access write_cut(int, int i) { return {0, i}; }
};

}  // namespace fluvia::core
