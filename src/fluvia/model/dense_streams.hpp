// SPDX-License-Identifier: Apache-2.0
// Where a CPU keeps the populations of a dense box: for each direction one stream of rows along x.
#pragma once
#include <cstdint>

#include "fluvia/base/vector.hpp"

namespace fluvia::model {

/// Storage indices of the populations of a dense box: slot `s` of the node at `x` of row `r` = y + ny z is element s *
/// slot + r * row + x.
///
/// Rows are `row` apart, two more than their nodes, so that x = -1 and x = nx are elements of their own in each row:
/// steps of one copy leave there what goes on elsewhere (cpu/storage/dense_rows.hpp). Streams start in different sets
/// of the first-level cache.
struct DenseStreams {
  std::uint64_t row = 0, slot = 0, slots = 0;

  DenseStreams(const Int3& size, int directions)
      : row(static_cast<std::uint64_t>(size[0]) + 2),
        slot((row * static_cast<std::uint64_t>(size[1]) * static_cast<std::uint64_t>(size[2]) + 1023) / 1024 * 1024 +
             7 * 16),
        slots(static_cast<std::uint64_t>(directions)) {}
  [[nodiscard]] std::uint64_t elements() const { return slot * slots; }
};

}  // namespace fluvia::model
