// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "fluvia/core/streaming/access.hpp"
#include "fluvia/cpu/lanes.hpp"

namespace fluvia::cpu {

inline constexpr int max_directions = 27;

/// The pure functions of a streaming, tabulated for one lattice and parity, so that loads and stores are compiled once
/// per addressing and format and not per lattice and streaming.
struct StepAccess {
  int directions = 0;
  signed char c[max_directions][3] = {};
  core::Access read[max_directions] = {}, read_cut[max_directions] = {};
  core::Access write[max_directions] = {}, write_cut[max_directions] = {};
  bool local = false;  ///< true if no access leaves the node

  static int opposite(int i) { return core::opposite(i); }
};

struct StreamingTable {
  int copies = 1, parities = 1;
  bool fluid_storage_only = true;
  StepAccess step[2];
};

/// Table of a registered streaming ("pull", "aa", ...) on a registered lattice. Throws Error(internal) for others.
StreamingTable streaming_table(const std::string& streaming, const std::string& lattice);

}  // namespace fluvia::cpu
