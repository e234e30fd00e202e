// SPDX-License-Identifier: Apache-2.0
#include "fluvia/domain/levels/device_rank_links.hpp"

#include <numeric>
#include <utility>

#include "fluvia/domain/peer_exchange.hpp"
#include "fluvia/domain/rank_group.hpp"
#include "fluvia/ranks/ranks.hpp"

namespace fluvia::domain {

std::unique_ptr<Exchange> DevicePeerLinks::halos(const std::vector<cuda::DeviceBlock*>& parts) const {
  return std::make_unique<PeerExchange>(*parts.front(), peers_);
}

std::unique_ptr<DeviceDelivery> DevicePeerLinks::values(const std::vector<DeviceEnd>& ends) const {
  return std::make_unique<PeerDelivery>(ends.front(), cuda::Crossing::levels, peers_);
}

namespace {

std::size_t all_bytes(const DeviceEnd& end, cuda::DeviceMessage cuda::DeviceMessages::*which) {
  return std::accumulate(
      end.messages.begin(), end.messages.end(), std::size_t{0},
      [&](std::size_t bytes, const PartMessage& message) { return bytes + (message.messages.*which).bytes; });
}

/// Calls visit(message, part, bytes) for each message that has any, with its place in a buffer of all.
template <class Visit>
void for_each_in(const cuda::PinnedBuffer& buffer, const DeviceEnd& end,
                 cuda::DeviceMessage cuda::DeviceMessages::*which, const Visit& visit) {
  auto* bytes = buffer.data<std::byte>();
  for (const PartMessage& each : end.messages) {
    const cuda::DeviceMessage& message = each.messages.*which;
    if (message.bytes > 0) visit(message, each.messages.block, bytes);
    bytes += message.bytes;
  }
}

class RankMessages final : public ByteMessages {
 public:
  void receive(int from, std::byte* bytes, std::size_t size) override { messages_.receive(from, bytes, size); }
  void send(int to, const std::byte* bytes, std::size_t size) override { messages_.send(to, bytes, size); }
  void wait() override { messages_.wait(); }

 private:
  ranks::Messages messages_;
};

}  // namespace

HostDelivery::HostDelivery(DeviceEnd end, std::unique_ptr<ByteMessages> messages)
    : end_(std::move(end)),
      messages_(std::move(messages)),
      leaving_(end_.block->device(), all_bytes(end_, &cuda::DeviceMessages::leaving)),
      arriving_(end_.block->device(), all_bytes(end_, &cuda::DeviceMessages::arriving)),
      arrived_(end_.block->device()) {}

/// The memory that messages were copied from is free again when the stream has come here.
void HostDelivery::start() {
  const cuda::Stream& stream = end_.block->border_stream();
  end_.block->device().make_current();
  end_.block->queue_pack(cuda::Crossing::levels);
  for_each_in(leaving_, end_, &cuda::DeviceMessages::leaving,
              [&](const cuda::DeviceMessage& message, int, std::byte* bytes) {
                cuda::download_from(stream, message.address, bytes, message.bytes);
              });
  if (!end_.messages.empty()) stream.synchronize();
  for_each_in(arriving_, end_, &cuda::DeviceMessages::arriving,
              [&](const cuda::DeviceMessage& message, int part, std::byte* bytes) {
                messages_->receive(part, bytes, message.bytes);
              });
  for_each_in(leaving_, end_, &cuda::DeviceMessages::leaving,
              [&](const cuda::DeviceMessage& message, int part, std::byte* bytes) {
                messages_->send(part, bytes, message.bytes);
              });
  are_under_way_ = true;
}

void HostDelivery::wait(std::size_t, const cuda::Stream& stream) {
  const cuda::Stream& own = end_.block->border_stream();
  if (are_under_way_) {
    messages_->wait();
    for_each_in(arriving_, end_, &cuda::DeviceMessages::arriving,
                [&](const cuda::DeviceMessage& message, int, std::byte* bytes) {
                  cuda::upload_to(own, message.address, bytes, message.bytes);
                });
    arrived_.record(own);
    are_under_way_ = false;
  }
  if (&stream != &own) stream.wait(arrived_);
}

std::unique_ptr<Exchange> DeviceRankLinks::halos(const std::vector<cuda::DeviceBlock*>& parts) const {
  return std::make_unique<RankExchange>(*parts.front());
}

std::unique_ptr<DeviceDelivery> DeviceRankLinks::values(const std::vector<DeviceEnd>& ends) const {
  return std::make_unique<HostDelivery>(ends.front(), std::make_unique<RankMessages>());
}

}  // namespace fluvia::domain
