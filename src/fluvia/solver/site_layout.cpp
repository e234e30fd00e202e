// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/site_layout.hpp"

#include <fmt/format.h>

#include <bit>
#include <optional>

#include "fluvia/base/error.hpp"

namespace fluvia {

namespace {

using core::no_site;

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

/// Sites in a row of core::HalfBox.
std::uint64_t half_row(const NodeMap& nodes) {
  return (static_cast<std::uint64_t>(nodes.size[0]) + 1) / 2;
}

/// The tile map of a scheme, core::Tiles: which tiles of an edge hold fluid, numbered in the order of the box of tiles.
struct TileMap {
  int edge;
  Int3 shape, in_box;
  std::vector<std::uint32_t> index, tiles;

  TileMap(const NodeMap& nodes, int edge_) : edge(edge_) {
    std::uint64_t count = 1;
    for (int axis = 0; axis < 3; ++axis) {
      shape[axis] = axis < nodes.dimension ? edge : 1;
      in_box[axis] = (nodes.size[axis] + shape[axis] - 1) / shape[axis];
      count *= static_cast<std::uint64_t>(in_box[axis]);
    }
    index.assign(count, no_site);
    for (const NodeMap::Tile& tile : nodes.tiles)
      for_each_node(nodes, tile, [&](const Int3& x, std::uint64_t) { index[number(x)] = 0; });
    for (std::uint64_t k = 0; k < count; ++k)
      if (index[k] != no_site) {
        index[k] = static_cast<std::uint32_t>(tiles.size());
        tiles.push_back(static_cast<std::uint32_t>(k));
      }
  }
  [[nodiscard]] std::uint64_t number(const Int3& x) const {
    const std::uint64_t row = x[1] / shape[1] + static_cast<std::uint64_t>(in_box[1]) * (x[2] / shape[2]);
    return x[0] / shape[0] + static_cast<std::uint64_t>(in_box[0]) * row;
  }
  [[nodiscard]] std::uint64_t nodes_of_tile() const {
    return static_cast<std::uint64_t>(shape[0]) * shape[1] * shape[2];
  }
  [[nodiscard]] std::uint64_t site(const Int3& x) const {
    const Int3 l = {x[0] % shape[0], x[1] % shape[1], x[2] % shape[2]};
    return index[number(x)] * nodes_of_tile() + static_cast<std::uint64_t>(l[0] + shape[0] * (l[1] + shape[1] * l[2]));
  }
};

SiteCount count_of(const NodeMap& nodes, const Scheme& scheme, int directions, const TileMap* map) {
  constexpr std::uint64_t word = sizeof(std::uint32_t);
  const std::uint64_t box = nodes.box_nodes(), fluid = nodes.fluid_nodes;
  switch (scheme.addressing) {
    case core::Addressing::tiles: {
      const std::uint64_t sites = map->tiles.size() * map->nodes_of_tile();
      return {sites, sites, sites + word * (map->index.size() + map->tiles.size())};
    }
    case core::Addressing::matrix:
      return {fluid, fluid, word * (fluid * static_cast<std::uint64_t>(directions - 1) + 3 * nodes.tiles.size())};
    case core::Addressing::fluid_index:
      return {box, fluid, word * box};
    case core::Addressing::half_box: {
      const std::uint64_t sites = half_row(nodes) * nodes.size[1] * nodes.size[2];
      return {sites, sites, sites};
    }
    default:
      return {box, box, box};
  }
}

/// Site at x + c_i of every fluid node, [direction - 1][site].
void fill_matrix(const NodeMap& nodes, const std::vector<Int3>& velocities, SiteLayout& layout) {
  const std::uint64_t stored = layout.count.stored;
  layout.index.resize(stored * (velocities.size() - 1));
  const auto tile_count = static_cast<std::int64_t>(nodes.tiles.size());
#pragma omp parallel for schedule(static)
  for (std::int64_t t = 0; t < tile_count; ++t)
    for_each_node(nodes, nodes.tiles[static_cast<std::size_t>(t)], [&](const Int3& x, std::uint64_t node) {
      for (std::size_t i = 1; i < velocities.size(); ++i) {
        const Int3& c = velocities[i];
        const std::int64_t there = nodes.node_index({x[0] + c[0], x[1] + c[1], x[2] + c[2]});
        layout.index[(i - 1) * stored + node] = there < 0 ? no_site : static_cast<std::uint32_t>(there);
      }
    });
  for (const NodeMap::Tile& tile : nodes.tiles) {
    layout.tiles.push_back(static_cast<std::uint32_t>(tile.mask));
    layout.tiles.push_back(static_cast<std::uint32_t>(tile.mask >> 32));
    layout.tiles.push_back(static_cast<std::uint32_t>(tile.first_node));
  }
}

}  // namespace

core::Sites SiteLayout::sites(const NodeMap& nodes) const {
  core::Sites sites{};
  for (int axis = 0; axis < 3; ++axis) {
    sites.size[axis] = static_cast<core::Uint32>(nodes.size[axis]);
    if (nodes.periodic[axis]) sites.periodic |= 1u << axis;
  }
  sites.places = static_cast<core::Uint32>(count.places);
  sites.stored = static_cast<core::Uint32>(count.stored);
  sites.types = types.data();
  sites.index = index.data();
  sites.tiles = tiles.data();
  return sites;
}

SiteCount count_sites(const NodeMap& nodes, const Scheme& scheme, int directions, int edge) {
  if (scheme.addressing != core::Addressing::tiles) return count_of(nodes, scheme, directions, nullptr);
  const TileMap map(nodes, edge);
  return count_of(nodes, scheme, directions, &map);
}

SiteLayout make_site_layout(const NodeMap& nodes, const Scheme& scheme, const std::vector<Int3>& velocities, int edge) {
  SiteLayout layout;
  layout.directions = static_cast<int>(velocities.size());
  std::optional<TileMap> map;
  if (scheme.addressing == core::Addressing::tiles) map.emplace(nodes, edge);
  layout.count = count_of(nodes, scheme, layout.directions, map ? &*map : nullptr);
  if (layout.count.places >= no_site)
    throw_resource(
        fmt::format("numerics.scheme: {} has at most 2^32 - 1 nodes, this domain needs {}; use a compact "
                    "scheme or a larger spacing",
                    scheme.name, layout.count.places));
  switch (scheme.addressing) {
    case core::Addressing::matrix:
      fill_matrix(nodes, velocities, layout);
      return layout;
    case core::Addressing::fluid_index:
      layout.index.assign(layout.count.places, no_site);
      for (const NodeMap::Tile& tile : nodes.tiles)
        for_each_node(nodes, tile, [&](const Int3& x, std::uint64_t node) {
          layout.index[row_number(nodes, x)] = static_cast<std::uint32_t>(node);
        });
      return layout;
    case core::Addressing::tiles:
      layout.types.assign(layout.count.places, 0);
      for (const NodeMap::Tile& tile : nodes.tiles)
        for_each_node(nodes, tile, [&](const Int3& x, std::uint64_t) { layout.types[map->site(x)] = 1; });
      layout.index = std::move(map->index);
      layout.tiles = std::move(map->tiles);
      return layout;
    case core::Addressing::half_box:
      layout.types.assign(layout.count.places, 0);
      for (const NodeMap::Tile& tile : nodes.tiles)
        for_each_node(nodes, tile, [&](const Int3& x, std::uint64_t) {
          layout.types[x[0] / 2 + half_row(nodes) * (x[1] + static_cast<std::uint64_t>(nodes.size[1]) * x[2])] = 1;
        });
      return layout;
    default:
      layout.types.assign(layout.count.places, 0);
      for (const NodeMap::Tile& tile : nodes.tiles)
        for_each_node(nodes, tile, [&](const Int3& x, std::uint64_t) { layout.types[row_number(nodes, x)] = 1; });
      return layout;
  }
}

}  // namespace fluvia
