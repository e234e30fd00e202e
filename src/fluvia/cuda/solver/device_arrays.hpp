// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <deque>

#include "fluvia/cuda/layout/layout.hpp"
#include "fluvia/cuda/runtime/memory.hpp"

namespace fluvia::cuda {

/// Arrays on a GPU, which stay as long as this. `stream`, in whose order they are filled, must too.
class DeviceArrays final : public ArrayStore {
 public:
  DeviceArrays(const Device& device, const Stream& stream) : device_(device), stream_(stream) {}

  void* room(std::size_t bytes, std::string_view purpose) override {
    const DeviceBuffer& buffer = buffers_.emplace_back(device_, bytes, purpose);
    buffer.fill(stream_, 0);
    return buffer.data();
  }
  void clear(void* room) override {
    for (const DeviceBuffer& buffer : buffers_)
      if (room != nullptr && buffer.data() == room) buffer.fill(stream_, 0);
  }

 protected:
  const void* put(const void* values, std::size_t bytes, std::string_view purpose) override {
    const DeviceBuffer& buffer = buffers_.emplace_back(device_, bytes, purpose);
    if (bytes > 0) buffer.upload(stream_, values, bytes);
    return buffer.data();
  }

 private:
  Device device_;
  const Stream& stream_;
  std::deque<DeviceBuffer> buffers_;
};

}  // namespace fluvia::cuda
