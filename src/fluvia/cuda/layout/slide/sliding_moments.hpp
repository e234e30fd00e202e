// SPDX-License-Identifier: Apache-2.0
// A dense box whose nodes keep moments, in one copy that slides; kernels/passes/pass_sliding_moments.hpp.
#pragma once
#include "fluvia/cuda/layout/moment_box.hpp"
#include "fluvia/cuda/layout/slide/pass_slide.hpp"

namespace fluvia::cuda {

class SlidingMomentLayout final : public MomentLayout {
 public:
  /// `least_blocks`: blocks of a chunk, for tests with small domains.
  SlidingMomentLayout(const NodeMap& nodes, Specification& specification, const TileRoles& roles,
                      unsigned least_blocks);
  SlidingMomentLayout(const NodeMap& nodes, Specification& specification, const TileRoles& roles = {})
      : SlidingMomentLayout(nodes, specification, roles,
                            least_chunk_multiprocessors * static_cast<unsigned>(specification.pass.blocks)) {}

  /// Room to slide, once more where walls return something: that lies behind both places of the moments, and of it,
  /// too, the next pass reads what this one has not overwritten. In the memory of the host wait, until the first step,
  /// as many populations of a node as it has more of than numbers.
  [[nodiscard]] Extent extent() const override;
  [[nodiscard]] std::uint64_t bytes() const override { return MomentLayout::bytes() + slide_.bytes(); }
  void place_arrays(ArrayStore& store) override;
  void reset(ArrayStore& store) const override { slide_.reset(store); }
  void append_step(const StepAddresses& at, StepShare share, Program& program) const override;
  void append_pass(const StepAddresses& at, StepShare share, Program& program) const override;

 protected:
  [[nodiscard]] std::uint64_t elements_before_returned() const override { return moment_elements() + slide_elements(); }
  [[nodiscard]] std::uint64_t beginning(const StepAddresses& at) const override { return at.beginning; }

 private:
  /// Elements from the first place of the moments to the second, and so from what walls return to what they return
  /// next.
  [[nodiscard]] std::uint64_t slide_elements() const { return slide_elements_; }

  PassSlide slide_;
  std::uint64_t slide_elements_;
};

}  // namespace fluvia::cuda
