// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "fluvia/cuda/runtime/memory.hpp"
#include "fluvia/solver/node_array.hpp"
#include "fluvia/solver/saved_numbers.hpp"

namespace fluvia::cuda {

/// The arrays of a flow that no storage scheme is concerned with, all but populations: on a GPU, numbers of the
/// arithmetic type T, component by component in canonical order, zero at first. An update of several steps reads them
/// in one place, leaves them in the next, and has a place for what they are after each step in between.
template <class T>
class KeptArrays {
 public:
  KeptArrays() = default;
  /// `steps`: of an update. Filling is queued on the stream.
  KeptArrays(const Device& device, const Stream& stream, std::span<const NodeArray> arrays, int steps)
      : alternates_(steps > 1) {
    for (const NodeArray& array : arrays) {
      if (array.number != NumberType::arithmetic) {
        arrays_.emplace_back();
        continue;
      }
      const std::size_t bytes = bytes_of(array), copies = steps > 1 ? static_cast<std::size_t>(steps) + 1 : 1;
      arrays_.push_back({DeviceBuffer(device, copies * bytes, "the array '" + array.name + "'"), bytes, array.size});
    }
    clear(stream);
  }
  /// Rooms for one copy of every array.
  static std::vector<DeviceBuffer> rooms(const Device& device, std::span<const NodeArray> arrays) {
    std::vector<DeviceBuffer> rooms;
    for (const NodeArray& array : arrays)
      rooms.emplace_back(device, array.number == NumberType::arithmetic ? bytes_of(array) : 0,
                         "a snapshot of the array '" + array.name + "'");
    return rooms;
  }
  void clear(const Stream& stream) const {
    for (const Array& array : arrays_) array.values.fill(stream, 0);
  }
  /// Bytes and numbers of one copy of an array.
  [[nodiscard]] std::size_t bytes(std::size_t array) const { return arrays_[array].bytes; }
  [[nodiscard]] std::size_t numbers(std::size_t array) const { return arrays_[array].bytes / sizeof(T); }
  /// What an array is after so many updates.
  [[nodiscard]] T* at(std::size_t array, std::int64_t update) const {
    return arrays_[array].values.template data<T>() + offset(array, update) / sizeof(T);
  }
  /// What it is after the first step of an update of several; those of the other steps follow.
  [[nodiscard]] T* after_steps(std::size_t array) const {
    return arrays_[array].values.template data<T>() + 2 * numbers(array);
  }
  /// Queues copies of all arrays as they are after so many updates.
  void copy_to(const std::vector<DeviceBuffer>& rooms, const Stream& stream, std::int64_t update) const {
    for (std::size_t a = 0; a < arrays_.size(); ++a)
      rooms[a].copy_from(stream, arrays_[a].values, arrays_[a].bytes, 0, offset(a, update));
  }
  /// Writes numbers as FlowState::save() does: those after so many updates.
  void save(const Stream& stream, const ArrayRange& range, const EntryRange& entries, std::int64_t update,
            std::span<std::byte> out) const {
    save(stream, arrays_[range.array].values, offset(range.array, update) + first(range, entries), entries, out);
  }
  /// Writes those that a snapshot has kept in the room of the array.
  void save(const Stream& stream, const ArrayRange& range, const EntryRange& entries,
            const std::vector<DeviceBuffer>& rooms, std::span<std::byte> out) const {
    save(stream, rooms[range.array], first(range, entries), entries, out);
  }
  /// The reverse: what they are after so many updates.
  void load(const Stream& stream, const ArrayRange& range, const EntryRange& entries, std::int64_t update,
            std::span<const std::byte> in) const {
    std::vector<T> values(entries.count);
    load_numbers<T>(in, values);
    arrays_[range.array].values.upload(stream, values.data(), values.size() * sizeof(T),
                                       offset(range.array, update) + first(range, entries));
    stream.synchronize();
  }

 private:
  struct Array {
    DeviceBuffer values{};
    std::size_t bytes = 0, size = 0;  ///< of a copy; numbers of a component
  };
  static std::size_t bytes_of(const NodeArray& array) {
    return static_cast<std::size_t>(array.components) * array.size * sizeof(T);
  }
  [[nodiscard]] std::size_t offset(std::size_t array, std::int64_t update) const {
    return alternates_ && update % 2 == 1 ? arrays_[array].bytes : 0;
  }
  [[nodiscard]] std::size_t first(const ArrayRange& range, const EntryRange& entries) const {
    return (static_cast<std::size_t>(range.component) * arrays_[range.array].size + entries.first) * sizeof(T);
  }
  static void save(const Stream& stream, const DeviceBuffer& values, std::size_t offset, const EntryRange& entries,
                   std::span<std::byte> out) {
    std::vector<T> numbers(entries.count);
    values.download(stream, numbers.data(), numbers.size() * sizeof(T), offset);
    stream.synchronize();
    save_numbers<T>(numbers, out);
  }
  std::vector<Array> arrays_;
  bool alternates_ = false;  ///< an update reads an array in one place and writes it to the next
};

}  // namespace fluvia::cuda
