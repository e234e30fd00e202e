// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <utility>

#include "fluvia/cuda/runtime/driver.hpp"

namespace fluvia::cuda {

/// The primary context of a device, retained for as long as anything lives in it.
class Context {
 public:
  explicit Context(CuDevice device);
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  void make_current() const;
  [[nodiscard]] CuContext handle() const { return handle_; }

 private:
  CuDevice device_;
  CuContext handle_ = nullptr;
};

/// A handle that the driver must get back, and the context it belongs to; movable. `release` is a member of Driver.
template <class Handle, auto release>
class Owned {
 public:
  Owned() = default;
  Owned(std::shared_ptr<const Context> context, Handle handle) : context_(std::move(context)), handle_(handle) {}
  Owned(Owned&& other) noexcept
      : context_(std::move(other.context_)), handle_(std::exchange(other.handle_, Handle{})) {}
  Owned& operator=(Owned&& other) noexcept {
    std::swap(context_, other.context_);
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Owned() {
    if (handle_ == Handle{}) return;
    // Nothing useful can be done about an error here: either the process ends, or a call before it failed likewise.
    try {
      context_->make_current();
      (driver().*release)(handle_);
    } catch (...) {
    }
  }
  [[nodiscard]] Handle get() const { return handle_; }

 private:
  std::shared_ptr<const Context> context_;
  Handle handle_{};
};

}  // namespace fluvia::cuda
