// SPDX-License-Identifier: Apache-2.0
// Storage by an index map (core/published), whose arrays all backends share; kernels/published/index_map.hpp.
#pragma once
#include "fluvia/cuda/layout/layout.hpp"
#include "fluvia/solver/published/index_map_arrays.hpp"

namespace fluvia::cuda {

class IndexMapLayout : public Layout {
 public:
  IndexMapLayout(const NodeMap& nodes, Specification& specification);

  [[nodiscard]] Extent extent() const override;
  [[nodiscard]] std::uint64_t bytes() const override { return bytes_; }
  [[nodiscard]] std::size_t fetch_bytes(int) const override { return 64; }
  [[nodiscard]] std::uint32_t storage_index_of(const NodeMap& nodes, std::uint64_t tile) const override;
  [[nodiscard]] std::uint64_t tile_at(const NodeMap& nodes, std::uint64_t storage_index) const override;
  /// Walls are found by the numbers of stored nodes.
  [[nodiscard]] std::uint64_t wall_storage_indices() const override { return arrays_.count.stored; }
  [[nodiscard]] std::uint64_t wall_storage_index(const NodeMap& nodes, const Int3& node) const override;
  [[nodiscard]] std::vector<std::uint32_t> first_nodes(const NodeMap& nodes) const override;
  void mark_conditions(const BoundaryArrays& boundaries) override;
  [[nodiscard]] bool completes_in_step() const override { return cuda::completes_in_step(specification_); }
  void place_arrays(ArrayStore& store) override;
  [[nodiscard]] Argument geometry(const StepAddresses& at) const override { return Argument(box(at)); }
  /// Appends the launch that fills ghost cells, if there are any, then one with a thread for each visited node.
  void append_step(const StepAddresses& at, StepShare share, Program& program) const override;

 protected:
  [[nodiscard]] kernels::IndexMapBox box(const StepAddresses& at) const;
  const unsigned threads_;

 private:
  /// Launch of a step, one thread for each node that it visits.
  [[nodiscard]] LaunchShape step_shape(const core::IndexTables& tables) const;

  Specification specification_;
  IndexMapArrays arrays_;
  std::vector<std::uint32_t> segments_, records_;  ///< the arrays of kernels::IndexMapBox
  std::uint64_t bytes_;
  const unsigned row_;        ///< visited nodes of a row, if they have rows
  const Dimensions block_;    ///< threads of a block, if steps go through rows
  kernels::IndexMapBox box_;  ///< the domain, without addresses of populations
};

/// An index map whose step first collides, one thread for each stored node, and then propagates.
class TwoKernelLayout final : public IndexMapLayout {
 public:
  using IndexMapLayout::IndexMapLayout;
  void append_step(const StepAddresses& at, StepShare share, Program& program) const override;
};

/// An index map where a block of threads takes whole rows.
class RowBlockLayout final : public IndexMapLayout {
 public:
  RowBlockLayout(const NodeMap& nodes, Specification& specification);
  void append_step(const StepAddresses& at, StepShare share, Program& program) const override;
};

}  // namespace fluvia::cuda
