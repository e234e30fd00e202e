// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <memory>
#include <vector>

#include "fluvia/cuda/runtime/memory.hpp"
#include "fluvia/cuda/runtime/nccl.hpp"
#include "fluvia/domain/levels/device_level_exchange.hpp"

namespace fluvia::domain {

/// Each rank has one part of each level on a GPU of its own; messages go from GPU to GPU by NCCL. The host waits for
/// nothing, but steps are queued one by one.
class DevicePeerLinks final : public DevicePartLinks {
 public:
  explicit DevicePeerLinks(std::shared_ptr<const cuda::PeerCommunicator> peers) : peers_(std::move(peers)) {}
  [[nodiscard]] std::unique_ptr<Exchange> halos(const std::vector<cuda::DeviceBlock*>& parts) const override;
  [[nodiscard]] std::unique_ptr<DeviceDelivery> values(const std::vector<DeviceEnd>& ends) const override;
  [[nodiscard]] bool records() const override { return false; }

 private:
  std::shared_ptr<const cuda::PeerCommunicator> peers_;
};

/// Messages of bytes to and from other ranks, which wait() ends.
class ByteMessages {
 public:
  ByteMessages() = default;
  ByteMessages(const ByteMessages&) = delete;
  ByteMessages& operator=(const ByteMessages&) = delete;
  virtual ~ByteMessages() = default;
  virtual void receive(int from, std::byte* bytes, std::size_t size) = 0;
  virtual void send(int to, const std::byte* bytes, std::size_t size) = 0;
  virtual void wait() = 0;
};

/// Carries messages of one block through host memory, for which the host waits.
class HostDelivery final : public DeviceDelivery {
 public:
  HostDelivery(DeviceEnd end, std::unique_ptr<ByteMessages> messages);
  void start() override;
  void wait(std::size_t block, const cuda::Stream& stream) override;

 private:
  DeviceEnd end_;
  std::unique_ptr<ByteMessages> messages_;
  cuda::PinnedBuffer leaving_, arriving_;  ///< all messages, one after the other
  cuda::Event arrived_;
  bool are_under_way_ = false;
};

/// The same through host memory and MPI.
class DeviceRankLinks final : public DevicePartLinks {
 public:
  [[nodiscard]] std::unique_ptr<Exchange> halos(const std::vector<cuda::DeviceBlock*>& parts) const override;
  [[nodiscard]] std::unique_ptr<DeviceDelivery> values(const std::vector<DeviceEnd>& ends) const override;
  [[nodiscard]] bool records() const override { return false; }
};

}  // namespace fluvia::domain
