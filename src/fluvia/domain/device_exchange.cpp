// SPDX-License-Identifier: Apache-2.0
#include "fluvia/domain/device_exchange.hpp"

#include "fluvia/cuda/runtime/memory.hpp"

namespace fluvia::domain {

DeviceExchange::DeviceExchange(std::vector<cuda::DevicePart*> parts) : parts_(std::move(parts)) {
  for_each_message({parts_.begin(), parts_.end()}, [&](const MessageEnds& ends) {
    cuda::DevicePart *from = parts_[ends.from], *to = parts_[ends.to];
    from->device().reach(to->device());
    messages_.push_back({from, to, ends.from_border, ends.to_border, cuda::Event(from->device())});
  });
}

void DeviceExchange::start() {
  for (cuda::DevicePart* part : parts_)
    if (!part->subdomain().neighbours.empty()) part->queue_pack();
  for (const Message& message : messages_) {
    const cuda::Stream& stream = message.from->border_stream();
    message.from->device().make_current();
    stream.wait(message.to->unpacked());  // or it would be overwritten
    cuda::copy_between(stream, message.from->device(), message.from->leaving(message.from_border).address,
                       message.to->device(), message.to->arriving(message.to_border).address,
                       message.from->leaving(message.from_border).bytes);
    message.arrived.record(stream);
  }
}

void DeviceExchange::wait() {
  for (const Message& message : messages_) {
    message.to->device().make_current();
    message.to->border_stream().wait(message.arrived);
  }
  for (cuda::DevicePart* part : parts_)
    if (!part->subdomain().neighbours.empty()) part->queue_unpack();
}

}  // namespace fluvia::domain
