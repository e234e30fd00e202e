// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/lattice/lattice.hpp"

namespace fluvia::core {

/// Qian, d'Humieres & Lallemand, Europhys. Lett. 17 (1992) 479.
struct D3Q15 {
  static constexpr const char* name = "D3Q15";
  static constexpr int D = 3, Q = 15;
  static constexpr signed char c[Q][3] = {{0, 0, 0},   {1, 0, 0},  {-1, 0, 0},  {0, 1, 0},    {0, -1, 0},
                                          {0, 0, 1},   {0, 0, -1}, {1, 1, 1},   {-1, -1, -1}, {1, 1, -1},
                                          {-1, -1, 1}, {1, -1, 1}, {-1, 1, -1}, {1, -1, -1},  {-1, 1, 1}};
  static constexpr double w[Q] = {2.0 / 9,  1.0 / 9,  1.0 / 9,  1.0 / 9,  1.0 / 9,  1.0 / 9,  1.0 / 9, 1.0 / 72,
                                  1.0 / 72, 1.0 / 72, 1.0 / 72, 1.0 / 72, 1.0 / 72, 1.0 / 72, 1.0 / 72};
};
static_assert(is_valid_lattice<D3Q15>());

}  // namespace fluvia::core
