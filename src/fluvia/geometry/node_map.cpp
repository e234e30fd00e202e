// SPDX-License-Identifier: Apache-2.0
#include "fluvia/geometry/node_map.hpp"

#include <atomic>
#include <bit>
#include <exception>
#include <string>

#include "fluvia/base/error.hpp"
#include "fluvia/base/memory.hpp"

namespace fluvia {
namespace {

constexpr int largest_size = 1 << 20;

std::string format_size(const Int3& size) {
  return std::to_string(size[0]) + " x " + std::to_string(size[1]) + " x " + std::to_string(size[2]);
}

/// Bits of the tile at `position` that lie inside the box.
std::uint64_t box_mask(int dimension, const Int3& size, const Int3& position) {
  const Int3 shape = tile_shape(dimension);
  bool whole = true;
  for (int axis = 0; axis < 3; ++axis) whole = whole && (position[axis] + 1) * shape[axis] <= size[axis];
  if (whole) return ~std::uint64_t{0};
  std::uint64_t mask = 0;
  for (int bit = 0; bit < nodes_per_tile; ++bit) {
    const Int3 local = tile_local(dimension, bit);
    bool inside = true;
    for (int axis = 0; axis < 3; ++axis) inside = inside && position[axis] * shape[axis] + local[axis] < size[axis];
    if (inside) mask |= std::uint64_t{1} << bit;
  }
  return mask;
}

void check_size(int dimension, const Int3& size) {
  if (dimension != 2 && dimension != 3) {
    throw_input("domain: dimension is " + std::to_string(dimension) + ", expected 2 or 3");
  }
  for (int axis = 0; axis < 3; ++axis) {
    if (size[axis] < 1 || size[axis] > largest_size) {
      throw_input("domain: the box has " + format_size(size) + " nodes; every axis needs between 1 and " +
                  std::to_string(largest_size));
    }
  }
  if (dimension == 2 && size[2] != 1) {
    throw_input("domain: a 2D box has one node along z, not " + std::to_string(size[2]));
  }
}

}  // namespace

NodeMap NodeMap::build(int dimension, const Int3& size, const Bool3& periodic, const MaskFunction& mask) {
  check_size(dimension, size);
  NodeMap map;
  map.dimension = dimension;
  map.size = size;
  map.periodic = periodic;
  const Int3 shape = tile_shape(dimension);
  for (int axis = 0; axis < 3; ++axis) map.tiles_in_box[axis] = (size[axis] + shape[axis] - 1) / shape[axis];
  const Int3 count = map.tiles_in_box;
  const std::uint64_t row_count = static_cast<std::uint64_t>(count[1]) * count[2];
  const std::uint64_t total = row_count * count[0];
  if (total >= empty_tile) {
    throw_input("domain: a box of " + format_size(size) + " nodes has " + std::to_string(total) +
                " tiles; at most 2^32 - 2 are possible");
  }
  // Tiles are counted twice: in their rows and, joined, in the map.
  const auto bytes_with = [&](std::uint64_t known_tiles) {
    return total * sizeof(map.directory[0]) + row_count * sizeof(std::vector<Tile>) + known_tiles * 2 * sizeof(Tile);
  };
  const std::uint64_t available = available_memory();
  const auto require = [&](std::uint64_t known_tiles) {
    if (bytes_with(known_tiles) > available)
      require_memory(bytes_with(known_tiles), "domain: the geometry of " + format_size(size) + " nodes",
                     "use a coarser spacing or fewer nodes", available);
  };
  require(0);
  map.directory.assign(total, empty_tile);

  // Rows of tiles along x are independent: each thread fills the rows it is given, then the rows are joined in
  // order, so the result does not depend on the number of threads.
  std::vector<std::vector<Tile>> rows(row_count);
  std::exception_ptr failure;
  std::atomic<std::uint64_t> found{0};
  std::atomic<bool> failed{false};
#pragma omp parallel for schedule(dynamic, 8)
  for (std::int64_t row = 0; row < static_cast<std::int64_t>(row_count); ++row) {
    if (failed) continue;
    try {
      for (int tx = 0; tx < count[0]; ++tx) {
        const Int3 position{tx, static_cast<int>(row % count[1]), static_cast<int>(row / count[1])};
        const std::uint64_t bits = mask(position) & box_mask(dimension, size, position);
        if (bits != 0) rows[row].push_back({bits, 0, position});
      }
      require(found += rows[row].size());
    } catch (...) {
      failed = true;
#pragma omp critical(fluvia_node_map_failure)
      if (!failure) failure = std::current_exception();
    }
  }
  if (failure) std::rethrow_exception(failure);

  std::uint64_t tile_count = 0;
  for (const auto& row : rows) tile_count += row.size();
  map.tiles.reserve(tile_count);
  for (auto& row : rows) {
    for (Tile& tile : row) {
      tile.first_node = map.fluid_nodes;
      map.fluid_nodes += std::popcount(tile.mask);
      map.directory[map.directory_index(tile.position)] = static_cast<std::uint32_t>(map.tiles.size());
      map.tiles.push_back(tile);
    }
    std::vector<Tile>().swap(row);  // an assignment of {} would keep its memory
  }
  if (map.fluid_nodes == 0) {
    throw_input("geometry: none of the " + format_size(size) +
                " nodes of the box is fluid; check the shapes, the unit of the files and which side is fluid");
  }
  return map;
}

void NodeMap::keep(const std::function<std::uint64_t(std::uint64_t tile)>& mask) {
  std::vector<Tile> kept;
  std::uint64_t fluid = 0;
  for (std::uint64_t t = 0; t < tiles.size(); ++t) {
    const std::uint64_t bits = mask(t);
    directory[directory_index(tiles[t].position)] = bits == 0 ? empty_tile : static_cast<std::uint32_t>(kept.size());
    if (bits == 0) continue;
    kept.push_back({bits, fluid, tiles[t].position});
    fluid += std::popcount(bits);
  }
  kept.shrink_to_fit();
  tiles = std::move(kept);
  fluid_nodes = fluid;
}

bool NodeMap::wrap(Int3& node) const {
  for (int axis = 0; axis < 3; ++axis) {
    if (node[axis] >= 0 && node[axis] < size[axis]) continue;
    if (!periodic[axis]) return false;
    node[axis] %= size[axis];
    if (node[axis] < 0) node[axis] += size[axis];
  }
  return true;
}

std::uint32_t NodeMap::tile_at(Int3 tile_position) const {
  for (int axis = 0; axis < 3; ++axis) {
    const int moved = tile_position[axis];
    tile_position[axis] = wrapped(moved, tiles_in_box[axis]);
    if (tile_position[axis] != moved && !periodic[axis]) return empty_tile;
  }
  return directory[directory_index(tile_position)];
}

namespace {

/// Where a node of the box is: divisions by numbers that the compiler knows, since this is asked for most of all.
struct TileBit {
  std::uint32_t tile;
  std::uint64_t bit;
};
template <int dimension>
TileBit find_node(const NodeMap& map, const Int3& node) {
  constexpr Int3 shape = tile_shape(dimension);
  const auto part = [&](int axis) { return static_cast<unsigned>(node[axis]) / static_cast<unsigned>(shape[axis]); };
  const auto local = [&](int axis) {
    return static_cast<int>(static_cast<unsigned>(node[axis]) % static_cast<unsigned>(shape[axis]));
  };
  const Int3 position{static_cast<int>(part(0)), static_cast<int>(part(1)), static_cast<int>(part(2))};
  return {map.directory[map.directory_index(position)],
          std::uint64_t{1} << tile_bit(dimension, {local(0), local(1), local(2)})};
}
TileBit find_node(const NodeMap& map, const Int3& node) {
  return map.dimension == 3 ? find_node<3>(map, node) : find_node<2>(map, node);
}

}  // namespace

bool NodeMap::is_fluid(Int3 node) const {
  if (!wrap(node)) return false;
  const TileBit at = find_node(*this, node);
  return at.tile != empty_tile && (tiles[at.tile].mask & at.bit) != 0;
}

std::int64_t NodeMap::node_index(Int3 node) const {
  if (!wrap(node)) return -1;
  const TileBit at = find_node(*this, node);
  if (at.tile == empty_tile) return -1;
  const Tile& tile = tiles[at.tile];
  if ((tile.mask & at.bit) == 0) return -1;
  return static_cast<std::int64_t>(tile.first_node + std::popcount(tile.mask & (at.bit - 1)));
}

}  // namespace fluvia
