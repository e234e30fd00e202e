// SPDX-License-Identifier: Apache-2.0
// Out-of-core streaming (docs/decisions/0032-parts-take-turns.md): blocks of a domain that exceeds the memory of a GPU
// have their populations in host memory, from where they are fetched to the GPU for each step, or when somebody asks
// for them. All else of a block stays on the GPU.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "fluvia/cuda/layout/layout.hpp"
#include "fluvia/cuda/solver/channel.hpp"

namespace fluvia::cuda {

/// Room on a GPU for the populations of one block, and how far the residence of the one there is.
struct Slot {
  DeviceBuffer memory;
  Event filled, stepped, emptied;

  Slot(const Device& device, std::size_t bytes)
      : memory(device, bytes, "populations of blocks that are streamed"),
        filled(device),
        stepped(device),
        emptied(device) {}
};

/// A block whose populations are in a slot between steps, until another's are wanted there.
class ResidentBlock {
 public:
  /// Queues their way back, if they were changed.
  virtual void evict() const = 0;

 protected:
  ~ResidentBlock() = default;
};

/// What blocks that are streamed through a GPU share: slots, of which one is filled, one stepped and one emptied at a
/// time, and the streams in whose order each of these is queued. Steps are on that of the channel.
class BlockStreaming {
 public:
  static constexpr std::size_t slots = 3;

  /// `slot_bytes`: of the largest block's populations.
  BlockStreaming(const Device& device, std::uint64_t slot_bytes, std::shared_ptr<const Channel> channel)
      : uploads_(device),
        downloads_(device),
        channel_(std::move(channel)),
        slots_{Slot(device, slot_bytes), Slot(device, slot_bytes), Slot(device, slot_bytes)} {}

  [[nodiscard]] const Stream& uploads() const { return uploads_; }
  [[nodiscard]] const Stream& steps() const { return channel_->stream; }
  [[nodiscard]] const Stream& downloads() const { return downloads_; }
  [[nodiscard]] const std::shared_ptr<const Channel>& channel() const { return channel_; }

  /// The slot for the next residence, which must wait until it is emptied. One is taken after the other.
  const Slot& next_slot() { return slots_[next_++ % slots]; }
  /// Between steps: this block's populations will stay until others are wanted; those before are evicted.
  void admit(const ResidentBlock& block) {
    evict();
    resident_ = &block;
  }
  /// Evicts the block that stayed, if one did.
  void evict() {
    if (resident_ != nullptr) std::exchange(resident_, nullptr)->evict();
  }
  void forget(const ResidentBlock& block) {
    if (resident_ == &block) resident_ = nullptr;
  }

 private:
  Stream uploads_, downloads_;
  std::shared_ptr<const Channel> channel_;
  std::array<Slot, slots> slots_;
  std::size_t next_ = 0;
  const ResidentBlock* resident_ = nullptr;
};

/// The populations of a block that is streamed: at one time, in pinned host memory, and in a slot while it is resident.
/// What the functions queue is ordered by events; the host waits for nothing.
class StreamedPopulations {
 public:
  /// Populations of a fluid at rest: deviations are zero. `ranges` are what the block owns of populations at one time.
  StreamedPopulations(const Device& device, const std::vector<Range>& ranges, std::uint64_t value_bytes,
                      std::shared_ptr<BlockStreaming> streaming);

  [[nodiscard]] BlockStreaming& streaming() const { return *streaming_; }
  /// Whether the populations are in a slot, whose memory this is then.
  [[nodiscard]] bool is_resident() const { return slot_ != nullptr; }
  [[nodiscard]] const DeviceBuffer& memory() const { return slot_->memory; }
  /// Queues the way to the GPU; steps that are queued from now on find the populations `offset` bytes into the slot.
  void fetch(std::uint64_t offset) const;
  /// Queues the way back of populations that are there after what was queued for steps.
  void write_back(std::uint64_t offset) const;
  /// Ends a residence that changed nothing.
  void release() const;
  void mark_changed() { is_changed_ = true; }
  [[nodiscard]] bool is_changed() const { return is_changed_; }

 private:
  struct Piece {
    std::uint64_t host, offset, bytes;  ///< where in host memory, and of populations on the GPU
  };
  std::shared_ptr<BlockStreaming> streaming_;
  std::vector<Piece> pieces_;
  PinnedBuffer host_;
  Event back_;                          ///< host memory has the populations again
  mutable const Slot* slot_ = nullptr;  ///< null while they are in host memory, the same populations
  mutable bool is_changed_ = false;
};

}  // namespace fluvia::cuda
