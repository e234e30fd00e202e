// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/config.hpp"

namespace fluvia::core {

/// What steps of tiles, or of boxes that store every node, can do without on a GPU, so that its cost is measured (of
/// tiles S1 sections 3.2 and 4.2.1): of a set, one bit each. No scheme has any of them: what most leave is another
/// flow, which only `fluvia bench` may ask for.
enum Omission : Uint32 {
  omits_barriers = 1,   ///< threads of a block do not wait for each other
  omits_ghosts = 2,     ///< each tile of `tgb` is alone: what would leave it bounces back
  omits_collision = 4,  ///< populations move only
  omits_sharing = 8,    ///< each thread finds all neighbours of its node in global memory by itself
  omits_layout = 16,    ///< nodes of a tile lie row by row for every direction
  omits_staging = 32,   ///< each thread reads and writes what it needs of ghost buffers in global memory by itself
  omits_marks = 64,     ///< nodes amid fluid ask for the types of their neighbours, as all others do
  omits_haste = 128     ///< nodes wait for their types before they read populations
};

struct OmissionFacts {
  Omission bit;
  const char* name;
  bool keeps_flow;  ///< whether steps without it compute the same
  /// Which schemes have it: those of tiles with one copy of the populations, of tiles with two, of boxes, of half
  /// boxes.
  bool of_one_copy, of_two_copies, of_boxes, of_half_boxes;
};
inline constexpr OmissionFacts omissions[] = {{omits_barriers, "barriers", false, true, true, false, false},
                                              {omits_ghosts, "ghosts", false, true, false, false, false},
                                              {omits_collision, "collision", false, true, true, false, false},
                                              {omits_sharing, "sharing", true, true, true, false, false},
                                              {omits_layout, "layout", true, false, true, false, false},
                                              {omits_staging, "staging", true, true, false, false, false},
                                              {omits_marks, "marks", true, false, false, true, true},
                                              {omits_haste, "haste", true, false, false, true, false}};

}  // namespace fluvia::core
