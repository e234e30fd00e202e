// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "fluvia/cuda/layout/halo_population_arrays.hpp"
#include "fluvia/cuda/runtime/memory.hpp"

namespace fluvia::cuda {

/// On a GPU: where the values of messages to or from all neighbours are, in the messages and in memory, for each parity
/// of a streaming.
class MessageLists {
 public:
  /// With messages in `buffer`, whose memory must stay. Entries of populations are not known yet.
  MessageLists(const Device& device, const Stream& stream, const HaloPopulationArrays& arrays, int parities,
               const DeviceBuffer& buffer);

  /// What kernels take, for populations of a parity.
  [[nodiscard]] kernels::MessageBlocks at(int parity) const;
  [[nodiscard]] bool empty() const { return count_ == 0; }
  /// What lists entries writes.
  [[nodiscard]] kernels::MessageBlock* blocks(int parity) const;
  [[nodiscard]] int* entries(int parity) const;
  /// Puts the message to or from Block::neighbours[neighbour] to an address from now on.
  void place(const Stream& stream, std::size_t neighbour, CuDevicePointer address);

 private:
  std::size_t count_;                    ///< blocks of a parity
  std::vector<std::size_t> end_blocks_;  ///< by neighbour
  std::vector<std::uint64_t> offsets_;   ///< of blocks in the message that they belong to
  DeviceBuffer blocks_, entries_;
};

}  // namespace fluvia::cuda
