// SPDX-License-Identifier: Apache-2.0
// A dense box in one copy that slides from pass to pass; kernels/pass_sliding.hpp.
#pragma once
#include "fluvia/cuda/layout/passes.hpp"
#include "fluvia/cuda/layout/slide/pass_slide.hpp"

namespace fluvia::cuda {

class SlidingPassLayout final : public PassLayout {
 public:
  /// The layout of a part of a domain. `least_blocks`: blocks of a chunk, for tests with small domains.
  SlidingPassLayout(const NodeMap& nodes, Specification& specification, const TileRoles& roles, unsigned least_blocks);
  SlidingPassLayout(const NodeMap& nodes, Specification& specification, const TileRoles& roles = {})
      : SlidingPassLayout(nodes, specification, roles,
                          least_chunk_multiprocessors * static_cast<unsigned>(specification.pass.blocks)) {}

  /// The array begins at the far end, so that the first pass goes upwards and writes below.
  [[nodiscard]] Extent extent() const override { return {arrays_.elements, slide_.nodes(), true}; }
  [[nodiscard]] std::uint64_t bytes() const override { return PassLayout::bytes() + slide_.bytes(); }
  void place_arrays(ArrayStore& store) override;
  void reset(ArrayStore& store) const override { slide_.reset(store); }
  void append_step(const StepAddresses& at, StepShare share, Program& program) const override;
  void append_pass(const StepAddresses& at, StepShare share, Program& program) const override;

 private:
  PassSlide slide_;
};

}  // namespace fluvia::cuda
