// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "fluvia/cuda/layout/halo_population_arrays.hpp"
#include "fluvia/cuda/runtime/memory.hpp"
#include "fluvia/cuda/solver/device_block.hpp"

namespace fluvia::cuda {

/// On a GPU: where the values of messages to or from all neighbours are, in the messages and in memory, for each parity
/// of a streaming.
class MessageLists {
 public:
  /// With messages in `buffer`, whose memory must stay. Entries of populations are not known yet.
  MessageLists(const Device& device, const Stream& stream, const HaloPopulationArrays& arrays, int parities,
               const DeviceBuffer& buffer);

  /// What kernels take, for populations of a parity: all of it, or messages of neighbours from `first` to before `end`.
  [[nodiscard]] kernels::MessageBlocks at(int parity) const { return between(parity, 0, count_); }
  [[nodiscard]] kernels::MessageBlocks at(int parity, std::size_t first, std::size_t end) const {
    return between(parity, begin_of(first), begin_of(end));
  }
  /// What lists entries writes.
  [[nodiscard]] kernels::MessageBlock* blocks(int parity) const;
  [[nodiscard]] int* entries(int parity) const;
  /// Puts the message to or from Block::neighbours[neighbour] to an address from now on.
  void place(const Stream& stream, std::size_t neighbour, CuDevicePointer address);

  [[nodiscard]] std::size_t neighbours() const { return end_blocks_.size(); }

 private:
  [[nodiscard]] kernels::MessageBlocks between(int parity, std::size_t first_block, std::size_t end_block) const;
  /// The first block of the message of a neighbour.
  [[nodiscard]] std::size_t begin_of(std::size_t neighbour) const {
    return neighbour == 0 ? 0 : end_blocks_[neighbour - 1];
  }

  std::size_t count_;                    ///< blocks of a parity
  std::vector<std::size_t> end_blocks_;  ///< by neighbour
  std::vector<std::uint64_t> offsets_;   ///< of blocks in the message that they belong to
  DeviceBuffer blocks_, entries_;
};

/// Neighbours of a block with parts of the same level, which are the first.
std::size_t halo_count(const Block& block);

/// What kernels take of the lists of a block, for what crosses to parts of its level or between levels.
kernels::MessageBlocks of_crossing(const MessageLists& lists, int parity, const Block& block, Crossing crossing);

}  // namespace fluvia::cuda
