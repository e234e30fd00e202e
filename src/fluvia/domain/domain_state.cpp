// SPDX-License-Identifier: Apache-2.0
#include "fluvia/domain/domain_state.hpp"

#include "fluvia/domain/group.hpp"

namespace fluvia::domain {

void DomainState::moments(std::uint64_t first_tile, std::uint64_t tile_count, bool with_stress, Moments& out) const {
  out.clear();
  Moments own;
  for (const Share& share : shares_) {
    const OwnTiles tiles = own_tiles(*share.part, first_tile, tile_count);
    if (tiles.count == 0) continue;
    share.state->moments(tiles.first, tiles.count, with_stress, own);
    out.append(own);
  }
}

void DomainState::save(const ArrayRange& range, std::span<std::byte> out) const {
  const NodeMap& nodes = shares_.front().part->geometry().nodes;
  for (const Share& share : shares_) save_own(nodes, *share.state, *share.part, range, out);
}

}  // namespace fluvia::domain
