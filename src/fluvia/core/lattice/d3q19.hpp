// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/lattice/lattice.hpp"

namespace fluvia::core {

/// Qian, d'Humieres & Lallemand, Europhys. Lett. 17 (1992) 479.
struct D3Q19 {
  static constexpr const char* name = "D3Q19";
  static constexpr int D = 3, Q = 19;
  static constexpr signed char c[Q][3] = {{0, 0, 0},   {1, 0, 0},   {-1, 0, 0}, {0, 1, 0},   {0, -1, 0},
                                          {0, 0, 1},   {0, 0, -1},  {1, 1, 0},  {-1, -1, 0}, {1, 0, 1},
                                          {-1, 0, -1}, {1, 0, -1},  {-1, 0, 1}, {1, -1, 0},  {-1, 1, 0},
                                          {0, 1, 1},   {0, -1, -1}, {0, 1, -1}, {0, -1, 1}};
  static constexpr double w[Q] = {1.0 / 3,  1.0 / 18, 1.0 / 18, 1.0 / 18, 1.0 / 18, 1.0 / 18, 1.0 / 18,
                                  1.0 / 36, 1.0 / 36, 1.0 / 36, 1.0 / 36, 1.0 / 36, 1.0 / 36, 1.0 / 36,
                                  1.0 / 36, 1.0 / 36, 1.0 / 36, 1.0 / 36, 1.0 / 36};
};
static_assert(is_valid_lattice<D3Q19>());

}  // namespace fluvia::core
