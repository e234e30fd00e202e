// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/published/index_map_arrays.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>

#include "fluvia/base/error.hpp"
#include "fluvia/core/published/typed_nodes.hpp"
#include "fluvia/solver/published/tile_map.hpp"

namespace fluvia {

namespace {

using core::no_index;

/// Calls body(position, canonical index) for every fluid node of a tile of the map.
template <class Body>
void for_each_node(const NodeMap& nodes, const NodeMap::Tile& tile, Body&& body) {
  std::uint64_t node = tile.first_node;
  for (std::uint64_t bits = tile.mask; bits != 0; bits &= bits - 1)
    body(nodes.node_position(tile, std::countr_zero(bits)), node++);
}

std::uint64_t row_number(const NodeMap& nodes, const Int3& x) {
  return x[0] + static_cast<std::uint64_t>(nodes.size[0]) * (x[1] + static_cast<std::uint64_t>(nodes.size[1]) * x[2]);
}

/// Stored nodes in a row of core::HalfBox.
std::uint64_t half_row(const NodeMap& nodes) {
  return (static_cast<std::uint64_t>(nodes.size[0]) + 1) / 2;
}

/// Number of a stored node of core::HalfBox.
std::uint64_t half_number(const NodeMap& nodes, const Int3& x) {
  return x[0] / 2 + half_row(nodes) * (x[1] + static_cast<std::uint64_t>(nodes.size[1]) * x[2]);
}

constexpr std::uint64_t word = sizeof(std::uint32_t);

void count_no_ghosts(const TileMap&, const std::vector<Int3>&, IndexMapCount&) {}

void count_cells(const TileMap& map, const std::vector<Int3>& velocities, IndexMapCount& count) {
  const GhostCellCount of_block = count_ghost_cells(map, velocities);
  count.ghosts.copies = 1;
  count.ghosts.size = of_block.values * map.tiles.size();
  for (std::size_t axes = 0; axes < 8; ++axes)
    count.ghosts.cells_across[axes] = of_block.cells[axes] * map.tiles.size();
}

void count_buffers(const TileMap& map, const std::vector<Int3>& velocities, IndexMapCount& count) {
  const GhostBufferMap buffers = map_ghost_buffers(map, velocities);
  count.ghosts.copies = 2;
  count.ghosts.size = buffers.buffers * map.nodes_of_tile() / static_cast<std::uint64_t>(map.shape[0]);
  count.bytes += word * buffers.indices.size();
}

std::vector<std::uint32_t> no_indices(const TileMap&, const std::vector<Int3>&) {
  return {};
}

std::vector<std::uint32_t> buffer_indices(const TileMap& map, const std::vector<Int3>& velocities) {
  return map_ghost_buffers(map, velocities).indices;
}

/// What comes from other tiles in a step that goes tile by tile.
struct TileGhosts {
  core::Stepping stepping;
  bool stores_all_tiles;  ///< tiles without fluid have storage, too
  void (*count)(const TileMap& map, const std::vector<Int3>& velocities, IndexMapCount& count);
  std::vector<std::uint32_t> (*indices)(const TileMap& map, const std::vector<Int3>& velocities);
};

constexpr TileGhosts tile_ghosts[] = {
    {core::Stepping::single, false, count_no_ghosts, no_indices},
    {core::Stepping::ghost_cells, true, count_cells, no_indices},
    {core::Stepping::ghost_buffers, false, count_buffers, buffer_indices},
};

const TileGhosts& ghosts_of(const Scheme& scheme) {
  return *std::find_if(std::begin(tile_ghosts), std::end(tile_ghosts) - 1,
                       [&](const TileGhosts& row) { return row.stepping == scheme.stepping; });
}

IndexMapCount count_tiles(const TileMap& map, const Scheme& scheme, const std::vector<Int3>& velocities) {
  IndexMapCount count;
  count.nodes_of_tile = static_cast<int>(map.nodes_of_tile());
  count.visited = count.stored = map.tiles.size() * map.nodes_of_tile();
  count.bytes = count.stored + word * (map.index.size() + map.tiles.size());
  count.ghosts.first = count.stored * velocities.size();
  ghosts_of(scheme).count(map, velocities, count);
  count.elements = count.ghosts.first + count.ghosts.size * static_cast<std::uint64_t>(count.ghosts.copies);
  return count;
}

TileMap map_tiles(const NodeMap& nodes, const Scheme& scheme, int edge) {
  return {nodes, edge, ghosts_of(scheme).stores_all_tiles};
}

/// Number of the stored node at x + c_i of every fluid node, [direction - 1][stored node].
void fill_matrix(const NodeMap& nodes, const std::vector<Int3>& velocities, IndexMapArrays& layout) {
  const std::uint64_t stored = layout.count.stored;
  layout.index.resize(stored * (velocities.size() - 1));
  const auto tile_count = static_cast<std::int64_t>(nodes.tiles.size());
#pragma omp parallel for schedule(static)
  for (std::int64_t t = 0; t < tile_count; ++t)
    for_each_node(nodes, nodes.tiles[static_cast<std::size_t>(t)], [&](const Int3& x, std::uint64_t node) {
      for (std::size_t i = 1; i < velocities.size(); ++i) {
        const Int3& c = velocities[i];
        const std::int64_t there = nodes.node_index({x[0] + c[0], x[1] + c[1], x[2] + c[2]});
        layout.index[(i - 1) * stored + node] = there < 0 ? no_index : static_cast<std::uint32_t>(there);
      }
    });
  for (const NodeMap::Tile& tile : nodes.tiles) {
    layout.tiles.push_back(static_cast<std::uint32_t>(tile.mask));
    layout.tiles.push_back(static_cast<std::uint32_t>(tile.mask >> 32));
    layout.tiles.push_back(static_cast<std::uint32_t>(tile.first_node));
  }
}

/// Numbers stored nodes row by row, as threads go through the box: what neighbouring threads access is side by side.
void number_in_rows(const NodeMap& nodes, const std::vector<Int3>&, IndexMapArrays& layout) {
  layout.index.assign(layout.count.visited, no_index);
  for (const NodeMap::Tile& tile : nodes.tiles)
    for_each_node(nodes, tile, [&](const Int3& x, std::uint64_t) { layout.index[row_number(nodes, x)] = 0; });
  std::uint32_t next = 0;
  for (std::uint32_t& stored_node : layout.index)
    if (stored_node != no_index) stored_node = next++;
}

/// The row of core::FullBox at (y,z), or with `stride` 2 of core::HalfBox.
struct TypedRow {
  std::ptrdiff_t first;  ///< number of its first stored node
  int x;                 ///< coordinate of that node
};
template <int stride>
TypedRow typed_row(const NodeMap& nodes, int y, int z) {
  const std::ptrdiff_t length = (nodes.size[0] + stride - 1) / stride;
  return {length * (y + std::ptrdiff_t{nodes.size[1]} * z), stride == 2 ? (y + z) % 2 : 0};
}

/// Which nodes of a row have fluid at the far ends of all links, none of which wraps. `fluid`: 0 or 1 for each stored
/// node.
template <int stride>
void look_for_fluid_around(const NodeMap& nodes, const std::vector<Int3>& velocities,
                           const std::vector<unsigned char>& fluid, int y, int z, std::vector<unsigned char>& row) {
  const TypedRow here = typed_row<stride>(nodes, y, z);
  const auto length = static_cast<std::ptrdiff_t>(row.size());
  std::copy_n(fluid.begin() + here.first, length, row.begin());
  for (const Int3& c : velocities) {
    const int there_y = y + c[1], there_z = z + c[2];
    if (there_y < 0 || there_z < 0 || there_y >= nodes.size[1] || there_z >= nodes.size[2]) {
      std::fill(row.begin(), row.end(), 0);
      return;
    }
    const TypedRow there = typed_row<stride>(nodes, there_y, there_z);
    const std::ptrdiff_t shift = (here.x + c[0] - there.x) / stride;
    const std::ptrdiff_t begin = std::clamp<std::ptrdiff_t>(-shift, 0, length),
                         end = std::clamp<std::ptrdiff_t>(length - shift, 0, length);
    std::fill(row.begin(), row.begin() + begin, 0);
    for (std::ptrdiff_t i = begin; i < end; ++i) row[i] &= fluid[there.first + i + shift];
    std::fill(row.begin() + end, row.end(), 0);
  }
}

/// A core::NodeType set per node of the box, or with `stride` 2 of the half box.
template <int stride>
void fill_types(const NodeMap& nodes, const std::vector<Int3>& velocities, IndexMapArrays& layout) {
  std::vector<unsigned char> fluid(layout.count.visited, 0);
  for (const NodeMap::Tile& tile : nodes.tiles)
    for_each_node(nodes, tile, [&](const Int3& x, std::uint64_t) {
      const TypedRow row = typed_row<stride>(nodes, x[1], x[2]);
      fluid[static_cast<std::size_t>(row.first + x[0] / stride)] = 1;
    });
  layout.types.resize(layout.count.visited);
#pragma omp parallel for collapse(2) schedule(static)
  for (int z = 0; z < nodes.size[2]; ++z)
    for (int y = 0; y < nodes.size[1]; ++y) {
      std::vector<unsigned char> amid(static_cast<std::size_t>((nodes.size[0] + stride - 1) / stride));
      look_for_fluid_around<stride>(nodes, velocities, fluid, y, z, amid);
      std::size_t stored_node = static_cast<std::size_t>(typed_row<stride>(nodes, y, z).first);
      for (const unsigned char is_amid : amid) {
        layout.types[stored_node] = static_cast<unsigned char>((fluid[stored_node] != 0 ? core::fluid_node : 0) |
                                                               (is_amid != 0 ? core::node_amid_fluid : 0));
        ++stored_node;
      }
    }
}

IndexMapCount count_box(const NodeMap& nodes, std::uint64_t) {
  const std::uint64_t box = nodes.box_nodes();
  return {.visited = box, .stored = box, .bytes = box};
}

IndexMapCount count_half_box(const NodeMap& nodes, std::uint64_t) {
  const std::uint64_t half = half_row(nodes) * nodes.size[1] * nodes.size[2];
  return {.visited = half, .stored = half, .bytes = half};
}

IndexMapCount count_matrix(const NodeMap& nodes, std::uint64_t directions) {
  const std::uint64_t fluid = nodes.fluid_nodes;
  return {.visited = fluid, .stored = fluid, .bytes = word * (fluid * (directions - 1) + 3 * nodes.tiles.size())};
}

IndexMapCount count_fluid_index(const NodeMap& nodes, std::uint64_t) {
  const std::uint64_t box = nodes.box_nodes();
  return {.visited = box, .stored = nodes.fluid_nodes, .bytes = word * box};
}

std::vector<std::uint32_t> nodes_of_matrix(const IndexMapArrays&, const NodeMap& nodes) {
  std::vector<std::uint32_t> result;
  for (const NodeMap::Tile& tile : nodes.tiles)
    for_each_node(nodes, tile, [&](const Int3& x, std::uint64_t) {
      result.push_back(static_cast<std::uint32_t>(row_number(nodes, x)));
    });
  return result;
}

std::vector<std::uint32_t> nodes_of_index(const IndexMapArrays& layout, const NodeMap&) {
  std::vector<std::uint32_t> result(layout.count.stored);
  for (std::uint32_t node = 0; node < layout.index.size(); ++node)
    if (layout.index[node] != no_index) result[layout.index[node]] = node;
  return result;
}

std::vector<std::uint32_t> told_by_number(const IndexMapArrays&, const NodeMap&) {
  return {};
}

std::uint64_t visit_in_box(const IndexMapArrays&, const NodeMap& nodes, const Int3& x) {
  return row_number(nodes, x);
}

std::uint64_t visit_in_half_box(const IndexMapArrays&, const NodeMap& nodes, const Int3& x) {
  return half_number(nodes, x);
}

std::uint64_t visit_in_matrix(const IndexMapArrays&, const NodeMap& nodes, const Int3& x) {
  return static_cast<std::uint64_t>(nodes.node_index(x));
}

std::uint64_t visit_in_tiles(const IndexMapArrays& layout, const NodeMap& nodes, const Int3& x) {
  std::uint64_t tile = 0, local = 0;
  for (int axis = nodes.dimension - 1; axis >= 0; --axis) {
    tile = tile * static_cast<std::uint64_t>((nodes.size[axis] + layout.edge - 1) / layout.edge) +
           static_cast<std::uint64_t>(x[axis] / layout.edge);
    local = local * static_cast<std::uint64_t>(layout.edge) + static_cast<std::uint64_t>(x[axis] % layout.edge);
  }
  return std::uint64_t{layout.index[tile]} * static_cast<std::uint64_t>(layout.count.nodes_of_tile) + local;
}

/// An index map. Tiles are counted and filled by a map of their own.
struct IndexMap {
  core::Addressing addressing;
  IndexMapCount (*count)(const NodeMap& nodes, std::uint64_t directions);
  void (*fill)(const NodeMap& nodes, const std::vector<Int3>& velocities, IndexMapArrays& layout);
  std::uint64_t (*visit)(const IndexMapArrays& layout, const NodeMap& nodes, const Int3& x);
  std::vector<std::uint32_t> (*nodes_of_stored)(const IndexMapArrays& layout, const NodeMap& nodes);
  bool looks_nodes_up = false;  ///< numbers of stored nodes are looked up by those of visited ones; else they are equal
  bool numbers_fluid_tiles = false;
};

constexpr IndexMap index_maps[] = {
    {core::Addressing::array_of_structures, count_box, fill_types<1>, visit_in_box, told_by_number},
    {core::Addressing::structure_of_arrays, count_box, fill_types<1>, visit_in_box, told_by_number},
    {core::Addressing::tiles, nullptr, nullptr, visit_in_tiles, told_by_number},
    {core::Addressing::matrix, count_matrix, fill_matrix, visit_in_matrix, nodes_of_matrix, false, true},
    {core::Addressing::fluid_index, count_fluid_index, number_in_rows, visit_in_box, nodes_of_index, true},
    {core::Addressing::half_box, count_half_box, fill_types<2>, visit_in_half_box, told_by_number},
};

const IndexMap& index_map(core::Addressing addressing) {
  for (const IndexMap& map : index_maps)
    if (map.addressing == addressing) return map;
  throw Error(ExitCode::internal, "no index map for this addressing");
}

bool has_tile_map(const Scheme& scheme) {
  return index_map(scheme.addressing).count == nullptr;
}

IndexMapCount count_nodes(const NodeMap& nodes, const Scheme& scheme, std::uint64_t directions) {
  IndexMapCount count = index_map(scheme.addressing).count(nodes, directions);
  count.elements = count.stored * directions;
  return count;
}

void fill_tiles(const NodeMap& nodes, const Scheme& scheme, const std::vector<Int3>& velocities, TileMap& map,
                IndexMapArrays& layout) {
  layout.types.assign(layout.count.visited, 0);
  for (const NodeMap::Tile& tile : nodes.tiles)
    for_each_node(nodes, tile, [&](const Int3& x, std::uint64_t) { layout.types[map.stored_node(x)] = 1; });
  layout.buffers = ghosts_of(scheme).indices(map, velocities);
  layout.index = std::move(map.index);
  layout.tiles = std::move(map.tiles);
}

}  // namespace

core::IndexTables IndexMapArrays::tables(const NodeMap& nodes, std::int64_t updates) const {
  core::IndexTables tables{};
  for (int axis = 0; axis < 3; ++axis) {
    tables.size[axis] = static_cast<core::Uint32>(nodes.size[axis]);
    if (nodes.periodic[axis]) tables.periodic |= 1u << axis;
  }
  tables.visited = static_cast<core::Uint32>(count.visited);
  tables.stored = static_cast<core::Uint32>(count.stored);
  tables.types = types.data();
  tables.index = index.data();
  tables.tiles = tiles.data();
  tables.buffers = buffers.data();
  count.ghosts.locate(tables, updates);
  return tables;
}

IndexMapCount count_index_map(const NodeMap& nodes, const Scheme& scheme, const std::vector<Int3>& velocities,
                              int edge) {
  if (!has_tile_map(scheme)) return count_nodes(nodes, scheme, velocities.size());
  return count_tiles(map_tiles(nodes, scheme, edge), scheme, velocities);
}

IndexMapArrays make_index_map_arrays(const NodeMap& nodes, const Scheme& scheme, const std::vector<Int3>& velocities,
                                     int edge) {
  IndexMapArrays layout;
  layout.addressing = scheme.addressing;
  layout.edge = edge;
  std::optional<TileMap> map;
  if (has_tile_map(scheme)) map.emplace(map_tiles(nodes, scheme, edge));
  layout.count = map ? count_tiles(*map, scheme, velocities) : count_nodes(nodes, scheme, velocities.size());
  const std::uint64_t numbered = std::max(layout.count.visited, layout.count.ghosts.cells());
  if (numbered >= no_index)
    throw_resource(
        fmt::format("numerics.scheme: {} has at most 2^32 - 2 nodes and ghost cells, this domain needs {}; "
                    "use a compact scheme or a larger spacing",
                    scheme.name, numbered));
  if (map)
    fill_tiles(nodes, scheme, velocities, *map, layout);
  else
    index_map(scheme.addressing).fill(nodes, velocities, layout);
  return layout;
}

bool numbers_fluid_tiles(const IndexMapArrays& layout) {
  return index_map(layout.addressing).numbers_fluid_tiles;
}

std::vector<std::uint32_t> nodes_of_stored(const IndexMapArrays& layout, const NodeMap& nodes) {
  return index_map(layout.addressing).nodes_of_stored(layout, nodes);
}

std::uint64_t visit_number(const IndexMapArrays& layout, const NodeMap& nodes, const Int3& x) {
  return index_map(layout.addressing).visit(layout, nodes, x);
}

std::uint64_t stored_node_of(const IndexMapArrays& layout, const NodeMap& nodes, const Int3& x) {
  const std::uint64_t visit = visit_number(layout, nodes, x);
  return index_map(layout.addressing).looks_nodes_up ? layout.index[visit] : visit;
}

}  // namespace fluvia
