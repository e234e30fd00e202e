// SPDX-License-Identifier: Apache-2.0
// How messages get from blocks on GPUs to those of other parts: halos, and values that are read between levels of
// refinement. What a block packs and unpacks is its own matter.
#pragma once
#include <cstddef>
#include <vector>

#include "fluvia/cuda/solver/device_block.hpp"

namespace fluvia::domain {

/// What one block sends to a part, and where what that part sends it arrives.
struct PartMessage {
  std::size_t neighbour;  ///< of the block
  ExchangeLink link;      ///< the same at both ends
  cuda::DeviceMessages messages;
  int scalar = Neighbour::of_flow;  ///< as Neighbour has it, likewise the same
};

/// A block with its messages to others.
struct DeviceEnd {
  cuda::DeviceBlock* block;
  std::vector<PartMessage> messages;
};

/// The messages of a block's halos.
DeviceEnd halo_end(cuda::DeviceBlock& block);

/// Carries messages of the blocks of a level that are in this process.
class DeviceDelivery {
 public:
  DeviceDelivery() = default;
  DeviceDelivery(const DeviceDelivery&) = delete;
  DeviceDelivery& operator=(const DeviceDelivery&) = delete;
  virtual ~DeviceDelivery() = default;
  /// Queues the packing of what crosses, when blocks are there (DeviceBlock::queue_pack), and its way.
  virtual void start() = 0;
  /// Lets a stream of the GPU of a block, by its number here, wait for what it has packed and what was sent to it.
  virtual void wait(std::size_t block, const cuda::Stream& stream) = 0;
};

/// Between GPUs of this process, which have all parts, from memory to memory. Where a GPU reaches the other, kernels
/// pack straight into its memory; elsewhere packed messages are copied.
class MemoryDelivery final : public DeviceDelivery {
 public:
  /// By the numbers of blocks. Throws Error(internal) if two do not agree about what crosses between them.
  MemoryDelivery(const std::vector<DeviceEnd>& ends, cuda::Crossing crossing);
  void start() override;
  void wait(std::size_t block, const cuda::Stream& stream) override;

  [[nodiscard]] bool has_messages(std::size_t block) const { return ends_[block].packs; }
  /// Messages that are copied.
  [[nodiscard]] std::size_t copies() const;

 private:
  struct Sent {
    std::size_t end;                        ///< among ends_
    cuda::DeviceMessage leaving, arriving;  ///< here, of no bytes if it is not copied, and there
  };
  struct End {
    cuda::DeviceBlock* block;
    cuda::Event sent;  ///< all that leaves
    bool packs;        ///< something
    std::vector<Sent> neighbours;
  };
  std::vector<End> ends_;
  cuda::Crossing crossing_;
};

}  // namespace fluvia::domain
