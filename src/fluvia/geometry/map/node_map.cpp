// SPDX-License-Identifier: Apache-2.0
#include "fluvia/geometry/map/node_map.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <string>

#include "fluvia/base/error.hpp"
#include "fluvia/base/machine/memory.hpp"
#include "fluvia/base/parallel.hpp"

namespace fluvia {
namespace {

constexpr int largest_size = 1 << 20;

std::string format_size(const Int3& size) {
  return std::to_string(size[0]) + " x " + std::to_string(size[1]) + " x " + std::to_string(size[2]);
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

namespace {

/// Tiles of a row along x that hold fluid.
using Row = std::vector<NodeMap::Tile>;

Int3 count_tiles(int dimension, const Int3& size) {
  const Int3 shape = tile_shape(dimension);
  Int3 count{};
  for (int axis = 0; axis < 3; ++axis) count[axis] = (size[axis] + shape[axis] - 1) / shape[axis];
  return count;
}

/// The memory of a map while it is made, checked as more tiles turn out to hold fluid.
class Room {
 public:
  explicit Room(const NodeMap& map)
      : what_("domain: the geometry of " + format_size(map.size) + " nodes"),
        fixed_(static_cast<std::uint64_t>(map.tiles_in_box[1]) * map.tiles_in_box[2] *
               (map.tiles_in_box[0] * sizeof(map.directory[0]) + sizeof(Row))) {}
  /// Throws unless there are so many bytes for each of so many tiles.
  void require(std::uint64_t tiles, std::uint64_t bytes) const {
    const std::uint64_t needed = fixed_ + tiles * bytes;
    if (needed > available_) require_memory(needed, what_, "use a coarser spacing or fewer nodes", available_);
  }

 private:
  std::string what_;
  std::uint64_t fixed_, available_ = available_memory();
};

/// Fills rows of tiles along x, which are independent: each thread fills the rows that it is given.
std::vector<Row> fill_rows(const NodeMap& map, const NodeMap::MaskFunction& mask, std::uint64_t first_row,
                           std::uint64_t row_count, const Room& room) {
  const Int3 count = map.tiles_in_box;
  std::vector<Row> rows(row_count);
  std::atomic<std::uint64_t> found{0};
  for_each_in_parallel(static_cast<std::int64_t>(row_count), 8, [&](std::int64_t k) {
    const auto row = static_cast<std::int64_t>(first_row) + k;
    for (int tx = 0; tx < count[0]; ++tx) {
      const Int3 position{tx, static_cast<int>(row % count[1]), static_cast<int>(row / count[1])};
      const std::uint64_t bits = mask(position) & box_mask(map.dimension, map.size, position);
      if (bits != 0) rows[k].push_back({bits, 0, position});
    }
    room.require(found += rows[k].size(), 2 * sizeof(NodeMap::Tile));  // in their rows and, joined, in the map
  });
  return rows;
}

void append_tile(NodeMap& map, std::uint64_t mask, const Int3& position) {
  map.directory[map.directory_index(position)] = static_cast<std::uint32_t>(map.tiles.size());
  map.tiles.push_back({mask, map.fluid_nodes, position});
  map.fluid_nodes += std::popcount(mask);
}

/// Rows as a message for other members: how many tiles each has and which, and the masks of all.
Bytes packed_rows(const std::vector<Row>& rows) {
  std::vector<std::uint32_t> counts;
  std::vector<std::int32_t> places;
  std::vector<std::uint64_t> masks;
  for (const Row& row : rows) {
    counts.push_back(static_cast<std::uint32_t>(row.size()));
    for (const NodeMap::Tile& tile : row) {
      places.push_back(tile.position[0]);
      masks.push_back(tile.mask);
    }
  }
  return ByteWriter().put(counts).put(places).put(masks).take();
}

void append_rows(NodeMap& map, std::uint64_t first_row, const Bytes& packed) {
  ByteReader reader(packed);
  const auto counts = reader.get_all<std::uint32_t>();
  const auto places = reader.get_all<std::int32_t>();
  const auto masks = reader.get_all<std::uint64_t>();
  std::size_t k = 0;
  for (std::size_t r = 0; r < counts.size(); ++r) {
    const std::uint64_t row = first_row + r, width = map.tiles_in_box[1];
    for (std::uint32_t n = 0; n < counts[r]; ++n, ++k)
      append_tile(map, masks.at(k), {places.at(k), static_cast<int>(row % width), static_cast<int>(row / width)});
  }
}

}  // namespace

TileRange layers_of(const Communicator& communicator, int dimension, const Int3& tiles_in_box) {
  const Communicator::Share share = communicator.share_of(static_cast<std::uint64_t>(tiles_in_box[dimension - 1]));
  return {share.first, share.end};
}

NodeMap NodeMap::build(int dimension, const Int3& size, const Bool3& periodic, const MaskFunction& mask,
                       Communicator& communicator, const std::function<std::string()>& why_no_fluid) {
  check_size(dimension, size);
  NodeMap map;
  map.dimension = dimension;
  map.size = size;
  map.periodic = periodic;
  map.tiles_in_box = count_tiles(dimension, size);
  const Int3 count = map.tiles_in_box;
  const std::uint64_t total = static_cast<std::uint64_t>(count[1]) * count[2] * count[0];
  if (total >= empty_tile) {
    throw_input("domain: a box of " + format_size(size) + " nodes has " + std::to_string(total) +
                " tiles; at most 2^32 - 2 are possible");
  }
  const Room room(map);
  room.require(0, 0);
  const std::uint64_t rows_of_layer = dimension == 3 ? count[1] : 1;
  const TileRange layers = layers_of(communicator, dimension, count);
  std::vector<Row> rows = fill_rows(map, mask, rows_of_layer * layers.first, rows_of_layer * layers.count(), room);

  // Rows are joined in order, so the result depends neither on the number of threads nor on which member made them.
  map.directory.assign(total, empty_tile);
  std::uint64_t tile_count = 0, first_row = 0;
  for (const Row& row : rows) tile_count += row.size();
  if (communicator.count() == 1) {
    map.tiles.reserve(tile_count);
    for (Row& row : rows) {
      for (const Tile& tile : row) append_tile(map, tile.mask, tile.position);
      Row().swap(row);  // an assignment of {} would keep its memory
    }
  } else {
    Bytes own = packed_rows(rows);
    std::vector<Row>().swap(rows);
    communicator.sum({&tile_count, 1});
    room.require(tile_count, sizeof(Tile) + 3 * (sizeof(std::uint64_t) + sizeof(std::int32_t)));
    std::vector<Bytes> all = communicator.share(std::move(own));
    map.tiles.reserve(tile_count);
    for (Bytes& packed : all) {
      append_rows(map, first_row, packed);
      first_row += ByteReader(packed).get<std::uint64_t>();
      Bytes().swap(packed);
    }
  }
  if (map.fluid_nodes == 0) {
    throw_input("geometry: none of the " + format_size(size) + " nodes of the box is fluid" +
                (why_no_fluid ? why_no_fluid() : ""));
  }
  return map;
}

void NodeMap::hold_layers(const std::vector<bool>& layers) {
  const int axis = dimension - 1;
  const std::uint64_t per_layer = directory.size() / static_cast<std::uint64_t>(tiles_in_box[axis]);
  const auto layer_of = [&](std::uint64_t t) { return static_cast<std::size_t>(tiles[t].position[axis]); };
  std::vector<LocalList<std::uint32_t>::Interval> places;
  std::vector<LocalList<Tile>::Interval> numbers;
  std::uint64_t tile = 0;
  for (std::size_t layer = 0; layer < layers.size(); ++layer) {
    const std::uint64_t first = tile;
    while (tile < tiles.size() && layer_of(tile) == layer) ++tile;
    if (!layers[layer]) continue;
    if (places.empty() || places.back().end != layer * per_layer) {
      places.push_back({layer * per_layer, 0});
      if (numbers.empty() || numbers.back().end < first) numbers.push_back({first, 0});
    }
    places.back().end = (layer + 1) * per_layer;
    numbers.back().end = std::min<std::uint64_t>(tile + 1, tiles.size());
  }
  if (places.empty()) return;
  directory.hold(places);
  tiles.hold(numbers);
}

void NodeMap::keep(const std::function<std::uint64_t(std::uint64_t tile)>& mask) {
  LocalList<Tile> kept;
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

NodeMap::Landing NodeMap::land(const Int3& there) const {
  Landing landing{there, {1, 1, 1}, true};
  for (int axis = 0; axis < 3; ++axis) {
    int& at = landing.node[axis];
    const int n = size[axis];
    if (at >= 0 && at < n) continue;
    if (periodic[axis]) {
      at = (at % n + n) % n;
    } else if (mirrors[static_cast<std::size_t>(2 * axis + (at < 0 ? 0 : 1))]) {
      at = std::clamp(at < 0 ? -1 - at : 2 * n - 1 - at, 0, n - 1);
      landing.sign[static_cast<std::size_t>(axis)] = -1;
      landing.reflected = true;
    } else {
      landing.inside = false;
    }
  }
  return landing;
}

Int3 NodeMap::whole_size() const {
  Int3 whole = size;
  for (int axis = 0; axis < 3; ++axis)
    for (const int side : {0, 1})
      if (mirrors[static_cast<std::size_t>(2 * axis + side)]) whole[axis] = 2 * size[axis];
  return whole;
}

int NodeMap::longest_edge() const {
  const Int3 whole = whole_size();
  int longest = 0;
  for (int axis = 0; axis < dimension; ++axis) {
    const auto low = static_cast<std::size_t>(2 * axis);
    const bool ends = !periodic[axis] && !(mirrors[low] && mirrors[low + 1]);
    if (ends) longest = std::max(longest, whole[axis]);
  }
  return longest > 0 ? longest : *std::max_element(size.begin(), size.end());
}

bool NodeMap::is_mirrored_fluid(const Int3& there) const {
  const Landing landing = land(there);
  return landing.inside && landing.reflected && is_fluid(landing.node);
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

/// Position of a node of the box by divisions by constants, since it is asked for most of all.
template <int dimension>
NodeMap::Node find_node(const NodeMap& map, const Int3& node) {
  constexpr Int3 shape = tile_shape(dimension);
  const auto part = [&](int axis) { return static_cast<unsigned>(node[axis]) / static_cast<unsigned>(shape[axis]); };
  const auto local = [&](int axis) {
    return static_cast<int>(static_cast<unsigned>(node[axis]) % static_cast<unsigned>(shape[axis]));
  };
  const Int3 position{static_cast<int>(part(0)), static_cast<int>(part(1)), static_cast<int>(part(2))};
  return {map.directory[map.directory_index(position)],
          static_cast<std::uint8_t>(tile_bit(dimension, {local(0), local(1), local(2)}))};
}

}  // namespace

std::optional<NodeMap::Node> NodeMap::find_fluid(Int3 node) const {
  if (!wrap(node)) return {};
  const Node at = dimension == 3 ? find_node<3>(*this, node) : find_node<2>(*this, node);
  if (at.tile == empty_tile || (tiles[at.tile].mask >> at.bit & 1) == 0) return {};
  return at;
}

bool NodeMap::is_fluid(Int3 node) const {
  return find_fluid(node).has_value();
}

std::int64_t NodeMap::node_index(Int3 node) const {
  const std::optional<Node> at = find_fluid(node);
  if (!at) return -1;
  const Tile& tile = tiles[at->tile];
  return static_cast<std::int64_t>(tile.first_node) + std::popcount(tile.mask & ((std::uint64_t{1} << at->bit) - 1));
}

}  // namespace fluvia
