// SPDX-License-Identifier: Apache-2.0
// Sums over tiles whose bits do not depend on who adds what: they are taken over the binary tree of tile numbers. Each
// part of a domain reduces its own tiles to the largest subtrees that lie in its range, at most two for each level, and
// whoever has all of these gets the same total as from all tiles one by one. Threads, ranks and schemes change no bit.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "fluvia/geometry/map/node_map.hpp"

namespace fluvia {

/// The sum of what tiles first ... first + 2^level - 1 give; `first` is a multiple of 2^level.
template <class Value>
struct TileSum {
  std::uint64_t first = 0;
  int level = 0;
  Value value{};
};
template <class Value>
using TileSums = std::vector<TileSum<Value>>;

namespace detail {
template <class Value>
std::span<const TileSum<Value>> before(std::span<const TileSum<Value>> sums, std::uint64_t tile) {
  const auto end = std::lower_bound(sums.begin(), sums.end(), tile,
                                    [](const TileSum<Value>& sum, std::uint64_t t) { return sum.first < t; });
  return sums.first(static_cast<std::size_t>(end - sums.begin()));
}

/// The sum of all below one node of the tree: its halves added, or the one of them that is not empty.
template <class Value>
Value sum_below(std::span<const TileSum<Value>> sums, std::uint64_t first, int level) {
  if (sums.size() == 1) return sums.front().value;
  const std::uint64_t middle = first + (std::uint64_t{1} << (level - 1));
  const auto left = before(sums, middle), right = sums.subspan(left.size());
  if (left.empty()) return sum_below(right, middle, level - 1);
  if (right.empty()) return sum_below(left, first, level - 1);
  return sum_below(left, first, level - 1) + sum_below(right, middle, level - 1);
}

template <class Value>
void reduce_below(std::span<const TileSum<Value>> sums, std::uint64_t first, int level, const TileRange& range,
                  TileSums<Value>& out) {
  if (sums.empty()) return;
  const std::uint64_t size = std::uint64_t{1} << level;
  if (first >= range.first && first + size <= range.end) {
    out.push_back({first, level, sum_below(sums, first, level)});
    return;
  }
  const std::uint64_t middle = first + size / 2;
  const auto left = before(sums, middle);
  reduce_below(left, first, level - 1, range, out);
  reduce_below(sums.subspan(left.size()), middle, level - 1, range, out);
}
}  // namespace detail

/// Levels of the tree that holds so many tiles.
inline int tree_levels(std::uint64_t tiles) {
  return tiles <= 1 ? 0 : static_cast<int>(std::bit_width(tiles - 1));
}

/// `sums`, ascending, of all tiles of a range that give anything: the same in as few as can be.
template <class Value>
TileSums<Value> reduced(const TileSums<Value>& sums, const TileRange& range) {
  TileSums<Value> out;
  detail::reduce_below(std::span<const TileSum<Value>>(sums), 0, tree_levels(range.end), range, out);
  return out;
}

/// The sum of all; `none` if there are none.
template <class Value>
Value total(const TileSums<Value>& sums, const Value& none = {}) {
  if (sums.empty()) return none;
  const TileSum<Value>& last = sums.back();
  return detail::sum_below(std::span<const TileSum<Value>>(sums), 0,
                           tree_levels(last.first + (std::uint64_t{1} << last.level)));
}

}  // namespace fluvia
