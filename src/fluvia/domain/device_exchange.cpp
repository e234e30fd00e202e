// SPDX-License-Identifier: Apache-2.0
#include "fluvia/domain/device_exchange.hpp"

#include <algorithm>
#include <utility>

#include "fluvia/cuda/runtime/memory.hpp"

namespace fluvia::domain {

DeviceExchange::DeviceExchange(std::vector<cuda::DevicePart*> parts) {
  for (cuda::DevicePart* part : parts) ends_.push_back({part, cuda::Event(part->device()), {}});
  for_each_message({parts.begin(), parts.end()}, [&](const MessageEnds& ends) {
    cuda::DevicePart *from = parts[ends.from], *to = parts[ends.to];
    const cuda::DeviceMessage leaving = from->messages()[ends.from_border].leaving,
                              arriving = to->messages()[ends.to_border].arriving;
    const bool straight = from->device().reach(to->device()) && from->pack_into(ends.from_border, arriving.address);
    ends_[ends.from].neighbours.push_back({ends.to, straight ? cuda::DeviceMessage{} : leaving, arriving});
  });
}

std::size_t DeviceExchange::copies() const {
  std::size_t copies = 0;
  for (const End& end : ends_)
    copies += static_cast<std::size_t>(std::ranges::count_if(
        end.neighbours, [](const Neighbour& neighbour) { return neighbour.leaving.bytes > 0; }));
  return copies;
}

/// What is sent would overwrite what arrived a step before, unless that has been unpacked.
void DeviceExchange::start() {
  for (const End& end : ends_) {
    if (end.neighbours.empty()) continue;
    const cuda::Stream& stream = end.part->border_stream();
    end.part->device().make_current();
    for (const Neighbour& neighbour : end.neighbours) stream.wait(ends_[neighbour.end].part->unpacked());
    end.part->queue_pack();
    for (const Neighbour& neighbour : end.neighbours)
      cuda::copy_between(stream, end.part->device(), neighbour.leaving.address,
                         ends_[neighbour.end].part->device(), neighbour.arriving.address, neighbour.leaving.bytes);
    end.sent.record(stream);
  }
}

void DeviceExchange::wait() {
  for (const End& end : ends_) {
    if (end.neighbours.empty()) continue;
    end.part->device().make_current();
    for (const Neighbour& neighbour : end.neighbours) end.part->border_stream().wait(ends_[neighbour.end].sent);
    end.part->queue_unpack();
  }
}

}  // namespace fluvia::domain
