// SPDX-License-Identifier: Apache-2.0
#include "fluvia/domain/device_delivery.hpp"

#include <algorithm>

#include "fluvia/base/error.hpp"
#include "fluvia/cuda/runtime/memory.hpp"

namespace fluvia::domain {

DeviceEnd halo_end(cuda::DeviceBlock& block) {
  DeviceEnd end{&block, {}};
  const std::vector<Neighbour>& neighbours = block.block().neighbours;
  if (neighbours.empty()) return end;
  const std::vector<cuda::DeviceMessages> messages = block.messages();
  for (std::size_t k = 0; k < neighbours.size(); ++k)
    if (neighbours[k].link == ExchangeLink::copy) end.messages.push_back({k, ExchangeLink::copy, messages[k]});
  return end;
}

MemoryDelivery::MemoryDelivery(const std::vector<DeviceEnd>& ends, cuda::Crossing crossing) : crossing_(crossing) {
  const auto is_crossing = [&](const Neighbour& neighbour) {
    return (neighbour.link == ExchangeLink::copy) == (crossing == cuda::Crossing::halos);
  };
  for (const DeviceEnd& end : ends) {
    const bool packs = std::ranges::any_of(end.block->block().neighbours, is_crossing);
    ends_.push_back({end.block, cuda::Event(end.block->device()), packs, {}});
  }
  for (std::size_t from = 0; from < ends.size(); ++from)
    for (const PartMessage& sent : ends[from].messages) {
      const auto to = static_cast<std::size_t>(sent.messages.block);
      const auto back = std::ranges::find_if(ends.at(to).messages, [&](const PartMessage& message) {
        return message.messages.block == static_cast<int>(from) && message.link == sent.link &&
               message.scalar == sent.scalar;
      });
      if (back == ends[to].messages.end() || back->messages.arriving.bytes != sent.messages.leaving.bytes)
        throw Error(ExitCode::internal, "two blocks do not agree about what crosses between them");
      const cuda::DeviceMessage leaving = sent.messages.leaving, arriving = back->messages.arriving;
      if (leaving.bytes == 0 && arriving.bytes == 0 && crossing == cuda::Crossing::levels) continue;
      const bool straight = ends_[from].block->device().reach(ends_[to].block->device()) &&
                            ends_[from].block->pack_into(sent.neighbour, arriving.address);
      ends_[from].neighbours.push_back({to, straight ? cuda::DeviceMessage{} : leaving, arriving});
    }
}

std::size_t MemoryDelivery::copies() const {
  std::size_t copies = 0;
  for (const End& end : ends_)
    copies += static_cast<std::size_t>(
        std::ranges::count_if(end.neighbours, [](const Sent& neighbour) { return neighbour.leaving.bytes > 0; }));
  return copies;
}

/// What is sent would overwrite what arrived a step before, unless that has been read: all of it has when that block
/// has unpacked what came of it.
void MemoryDelivery::start() {
  for (const End& end : ends_) {
    if (!end.packs) continue;
    const cuda::Stream& stream = end.block->border_stream();
    end.block->device().make_current();
    for (const Sent& sent : end.neighbours) stream.wait(ends_[sent.end].block->unpacked());
    end.block->queue_pack(crossing_);
    for (const Sent& sent : end.neighbours)
      cuda::copy_between(stream, end.block->device(), sent.leaving.address, ends_[sent.end].block->device(),
                         sent.arriving.address, sent.leaving.bytes);
    end.sent.record(stream);
  }
}

void MemoryDelivery::wait(std::size_t block, const cuda::Stream& stream) {
  if (ends_[block].packs && &stream != &ends_[block].block->border_stream()) stream.wait(ends_[block].sent);
  for (std::size_t from = 0; from < ends_.size(); ++from)
    if (from != block &&
        std::ranges::any_of(ends_[from].neighbours, [&](const Sent& sent) { return sent.end == block; }))
      stream.wait(ends_[from].sent);
}

}  // namespace fluvia::domain
