// SPDX-License-Identifier: Apache-2.0
#include "fluvia/domain/recording.hpp"

#include <utility>

#include "fluvia/base/error.hpp"

namespace fluvia::domain {

Recording::Recording(const std::vector<cuda::DeviceBlock*>& blocks, std::string what,
                     std::function<void(const std::string&)> warn)
    : what_(std::move(what)), warn_(std::move(warn)), forked_(blocks.front()->device()) {
  for (cuda::DeviceBlock* block : blocks)
    parts_.push_back({block, cuda::Event(block->device()), cuda::Event(block->device())});
}

void Recording::fork() const {
  const cuda::DeviceBlock& first = *parts_.front().block;
  first.device().make_current();
  forked_.record(first.interior_stream());
  for (const Part& part : parts_) {
    part.block->device().make_current();
    if (part.block != &first) part.block->interior_stream().wait(forked_);
    if (!part.has_border()) continue;
    part.block->border_stream().wait(forked_);
    part.block->restart_border();
  }
}

void Recording::join() const {
  const cuda::DeviceBlock& first = *parts_.front().block;
  for (const Part& part : parts_) {
    part.block->device().make_current();
    part.interior_queued.record(part.block->interior_stream());
    if (part.has_border()) part.border_queued.record(part.block->border_stream());
  }
  first.device().make_current();
  for (const Part& part : parts_) {
    if (part.block != &first) first.interior_stream().wait(part.interior_queued);
    if (part.has_border()) first.interior_stream().wait(part.border_queued);
  }
}

void Recording::record(int steps_of_pass, const std::function<void()>& queue) {
  const cuda::DeviceBlock& first = *parts_.front().block;
  std::vector<std::int64_t> before;
  for (const Part& part : parts_) before.push_back(part.block->time_step());
  try {
    graph_.emplace(first.device(), first.interior_stream(), [&] {
      fork();
      queue();
      join();
    });
  } catch (const Error& error) {
    is_refused_ = true;
    if (warn_) warn_(what_ + " are queued one by one, which takes longer: " + error.what());
  }
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    Part& part = parts_[k];
    part.passes = static_cast<int>((part.block->time_step() - before[k]) / steps_of_pass);
    part.block->count_passes(-part.passes);
  }
}

bool Recording::replay(std::int64_t times, int steps_of_pass, const std::function<void()>& queue) {
  const cuda::DeviceBlock& first = *parts_.front().block;
  first.device().make_current();
  if (!graph_ && !is_refused_) record(steps_of_pass, queue);
  if (!is_refused_) {
    join();
    for (std::int64_t k = 0; k < times; ++k) {
      graph_->launch(first.interior_stream());
      for (const Part& part : parts_) part.block->count_passes(part.passes);
    }
  }
  fork();
  return !is_refused_;
}

}  // namespace fluvia::domain
