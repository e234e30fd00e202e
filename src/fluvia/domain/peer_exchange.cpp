// SPDX-License-Identifier: Apache-2.0
#include "fluvia/domain/peer_exchange.hpp"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <utility>

namespace fluvia::domain {

PeerDelivery::PeerDelivery(const DeviceEnd& end, cuda::Crossing crossing,
                           std::shared_ptr<const cuda::PeerCommunicator> peers)
    : block_(*end.block), crossing_(crossing), peers_(std::move(peers)), arrived_(end.block->device()) {
  for (const PartMessage& message : end.messages) {
    const cuda::DeviceMessages& m = message.messages;
    leaving_.push_back({m.block, m.leaving.address, m.leaving.bytes});
    arriving_.push_back({m.block, m.arriving.address, m.arriving.bytes});
  }
}

std::size_t PeerDelivery::step_bytes() const {
  const auto sum = [](const std::vector<cuda::PeerMessage>& messages) {
    return std::accumulate(messages.begin(), messages.end(), std::size_t{0},
                           [](std::size_t bytes, const cuda::PeerMessage& m) { return bytes + m.bytes; });
  };
  return std::max(sum(leaving_), sum(arriving_));
}

double PeerDelivery::measure() const {
  if (leaving_.empty()) return 0;
  using Clock = std::chrono::steady_clock;
  constexpr int repeats = 4;
  const cuda::Stream& stream = block_.border_stream();
  peers_->exchange(stream, leaving_, arriving_);  // links are made with the first messages
  stream.synchronize();
  const Clock::time_point start = Clock::now();
  for (int k = 0; k < repeats; ++k) peers_->exchange(stream, leaving_, arriving_);
  stream.synchronize();
  return std::chrono::duration<double>(Clock::now() - start).count() / repeats;
}

/// In the order of the border's stream: what arrived a step ago has been read, what leaves has been packed.
void PeerDelivery::start() {
  block_.device().make_current();
  block_.queue_pack(crossing_);
  if (has_messages()) peers_->exchange(block_.border_stream(), leaving_, arriving_);
  arrived_.record(block_.border_stream());
}

void PeerDelivery::wait(std::size_t, const cuda::Stream& stream) {
  if (&stream != &block_.border_stream()) stream.wait(arrived_);
}

PeerExchange::PeerExchange(cuda::DeviceBlock& part, std::shared_ptr<const cuda::PeerCommunicator> peers)
    : part_(part), delivery_(halo_end(part), cuda::Crossing::halos, std::move(peers)) {}

void PeerExchange::start() {
  if (delivery_.has_messages()) delivery_.start();
}

void PeerExchange::wait() {
  if (delivery_.has_messages()) part_.queue_unpack(cuda::Crossing::halos);
}

}  // namespace fluvia::domain
