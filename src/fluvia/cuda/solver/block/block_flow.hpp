// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "fluvia/cuda/solver/block/block_kernels.hpp"
#include "fluvia/cuda/solver/block/kept_arrays.hpp"
#include "fluvia/cuda/solver/out_of_core/block_streaming.hpp"

namespace fluvia::cuda {

/// What the flow in a block consists of, and where that is: its populations, which are on the GPU or streamed through
/// it, and the other arrays, which always are there. An update is a step, or a pass of several.
template <class T>
class BlockFlow {
 public:
  /// At rest. `streaming`: of blocks that are streamed, else null.
  BlockFlow(const BlockKernels& on, const PreparedCase& prepared, std::shared_ptr<BlockStreaming> streaming)
      : arrays_(prepared.arrays),
        kept_(on.device, on.channel.stream, arrays_, on.specification.steps_per_pass),
        begins_placed_(on.layout->begins_with_populations()),
        second_offset_(prepared.extent.second * static_cast<std::uint64_t>(on.facts.storage_bytes)),
        begins_at_second_(prepared.extent.begins_at_second),
        is_placed_(begins_placed_),
        device_(on.device),
        stream_(on.channel.stream),
        beginning_bytes_(prepared.beginning_bytes()) {
    if (streaming)
      streamed_.emplace(on.device, on.layout->own_elements(), on.facts.storage_bytes, std::move(streaming));
    else
      populations_ = DeviceBuffer(on.device, prepared.population_bytes(), "populations");
    populations_.fill(on.channel.stream, 0);  // deviations of a fluid at rest
    make_room_to_begin();
  }

  [[nodiscard]] std::span<const NodeArray> arrays() const { return arrays_; }
  /// Appends a row of numbers that the solver keeps.
  void append(const NodeArray& array) { arrays_.push_back(array); }
  /// All of these but populations.
  [[nodiscard]] const KeptArrays<T>& kept() const { return kept_; }
  /// The populations' way to the GPU and back; null if they stay there.
  [[nodiscard]] const StreamedPopulations* streamed() const { return streamed_ ? &*streamed_ : nullptr; }
  /// Where they are if they stay.
  [[nodiscard]] const DeviceBuffer& populations() const { return populations_; }

  /// Updates since the populations were placed; says where they are.
  [[nodiscard]] std::int64_t updates() const { return updates_; }
  void count_updates(std::int64_t updates) {
    updates_ += updates;
    is_placed_ = false;
    if (beginning_.bytes() == 0) return;
    stream_.synchronize();  // with the first step, which reads it
    beginning_ = {};
  }
  /// Whether populations are as they were placed or loaded, where that is another place than between steps
  /// (Layout::begins_with_populations()).
  [[nodiscard]] bool is_placed() const { return is_placed_; }
  /// Address of those of them that wait in the memory of the host (Layout::Extent::beginning), where GPUs read and
  /// write by themselves; 0 if none do.
  [[nodiscard]] std::uint64_t beginning() const { return reinterpret_cast<std::uintptr_t>(beginning_.data()); }
  /// Makes them so: the flow at rest, into which all populations will be loaded. Does nothing and returns false where
  /// there is no such place, or they are there.
  bool place(const Stream& stream) {
    if (!begins_placed_ || is_placed_) return false;
    populations_.fill(stream, 0);
    make_room_to_begin();
    is_placed_ = true;
    return true;
  }
  /// Begins again with all arrays but populations at zero.
  void restart(const Stream& stream) {
    updates_ = 0;
    is_placed_ = begins_placed_;
    make_room_to_begin();
    kept_.clear(stream);
  }
  /// Says that populations are not what they were when they were fetched.
  void mark_changed() {
    if (streamed_) streamed_->mark_changed();
  }

  /// Address of the populations now.
  [[nodiscard]] std::uint64_t address() const { return is_placed_ ? at(updates_) - offset_of(updates_) : at(updates_); }
  /// Address of the populations after so many updates, and how far that is into their memory.
  [[nodiscard]] std::uint64_t at(std::int64_t update) const {
    const DeviceBuffer& memory = streamed_ ? streamed_->memory() : populations_;
    return static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(memory.template data<char>())) +
           offset_of(update);
  }
  [[nodiscard]] std::uint64_t offset_of(std::int64_t update) const {
    return (update % 2 == 1) == begins_at_second_ ? 0 : second_offset_;
  }

 private:
  /// Room for a fluid at rest.
  void make_room_to_begin() {
    if (beginning_bytes_ == 0 || beginning_.bytes() > 0) return;
    beginning_ = PinnedBuffer(device_, beginning_bytes_);
    beginning_.clear();
  }

  std::vector<NodeArray> arrays_;
  KeptArrays<T> kept_;
  DeviceBuffer populations_;
  std::optional<StreamedPopulations> streamed_;
  bool begins_placed_;
  std::uint64_t second_offset_;  ///< bytes from the first place of the populations to the second
  bool begins_at_second_, is_placed_;
  Device device_;
  const Stream& stream_;
  std::uint64_t beginning_bytes_;
  PinnedBuffer beginning_;
  std::int64_t updates_ = 0;
};

}  // namespace fluvia::cuda
