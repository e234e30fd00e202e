// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/lattice/lattice.hpp"

namespace fluvia::core {

/// Qian, d'Humieres & Lallemand, Europhys. Lett. 17 (1992) 479.
struct D2Q9 {
  static constexpr const char* name = "D2Q9";
  static constexpr int D = 2, Q = 9;
  static constexpr signed char c[Q][3] = {{0, 0, 0}, {1, 0, 0},   {-1, 0, 0}, {0, 1, 0}, {0, -1, 0},
                                          {1, 1, 0}, {-1, -1, 0}, {1, -1, 0}, {-1, 1, 0}};
  static constexpr double w[Q] = {4.0 / 9, 1.0 / 9, 1.0 / 9, 1.0 / 9, 1.0 / 9, 1.0 / 36, 1.0 / 36, 1.0 / 36, 1.0 / 36};
};
static_assert(is_valid_lattice<D2Q9>());

}  // namespace fluvia::core
