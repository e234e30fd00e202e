// SPDX-License-Identifier: Apache-2.0
// A dense box whose steps are taken several at a time; kernels/passes/pass_dense.hpp.
#pragma once
#include "fluvia/cuda/kernels/passes/pass_shape.hpp"
#include "fluvia/cuda/layout/dense_box.hpp"
#include "fluvia/cuda/layout/slide/pass_slide.hpp"

namespace fluvia::cuda {

class PassLayout : public DenseBoxLayout {
 public:
  PassLayout(const NodeMap& nodes, Specification& specification, const TileRoles& roles = {});

  [[nodiscard]] std::uint64_t bytes() const override;
  [[nodiscard]] int steps_per_pass() const override { return steps_; }
  [[nodiscard]] std::size_t pass_shared_bytes() const override { return shared_bytes(tile_); }
  void mark_conditions(const BoundaryArrays& boundaries) override;
  void place_arrays(ArrayStore& store) override;
  void append_pass(const StepAddresses& at, StepShare share, Program& program) const override;

 protected:
  /// Bytes of shared memory of a block.
  [[nodiscard]] std::size_t shared_bytes(const kernels::PassTile& tile) const {
    return static_cast<std::size_t>(tile.values(value_bytes_));
  }
  /// Launch of a pass of so many steps through so many planes: blocks along the march are parts of it.
  [[nodiscard]] LaunchShape pass_shape(const kernels::PassTile& tile, unsigned planes) const;
  [[nodiscard]] const kernels::PassTile& tile() const { return tile_; }
  /// Appends passes through the layers of a share, by a kernel of this kind.
  void append_passes(const StepAddresses& at, StepShare share, const kernels::PassTile& tile, KernelKind kind,
                     Program& program) const;
  /// How passes slide on one copy.
  [[nodiscard]] PassSlide make_slide(const NodeMap& nodes, unsigned least_blocks) const;
  /// Appends a pass on a copy that slides. It goes with the border's share, since all that steps take goes in order.
  void append_in_order(const PassSlide& slide, const StepAddresses& at, StepShare share, const kernels::PassTile& tile,
                       KernelKind kind, Program& program) const;
  /// Arguments of passes, without planes to go through.
  [[nodiscard]] const kernels::PassArguments& arguments() const { return arguments_; }

 private:
  int steps_;
  kernels::PassTile tile_;
  int value_bytes_;  ///< that a column keeps between two stages
  unsigned planes_;  ///< planes of a block
  /// Marks the nodes beside planes of symmetry.
  void mark_mirrors(const NodeMap& nodes, const std::vector<Int3>& velocities);

  std::vector<std::uint32_t> records_;   ///< kernels::PassArguments::records
  std::vector<std::uint32_t> mirrored_;  ///< kernels::PassArguments::mirrored
  std::uint32_t mirrors_ = 0;
  std::uint32_t ends_ = 0;
  std::uint64_t mirrored_bytes_ = 0;
  std::uint64_t record_bytes_ = 0;  ///< bytes of records, and of words that only they need
  kernels::PassArguments arguments_{};
};

}  // namespace fluvia::cuda
