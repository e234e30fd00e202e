// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <vector>

#include "fluvia/cuda/runtime/nccl.hpp"
#include "fluvia/cuda/solver/device_block.hpp"
#include "fluvia/domain/device_delivery.hpp"
#include "fluvia/domain/exchange.hpp"

namespace fluvia::domain {

/// Between the GPUs of ranks, one block of a level on each: from memory to memory by NCCL, queued beside the steps, so
/// that the host waits for nothing. Parts are peers of the communicator by their numbers.
class PeerDelivery final : public DeviceDelivery {
 public:
  PeerDelivery(const DeviceEnd& end, cuda::Crossing crossing, std::shared_ptr<const cuda::PeerCommunicator> peers);
  void start() override;
  void wait(std::size_t block, const cuda::Stream& stream) override;

  [[nodiscard]] bool has_messages() const { return !leaving_.empty(); }
  /// Bytes that this part sends in a step, or gets if that is more.
  [[nodiscard]] std::size_t step_bytes() const;
  /// Seconds that the messages of a step take. All ranks call it alike, before the first step; nothing is unpacked.
  [[nodiscard]] double measure() const;

 private:
  cuda::DeviceBlock& block_;
  cuda::Crossing crossing_;
  std::shared_ptr<const cuda::PeerCommunicator> peers_;
  std::vector<cuda::PeerMessage> leaving_, arriving_;
  cuda::Event arrived_;
};

/// Halos between the GPUs of ranks.
class PeerExchange final : public Exchange {
 public:
  PeerExchange(cuda::DeviceBlock& part, std::shared_ptr<const cuda::PeerCommunicator> peers);
  void start() override;
  void wait() override;

  [[nodiscard]] const PeerDelivery& delivery() const { return delivery_; }

 private:
  cuda::DeviceBlock& part_;
  PeerDelivery delivery_;
};

}  // namespace fluvia::domain
