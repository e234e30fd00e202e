// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "fluvia/cuda/solver/block/block_flow.hpp"
#include "fluvia/cuda/solver/block/message_lists.hpp"
#include "fluvia/cuda/solver/device_block.hpp"

namespace fluvia::cuda {

template <class T>
class CarriedScalars;

/// What a block exchanges with others, packed and unpacked on its GPU, and what meets planes of symmetry.
template <class T>
class BlockBorder {
 public:
  /// What is queued beside the interior: steps of the border, and messages.
  struct Messages {
    std::optional<Stream> own_stream;
    const Stream& stream;  ///< that, or the one of all blocks that are streamed
    Event ready;           ///< all that the border's step reads is there, but for messages
    Event stepped;         ///< the border has been stepped
    Event unpacked;        ///< what arrived has been taken out of `arriving`
    DeviceBuffer leaving, arriving;
    DeviceBuffer forwarded;  ///< kernels::ForwardedValue, of a block that is streamed
    MessageLists leaves, arrives;
    std::vector<MessageRange> leaving_ranges, arriving_ranges;
    bool is_beside = false;                    ///< an interior, in the step that was queued last
    PinnedBuffer leaving_host, arriving_host;  ///< of messages that go through host memory; none before there is one
    bool are_packed = false;                   ///< those of the last step, in leaving_host
    std::size_t arrived = 0;                   ///< messages that are in arriving_host
    std::size_t halos;                         ///< neighbours with parts of the same level, which are the first

    Messages(const BlockKernels& on, const PreparedCase& prepared, const BlockStreaming* streaming);
  };

  BlockBorder(const BlockKernels& on, const PreparedCase& prepared, const BlockFlow<T>& flow);
  /// From now on what scalars exchange goes along. They must stay.
  void carry_along(CarriedScalars<T>& scalars, const PreparedCase& prepared);

  /// Null if the block has no neighbours.
  [[nodiscard]] Messages* messages() { return messages_ ? &*messages_ : nullptr; }
  [[nodiscard]] const Messages* messages() const { return messages_ ? &*messages_ : nullptr; }
  [[nodiscard]] bool has_exchanged() const { return !exchanged_.empty(); }

  /// Queue, on a stream, the packing of what leaves, or the unpacking of what has arrived, by the populations after so
  /// many updates; likewise, where the flow was changed meanwhile, the packing of what had arrived.
  void pack_leaving(const Stream& stream, std::int64_t update, Crossing crossing = Crossing::halos) const;
  void unpack_arriving(const Stream& stream, std::int64_t update, Crossing crossing = Crossing::halos) const;
  void pack_arriving(const Stream& stream, std::int64_t update) const;
  /// Queues the unpacking of all that has arrived, from parts and from other levels of refinement.
  void unpack_all(const Stream& stream, std::int64_t update) const;
  /// Of a block that is streamed, when what arrives from parts of its level is there: queues the way on of what of that
  /// leaves to other levels.
  void forward_arrived(const Stream& stream) const;
  /// Queues, on a stream, what planes of symmetry and sheets do after so many updates: the ends of pairs change places.
  /// `share`: those that the border alone has stepped, all others, or both.
  void swap_mirrored(const Stream& stream, StepShare share, std::int64_t update) const;
  /// Nothing has arrived yet.
  void clear_arriving(const Stream& stream) const {
    if (messages_) messages_->arriving.fill(stream, 0);
  }
  /// All that the border's stream has queued counts as stepped and unpacked.
  void restart() const;

  // As DeviceBlock and BlockSolver have them, of Block::neighbours.
  [[nodiscard]] std::vector<DeviceMessages> device_messages() const;
  void pack_into(std::size_t neighbour, CuDevicePointer address);
  [[nodiscard]] std::size_t leaving_bytes(std::size_t neighbour) const {
    return messages_->leaving_ranges[neighbour].bytes;
  }
  [[nodiscard]] std::size_t arriving_bytes(std::size_t neighbour) const {
    return messages_->arriving_ranges[neighbour].bytes;
  }
  /// Halos through host memory. All messages are packed and copied when the first is asked for after `update` updates,
  /// and unpacked when the last has come.
  void pack(std::size_t neighbour, std::byte* out, std::int64_t update);
  void unpack(std::size_t neighbour, const std::byte* in, std::int64_t update);

 private:
  /// Both ends of all pairs.
  struct Exchanged {
    MessageLists first, second;
    Exchanged(const BlockKernels& on, const ExchangedArrays& arrays)
        : first(on.device, on.channel.stream, arrays.first, on.facts.parities, {}),
          second(on.device, on.channel.stream, arrays.second, on.facts.parities, {}) {}
  };
  void list_exchanged(StepShare share, const ExchangedArrays& arrays);
  /// Lists where what crosses is, by kernels.
  void list_halo_populations(const HaloPopulationArrays& arrays, const MessageLists& lists) const;
  void carry(const Stream& stream, KernelKind kind, std::int64_t update, const MessageLists& lists,
             Crossing crossing) const;
  /// Bytes of the messages of halos, which are the first in a buffer.
  [[nodiscard]] std::size_t halo_bytes(const std::vector<MessageRange>& ranges) const {
    return messages_->halos == 0 ? 0 : ranges[messages_->halos - 1].offset + ranges[messages_->halos - 1].bytes;
  }

  const BlockKernels& on_;
  const BlockFlow<T>& flow_;
  std::optional<Messages> messages_;
  CarriedScalars<T>* scalars_ = nullptr;      ///< null: there are none, or no neighbours
  std::map<StepShare, Exchanged> exchanged_;  ///< of border and interior, as far as there are any
};

}  // namespace fluvia::cuda
