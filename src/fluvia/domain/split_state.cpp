// SPDX-License-Identifier: Apache-2.0
#include "fluvia/domain/split_state.hpp"

#include "fluvia/domain/team.hpp"

namespace fluvia::domain {

void SplitState::moments(std::uint64_t first_tile, std::uint64_t tile_count, bool with_stress, Moments& out) const {
  out.density.clear();
  out.velocity.clear();
  out.stress.clear();
  Moments own;
  for (const Share& share : shares_) {
    const OwnTiles tiles = own_tiles(*share.part, first_tile, tile_count);
    if (tiles.count == 0) continue;
    share.state->moments(tiles.first, tiles.count, with_stress, own);
    out.density.insert(out.density.end(), own.density.begin(), own.density.end());
    out.velocity.insert(out.velocity.end(), own.velocity.begin(), own.velocity.end());
    out.stress.insert(out.stress.end(), own.stress.begin(), own.stress.end());
  }
}

void SplitState::save_populations(int direction, std::uint64_t first_tile, std::uint64_t tile_count,
                                  std::span<std::byte> out) const {
  const NodeMap& nodes = shares_.front().part->geometry().nodes;
  for (const Share& share : shares_) save_own(nodes, *share.state, *share.part, direction, first_tile, tile_count, out);
}

std::vector<double> SplitState::condition_memory() const {
  std::vector<double> all;
  for (const Share& share : shares_) {
    const std::vector<double> memory = share.state->condition_memory();
    const auto [first, end] = share.part->own_memory();
    all.insert(all.end(), memory.begin() + static_cast<std::ptrdiff_t>(first),
               memory.begin() + static_cast<std::ptrdiff_t>(end));
  }
  return all;
}

}  // namespace fluvia::domain
