// SPDX-License-Identifier: Apache-2.0
// Compact tiles in one copy that slides from step to step; kernels/slide.hpp.
#pragma once
#include "fluvia/cuda/layout/compact_tiles.hpp"
#include "fluvia/cuda/layout/sweep_counters.hpp"

namespace fluvia::cuda {

/// How far an array slides and how its progress is counted.
struct SlidePlan {
  std::uint32_t block_tiles = 1;  ///< tiles that a block of threads updates, all rounds together
  std::uint32_t rounds = 1;
  std::uint32_t chunk_log2 = 0;  ///< a chunk has 2^chunk_log2 blocks
  std::uint64_t shift = 0;       ///< nodes by which the array slides

  [[nodiscard]] std::uint64_t blocks(std::uint64_t tiles) const { return (tiles + block_tiles - 1) / block_tiles; }
};
/// Tiles of a chunk, at least: more than are on their way on a GPU at a time, or blocks wait for each other. Domains of
/// less than two chunks slide by their own length, which takes as much memory as two copies.
inline constexpr int least_chunk_log2 = 12;
/// `groups`: tiles that a block updates at a time, a power of two. `least_log2` is for tests with small domains.
SlidePlan plan_slide(const CompactArrays& arrays, std::uint32_t groups, int least_log2 = least_chunk_log2);
SweepCounters sweep_counters(const SlidePlan& plan, std::uint64_t tiles);

class SlidingTileLayout final : public CompactTileLayout {
 public:
  /// `least_log2` as in plan_slide().
  SlidingTileLayout(const NodeMap& nodes, Specification& specification, int least_log2 = least_chunk_log2);
  /// The order of tiles is that of the sweep, whatever the roles.
  SlidingTileLayout(const NodeMap& nodes, Specification& specification, const TileRoles& roles);

  /// The array begins at the far end, so that the first sweep goes upwards and writes below.
  [[nodiscard]] Extent extent() const override;
  [[nodiscard]] std::vector<Range> own_elements() const override { return {own_elements_}; }
  [[nodiscard]] std::uint64_t bytes() const override { return CompactTileLayout::bytes() + counters_.bytes(); }
  void place_arrays(ArrayStore& store) override;
  void reset(ArrayStore& store) const override { counters_.reset(store); }
  void append_step(const StepAddresses& at, StepShare share, Program& program) const override;

  [[nodiscard]] const SlidePlan& slide() const { return slide_; }

 private:
  SlidePlan slide_;
  Range swept_;         ///< tiles from the first own one to the last; what is read of others arrives in messages
  Range own_elements_;  ///< elements of these tiles
  SweepCounters counters_;
};

}  // namespace fluvia::cuda
