// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cpu/buffer.hpp"

#include <fmt/format.h>
#include <sys/mman.h>

#include "fluvia/base/error.hpp"
#include "fluvia/base/machine/memory.hpp"

namespace fluvia::cpu {

namespace {
constexpr std::size_t huge_page = std::size_t{2} << 20;
constexpr double gibibyte = 1024.0 * 1024.0 * 1024.0;

}  // namespace

Buffer::Buffer(std::size_t bytes) {
  if (bytes == 0) return;
  const std::size_t rounded = (bytes + huge_page - 1) / huge_page * huge_page;
  const std::uint64_t available = available_memory();
  if (bytes > available)
    throw_resource(
        fmt::format("memory: {:.2f} GiB are needed for populations but only {:.2f} GiB are free; use a coarser "
                    "spacing, a one-copy scheme (aa, compact-aa) or a smaller format (fp16s)",
                    bytes / gibibyte, available / gibibyte));
  // One huge page more is reserved, so that the buffer can start on a boundary and so be backed by huge pages.
  void* raw =
      mmap(nullptr, rounded + huge_page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (raw == MAP_FAILED)
    throw_resource(fmt::format("memory: the system refused {:.2f} GiB for populations", rounded / gibibyte));
  const auto start = reinterpret_cast<std::uintptr_t>(raw);
  const std::uintptr_t aligned = (start + huge_page - 1) / huge_page * huge_page;
  if (aligned > start) munmap(raw, aligned - start);
  if (aligned + rounded < start + rounded + huge_page)
    munmap(reinterpret_cast<void*>(aligned + rounded), start + huge_page - aligned);
  data_ = reinterpret_cast<void*>(aligned);
  bytes_ = rounded;
  madvise(data_, bytes_, MADV_HUGEPAGE);
}

Buffer::~Buffer() {
  if (data_) munmap(data_, bytes_);
}

}  // namespace fluvia::cpu
