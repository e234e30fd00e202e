// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "fluvia/cuda/layout/boundary_arrays.hpp"
#include "fluvia/cuda/layout/range.hpp"

namespace fluvia::cuda {

/// Boundary arrays that change tile by tile. What a tile gets goes where it had what it had before, if there is room,
/// else behind all others.
class LiveBoundaries {
 public:
  explicit LiveBoundaries(BoundaryArrays arrays);

  /// Elements that changed.
  struct Changes {
    std::vector<Range> records, first_records, tiles;
  };
  /// Gives the tiles at these places, which ascend, what they have in `fresh`: arrays of nothing but them.
  Changes replace(std::span<const std::uint32_t> storage_indices, const BoundaryArrays& fresh);
  [[nodiscard]] const BoundaryArrays& arrays() const { return arrays_; }
  /// Records that no tile has any more.
  [[nodiscard]] std::size_t unused_records() const { return unused_; }

 private:
  /// Room of a tile.
  struct Room {
    std::uint32_t record = 0, records = 0;  ///< the first of its records, and how many there may be
    std::uint32_t node = 0, nodes = 0;      ///< of first_records likewise
  };
  BoundaryArrays arrays_;
  std::vector<Room> rooms_;  ///< of arrays_.tiles
  std::size_t unused_ = 0;
};

}  // namespace fluvia::cuda
