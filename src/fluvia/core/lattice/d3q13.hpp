// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/lattice/lattice.hpp"

namespace fluvia::core {

/// The fewest velocities in three dimensions that give Navier-Stokes, with two rates for stresses (MRT). d'Humieres,
/// Bouzidi & Lallemand, Phys. Rev. E 63 (2001) 066702; Toelke & Krafczyk (S3), whose eqs 6 and 9 say the weights: at
/// rest e = -11/2 rho, so f_0 = rho/2, and a moving wall adds 2 w_i c_i.U / cs^2 = c_i.U / 4. Nodes with i+j+k even and
/// odd never meet: on a full grid two flows run side by side, which walls and openings treat alike.
struct D3Q13 {
  static constexpr const char* name = "D3Q13";
  static constexpr int D = 3, Q = 13;
  static constexpr signed char c[Q][3] = {{0, 0, 0},   {1, 1, 0},   {-1, -1, 0}, {1, -1, 0}, {-1, 1, 0},
                                          {1, 0, 1},   {-1, 0, -1}, {1, 0, -1},  {-1, 0, 1}, {0, 1, 1},
                                          {0, -1, -1}, {0, 1, -1},  {0, -1, 1}};
  static constexpr double w[Q] = {1.0 / 2,  1.0 / 24, 1.0 / 24, 1.0 / 24, 1.0 / 24, 1.0 / 24, 1.0 / 24,
                                  1.0 / 24, 1.0 / 24, 1.0 / 24, 1.0 / 24, 1.0 / 24, 1.0 / 24};
};
static_assert(is_valid_lattice<D3Q13, Weights::cubic>());

}  // namespace fluvia::core
