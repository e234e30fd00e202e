// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/tracers/near_velocities.hpp"

#include <algorithm>
#include <cmath>

namespace fluvia {

namespace {

/// Tiles that are read at once, and tiles without use that are read along rather than beginning again behind them.
constexpr std::uint64_t most_tiles = 4096, most_between = 16;

}  // namespace

NearVelocities::NearVelocities(const NodeMap& nodes)
    : nodes_(nodes), wanted_(nodes.tiles.size(), 0), values_(std::make_unique<Real3[]>(nodes.fluid_nodes)) {}

void NearVelocities::clear() {
  std::fill(wanted_.begin(), wanted_.end(), 0);
}

void NearVelocities::want(const Real3& place, int reach) {
  const Int3 shape = tile_shape(nodes_.dimension);
  Int3 first{}, last{};
  for (int a = 0; a < nodes_.dimension; ++a) {
    const int node = static_cast<int>(std::floor(place[a]));
    const auto tile_of = [&](int at) { return at < 0 ? -1 : at / shape[a]; };
    // Beyond a periodic face lie the tiles of the other side, the last of which may be cut off by it.
    const int least = nodes_.periodic[a] && node - reach < 0 ? node - reach - shape[a] : node - reach;
    first[a] = tile_of(least);
    last[a] = tile_of(node + reach);
    if (!nodes_.periodic[a]) {
      first[a] = std::max(first[a], 0);
      last[a] = std::min(last[a], nodes_.tiles_in_box[a] - 1);
    } else if (nodes_.tiles_in_box[a] <= last[a] - first[a]) {
      first[a] = 0;
      last[a] = nodes_.tiles_in_box[a] - 1;
    }
  }
  for (int z = first[2]; z <= last[2]; ++z)
    for (int y = first[1]; y <= last[1]; ++y)
      for (int x = first[0]; x <= last[0]; ++x)
        if (const std::uint32_t tile = nodes_.tile_at({x, y, z}); tile != empty_tile) wanted_[tile] = 1;
}

void NearVelocities::read(const FlowState& flow) {
  const std::uint64_t count = wanted_.size();
  for (std::uint64_t first = 0; first < count; ++first) {
    if (wanted_[first] == 0) continue;
    std::uint64_t end = first + 1;  // behind the last tile that is wanted
    for (std::uint64_t t = end; t < count && t - first < most_tiles && t - end < most_between; ++t)
      if (wanted_[t] != 0) end = t + 1;
    flow.moments(first, end - first, false, buffer_);
    std::copy_n(buffer_.velocity.begin(), nodes_.nodes_of(first, end - first),
                values_.get() + nodes_.tiles[first].first_node);
    first = end - 1;
  }
}

}  // namespace fluvia
