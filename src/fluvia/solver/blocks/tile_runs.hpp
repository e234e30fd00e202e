// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

namespace fluvia {

/// Consecutive tiles in canonical order.
struct TileRun {
  std::uint64_t first, count;
};

/// Runs that cover `tiles` (ascending). Solvers hand out consecutive tiles, so a few that nobody asked for are cheaper
/// than another request; none is so long that its nodes need more than some megabytes.
inline std::vector<TileRun> tile_runs(const std::vector<std::uint64_t>& tiles) {
  constexpr std::uint64_t widest_gap = 8, longest_run = 4096;
  std::vector<TileRun> runs;
  for (const std::uint64_t tile : tiles) {
    const bool near = !runs.empty() && tile - (runs.back().first + runs.back().count) <= widest_gap;
    if (near && tile + 1 - runs.back().first <= longest_run)
      runs.back().count = tile + 1 - runs.back().first;
    else
      runs.push_back({tile, 1});
  }
  return runs;
}

}  // namespace fluvia
