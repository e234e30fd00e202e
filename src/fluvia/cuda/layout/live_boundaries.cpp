// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cuda/layout/live_boundaries.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace fluvia::cuda {

namespace {

std::uint32_t nodes_of(const kernels::BoundaryTile& tile) {
  return static_cast<std::uint32_t>(std::popcount(tile.mask));
}

/// The records of a tile that has any; those of its nodes follow each other.
Range records_of(const BoundaryArrays& arrays, const kernels::BoundaryTile& tile) {
  std::size_t end = arrays.first_records[tile.first + nodes_of(tile) - 1];
  while (arrays.records[end].is_last == 0) ++end;
  const std::size_t first = arrays.first_records[tile.first];
  return {first, end + 1 - first};
}

}  // namespace

LiveBoundaries::LiveBoundaries(BoundaryArrays arrays) : arrays_(std::move(arrays)) {
  for (const kernels::BoundaryTile& tile : arrays_.tiles) {
    const Range records = records_of(arrays_, tile);
    rooms_.push_back({static_cast<std::uint32_t>(records.first), static_cast<std::uint32_t>(records.count), tile.first,
                      nodes_of(tile)});
  }
}

LiveBoundaries::Changes LiveBoundaries::replace(std::span<const std::uint32_t> storage_indices,
                                                const BoundaryArrays& fresh) {
  Changes changes;
  std::vector<kernels::BoundaryTile>& tiles = arrays_.tiles;
  const auto find = [](const std::vector<kernels::BoundaryTile>& among, std::uint32_t storage_index) {
    const auto at = std::lower_bound(among.begin(), among.end(), storage_index,
                                     [](const auto& tile, std::uint32_t p) { return tile.storage_index < p; });
    return static_cast<std::size_t>(at - among.begin());
  };
  for (const std::uint32_t storage_index : storage_indices) {
    std::size_t at = find(tiles, storage_index);
    const std::size_t from = find(fresh.tiles, storage_index);
    const bool is_known = at < tiles.size() && tiles[at].storage_index == storage_index;
    if (from == fresh.tiles.size() || fresh.tiles[from].storage_index != storage_index) {
      if (is_known) tiles[at].mask = 0;
      if (is_known) changes.tiles.push_back({at, 1});
      continue;
    }
    if (!is_known) {  // all behind it move
      tiles.insert(tiles.begin() + static_cast<std::ptrdiff_t>(at), {0, storage_index, 0});
      rooms_.insert(rooms_.begin() + static_cast<std::ptrdiff_t>(at), Room{});
      changes.tiles.push_back({at, tiles.size() - at});
    }
    const kernels::BoundaryTile& source = fresh.tiles[from];
    const Range records = records_of(fresh, source);
    Room& room = rooms_[at];
    if (records.count > room.records) {
      unused_ += room.records;
      room.record = static_cast<std::uint32_t>(arrays_.records.size());
      room.records = static_cast<std::uint32_t>(records.count);
      arrays_.records.resize(arrays_.records.size() + records.count, fresh.records.front());
    }
    if (nodes_of(source) > room.nodes) {
      room.node = static_cast<std::uint32_t>(arrays_.first_records.size());
      room.nodes = nodes_of(source);
      arrays_.first_records.resize(arrays_.first_records.size() + room.nodes);
    }
    tiles[at] = {source.mask, storage_index, room.node};
    for (std::uint32_t k = 0; k < nodes_of(source); ++k)
      arrays_.first_records[room.node + k] =
          room.record + fresh.first_records[source.first + k] - static_cast<std::uint32_t>(records.first);
    std::copy_n(fresh.records.begin() + static_cast<std::ptrdiff_t>(records.first), records.count,
                arrays_.records.begin() + room.record);
    changes.tiles.push_back({at, 1});
    changes.first_records.push_back({room.node, nodes_of(source)});
    changes.records.push_back({room.record, records.count});
  }
  return changes;
}

}  // namespace fluvia::cuda
