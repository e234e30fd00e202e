// SPDX-License-Identifier: Apache-2.0
#include "fluvia/domain/peer_exchange.hpp"

namespace fluvia::domain {

PeerExchange::PeerExchange(cuda::DevicePart& part, cuda::Communicator communicator)
    : part_(part), communicator_(std::move(communicator)) {
  const auto& neighbours = part.subdomain().neighbours;
  for (std::size_t k = 0; k < neighbours.size(); ++k) {
    const cuda::DeviceMessage leaving = part.leaving(k), arriving = part.arriving(k);
    leaving_.push_back({neighbours[k].part, leaving.address, leaving.bytes});
    arriving_.push_back({neighbours[k].part, arriving.address, arriving.bytes});
  }
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
