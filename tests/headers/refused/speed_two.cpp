// SPDX-License-Identifier: Apache-2.0
// A lattice with velocities that leap over a node, whose weights are right: cubic, with a squared sound speed of 1/3.
// Streaming would lose what leaps over walls and periodic ends.
#include "fluvia/core/lattice/lattice.hpp"

namespace fluvia::core {

struct D2Q13 {
  static constexpr const char* name = "D2Q13";
  static constexpr int D = 2, Q = 13;
  static constexpr signed char c[Q][3] = {{0, 0, 0},  {1, 0, 0},   {-1, 0, 0}, {0, 1, 0},  {0, -1, 0},
                                          {1, 1, 0},  {-1, -1, 0}, {1, -1, 0}, {-1, 1, 0}, {2, 0, 0},
                                          {-2, 0, 0}, {0, 2, 0},   {0, -2, 0}};
  static constexpr double on_axis = 1.0 / 12, diagonal = 1.0 / 48, twice = (1.0 / 6 - on_axis - 2 * diagonal) / 4;
  static constexpr double w[Q] = {1 - 4 * (on_axis + diagonal + twice),
                                  on_axis,
                                  on_axis,
                                  on_axis,
                                  on_axis,
                                  diagonal,
                                  diagonal,
                                  diagonal,
                                  diagonal,
                                  twice,
                                  twice,
                                  twice,
                                  twice};
};
static_assert(is_valid_lattice<D2Q13, Weights::cubic>());

}  // namespace fluvia::core
