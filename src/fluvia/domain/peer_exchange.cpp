// SPDX-License-Identifier: Apache-2.0
#include "fluvia/domain/peer_exchange.hpp"

#include <algorithm>
#include <chrono>
#include <numeric>

namespace fluvia::domain {

PeerExchange::PeerExchange(cuda::DeviceBlock& part, cuda::PeerCommunicator communicator)
    : part_(part), communicator_(std::move(communicator)) {
  for (const cuda::DeviceMessages& messages : part.messages()) {
    leaving_.push_back({messages.block, messages.leaving.address, messages.leaving.bytes});
    arriving_.push_back({messages.block, messages.arriving.address, messages.arriving.bytes});
  }
}

std::size_t PeerExchange::step_bytes() const {
  const auto sum = [](const std::vector<cuda::PeerMessage>& messages) {
    return std::accumulate(messages.begin(), messages.end(), std::size_t{0},
                           [](std::size_t bytes, const cuda::PeerMessage& m) { return bytes + m.bytes; });
  };
  return std::max(sum(leaving_), sum(arriving_));
}

double PeerExchange::measure() const {
  if (leaving_.empty()) return 0;
  using Clock = std::chrono::steady_clock;
  constexpr int repeats = 4;
  const cuda::Stream& stream = part_.border_stream();
  communicator_.exchange(stream, leaving_, arriving_);  // links are made with the first messages
  stream.synchronize();
  const Clock::time_point start = Clock::now();
  for (int k = 0; k < repeats; ++k) communicator_.exchange(stream, leaving_, arriving_);
  stream.synchronize();
  return std::chrono::duration<double>(Clock::now() - start).count() / repeats;
}

/// In the order of the border's stream: what arrived a step ago has been unpacked, what leaves has been packed.
void PeerExchange::start() {
  if (leaving_.empty()) return;
  part_.queue_pack();
  communicator_.exchange(part_.border_stream(), leaving_, arriving_);
}

void PeerExchange::wait() {
  if (!leaving_.empty()) part_.queue_unpack();
}

}  // namespace fluvia::domain
