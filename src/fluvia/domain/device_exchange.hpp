// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/cuda/solver/device_part.hpp"
#include "fluvia/domain/exchange.hpp"

namespace fluvia::domain {

/// Between GPUs of one process, which together have the whole domain: from memory to memory, queued beside the steps
/// and ordered by events, so that the host waits for nothing.
class DeviceExchange final : public Exchange {
 public:
  explicit DeviceExchange(std::vector<cuda::DevicePart*> parts);
  void start() override;
  void wait() override;

 private:
  struct Message {
    cuda::DevicePart *from, *to;
    std::size_t from_border, to_border;  ///< number of the neighbour at either end
    cuda::Event arrived;
  };
  std::vector<cuda::DevicePart*> parts_;
  std::vector<Message> messages_;
};

}  // namespace fluvia::domain
