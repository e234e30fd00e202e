// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string_view>

#include "fluvia/cuda/runtime/device.hpp"
#include "fluvia/cuda/runtime/stream.hpp"

namespace fluvia::cuda {

/// Memory of a GPU; movable. No bytes, no memory: data() is null then.
class DeviceBuffer {
 public:
  DeviceBuffer() = default;
  /// `purpose` completes the message "... bytes for PURPOSE". Throws Error(resource) with the bytes asked for and free.
  DeviceBuffer(const Device& device, std::size_t bytes, std::string_view purpose = "a buffer");

  /// Address on the GPU, to be handed to kernels.
  template <class T = void>
  [[nodiscard]] T* data() const {
    return reinterpret_cast<T*>(memory_.get());
  }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

  // Copies and fills are queued on the stream. From or to pinned host memory they return at once, and the host memory
  // must stay until the stream got there; with other host memory they return when it may be used again.
  // They throw Error(internal) for a range beyond the buffer.
  void upload(const Stream& stream, const void* from, std::size_t bytes, std::size_t offset = 0) const;
  void download(const Stream& stream, void* to, std::size_t bytes, std::size_t offset = 0) const;
  void copy_from(const Stream& stream, const DeviceBuffer& source, std::size_t bytes, std::size_t offset = 0,
                 std::size_t source_offset = 0) const;
  void fill(const Stream& stream, unsigned char value) const;

 private:
  [[nodiscard]] CuDevicePointer at(std::size_t offset, std::size_t bytes) const;

  Owned<CuDevicePointer, &Driver::cuMemFree> memory_;
  std::size_t bytes_ = 0;
};

/// Queues a copy from the memory of one GPU to that of another, or the same one, on a stream of the first.
void copy_between(const Stream& stream, const Device& from, CuDevicePointer source, const Device& to,
                  CuDevicePointer target, std::size_t bytes);

/// Queue copies between the memory of a stream's GPU and host memory, as DeviceBuffer::upload() and download().
void upload_to(const Stream& stream, CuDevicePointer to, const void* from, std::size_t bytes);
void download_from(const Stream& stream, CuDevicePointer from, void* to, std::size_t bytes);

/// Host memory that a GPU copies from and to without help of the CPU, and that its kernels may read and write by the
/// same address; movable.
class PinnedBuffer {
 public:
  PinnedBuffer() = default;
  PinnedBuffer(const Device& device, std::size_t bytes);

  template <class T = void>
  [[nodiscard]] T* data() const {
    return static_cast<T*>(memory_.get());
  }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }
  /// Makes all bytes zero; no GPU may use them meanwhile.
  void clear() const;

 private:
  Owned<void*, &Driver::cuMemFreeHost> memory_;
  std::size_t bytes_ = 0;
};

}  // namespace fluvia::cuda
