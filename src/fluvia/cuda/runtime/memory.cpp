// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cuda/runtime/memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "fluvia/base/error.hpp"

namespace fluvia::cuda {
namespace {

std::string amount(std::size_t bytes) {
  return fmt::format("{} bytes ({:.4g} GiB)", bytes, static_cast<double>(bytes) / (1 << 30));
}

}  // namespace

DeviceBuffer::DeviceBuffer(const Device& device, std::size_t bytes, std::string_view purpose) : bytes_(bytes) {
  if (bytes == 0) return;
  device.make_current();
  CuDevicePointer pointer = 0;
  const CuResult result = driver().cuMemAlloc(&pointer, bytes);
  if (result == cu_out_of_memory) {
    throw_resource(fmt::format("{} has too little memory: {} asked for {}, {} free of {}", device.label(),
                               amount(bytes), purpose, amount(device.free_bytes()),
                               amount(device.info().memory_bytes)));
  }
  if (result != cu_success) check(result, fmt::format("{}: cannot get {} for {}", device.label(), bytes, purpose));
  memory_ = {device.context(), pointer};
}

CuDevicePointer DeviceBuffer::at(std::size_t offset, std::size_t bytes) const {
  if (offset > bytes_ || bytes > bytes_ - offset) {
    throw Error(ExitCode::internal,
                fmt::format("GPU buffer of {} bytes: bytes {} to {} are outside", bytes_, offset, offset + bytes));
  }
  return memory_.get() + offset;
}

void DeviceBuffer::upload(const Stream& stream, const void* from, std::size_t bytes, std::size_t offset) const {
  upload_to(stream, at(offset, bytes), from, bytes);
}

void DeviceBuffer::download(const Stream& stream, void* to, std::size_t bytes, std::size_t offset) const {
  download_from(stream, at(offset, bytes), to, bytes);
}

void DeviceBuffer::copy_from(const Stream& stream, const DeviceBuffer& source, std::size_t bytes, std::size_t offset,
                             std::size_t source_offset) const {
  const CuDevicePointer to = at(offset, bytes), from = source.at(source_offset, bytes);
  if (bytes > 0) check(driver().cuMemcpyDtoDAsync(to, from, bytes, stream.handle()), "copying on the GPU");
}

void DeviceBuffer::fill(const Stream& stream, unsigned char value) const {
  if (bytes_ > 0) check(driver().cuMemsetD8Async(memory_.get(), value, bytes_, stream.handle()), "filling GPU memory");
}

void copy_between(const Stream& stream, const Device& from, CuDevicePointer source, const Device& to,
                  CuDevicePointer target, std::size_t bytes) {
  if (bytes == 0) return;
  const CuContext here = from.context()->handle(), there = to.context()->handle();
  const CuResult result = here == there
                              ? driver().cuMemcpyDtoDAsync(target, source, bytes, stream.handle())
                              : driver().cuMemcpyPeerAsync(target, there, source, here, bytes, stream.handle());
  if (result != cu_success) check(result, fmt::format("copying from {} to {}", from.label(), to.label()));
}

void upload_to(const Stream& stream, CuDevicePointer to, const void* from, std::size_t bytes) {
  if (bytes > 0) check(driver().cuMemcpyHtoDAsync(to, from, bytes, stream.handle()), "copying to the GPU");
}

void download_from(const Stream& stream, CuDevicePointer from, void* to, std::size_t bytes) {
  if (bytes > 0) check(driver().cuMemcpyDtoHAsync(to, from, bytes, stream.handle()), "copying from the GPU");
}

PinnedBuffer::PinnedBuffer(const Device& device, std::size_t bytes) : bytes_(bytes) {
  if (bytes == 0) return;
  device.make_current();
  void* pointer = nullptr;
  const CuResult result = driver().cuMemAllocHost(&pointer, bytes);
  if (result != cu_success) check(result, fmt::format("cannot get {} of pinned host memory", amount(bytes)));
  memory_ = {device.context(), pointer};
}

void PinnedBuffer::clear() const {
  constexpr std::size_t piece = std::size_t{1} << 20;
  const std::size_t pieces = (bytes_ + piece - 1) / piece;
#pragma omp parallel for schedule(static)
  for (std::size_t k = 0; k < pieces; ++k)
    std::memset(data<char>() + k * piece, 0, std::min(piece, bytes_ - k * piece));
}

}  // namespace fluvia::cuda
