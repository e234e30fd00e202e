// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/lattice/lattice.hpp"

namespace fluvia::core {

/// He & Luo, Phys. Rev. E 56 (1997) 6811.
struct D3Q27 {
  static constexpr const char* name = "D3Q27";
  static constexpr int D = 3, Q = 27;
  static constexpr signed char c[Q][3] = {
      {0, 0, 0},  {1, 0, 0},   {-1, 0, 0},   {0, 1, 0},  {0, -1, 0},  {0, 0, 1},  {0, 0, -1},  {1, 1, 0},   {-1, -1, 0},
      {1, 0, 1},  {-1, 0, -1}, {1, 0, -1},   {-1, 0, 1}, {1, -1, 0},  {-1, 1, 0}, {0, 1, 1},   {0, -1, -1}, {0, 1, -1},
      {0, -1, 1}, {1, 1, 1},   {-1, -1, -1}, {1, 1, -1}, {-1, -1, 1}, {1, -1, 1}, {-1, 1, -1}, {1, -1, -1}, {-1, 1, 1}};
  static constexpr double w[Q] = {8.0 / 27,  2.0 / 27,  2.0 / 27,  2.0 / 27,  2.0 / 27,  2.0 / 27,  2.0 / 27,
                                  1.0 / 54,  1.0 / 54,  1.0 / 54,  1.0 / 54,  1.0 / 54,  1.0 / 54,  1.0 / 54,
                                  1.0 / 54,  1.0 / 54,  1.0 / 54,  1.0 / 54,  1.0 / 54,  1.0 / 216, 1.0 / 216,
                                  1.0 / 216, 1.0 / 216, 1.0 / 216, 1.0 / 216, 1.0 / 216, 1.0 / 216};
};
static_assert(is_valid_lattice<D3Q27>());

}  // namespace fluvia::core
