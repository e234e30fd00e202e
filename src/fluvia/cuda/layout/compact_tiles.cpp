// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cuda/layout/compact_tiles.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "fluvia/cuda/kernels/halo.hpp"

namespace fluvia::cuda {
namespace {

using kernels::none;

/// Number of consecutive tiles within which inner and full ones come first.
constexpr std::uint32_t sorted_tiles = 128;

/// The tile that is `step` away from another, wrapped along periodic axes; empty_tile if there is none.
std::uint32_t tile_beside(const NodeMap& nodes, std::uint32_t tile, const Int3& step) {
  const Int3& p = nodes.tiles[tile].position;
  return nodes.tile_at({p[0] + step[0], p[1] + step[1], p[2] + step[2]});
}

/// Calls visit(step) for each neighbouring tile of kernels::tile_neighbour_bits, in the order of the bits.
template <class Visit>
void for_each_neighbour(std::uint32_t neighbour_bits, Visit&& visit) {
  for (std::uint32_t rest = neighbour_bits; rest; rest &= rest - 1) {
    const int at = std::countr_zero(rest);
    visit(Int3{at % 3 - 1, at / 3 % 3 - 1, at / 9 - 1});
  }
}

enum class TileClass : std::uint8_t { inner, full, porous };

std::vector<TileClass> classify(const NodeMap& nodes, std::uint32_t neighbour_bits) {
  std::vector<TileClass> classes(nodes.tiles.size());
  const auto is_full = [&](std::uint32_t tile) { return tile != empty_tile && ~nodes.tiles[tile].mask == 0; };
#pragma omp parallel for schedule(static)
  for (std::int64_t k = 0; k < static_cast<std::int64_t>(classes.size()); ++k) {
    const auto tile = static_cast<std::uint32_t>(k);
    bool inner = is_full(tile);
    classes[k] = inner ? TileClass::full : TileClass::porous;
    for_each_neighbour(neighbour_bits,
                       [&](const Int3& step) { inner = inner && is_full(tile_beside(nodes, tile, step)); });
    if (inner) classes[k] = TileClass::inner;
  }
  return classes;
}

/// Canonical tiles in the order of the sweep: layer by layer.
std::vector<std::uint32_t> sweep_order(const NodeMap& nodes, bool folded) {
  const auto count = static_cast<std::uint32_t>(nodes.tiles.size());
  const int sweep = nodes.dimension - 1, layers = nodes.tiles_in_box[sweep];
  std::vector<std::uint32_t> canonical;
  canonical.reserve(count);
  if (!folded || layers <= 2) {
    for (std::uint32_t t = 0; t < count; ++t) canonical.push_back(t);
    return canonical;
  }
  std::vector<std::vector<std::uint32_t>> layer(layers);
  for (std::uint32_t t = 0; t < count; ++t) layer[nodes.tiles[t].position[sweep]].push_back(t);
  for (int k = 0; k < layers; ++k) {
    const auto& next = layer[k % 2 == 0 ? k / 2 : layers - 1 - k / 2];
    canonical.insert(canonical.end(), next.begin(), next.end());
  }
  return canonical;
}

/// Record of a tile; `base` moves on to the next one's.
kernels::Tile make_record(const NodeMap& nodes, const NodeMap::Tile& tile, TileClass tile_class, std::uint64_t& base) {
  auto flags = static_cast<std::uint32_t>(std::popcount(tile.mask));
  if (tile_class == TileClass::inner) flags |= kernels::tile_is_inner;
  for (int axis = 0; axis < 3; ++axis) {
    if (!nodes.periodic[axis]) continue;
    if (tile.position[axis] == 0) flags |= kernels::tile_at_first(axis);
    if (tile.position[axis] == nodes.tiles_in_box[axis] - 1) flags |= kernels::tile_at_last(axis);
  }
  constexpr std::uint64_t alignment = kernels::full_tile_alignment;
  if (tile_class != TileClass::porous) base = (base + alignment - 1) / alignment * alignment;
  const kernels::Tile record{tile.mask, static_cast<std::uint32_t>(base), flags};
  base += flags & kernels::tile_count_bits;
  return record;
}

core::Uint32 box_index(const NodeMap& nodes, const Int3& x) {
  return core::box_index(static_cast<core::Uint32>(x[0]), static_cast<core::Uint32>(x[1]),
                         static_cast<core::Uint32>(x[2]), static_cast<core::Uint32>(nodes.size[0]),
                         static_cast<core::Uint32>(nodes.size[1]));
}

/// Whether blocks ask for their tiles before they look for what is around them.
bool prefetches_tiles(const Specification& s, std::uint64_t population_bytes) {
  const Prefetch& prefetch = kernels_of(s.scheme).prefetch;
  if (population_bytes < prefetch.least_bytes) return false;
  return nodes_per_thread(s) == 2 ? prefetch.pairs : prefetch.in_place && s.scheme.copies == 1;
}

}  // namespace

CompactArrays make_compact_arrays(const NodeMap& nodes, int directions, std::uint32_t neighbour_bits, bool folded,
                                  const TileRoles& roles) {
  CompactArrays arrays;
  const auto count = static_cast<std::uint32_t>(nodes.tiles.size());
  const Int3 shape = tile_shape(nodes.dimension);
  const std::vector<TileClass> classes = classify(nodes, neighbour_bits);
  arrays.canonical = sweep_order(nodes, folded);
  const auto role = [&](std::uint32_t tile) { return roles.empty() ? TileRole::interior : roles[tile]; };
  if (!roles.empty())
    std::stable_sort(arrays.canonical.begin(), arrays.canonical.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return role(a) < role(b); });
  for (std::uint32_t tile = 0; tile < count; ++tile) {
    arrays.border_end += role(tile) == TileRole::border ? 1 : 0;
    arrays.own_end += role(tile) != TileRole::halo ? 1 : 0;
  }
  for (std::uint32_t k = 0; k < count; k += sorted_tiles)
    std::stable_sort(arrays.canonical.begin() + k, arrays.canonical.begin() + std::min(count, k + sorted_tiles),
                     [&](std::uint32_t a, std::uint32_t b) {
                       return std::pair(role(a), classes[a]) < std::pair(role(b), classes[b]);
                     });
  arrays.order.resize(count);
  for (std::uint32_t k = 0; k < count; ++k) arrays.order[arrays.canonical[k]] = k;
  arrays.tiles.count = count;
  for (int axis = 0; axis < 3; ++axis) {
    arrays.tiles.last_local[axis] = static_cast<std::uint32_t>((nodes.size[axis] - 1) % shape[axis]);
    if (nodes.periodic[axis] && nodes.size[axis] % shape[axis] != 0 && axis < nodes.dimension) arrays.cut_tiles = true;
  }
  std::uint64_t base = 0;
  arrays.records.reserve(count);
  for (const std::uint32_t tile : arrays.canonical)
    arrays.records.push_back(make_record(nodes, nodes.tiles[tile], classes[tile], base));
  base = (base + kernels::full_tile_alignment - 1) / kernels::full_tile_alignment * kernels::full_tile_alignment;
  arrays.elements = base * directions;
  arrays.own_elements =
      arrays.own_end == count ? arrays.elements : std::uint64_t{arrays.records[arrays.own_end].base} * directions;
  const auto halo = [&]<int dimension>(kernels::Halo<dimension>) {
    for (int storage_index = 0; storage_index < kernels::Halo<dimension>::count; ++storage_index)
      arrays.halo.push_back(static_cast<std::uint16_t>(kernels::Halo<dimension>::entry(storage_index)));
  };
  nodes.dimension == 3 ? halo(kernels::Halo<3>{}) : halo(kernels::Halo<2>{});
  const int per_tile = std::popcount(neighbour_bits);
  arrays.neighbours.resize(static_cast<std::uint64_t>(count) * per_tile);
#pragma omp parallel for schedule(static)
  for (std::int64_t k = 0; k < static_cast<std::int64_t>(count); ++k) {
    std::uint32_t* out = arrays.neighbours.data() + k * per_tile;
    for_each_neighbour(neighbour_bits, [&](const Int3& step) {
      const std::uint32_t tile = tile_beside(nodes, arrays.canonical[k], step);
      *out++ = tile == empty_tile ? none : arrays.storage_index_of(tile);
    });
  }
  return arrays;
}

CompactTileLayout::CompactTileLayout(const NodeMap& nodes, Specification& s, const TileRoles& roles, bool folded)
    : threads_(static_cast<unsigned>(s.threads)),
      groups_(tiles_at_a_time(s)),
      copies_(static_cast<unsigned>(s.scheme.copies)) {
  const SpecificationFacts facts = facts_of(s);
  arrays_ = make_compact_arrays(nodes, facts.directions, facts.tile_neighbour_bits, folded, roles);
  s.cut_tiles = arrays_.cut_tiles;
  s.prefetches_tiles =
      prefetches_tiles(s, copies_ * arrays_.elements * static_cast<std::uint64_t>(facts.storage_bytes));
  slots_ = static_cast<std::uint64_t>(facts.directions);
  bytes_ = arrays_.records.size() * sizeof(kernels::Tile) + arrays_.neighbours.size() * sizeof(std::uint32_t) +
           arrays_.halo.size() * sizeof(std::uint16_t);
}

Layout::Extent CompactTileLayout::extent() const {
  return {copies_ * arrays_.elements, (copies_ - 1) * arrays_.elements};
}

/// Bytes to fetch: a slot of a full tile in 16 bits is 128 bytes, of which tiles above and below read 32.
std::size_t CompactTileLayout::fetch_bytes(int storage_bytes) const {
  if (storage_bytes != 2) return 64;
  const auto inner = std::count_if(arrays_.records.begin(), arrays_.records.end(), [](const kernels::Tile& tile) {
    return (tile.flags & kernels::tile_is_inner) != 0;
  });
  return static_cast<std::size_t>(inner) > arrays_.records.size() / 2 ? 32 : 64;
}

std::uint32_t CompactTileLayout::storage_index_of(const NodeMap&, std::uint64_t tile) const {
  return arrays_.storage_index_of(tile);
}

std::uint64_t CompactTileLayout::tile_at(const NodeMap&, std::uint64_t storage_index) const {
  return arrays_.canonical[storage_index];
}

std::uint64_t CompactTileLayout::wall_storage_indices() const {
  return arrays_.canonical.size() * kernels::nodes_per_tile;
}

std::uint64_t CompactTileLayout::wall_storage_index(const NodeMap& nodes, const Int3& x) const {
  const Int3 shape = tile_shape(nodes.dimension);
  const std::uint32_t tile =
      nodes.directory[nodes.directory_index({x[0] / shape[0], x[1] / shape[1], x[2] / shape[2]})];
  const int bit = tile_bit(nodes.dimension, {x[0] % shape[0], x[1] % shape[1], x[2] % shape[2]});
  return std::uint64_t{arrays_.storage_index_of(tile)} * kernels::nodes_per_tile + static_cast<std::uint64_t>(bit);
}

std::vector<std::uint32_t> CompactTileLayout::first_nodes(const NodeMap& nodes) const {
  std::vector<std::uint32_t> result;
  for (const std::uint32_t tile : arrays_.canonical)
    result.push_back(box_index(nodes, nodes.node_position(nodes.tiles[tile], 0)));
  return result;
}

void CompactTileLayout::place_arrays(ArrayStore& store) {
  arrays_.tiles.tiles = store.give(arrays_.records, "tiles");
  arrays_.tiles.neighbours = store.give(arrays_.neighbours, "neighbours of tiles");
  arrays_.tiles.halo = store.give(arrays_.halo, "halos of tiles");
  arrays_.records = {};
  arrays_.neighbours = {};
}

Argument CompactTileLayout::geometry(const StepAddresses& at) const {
  kernels::CompactTiles tiles = arrays_.tiles;
  tiles.source = at.source;
  tiles.target = at.target;
  tiles.end = tiles.count;
  return Argument(tiles);
}

void CompactTileLayout::append_step(const StepAddresses& at, StepShare share, Program& program) const {
  kernels::CompactTiles tiles = geometry(at).as<kernels::CompactTiles>();
  if (share != StepShare::all) {
    tiles.first = share == StepShare::border ? 0 : arrays_.border_end;
    tiles.end = share == StepShare::border ? arrays_.border_end : arrays_.own_end;
  }
  if (tiles.first == tiles.end) return;
  const std::uint32_t count = tiles.end - tiles.first;
  program.push_back({.shape = {{(count + groups_ - 1) / groups_}, {threads_}}, .geometry = Argument(tiles)});
}

}  // namespace fluvia::cuda
