// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "fluvia/cuda/runtime/memory.hpp"

namespace fluvia::cuda {

/// A way between the GPU and the host: references of tiles go up, what kernels make of the tiles comes down.
struct Channel {
  Stream stream;
  DeviceBuffer references, exchange;
  PinnedBuffer host;  ///< where `exchange` is copied to

  Channel(const Device& device, std::uint64_t references_bytes, std::uint64_t exchange_bytes)
      : stream(device),
        references(device, references_bytes, "references of tiles"),
        exchange(device, exchange_bytes, "exchange with the host"),
        host(device, exchange_bytes) {}
};

}  // namespace fluvia::cuda
