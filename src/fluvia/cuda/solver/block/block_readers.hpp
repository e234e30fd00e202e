// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <memory>
#include <span>
#include <vector>

#include "fluvia/cuda/solver/block/block_boundaries.hpp"
#include "fluvia/cuda/solver/block/block_flow.hpp"

namespace fluvia::cuda {

/// What is read of the flow in a block: moments, populations, fields, sums. Whoever asks says which flow, the one that
/// steps or one that stays; nothing here changes it.
template <class T>
class BlockReaders {
 public:
  BlockReaders(const BlockKernels& on, const PreparedCase& prepared, DeviceArrays& arrays);

  /// Takes the links that are monitored now, of surfaces that may move.
  void take_links(const LinkTable& table);

  /// As FlowState::moments(), and as save() of populations.
  void moments(const FlowView<T>& flow, std::uint64_t first_tile, std::uint64_t tile_count, bool with_stress,
               Moments& out) const;
  void populations(const FlowView<T>& flow, const ArrayRange& range, std::span<std::byte> out) const;
  /// As DeviceFields has them.
  [[nodiscard]] DeviceArray compute(const FlowView<T>& flow, const LinearField& field) const;
  [[nodiscard]] DeviceArray upload(std::span<const float> values) const;
  /// As BlockSolver::sums_of(), by tiles (solver/blocks/tile_sums.hpp).
  [[nodiscard]] TileSums<FlowSum> sums(const FlowView<T>& flow, const FlowTotals& what) const;
  [[nodiscard]] TileSums<ForceSum> sums(const FlowView<T>& flow, const ForceOnSurface& what) const;
  [[nodiscard]] TileSums<OpeningSum> sums(const FlowView<T>& flow, const FlowThroughOpening& what) const;

 private:
  /// The tiles with monitored links of one surface.
  struct MonitoredTiles {
    DeviceBuffer on_gpu;  ///< kernels::MonitoredTile of each tile
    std::vector<PreparedCase::MonitoredTile> tiles;
    std::vector<std::uint32_t> nodes;  ///< how many nodes of each tile have monitored links
  };
  /// Sums over the links of the monitored tiles of a surface.
  [[nodiscard]] std::vector<kernels::LinkSums> sum_links(const FlowView<T>& flow, int surface,
                                                         const Real3& center) const;

  const BlockKernels& on_;
  std::vector<bool> is_monitored_;         ///< [surface]
  std::vector<MonitoredTiles> monitored_;  ///< [surface]
  std::vector<kernels::SumPiece> pieces_;
  kernels::SummedTiles summed_;  ///< all pieces, on the GPU
  DeviceBuffer sums_;
};

/// Room for a state of the flow that stays while others follow, with a way to the host of its own.
template <class T>
struct SnapshotRoom {
  DeviceBuffer populations;
  typename BlockBoundaries<T>::Copy boundaries;
  std::vector<DeviceBuffer> kept;  ///< arrays but populations, row by row
  Channel channel;
  Event copied;
  std::atomic<bool> in_use = false;

  SnapshotRoom(const Device& device, const PreparedCase& prepared)
      : populations(device, prepared.stored_bytes(), "a snapshot of the populations"),
        boundaries(device, prepared),
        kept(KeptArrays<T>::rooms(device, prepared.arrays)),
        channel(device, prepared.references_bytes(), prepared.exchange_bytes()),
        copied(device) {}
};

/// The state of `solver`, whose parts the others are, copied to the room on the GPU: as much traffic as a step or two.
/// Steps queued later run after the copy; those who read it wait for it on the GPU. `now`: what kernels read.
template <class T>
std::unique_ptr<FlowState> take_snapshot(const Solver& solver, const BlockKernels& on, const BlockFlow<T>& flow,
                                         const BlockBoundaries<T>& boundaries, const BlockReaders<T>& readers,
                                         const FlowView<T>& now, SnapshotRoom<T>& room);

}  // namespace fluvia::cuda
