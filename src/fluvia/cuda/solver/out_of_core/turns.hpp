// SPDX-License-Identifier: Apache-2.0
// Parts of a domain that exceeds the memory of a GPU take turns there (docs/decisions/0032-parts-take-turns.md): the
// populations of a part wait in host memory and visit the GPU for each step, or when somebody asks for them. All else
// of a part stays on the GPU.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "fluvia/cuda/layout/layout.hpp"
#include "fluvia/cuda/solver/channel.hpp"

namespace fluvia::cuda {

/// Room on a GPU for the populations of one part, and how far the visit of the one there is.
struct Slot {
  DeviceBuffer memory;
  Event filled, stepped, emptied;

  Slot(const Device& device, std::size_t bytes)
      : memory(device, bytes, "populations of parts that are streamed"),
        filled(device),
        stepped(device),
        emptied(device) {}
};

/// A part whose populations are in a slot between steps, until another's are wanted there.
class Guest {
 public:
  /// Queues what it takes to leave.
  virtual void leave() const = 0;

 protected:
  ~Guest() = default;
};

/// What parts that take turns on a GPU share: slots, of which one is filled, one stepped and one emptied at a time, and
/// the streams in whose order each of these is queued. Steps are on that of the channel.
class Turns {
 public:
  static constexpr std::size_t slots = 3;

  /// `slot_bytes`: of the largest part's populations.
  Turns(const Device& device, std::uint64_t slot_bytes, std::shared_ptr<const Channel> channel)
      : uploads_(device),
        downloads_(device),
        channel_(std::move(channel)),
        slots_{Slot(device, slot_bytes), Slot(device, slot_bytes), Slot(device, slot_bytes)} {}

  [[nodiscard]] const Stream& uploads() const { return uploads_; }
  [[nodiscard]] const Stream& steps() const { return channel_->stream; }
  [[nodiscard]] const Stream& downloads() const { return downloads_; }
  [[nodiscard]] const std::shared_ptr<const Channel>& channel() const { return channel_; }

  /// The slot for the next visit, which must wait until it is emptied. They are taken in turn.
  const Slot& next_slot() { return slots_[next_++ % slots]; }
  /// Between steps: this part's populations will stay until others are wanted. The one before leaves.
  void welcome(const Guest& guest) {
    make_room();
    guest_ = &guest;
  }
  /// The part that stayed, if one did, leaves.
  void make_room() {
    if (guest_ != nullptr) std::exchange(guest_, nullptr)->leave();
  }
  void forget(const Guest& guest) {
    if (guest_ == &guest) guest_ = nullptr;
  }

 private:
  Stream uploads_, downloads_;
  std::shared_ptr<const Channel> channel_;
  std::array<Slot, slots> slots_;
  std::size_t next_ = 0;
  const Guest* guest_ = nullptr;
};

/// The populations of a part that takes turns: at one time, in pinned host memory, and in a slot during a visit. What
/// the functions queue is ordered by events; the host waits for nothing.
class VisitingPopulations {
 public:
  /// Populations of a fluid at rest: deviations are zero. `ranges` are what the part owns of populations at one time.
  VisitingPopulations(const Device& device, const std::vector<Range>& ranges, std::uint64_t value_bytes,
                      std::shared_ptr<Turns> turns);

  [[nodiscard]] Turns& turns() const { return *turns_; }
  /// Memory of the slot that the part is in.
  [[nodiscard]] const DeviceBuffer& memory() const { return slot_->memory; }
  /// Queues the way to the GPU; steps that are queued from now on find the populations `place` bytes into the slot.
  void come(std::uint64_t place) const;
  /// Queues the way back of populations that are there after what was queued for steps.
  void go_back(std::uint64_t place) const;
  /// Ends a visit that changed nothing.
  void end_visit() const;

 private:
  struct Piece {
    std::uint64_t host, place, bytes;  ///< where in host memory, and of populations on the GPU
  };
  std::shared_ptr<Turns> turns_;
  std::vector<Piece> pieces_;
  PinnedBuffer host_;
  Event back_;  ///< host memory has the populations again
  mutable const Slot* slot_ = nullptr;
};

}  // namespace fluvia::cuda
