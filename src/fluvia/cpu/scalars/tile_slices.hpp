// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "fluvia/solver/blocks/tile_sums.hpp"

namespace fluvia::cpu {

/// The sums of the tiles of a range, sum_of(tile) by several threads, as far as they add up in it.
template <class Value, class SumOf>
TileSums<Value> sums_of_tiles(const TileRange& range, int threads, const SumOf& sum_of) {
  // Slices of a power of two of tiles are subtrees; how many there are does not matter to the sum.
  constexpr std::uint64_t tiles_of_slice = 64;
  const std::uint64_t first = range.first / tiles_of_slice, end = (range.end + tiles_of_slice - 1) / tiles_of_slice;
  std::vector<TileSums<Value>> slices(end - first);
#pragma omp parallel for schedule(static) num_threads(threads)
  for (std::uint64_t s = first; s < end; ++s) {
    const TileRange tiles{std::max(s * tiles_of_slice, range.first), std::min((s + 1) * tiles_of_slice, range.end)};
    TileSums<Value> sums;
    for (std::uint64_t t = tiles.first; t < tiles.end; ++t) sums.push_back({t, 0, sum_of(t)});
    slices[s - first] = reduced(sums, tiles);
  }
  TileSums<Value> all;
  for (const auto& slice : slices) all.insert(all.end(), slice.begin(), slice.end());
  return reduced(all, range);
}

}  // namespace fluvia::cpu
