// SPDX-License-Identifier: Apache-2.0
#include "fluvia/domain/levels/device_level_exchange.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "fluvia/base/error.hpp"
#include "fluvia/cuda/solver/prepared_case.hpp"

namespace fluvia::domain {

namespace {

/// Steps of the coarsest level in a recording, after which places and kernels repeat for every scheme.
constexpr int recorded_cycles = 2;

std::uint32_t count_of(std::size_t size) {
  if (size >= cuda::kernels::followed)
    throw_resource("refine: more passes between two levels than 30-bit numbers count; use smaller regions");
  return static_cast<std::uint32_t>(size);
}

/// By children, the numbers of the sources that they come from.
std::vector<std::uint32_t> sources_of_children(const LevelLinks& links) {
  std::vector<std::uint32_t> sources(links.children.size());
  for (std::uint32_t n = 0; n + 1 < links.sources.size(); ++n)
    for (std::uint32_t k = links.sources[n].first_child; k < links.sources[n + 1].first_child; ++k) sources[k] = n;
  return sources;
}

void add_moves(const LevelLinks& links, cuda::LevelArrays& arrays) {
  std::map<std::uint32_t, std::vector<cuda::kernels::LevelPart>> moved;
  for (const LevelLinks::Transfer& transfer : links.transfers) {
    moved[transfer.from].push_back({transfer.from, 0, -transfer.part});
    moved[transfer.to].push_back({transfer.from, 0, transfer.part});
  }
  if (moved.empty()) return;
  for (const auto& [link, parts] : moved) {
    arrays.moves.push_back({link, count_of(arrays.parts.size())});
    arrays.parts.insert(arrays.parts.end(), parts.begin(), parts.end());
  }
  arrays.moves.push_back({LevelLinks::none, count_of(arrays.parts.size())});
}

}  // namespace

cuda::LevelArrays level_arrays(const LevelLinks& links, int dimension) {
  using cuda::kernels::LevelChild;
  static_assert(cuda::kernels::none == LevelLinks::none);
  cuda::LevelArrays arrays;
  arrays.share = 1.0 / (1 << dimension);
  for (std::size_t n = 0; n + 1 < links.sources.size(); ++n) {
    const LevelLinks::Source& source = links.sources[n];
    cuda::kernels::LevelSource& own = arrays.sources.emplace_back();
    own.at = source.at;
    for (std::size_t a = 0; a < 3; ++a) {
      own.upper[a] = source.upper[a];
      own.lower[a] = source.lower[a];
      own.part[a] = static_cast<float>(source.part[a]);
    }
  }
  (void)count_of(arrays.sources.size());
  const std::vector<std::uint32_t> sources = sources_of_children(links);
  const auto child_of = [&](std::uint32_t k, std::uint32_t mark) {
    const std::array<double, 3>& offset = links.children[k].offset;
    return LevelChild{sources[k] | mark,
                      {static_cast<float>(offset[0]), static_cast<float>(offset[1]), static_cast<float>(offset[2])}};
  };
  for (auto& places : arrays.entering) places.assign(links.fine_places.size(), {LevelLinks::none, {0, 0, 0}});
  for (std::uint32_t k = 0; k < links.children.size(); ++k)
    if (links.children[k].place != LevelLinks::none)
      arrays.entering[links.children[k].step][links.children[k].place] = child_of(k, 0);
  for (const LevelLinks::Passing& passing : links.passing) {
    arrays.entering[1][passing.to].source = cuda::kernels::passed_by | count_of(arrays.passing.size());
    arrays.passing.push_back(passing.from);
  }
  for (const LevelLinks::Continued& continued : links.continued) {
    arrays.entering[1][continued.place].source = cuda::kernels::followed | count_of(arrays.along_openings.size());
    arrays.along_openings.push_back({continued.near, continued.far});
  }
  for (const LevelLinks::LinkChild& child : links.link_children)
    arrays.children.push_back(child_of(child.child, child.gained ? cuda::kernels::gained_child : 0));
  for (const LevelLinks::CoarseLink& link : links.links)
    arrays.links.push_back({link.streamed, link.first_child, {link.first_leaving[0], link.first_leaving[1]}});
  arrays.leaving = links.leaving;
  add_moves(links, arrays);
  return arrays;
}

DeviceLevelExchange::DeviceLevelExchange(const std::vector<cuda::DeviceBlock*>& levels,
                                         const std::vector<LevelLinks>& links, cuda::KernelCache& cache,
                                         std::function<void(const std::string&)> warn)
    : warn_(std::move(warn)), forked_(levels.front()->device()) {
  const int dimension = levels.front()->geometry().nodes.dimension;
  for (cuda::DeviceBlock* level : levels) {
    const cuda::Device& device = level->device();
    levels_.push_back({level, cuda::Event(device), cuda::Event(device), cuda::Event(device), cuda::Event(device)});
  }
  for (std::size_t l = 0; l < links.size(); ++l) {
    const cuda::DeviceMessages to_fine = levels[l]->messages()[neighbour_of(*levels[l], levels[l + 1]->block().level)],
                               to_coarse =
                                   levels[l + 1]->messages()[neighbour_of(*levels[l + 1], levels[l]->block().level)];
    const auto value = static_cast<std::size_t>(levels[l]->plan().format->storage_bytes);
    if (to_fine.leaving.bytes != links[l].coarse_reads.size() * value ||
        to_fine.arriving.bytes != links[l].coarse_writes.size() * value ||
        to_coarse.leaving.bytes != links[l].fine_places.size() * value ||
        to_coarse.arriving.bytes != to_coarse.leaving.bytes)
      throw Error(ExitCode::internal, "two levels do not agree about what crosses between them");
    const cuda::LevelArrays arrays = level_arrays(links[l], dimension);
    bytes_ += arrays.bytes(levels[l]->plan().format->storage_bytes);
    transfers_.emplace_back(*levels[l], to_fine, to_coarse, arrays, cache);
  }
}

/// What is sent to a level would overwrite what arrived a step before, but that was unpacked on the stream which the
/// message after it comes from.
void DeviceLevelExchange::begin_step(std::size_t level, int step) {
  const Level& own = levels_[level];
  own.block->device().make_current();
  own.block->step_border(1);
  own.block->queue_pack();
  const cuda::Stream& stream = own.block->border_stream();
  own.packed.record(stream);
  if (level > 0) {
    const Level& coarser = levels_[level - 1];
    stream.wait(coarser.packed);
    transfers_[level - 1].queue(stream, step);
    if (step == 1) coarser.arrived.record(stream);
  }
  own.block->step_interior(1);
}

void DeviceLevelExchange::end_step(std::size_t level) {
  const Level& own = levels_[level];
  if (level + 1 < levels_.size()) own.block->border_stream().wait(own.arrived);
  own.block->queue_unpack();
}

void DeviceLevelExchange::finish() const {
  for (const Level& level : levels_) level.block->finish();
}

void DeviceLevelExchange::fork() const {
  const cuda::Stream& first = levels_.front().block->interior_stream();
  forked_.record(first);
  for (const Level& level : levels_) {
    if (&level != &levels_.front()) level.block->interior_stream().wait(forked_);
    level.block->border_stream().wait(forked_);
    level.block->restart_border();
  }
}

void DeviceLevelExchange::join() const {
  const cuda::Stream& first = levels_.front().block->interior_stream();
  for (const Level& level : levels_) {
    level.interior_queued.record(level.block->interior_stream());
    level.border_queued.record(level.block->border_stream());
  }
  for (const Level& level : levels_) {
    if (&level != &levels_.front()) first.wait(level.interior_queued);
    first.wait(level.border_queued);
  }
}

void DeviceLevelExchange::count_steps(int of_coarsest) const {
  for (std::size_t l = 0; l < levels_.size(); ++l) levels_[l].block->count_passes(of_coarsest * (1 << l));
}

bool DeviceLevelExchange::record(const std::function<void()>& cycle) {
  const cuda::DeviceBlock& first = *levels_.front().block;
  std::vector<std::int64_t> before;
  for (const Level& level : levels_) before.push_back(level.block->time_step());
  try {
    graph_.emplace(first.device(), first.interior_stream(), [&] {
      fork();
      for (int k = 0; k < recorded_cycles; ++k) cycle();
      join();
    });
  } catch (const Error& error) {
    refused_ = true;
    if (warn_) warn_(std::string("steps of levels are queued one by one, which takes longer: ") + error.what());
  }
  for (std::size_t l = 0; l < levels_.size(); ++l)
    levels_[l].block->count_passes(static_cast<int>(before[l] - levels_[l].block->time_step()));
  return !refused_;
}

std::int64_t DeviceLevelExchange::replay(std::int64_t wanted, const std::function<void()>& cycle) {
  const cuda::DeviceBlock& first = *levels_.front().block;
  const std::int64_t recordings = wanted / recorded_cycles;
  // Random bits have keys of the step that they are for.
  if (refused_ || recordings == 0 || first.plan().rounding == core::Rounding::stochastic) return 0;
  for (const Level& level : levels_)
    if (level.block->recorded_steps(cuda::graph_passes) == 0) return 0;
  first.device().make_current();
  const bool is_recorded = graph_ || record(cycle);
  if (is_recorded) {
    join();
    for (std::int64_t k = 0; k < recordings; ++k) {
      graph_->launch(first.interior_stream());
      count_steps(recorded_cycles);
    }
  }
  fork();
  return is_recorded ? recordings * recorded_cycles : 0;
}

}  // namespace fluvia::domain
