// SPDX-License-Identifier: Apache-2.0
// Storage by an index map (core/addressing), whose arrays all backends share; kernels/sites.hpp.
#pragma once
#include "fluvia/cuda/layout/layout.hpp"
#include "fluvia/solver/published/site_layout.hpp"

namespace fluvia::cuda {

class SiteMapLayout : public Layout {
 public:
  SiteMapLayout(const NodeMap& nodes, Specification& specification);

  [[nodiscard]] Extent extent() const override;
  [[nodiscard]] std::uint64_t bytes() const override { return bytes_; }
  [[nodiscard]] std::size_t fetch_bytes(int) const override { return 64; }
  [[nodiscard]] std::uint32_t place_of(const NodeMap& nodes, std::uint64_t tile) const override;
  [[nodiscard]] std::uint64_t tile_at(const NodeMap& nodes, std::uint64_t place) const override;
  /// Sites.
  [[nodiscard]] std::uint64_t wall_storage_indices() const override { return arrays_.count.stored; }
  [[nodiscard]] std::uint64_t wall_storage_index(const NodeMap& nodes, const Int3& node) const override;
  [[nodiscard]] std::vector<std::uint32_t> first_nodes(const NodeMap& nodes) const override;
  void mark_conditions(const BoundaryArrays& boundaries) override;
  [[nodiscard]] bool completes_in_step() const override { return cuda::completes_in_step(specification_); }
  void place_arrays(ArrayStore& store) override;
  [[nodiscard]] Argument geometry(const StepAddresses& at) const override { return Argument(box(at)); }
  /// Ghost cells, if there are any, then one thread a place.
  void append_step(const StepAddresses& at, StepShare share, Program& program) const override;

 protected:
  [[nodiscard]] kernels::SiteBox box(const StepAddresses& at) const;
  const unsigned threads_;

 private:
  /// Launch of a step, one thread for each place.
  [[nodiscard]] LaunchShape step_shape(const core::Sites& sites) const;

  Specification specification_;
  SiteLayout arrays_;
  std::vector<std::uint32_t> segments_, records_;  ///< of kernels::SiteBox
  std::uint64_t bytes_;
  const unsigned row_;      ///< places of a row, if they have rows
  const Dimensions block_;  ///< of threads, if steps go through rows
  kernels::SiteBox box_;    ///< without addresses of populations
};

/// An index map whose step first collides, one thread a site, and then propagates.
class TwoKernelLayout final : public SiteMapLayout {
 public:
  using SiteMapLayout::SiteMapLayout;
  void append_step(const StepAddresses& at, StepShare share, Program& program) const override;
};

/// An index map where a block of threads takes whole rows.
class RowBlockLayout final : public SiteMapLayout {
 public:
  RowBlockLayout(const NodeMap& nodes, Specification& specification);
  void append_step(const StepAddresses& at, StepShare share, Program& program) const override;
};

}  // namespace fluvia::cuda
