// SPDX-License-Identifier: Apache-2.0
// Every node of the box has storage, row by row; kernels/dense.hpp.
#pragma once
#include <utility>

#include "fluvia/cuda/layout/layout.hpp"

namespace fluvia::cuda {

/// Arrays behind kernels::DenseBox.
struct DenseArrays {
  kernels::DenseBox box{};  ///< without addresses
  std::vector<std::uint32_t> segments, words;
  std::uint64_t stride = 0;    ///< elements from slot to slot
  std::uint64_t elements = 0;  ///< elements of one copy
};
/// Elements that a row of `nodes` takes: rows start at multiples of 128 bytes for every format, where that costs at
/// most 3% of the memory, else at even nodes, for pairs.
constexpr int row_pitch(int nodes) {
  const int padded = (nodes + 63) / 64 * 64;
  return padded - nodes <= nodes / 32 ? padded : nodes + nodes % 2;
}
/// Arrays of a dense box. Throws Error(resource) if the box is too large for 32-bit indices.
DenseArrays make_dense_arrays(const NodeMap& nodes, const std::vector<Int3>& velocities);

class DenseBoxLayout : public Layout {
 public:
  DenseBoxLayout(const NodeMap& nodes, Specification& specification, const TileRoles& roles = {});

  [[nodiscard]] Extent extent() const override;
  [[nodiscard]] std::vector<Range> own_elements() const override;
  [[nodiscard]] std::uint64_t bytes() const override { return bytes_; }
  [[nodiscard]] std::size_t fetch_bytes(int) const override { return 128; }
  /// Walls are found by elements of a slot.
  [[nodiscard]] std::uint64_t wall_storage_indices() const override { return arrays_.stride; }
  [[nodiscard]] std::uint64_t wall_storage_index(const NodeMap& nodes, const Int3& node) const override;
  void place_arrays(ArrayStore& store) override;
  [[nodiscard]] Argument geometry(const StepAddresses& at) const override;
  void append_step(const StepAddresses& at, StepShare share, Program& program) const override;

 protected:
  /// Calls body(first, end) for the layers of nodes along the last axis that a share takes.
  template <class Body>
  void for_each_layers(StepShare share, const Body& body) const {
    for (const Layers& layers : shares_)
      if (layers.share == share) body(layers.first, layers.end);
  }

  /// The layers of nodes that steps take, first and end.
  [[nodiscard]] std::pair<std::uint32_t, std::uint32_t> stepped_layers() const;
  /// Sets the number of elements from slot to slot; to be called before addresses are asked for.
  void set_stride(std::uint64_t stride);

  DenseArrays arrays_;

 private:
  /// Layers of nodes along the last axis that a share of a step takes; consecutive.
  struct Layers {
    StepShare share;
    std::uint32_t first, end;
  };
  void find_shares(const NodeMap& nodes, const TileRoles& roles);
  [[nodiscard]] std::uint32_t rows_ahead(const Specification& specification) const;

  std::vector<Layers> shares_;
  int last_axis_;
  bool cut_links_beside_;
  unsigned copies_, slots_, threads_, rows_,
      nodes_per_thread_;  ///< rows_: rows of a block of threads; 0: as many as fit
  int storage_bytes_;
  std::uint64_t bytes_, slot_bytes_;
};

}  // namespace fluvia::cuda
