// SPDX-License-Identifier: Apache-2.0
// A dense box in one copy that slides from pass to pass; kernels/pass_sliding.hpp.
#pragma once
#include "fluvia/cuda/layout/passes.hpp"
#include "fluvia/cuda/layout/sweep_counters.hpp"

namespace fluvia::cuda {

/// Multiprocessors that the blocks of a chunk keep busy, at least: more than a GPU has, or blocks wait for each other.
/// Boxes of less than two chunks slide by their own length, which takes as much memory as two copies.
inline constexpr unsigned least_chunk_multiprocessors = 160;

class SlidingPassLayout final : public PassLayout {
 public:
  /// The layout of a part of a domain. `least_blocks`: blocks of a chunk, for tests with small domains.
  SlidingPassLayout(const NodeMap& nodes, Specification& specification, const TileRoles& roles, unsigned least_blocks);
  SlidingPassLayout(const NodeMap& nodes, Specification& specification, const TileRoles& roles = {})
      : SlidingPassLayout(nodes, specification, roles,
                          least_chunk_multiprocessors * static_cast<unsigned>(specification.pass.blocks)) {}

  /// The array begins at the far end, so that the first pass goes upwards and writes below.
  [[nodiscard]] Extent extent() const override { return {arrays_.elements, shift_, true}; }
  [[nodiscard]] std::uint64_t bytes() const override { return PassLayout::bytes() + counters_.bytes(); }
  void place_arrays(ArrayStore& store) override;
  void reset(ArrayStore& store) const override { counters_.reset(store); }
  void append_step(const StepAddresses& at, StepShare share, Program& program) const override;
  void append_pass(const StepAddresses& at, StepShare share, Program& program) const override;

 private:
  /// Appends a launch. It goes with the border's share, since all that steps take goes in order.
  void append(const StepAddresses& at, StepShare share, int steps, KernelKind kind, Program& program) const;

  unsigned parts_ = 1;       ///< parts of the march that make a chunk
  std::uint64_t shift_ = 0;  ///< elements by which the array slides
  SweepCounters counters_;
};

}  // namespace fluvia::cuda
