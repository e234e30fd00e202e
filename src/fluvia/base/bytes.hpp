// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "fluvia/base/error.hpp"

namespace fluvia {

using Bytes = std::vector<std::byte>;

/// Appends values to a message, each with its own bytes.
class ByteWriter {
 public:
  template <class T>
  requires std::is_trivially_copyable_v<T> ByteWriter& put(const T& value) { return put_bytes(&value, sizeof(T)); }
  template <class T>
  requires std::is_trivially_copyable_v<T> ByteWriter& put(std::span<const T> values) {
    put(static_cast<std::uint64_t>(values.size()));
    return put_bytes(values.data(), values.size_bytes());
  }
  template <class T>
  ByteWriter& put(const std::vector<T>& values) {
    return put(std::span<const T>(values));
  }
  ByteWriter& put(const std::string& text) { return put(std::span<const char>(text)); }
  /// Makes room for so many bytes more.
  ByteWriter& reserve(std::size_t size) {
    bytes_.reserve(bytes_.size() + size);
    return *this;
  }
  [[nodiscard]] Bytes take() { return std::move(bytes_); }

 private:
  ByteWriter& put_bytes(const void* data, std::size_t size) {
    const std::size_t before = bytes_.size(), needed = before + size + room_behind;
    if (bytes_.capacity() < needed) bytes_.reserve(std::max(needed, 2 * bytes_.capacity()));
    bytes_.resize(before + size);
    if (size > 0) std::memcpy(bytes_.data() + before, data, size);
    return *this;
  }
  /// Bytes that share() adds behind a message: whoever makes a large one reserves them, so that it is not copied.
  static constexpr std::size_t room_behind = 1;
  Bytes bytes_;
};

/// Reads values from a message in the order in which they were written.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> bytes) : bytes_(bytes) {}
  template <class T>
  requires std::is_trivially_copyable_v<T>
  [[nodiscard]] T get() {
    T value;
    std::memcpy(&value, next(sizeof(T)).data(), sizeof(T));
    return value;
  }
  template <class T>
  [[nodiscard]] std::vector<T> get_all() {
    std::vector<T> values;
    append_all(values);
    return values;
  }
  template <class T>
  void append_all(std::vector<T>& values) {
    const auto count = get<std::uint64_t>();
    const std::span<const std::byte> from = next(count * sizeof(T));
    const std::size_t before = values.size();
    values.resize(before + count);
    if (count > 0) std::memcpy(values.data() + before, from.data(), from.size());
  }
  [[nodiscard]] std::string get_text() {
    const std::vector<char> text = get_all<char>();
    return {text.begin(), text.end()};
  }
  /// The bytes that have not been read.
  [[nodiscard]] std::span<const std::byte> rest() const { return bytes_; }

 private:
  std::span<const std::byte> next(std::size_t size) {
    if (size > bytes_.size()) throw Error(ExitCode::internal, "a message between blocks is too short");
    const auto result = bytes_.first(size);
    bytes_ = bytes_.subspan(size);
    return result;
  }
  std::span<const std::byte> bytes_;
};

}  // namespace fluvia
