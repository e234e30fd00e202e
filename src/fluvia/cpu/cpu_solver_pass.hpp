// SPDX-License-Identifier: Apache-2.0
// CpuSolver: several time steps in one pass over memory (docs/fused-steps.md). Included only by the files that
// instantiate it.
#pragma once
#include <omp.h>

#include <atomic>
#include <set>
#include <thread>
#include <vector>

#include "fluvia/cpu/cpu_solver.hpp"
#include "fluvia/cpu/flush_denormals.hpp"
#include "fluvia/cpu/pass_schedule.hpp"

namespace fluvia::cpu {

/// How far threads that follow each other have come, each on a cache line of its own.
class Progress {
 public:
  explicit Progress(std::int64_t strips) : waves_(static_cast<std::size_t>(strips)) {}
  void set(std::int64_t strip, std::int64_t waves) {
    waves_[static_cast<std::size_t>(strip)].done.store(waves, std::memory_order_release);
  }
  void wait_for(std::int64_t strip, std::int64_t waves) const {
    const std::atomic<std::int64_t>& done = waves_[static_cast<std::size_t>(strip)].done;
    for (int spins = 0; done.load(std::memory_order_acquire) < waves; ++spins)
      if (spins > most_spins) std::this_thread::yield();  // where there are more threads than cores
  }

 private:
  static constexpr int most_spins = 1000;
  struct alignas(64) Waves {
    std::atomic<std::int64_t> done{0};
  };
  std::vector<Waves> waves_;
};

/// Number of strips: as wide as suits the cache of a core, as many for each thread.
template <class Groups, class Format>
PassSchedule CpuSolver<Groups, Format>::pass_schedule(int steps) const {
  constexpr double bytes_in_cache = 2.5e6;  // bytes of the rows that a wave touches; measured, docs/decisions/0029
  constexpr std::int64_t least_lags = 4;    // least width of a strip, which moves back by one lag a step
  const PassRows box = groups_.pass_rows();
  const double row_bytes = static_cast<double>(groups_.elements() * scheme_.copies * sizeof(Storage)) /
                           static_cast<double>(box.layers * box.rows);
  const auto fitting = static_cast<std::int64_t>(bytes_in_cache / ((steps + 2) * row_bytes));
  const std::int64_t width = std::max(fitting, least_lags * box.lag), threads = plan_.threads,
                     of_thread = (box.rows + width * threads - 1) / (width * threads);
  return {box, steps, std::min(of_thread * threads, box.rows)};
}

template <class Groups, class Format>
void CpuSolver<Groups, Format>::find_border_layers() {
  const PassRows box = groups_.pass_rows();
  has_border_.assign(static_cast<std::size_t>(box.layers), false);
  for (std::int64_t layer = 0; layer < box.layers; ++layer)
    for (std::uint64_t g = groups_.first_group(layer, 0); g < groups_.first_group(layer, box.rows); ++g)
      if (border_.level[g] != BorderIndex::too_far) has_border_[static_cast<std::size_t>(layer)] = true;
}

template <class Groups, class Format>
std::uint32_t CpuSolver<Groups, Format>::row_of(const Int3& node) const {
  const PassRows box = groups_.pass_rows();
  const std::uint64_t group = storage_index_of(node) / group_lanes;
  std::int64_t first = 0, last = box.layers * box.rows;  // the last row that does not begin behind the group
  while (last - first > 1) {
    const std::int64_t middle = first + (last - first) / 2;
    (groups_.first_group(middle / box.rows, middle % box.rows) <= group ? first : last) = middle;
  }
  return static_cast<std::uint32_t>(first);
}

/// The rows after one of which a pass has been to both rows of a pair (PassSchedule::last_of).
inline std::set<std::uint32_t> rows_of_pair(std::uint32_t a, std::uint32_t b, std::uint32_t per_layer) {
  std::set<std::uint32_t> rows;
  for (const std::uint32_t layer : {a / per_layer, b / per_layer})
    for (const std::uint32_t row : {a % per_layer, b % per_layer}) rows.insert(layer * per_layer + row);
  return rows;
}

template <class Groups, class Format>
void CpuSolver<Groups, Format>::index_exchange_of_passes(const std::vector<ExchangedPair>& pairs) {
  const NodeMap& nodes = geometry_.nodes;
  const auto row_of_end = [&](const ExchangedEnd& end) {
    return row_of(nodes.node_position(nodes.tiles[end.tile], end.bit));
  };
  const auto per_layer = static_cast<std::uint32_t>(groups_.pass_rows().rows);
  exchange_.rows.reserve(pairs.size());
  for (const ExchangedPair& pair : pairs) {
    const auto number = static_cast<std::uint32_t>(exchange_.rows.size());
    const auto& [a, b] = exchange_.rows.emplace_back(row_of_end(pair.first), row_of_end(pair.second));
    for (const std::uint32_t row : rows_of_pair(a, b, per_layer)) exchange_.due.push_back({row, number});
  }
  std::sort(exchange_.due.begin(), exchange_.due.end(), [](const ExchangeIndex::Due& x, const ExchangeIndex::Due& y) {
    return std::pair(x.row, x.pair) < std::pair(y.row, y.pair);
  });
  exchange_.due.shrink_to_fit();
}

template <class Groups, class Format>
void CpuSolver<Groups, Format>::swap_exchanged(const PassSchedule& schedule, int step, std::int64_t layer,
                                               std::int64_t first, std::int64_t end) const {
  const std::vector<ExchangeIndex::Due>& due = exchange_.due;
  const std::int64_t rows = schedule.box.rows;
  auto next = std::lower_bound(due.begin(), due.end(), layer * rows + first,
                               [](const ExchangeIndex::Due& d, std::int64_t row) { return d.row < row; });
  const auto position = [&](std::uint32_t row) { return RowPosition{row / rows, row % rows}; };
  const std::vector<ExchangeIndex::Swap>& swaps = exchange_.swaps[(updates_ + step + 1) % streaming_.parities];
  Storage* const populations = memory((updates_ + step + 1) % scheme_.copies);
  for (; next != due.end() && next->row < layer * rows + end; ++next) {
    const auto& [a, b] = exchange_.rows[next->pair];
    if (schedule.last_of(position(a), position(b), step) != position(next->row)) continue;
    std::swap(populations[swaps[next->pair].first], populations[swaps[next->pair].second]);
  }
}

template <class Groups, class Format>
std::vector<LevelExchangeIndex> CpuSolver<Groups, Format>::index_level_exchanges() const {
  const NodeMap& nodes = geometry_.nodes;
  const auto row_of_node = [&](std::uint32_t tile, int bit) {
    return row_of(nodes.node_position(nodes.tiles[tile], bit));
  };
  const auto per_layer = static_cast<std::uint32_t>(groups_.pass_rows().rows);
  std::vector<LevelExchangeIndex> all;
  for (const Neighbour& neighbour : block_.neighbours) {
    LevelExchangeIndex& index = all.emplace_back();
    if (neighbour.link != ExchangeLink::coarse_to_fine) continue;
    for (std::uint32_t k = 0; k < neighbour.arrives.size(); ++k) {
      const HaloPopulation& place = neighbour.arrives[k];
      if (!place.is_cut) {
        index.at_last.push_back(k);
        continue;
      }
      const auto image =
          mirror_image(nodes, plan_.flow().lattice->velocities, {place.tile, place.bit, place.direction});
      const std::uint32_t own = row_of_node(place.tile, place.bit),
                          other = image ? row_of_node(image->tile, image->bit) : own;
      for (const std::uint32_t row : rows_of_pair(own, other, per_layer)) index.due.push_back({row, k, own, other});
    }
    std::sort(index.due.begin(), index.due.end(),
              [](const LevelExchangeIndex::Due& x, const LevelExchangeIndex::Due& y) {
                return std::pair(x.row, x.number) < std::pair(y.row, y.number);
              });
    index.due.shrink_to_fit();
  }
  return all;
}

template <class Groups, class Format>
void CpuSolver<Groups, Format>::exchange_with_level(const PassSchedule& schedule, int step, std::int64_t layer,
                                                    std::int64_t first, std::int64_t end) const {
  using Due = LevelExchangeIndex::Due;
  const std::vector<Due>& due = border_.level_exchanges[in_pass_.neighbour].due;
  const std::int64_t rows = schedule.box.rows;
  auto next = std::lower_bound(due.begin(), due.end(), layer * rows + first,
                               [](const Due& d, std::int64_t row) { return d.row < row; });
  const auto position = [&](std::uint32_t row) { return RowPosition{row / rows, row % rows}; };
  const auto is_due = [&](const Due& d) {
    return d.first == d.second || schedule.last_of(position(d.first), position(d.second), step) == position(d.row);
  };
  const std::int64_t parity = (updates_ + step + 1) % streaming_.parities;
  const BorderList& places = border_.borders[in_pass_.neighbour].arrives;
  Storage* const populations = memory((updates_ + step + 1) % scheme_.copies);
  const ExchangeInPass& of_step = in_pass_.steps[static_cast<std::size_t>(step)];
  for (; next != due.end() && next->row < layer * rows + end; ++next) {
    if (!is_due(*next)) continue;
    Storage& population = populations[places.element(parity, next->number)];
    of_step.leaving[next->number] = static_cast<double>(Format::decode(population));
    if (const std::uint32_t chosen = of_step.chosen[next->number]; chosen != stays)
      population = Format::encode(static_cast<T>(in_pass_.numbers[chosen]));
  }
}

template <class Groups, class Format>
void CpuSolver<Groups, Format>::end_exchange_in_pass() {
  const BorderList& places = border_.borders[in_pass_.neighbour].arrives;
  for (const std::uint32_t k : border_.level_exchanges[in_pass_.neighbour].at_last)
    in_pass_.steps.back().leaving[k] =
        static_cast<double>(Format::decode(current()[places.element(updates_ % streaming_.parities, k)]));
  in_pass_ = {};
}

template <class Groups, class Format>
void CpuSolver<Groups, Format>::pass(int count, Share share) {
  std::vector<Step> steps;
  for (int s = 0; s < count; ++s) {
    steps.push_back(step_ahead(s));
    steps.back().reach = count - 1 - s;
    steps.back().is_early = share == Share::border;
  }
  const bool is_part = !border_.distance.empty();
  const PassSchedule schedule = pass_schedule(count);
  Progress progress(schedule.strips);
  const int threads = static_cast<int>(std::min<std::int64_t>(plan_.threads, schedule.strips));
#pragma omp parallel num_threads(threads) if (threads > 1)
  {
    const FlushDenormals flush;
    const std::int64_t team = omp_get_num_threads();
    for (std::int64_t strip = omp_get_thread_num(); strip < schedule.strips; strip += team)
      for (std::int64_t wave = 0; wave < schedule.waves(); ++wave) {
        if (strip > 0) progress.wait_for(strip - 1, wave + 1);
        for (int s = 0; s < count; ++s)
          schedule.for_each_piece(strip, wave, s, [&](std::int64_t layer, std::int64_t first, std::int64_t end) {
            if (is_part && share == Share::border && !has_border_[static_cast<std::size_t>(layer)]) return;
            const Step& step = steps[static_cast<std::size_t>(s)];
            const std::uint64_t from = groups_.first_group(layer, first), to = groups_.first_group(layer, end);
            if (is_part)
              advance_range<Which::near>(step, from, to);
            else
              advance_range<Which::all>(step, from, to);
            if (!exchange_.due.empty()) swap_exchanged(schedule, s, layer, first, end);
            if (!in_pass_.steps.empty()) exchange_with_level(schedule, s, layer, first, end);
          });
        progress.set(strip, wave + 1);
      }
  }
}

}  // namespace fluvia::cpu
