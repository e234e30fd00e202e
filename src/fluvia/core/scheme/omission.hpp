// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/config.hpp"

namespace fluvia::core {

/// What steps of tiles on a GPU can do without, so that its cost is measured (S1 sections 3.2 and 4.2.1): of a set, one
/// bit each. No scheme has any of them: what most leave is another flow, which only `fluvia bench` may ask for.
enum Omission : Uint32 {
  omits_barriers = 1,   ///< threads of a block do not wait for each other
  omits_ghosts = 2,     ///< each tile of `tgb` is alone: what would leave it bounces back
  omits_collision = 4,  ///< populations move only
  omits_sharing = 8,    ///< each thread finds all neighbours of its node in global memory by itself
  omits_layout = 16,    ///< nodes of a tile lie row by row for every direction
  omits_staging = 32    ///< each thread reads and writes what it needs of ghost buffers in global memory by itself
};

struct OmissionFacts {
  Omission bit;
  const char* name;
  bool keeps_flow;     ///< steps without it compute the same
  bool of_one_copy;    ///< schemes with one copy of the populations have it
  bool of_two_copies;  ///< and those with two
};
inline constexpr OmissionFacts omissions[] = {
    {omits_barriers, "barriers", false, true, true},   {omits_ghosts, "ghosts", false, true, false},
    {omits_collision, "collision", false, true, true}, {omits_sharing, "sharing", true, true, true},
    {omits_layout, "layout", true, false, true},       {omits_staging, "staging", true, true, false}};

}  // namespace fluvia::core
