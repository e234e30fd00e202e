// SPDX-License-Identifier: Apache-2.0
// How the one copy of a dense box slides from pass to pass; kernels/passes/pass_sliding.hpp.
#pragma once
#include <utility>

#include "fluvia/cuda/layout/sweep_counters.hpp"

namespace fluvia::cuda {

/// Multiprocessors that the blocks of a chunk keep busy, at least: more than a GPU has, or blocks wait for each other.
/// Boxes of less than two chunks slide by their own length, which takes as much memory as two copies.
inline constexpr unsigned least_chunk_multiprocessors = 160;

class PassSlide {
 public:
  /// The march that passes go along.
  struct March {
    std::uint64_t planes, plane_nodes;  ///< planes of the box, and elements of a slot that one of them takes
    bool periodic;
    unsigned planes_of_part;
    int steps;  ///< of a pass
  };
  PassSlide() = default;
  /// `blocks`: those of a pass through the whole box. A chunk has `least_blocks` at least.
  PassSlide(const March& march, const Dimensions& blocks, unsigned least_blocks);

  /// How far the copy slides: elements of a slot, a multiple of 64.
  [[nodiscard]] std::uint64_t nodes() const { return nodes_; }
  /// The arguments of a pass through layers of nodes, first and end, after so many updates.
  [[nodiscard]] kernels::SlidingPassArguments arguments(kernels::PassArguments pass,
                                                        const std::pair<std::uint32_t, std::uint32_t>& layers,
                                                        std::int64_t update) const;
  [[nodiscard]] std::uint64_t bytes() const { return counters_.bytes(); }
  void place(ArrayStore& store) { counters_.place(store); }
  void reset(ArrayStore& store) const { counters_.reset(store); }

 private:
  unsigned parts_ = 1;  ///< parts of the march that make a chunk
  std::uint64_t nodes_ = 0;
  SweepCounters counters_;
};

}  // namespace fluvia::cuda
