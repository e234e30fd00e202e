// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "fluvia/core/streaming/access.hpp"
#include "fluvia/cpu/physics/lanes.hpp"

namespace fluvia::cpu {

inline constexpr int max_directions = 27;

/// The pure functions of a streaming, tabulated for one lattice and parity, so that loads and stores are compiled once
/// per addressing and format and not per lattice and streaming.
struct StepAccess {
  int directions = 0;
  signed char c[max_directions][3] = {};
  std::uint32_t neighbours = 0;  ///< set of the neighbours that directions lead to, the node itself left out
  std::uint32_t rows = 0;        ///< set of neighbour(-1, dy, dz) / 3 that directions lead to
  core::Access read[max_directions] = {}, read_cut[max_directions] = {};
  core::Access write[max_directions] = {}, write_cut[max_directions] = {};
  signed char read_link[max_directions] = {},
              write_link[max_directions] = {};  ///< number of the neighbour that has the slot
  bool local = false;                           ///< true if no access leaves the node
  int turn = 0;                                 ///< which of two ghost buffers is read
  bool reads_ghosts = false;                    ///< neighbours in other tiles are read from ghost cells

  /// Number of a neighbour, 0 to 26; those that differ only in dx follow each other.
  static int neighbour(int dx, int dy, int dz) { return 13 + dx + 3 * dy + 9 * dz; }
  static int opposite(int i) { return core::opposite(i); }
};

/// The set of all directions; in such sets bit i stands for direction i.
inline std::uint32_t all_directions(const StepAccess& step) {
  return (1u << step.directions) - 1;
}

/// A step that only collides: it reads as `step` does, and writes back to where it read.
inline StepAccess staying(StepAccess step) {
  for (int i = 0; i < step.directions; ++i) {
    step.write[i] = step.read[i];
    step.write_cut[i] = step.read_cut[i];
  }
  return step;
}

struct StreamingTable {
  int parities = 1;
  bool fluid_storage_only = true;
  StepAccess step[2];
};

/// Table of a registered streaming ("pull", "aa", ...) on a registered lattice. Throws Error(internal) for others.
StreamingTable streaming_table(const std::string& streaming, const std::string& lattice);

}  // namespace fluvia::cpu
