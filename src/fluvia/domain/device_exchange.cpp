// SPDX-License-Identifier: Apache-2.0
#include "fluvia/domain/device_exchange.hpp"

#include <algorithm>
#include <utility>

#include "fluvia/base/error.hpp"
#include "fluvia/cuda/runtime/memory.hpp"
#include "fluvia/cuda/solver/prepared_case.hpp"

namespace fluvia::domain {

DeviceExchange::DeviceExchange(const std::vector<cuda::DeviceBlock*>& parts,
                               std::function<void(const std::string&)> warn)
    : warn_(std::move(warn)), forked_(parts.front()->device()) {
  for (cuda::DeviceBlock* part : parts) {
    const cuda::Device& device = part->device();
    ends_.push_back({part, cuda::Event(device), cuda::Event(device), cuda::Event(device), {}});
  }
  for_each_message({parts.begin(), parts.end()}, [&](const MessageEnds& ends) {
    cuda::DeviceBlock *from = parts[ends.from], *to = parts[ends.to];
    const cuda::DeviceMessage leaving = from->messages()[ends.from_border].leaving,
                              arriving = to->messages()[ends.to_border].arriving;
    const bool straight = from->device().reach(to->device()) && from->pack_into(ends.from_border, arriving.address);
    ends_[ends.from].neighbours.push_back({ends.to, straight ? cuda::DeviceMessage{} : leaving, arriving});
  });
}

std::size_t DeviceExchange::copies() const {
  std::size_t copies = 0;
  for (const End& end : ends_)
    copies += static_cast<std::size_t>(
        std::ranges::count_if(end.neighbours, [](const Neighbour& neighbour) { return neighbour.leaving.bytes > 0; }));
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
      cuda::copy_between(stream, end.part->device(), neighbour.leaving.address, ends_[neighbour.end].part->device(),
                         neighbour.arriving.address, neighbour.leaving.bytes);
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

void DeviceExchange::fork() const {
  const cuda::Stream& first = ends_.front().part->interior_stream();
  ends_.front().part->device().make_current();
  forked_.record(first);
  for (const End& end : ends_) {
    end.part->device().make_current();
    if (&end != &ends_.front()) end.part->interior_stream().wait(forked_);
    if (end.neighbours.empty()) continue;
    end.part->border_stream().wait(forked_);
    end.part->restart_border();
  }
}

void DeviceExchange::join() const {
  const cuda::Stream& first = ends_.front().part->interior_stream();
  for (const End& end : ends_) {
    end.part->device().make_current();
    end.interior_queued.record(end.part->interior_stream());
    if (!end.neighbours.empty()) end.border_queued.record(end.part->border_stream());
  }
  ends_.front().part->device().make_current();
  for (const End& end : ends_) {
    if (&end != &ends_.front()) first.wait(end.interior_queued);
    if (!end.neighbours.empty()) first.wait(end.border_queued);
  }
}

bool DeviceExchange::record(const Schedule& schedule, int steps) {
  const cuda::DeviceBlock& first = *ends_.front().part;
  const int pass = steps / cuda::graph_passes;
  const std::int64_t before = first.time_step();
  try {
    graph_.emplace(first.device(), first.interior_stream(), [&] {
      fork();
      for (int k = 0; k < cuda::graph_passes; ++k) schedule.cycle(*this, pass);
      join();
    });
  } catch (const Error& error) {
    refused_ = true;
    if (warn_) warn_(std::string("steps of several GPUs are queued one by one, which takes longer: ") + error.what());
  }
  const auto recorded = static_cast<int>((first.time_step() - before) / pass);
  for (const End& end : ends_) end.part->count_passes(-recorded);
  return !refused_;
}

int DeviceExchange::replay(const Schedule& schedule, std::int64_t wanted) {
  int steps = refused_ ? 0 : ends_.front().part->recorded_steps(wanted);
  for (const End& end : ends_) steps = std::min(steps, end.part->recorded_steps(wanted));
  if (steps == 0) return 0;
  for (const End& end : ends_) {
    end.part->device().make_current();
    end.part->prepare_recorded();
  }
  const bool is_recorded = graph_ || record(schedule, steps);
  if (is_recorded) {
    join();
    graph_->launch(ends_.front().part->interior_stream());
    for (const End& end : ends_) end.part->count_passes(cuda::graph_passes);
  }
  fork();
  return is_recorded ? steps : 0;
}

}  // namespace fluvia::domain
