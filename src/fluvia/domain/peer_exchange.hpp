// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "fluvia/cuda/runtime/nccl.hpp"
#include "fluvia/cuda/solver/device_block.hpp"
#include "fluvia/domain/exchange.hpp"

namespace fluvia::domain {

/// Between the GPUs of ranks, one part on each: from memory to memory by NCCL, queued beside the steps, so that the
/// host waits for nothing. Neighbours are peers of the communicator by the numbers of their parts.
class PeerExchange final : public Exchange {
 public:
  PeerExchange(cuda::DeviceBlock& part, cuda::PeerCommunicator communicator);
  void start() override;
  void wait() override;

  /// Bytes that this part sends in a step, or gets if that is more.
  [[nodiscard]] std::size_t step_bytes() const;
  /// Seconds that the messages of a step take. All ranks call it alike, before the first step; nothing is unpacked.
  [[nodiscard]] double measure() const;

 private:
  cuda::DeviceBlock& part_;
  cuda::PeerCommunicator communicator_;
  std::vector<cuda::PeerMessage> leaving_, arriving_;
};

}  // namespace fluvia::domain
