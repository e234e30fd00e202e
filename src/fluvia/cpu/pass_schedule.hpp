// SPDX-License-Identifier: Apache-2.0
// The order in which a pass takes several time steps of rows of nodes while they are in cache.
//
// Step s of a row needs step s - 1 of itself and of its neighbours, and no more: what a step writes was read by that
// step or, where there are two copies, by the one before. So a wave runs through the layers, each step one layer behind
// the one before. Layers are cut into strips, and a strip moves back by one row a step, so that nothing that it needs
// lies in the strip ahead of it:
//
//   rows of a layer    0 1 2 3 4 5 6 7 8 9
//   step 0             a a a a|b b b|c c c
//   step 1             a a a|b b b|c c c c
//   step 2             a a|b b b|c c c c c
//
// A strip needs the one before it to be as far along the layers, so threads that have a strip each follow each other.
// Where an axis is periodic, step s begins with its s-th row and ends, around the box, with the one before that. Where
// groups of nodes hold several rows a strip moves back by more, see PassRows::lag.
#pragma once
#include <algorithm>
#include <cstdint>

namespace fluvia::cpu {

/// Rows of a box in layers.
struct PassRows {
  std::int64_t layers, rows;    ///< rows of each layer
  bool layers_wrap, rows_wrap;  ///< whether the last one is a neighbour of the first
  std::int64_t lag;             ///< rows around a row that its update may need, either way
};

/// A row of a layer.
struct RowPosition {
  std::int64_t layer, row;
  bool operator==(const RowPosition&) const = default;
};

struct PassSchedule {
  PassRows box;
  int steps;            ///< steps of the pass
  std::int64_t strips;  ///< number of strips into which the rows are cut

  /// Number of waves of each strip. A wave is one layer for each step.
  [[nodiscard]] std::int64_t waves() const { return box.layers + reach(box.layers_wrap); }

  /// Calls body(layer, first_row, end_row) for what a step of the pass does in a wave of a strip: nothing, one piece or
  /// two.
  template <class Body>
  void for_each_piece(std::int64_t strip, std::int64_t wave, int step, Body&& body) const {
    const std::int64_t first_layer = box.layers_wrap ? step : 0, layer = wave - step;
    if (layer < first_layer || layer >= first_layer + box.layers) return;
    const std::int64_t back = step * box.lag, first_row = box.rows_wrap ? back : 0,
                       around = first_row / box.rows * box.rows;
    const std::int64_t first = std::max(bound(strip) - back, first_row) - around,
                       end = std::min(bound(strip + 1) - back, first_row + box.rows) - around;
    const auto piece = [&](std::int64_t from, std::int64_t to) {
      if (from < to) body(layer % box.layers, from, to);
    };
    piece(first, std::min(end, box.rows));
    piece(std::max(first, box.rows) - box.rows, end - box.rows);
  }

  /// The row that comes last of two neighbouring rows, in one layer or in neighbouring ones, where a step of the pass
  /// has been to both: the thread that comes there has seen to the other row or waited for it, and comes no later than
  /// the next step does to either.
  [[nodiscard]] RowPosition last_of(const RowPosition& a, const RowPosition& b, int step) const {
    const auto later = [](std::int64_t x, std::int64_t y, std::int64_t first, std::int64_t n) {
      return (x - first % n + n) % n >= (y - first % n + n) % n ? x : y;
    };
    return {later(a.layer, b.layer, box.layers_wrap ? step : 0, box.layers),
            later(a.row, b.row, box.rows_wrap ? step * box.lag : 0, box.rows)};
  }

 private:
  /// How much further the layers, or lags of rows, of all steps extend than those of one step.
  [[nodiscard]] std::int64_t reach(bool wraps) const { return (wraps ? 2 : 1) * (steps - std::int64_t{1}); }
  /// First row of a strip in step 0.
  [[nodiscard]] std::int64_t bound(std::int64_t strip) const {
    return (box.rows + box.lag * reach(box.rows_wrap)) * strip / strips;
  }
};

}  // namespace fluvia::cpu
