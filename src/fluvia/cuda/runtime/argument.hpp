// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <cstring>
#include <memory>
#include <type_traits>

namespace fluvia::cuda {

/// A kernel's argument of any plain type, or none.
class Argument {
 public:
  static constexpr std::size_t most_bytes = 592;

  Argument() = default;
  template <class Value>
  explicit Argument(const Value& value) : bytes_(sizeof(Value)) {
    static_assert(std::is_trivially_copyable_v<Value>, "kernels take plain values and addresses");
    static_assert(sizeof(Value) <= most_bytes && alignof(Value) <= alignof(std::max_align_t));
    std::memcpy(value_.data(), &value, sizeof(Value));
  }

  [[nodiscard]] const void* data() const { return value_.data(); }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }
  /// The value, of the type that it was made of.
  template <class Value>
  [[nodiscard]] const Value& as() const {
    return *static_cast<const Value*>(data());
  }

 private:
  alignas(std::max_align_t) std::array<std::byte, most_bytes> value_{};
  std::size_t bytes_ = 0;
};

/// Where an argument is while a kernel is launched.
struct ArgumentView {
  const void* data;
  std::size_t bytes;

  template <class Value>
  explicit ArgumentView(const Value& value) : data(std::addressof(value)), bytes(sizeof(Value)) {
    static_assert(std::is_trivially_copyable_v<Value>, "kernels take plain values and addresses");
  }
  explicit ArgumentView(const Argument& argument) : data(argument.data()), bytes(argument.bytes()) {}
};

}  // namespace fluvia::cuda
