// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cuda/layout/sliding_tiles.hpp"

#include <algorithm>
#include <bit>

namespace fluvia::cuda {

using kernels::none;

SlidePlan plan_slide(const CompactArrays& arrays, std::uint32_t groups, int least_log2) {
  const std::uint64_t count = arrays.records.size();
  if (count == 0) return {};
  const std::size_t per_tile = arrays.neighbours.size() / count;
  const auto end_of = [&](std::uint64_t tile) {
    return std::uint64_t{arrays.records[tile].base} + (arrays.records[tile].flags & kernels::tile_count_bits);
  };
  std::uint64_t reach = 0;  // nodes between a tile's begin and the far end of what it reads, either way
  for (std::uint64_t t = 0; t < count; ++t) {
    const std::uint64_t begin = arrays.records[t].base, end = end_of(t);
    for (std::size_t k = 0; k < per_tile; ++k) {
      const std::uint32_t other = arrays.neighbours[t * per_tile + k];
      if (other == none) continue;
      const std::uint64_t first = arrays.records[other].base, last = end_of(other);
      reach = std::max({reach, first < begin ? begin - first : 0, last > end ? last - end : 0});
    }
  }
  SlidePlan plan;
  // Chunks are large enough that the blocks of a GPU do not wait for each other, then small beside the domain. The more
  // tiles a block updates, the less its guard weighs, and the more are on their way; small domains need all blocks they
  // have.
  constexpr std::uint64_t tiles_for_rounds = std::uint64_t{1} << 16;
  const int most_log2 = groups > 4 ? 13 : 12;
  const int chunk_tiles_log2 = std::clamp(static_cast<int>(std::bit_width(count)) - 7,
                                          std::max(least_log2, std::countr_zero(groups)), most_log2);
  plan.rounds = count >= tiles_for_rounds ? 2 : 1;
  plan.block_tiles = groups * plan.rounds;
  plan.chunk_log2 = static_cast<std::uint32_t>(chunk_tiles_log2 - std::countr_zero(plan.block_tiles));
  const std::uint64_t chunk = std::uint64_t{1} << chunk_tiles_log2;
  std::uint64_t ahead = 0;  // nodes of two chunks
  for (std::uint64_t t = 0; t < count; ++t)
    ahead = std::max(ahead, end_of(std::min(count, t + 2 * chunk) - 1) - arrays.records[t].base);
  // Beyond the whole array nothing overlaps any more.
  plan.shift = std::min(reach + ahead, end_of(count - 1));
  plan.shift = (plan.shift + 63) / 64 * 64;
  return plan;
}

SweepCounters sweep_counters(const SlidePlan& plan, std::uint64_t tiles) {
  return SweepCounters((plan.blocks(tiles) >> plan.chunk_log2) + 1);
}

SlidingTileLayout::SlidingTileLayout(const NodeMap& nodes, Specification& s, int least_log2)
    : CompactTileLayout(nodes, s, {}, nodes.periodic[nodes.dimension - 1]),
      slide_(plan_slide(arrays_, groups_, least_log2)),
      swept_{0, arrays_.records.size()},
      own_elements_{0, arrays_.elements},
      counters_(sweep_counters(slide_, nodes.tiles.size())) {}

SlidingTileLayout::SlidingTileLayout(const NodeMap& nodes, Specification& s, const TileRoles& roles)
    : SlidingTileLayout(nodes, s) {
  const auto is_own = [&](std::uint32_t tile) { return roles.empty() || roles[tile] != TileRole::halo; };
  const auto& order = arrays_.canonical;
  const auto first = static_cast<std::uint64_t>(std::find_if(order.begin(), order.end(), is_own) - order.begin());
  const auto end = static_cast<std::uint64_t>(order.rend() - std::find_if(order.rbegin(), order.rend(), is_own));
  const auto element_of = [&](std::uint64_t storage_index) {
    return storage_index == order.size() ? arrays_.elements : arrays_.records[storage_index].base * slots_;
  };
  swept_ = {first, end - first};
  own_elements_ = {element_of(first), element_of(end) - element_of(first)};
}

Layout::Extent SlidingTileLayout::extent() const {
  const std::uint64_t shift = slide_.shift * slots_;
  return {arrays_.elements + shift, shift, true};
}

void SlidingTileLayout::place_arrays(ArrayStore& store) {
  CompactTileLayout::place_arrays(store);
  counters_.place(store);
}

void SlidingTileLayout::append_step(const StepAddresses& at, StepShare share, Program& program) const {
  if (share == StepShare::interior) return;
  const kernels::SlidingGuard guard{counters_.order(at.update), slide_.rounds, slide_.chunk_log2};
  kernels::CompactTiles tiles = geometry(at).as<kernels::CompactTiles>();
  tiles.first = static_cast<std::uint32_t>(swept_.first);
  tiles.end = static_cast<std::uint32_t>(swept_.first + swept_.count);
  program.push_back(
      {.shape = {{static_cast<unsigned>(slide_.blocks(swept_.count))}, {threads_ + kernels::guard_threads}},
       .geometry = Argument(tiles),
       .more = Argument(guard)});
}

}  // namespace fluvia::cuda
