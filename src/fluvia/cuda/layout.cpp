// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cuda/layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "fluvia/base/error.hpp"
#include "fluvia/cuda/kernels/margin.hpp"

namespace fluvia::cuda {
namespace {

using kernels::none;
using kernels::segment_nodes;

constexpr std::uint64_t slot_padding = 64 * 37;

/// The fluid nodes of the box, one bit each, rows padded to 64.
class BitRows {
 public:
  explicit BitRows(const NodeMap& nodes)
      : nodes_(nodes), words_((static_cast<std::uint64_t>(nodes.size[0]) + 63) / 64) {
    bits_.assign(words_ * nodes.size[1] * nodes.size[2], 0);
    const Int3 shape = tile_shape(nodes.dimension);
    for (const NodeMap::Tile& tile : nodes.tiles)
      for (int r = 0; r < fluvia::nodes_per_tile / shape[0]; ++r) {
        const std::uint64_t row = tile.mask >> (r * shape[0]) & ((std::uint64_t{1} << shape[0]) - 1);
        if (row == 0) continue;
        const Int3 p = nodes.node_position(tile, r * shape[0]);
        bits_[row_of(p[1], p[2]) * words_ + p[0] / 64] |= row << (p[0] % 64);  // rows of tiles do not straddle words
      }
  }
  /// Bit of each of 32 nodes from x0 whose neighbour at (dx,dy,dz) is fluid.
  [[nodiscard]] std::uint32_t neighbours(int x0, int y, int z, const Int3& d) const {
    const int ny = wrapped(y + d[1], nodes_.size[1]), nz = wrapped(z + d[2], nodes_.size[2]);
    if ((ny != y + d[1] && !nodes_.periodic[1]) || (nz != z + d[2] && !nodes_.periodic[2])) return 0;
    const std::uint64_t row = row_of(ny, nz);
    const auto own = static_cast<std::uint32_t>(bits_[row * words_ + x0 / 64] >> (x0 % 64));
    if (d[0] == 0) return own;
    const int width = std::min(segment_nodes, nodes_.size[0] - x0);
    if (d[0] < 0) return own << 1 | bit(row, x0 - 1);
    return own >> 1 | bit(row, x0 + width) << (width - 1);
  }

 private:
  [[nodiscard]] std::uint64_t row_of(int y, int z) const { return y + static_cast<std::uint64_t>(nodes_.size[1]) * z; }
  [[nodiscard]] std::uint32_t bit(std::uint64_t row, int x) const {
    const int at = wrapped(x, nodes_.size[0]);
    if (at != x && !nodes_.periodic[0]) return 0;
    return static_cast<std::uint32_t>(bits_[row * words_ + at / 64] >> (at % 64) & 1);
  }
  const NodeMap& nodes_;
  std::uint64_t words_;
  std::vector<std::uint64_t> bits_;
};

}  // namespace

BoundaryLayout make_boundary_layout(const BoundarySetup& setup,
                                    const std::function<std::uint32_t(std::uint64_t)>& place_of) {
  const std::vector<NodeRecord> merged = node_records(setup);
  BoundaryLayout layout;
  layout.memory = memory_size(setup, merged);
  layout.links = changing_links(setup, merged);
  layout.records.reserve(merged.size());
  for (std::size_t k = 0; k < merged.size(); ++k) {
    const auto same_node = [&](std::size_t a, std::size_t b) {
      return merged[a].tile == merged[b].tile && merged[a].bit == merged[b].bit;
    };
    if (k == 0 || merged[k - 1].tile != merged[k].tile)
      layout.tiles.push_back({0, place_of(merged[k].tile), static_cast<std::uint32_t>(layout.first_records.size())});
    if (k == 0 || !same_node(k - 1, k)) {
      layout.tiles.back().mask |= std::uint64_t{1} << merged[k].bit;
      layout.first_records.push_back(static_cast<std::uint32_t>(k));
    }
    const bool is_last = k + 1 == merged.size() || !same_node(k, k + 1);
    layout.records.push_back({merged[k].links, merged[k].surface, is_last ? 1u : 0u});
  }
  std::sort(layout.tiles.begin(), layout.tiles.end(), [](const auto& a, const auto& b) { return a.place < b.place; });
  return layout;
}

DenseLayout make_dense_layout(const NodeMap& nodes, const std::vector<Int3>& velocities) {
  const Int3 n = nodes.size;
  DenseLayout layout;
  const auto row_words = static_cast<std::uint32_t>((n[0] + segment_nodes - 1) / segment_nodes);
  for (int axis = 0; axis < 3; ++axis) {
    layout.box.size[axis] = static_cast<std::uint32_t>(n[axis]);
    layout.box.tiles[axis] = static_cast<std::uint32_t>(nodes.tiles_in_box[axis]);
  }
  layout.box.row_words = row_words;
  const int pitch = row_pitch(n[0]);
  layout.box.pitch = static_cast<std::uint32_t>(pitch);
  const std::uint64_t elements = static_cast<std::uint64_t>(pitch) * n[1] * n[2];
  if (elements >> 32 != 0)
    throw_resource(
        fmt::format("numerics.scheme: a dense box on a GPU has at most 2^32 nodes, this one has {}; use a "
                    "compact scheme or a larger spacing",
                    elements));
  // So do slots, and not at a multiple of a power of two from each other: they would share the banks of memory.
  layout.stride = (elements + 63) / 64 * 64 + slot_padding;
  layout.elements = layout.stride * velocities.size();
  const BitRows rows(nodes);
  const std::int64_t row_count = static_cast<std::int64_t>(n[1]) * n[2];
  layout.segments.assign(static_cast<std::uint64_t>(row_count) * row_words, none);
  // First mark, then number, then fill: the last two follow the order of the rows whatever the number of threads.
#pragma omp parallel for schedule(static)
  for (std::int64_t row = 0; row < row_count; ++row)
    for (std::uint32_t s = 0; s < row_words; ++s) {
      const int x0 = static_cast<int>(s) * segment_nodes, y = static_cast<int>(row % n[1]),
                z = static_cast<int>(row / n[1]);
      const int width = std::min(segment_nodes, n[0] - x0);
      const std::uint32_t all = width == 32 ? 0xffffffffu : (1u << width) - 1;
      std::uint32_t fluid = all;
      for (const Int3& c : velocities) fluid &= rows.neighbours(x0, y, z, c);
      if (fluid != all) layout.segments[row * row_words + s] = 0;
    }
  std::uint32_t blocks = 0;
  for (std::uint32_t& segment : layout.segments)
    if (segment != none) segment = blocks++;
  layout.words.assign(static_cast<std::uint64_t>(blocks) * segment_nodes, 0);
#pragma omp parallel for schedule(static)
  for (std::int64_t row = 0; row < row_count; ++row)
    for (std::uint32_t s = 0; s < row_words; ++s) {
      const std::uint32_t block = layout.segments[row * row_words + s];
      if (block == none) continue;
      const int x0 = static_cast<int>(s) * segment_nodes, y = static_cast<int>(row % n[1]),
                z = static_cast<int>(row / n[1]);
      std::uint32_t* words = layout.words.data() + static_cast<std::uint64_t>(block) * segment_nodes;
      const std::uint32_t own = rows.neighbours(x0, y, z, {0, 0, 0});
      for (int lane = 0; lane < segment_nodes; ++lane)
        if ((own >> lane & 1u) == 0) words[lane] = kernels::not_fluid_bit;
      for (std::size_t i = 1; i < velocities.size(); ++i) {
        const Int3& c = velocities[i];
        std::uint32_t cut = own & ~rows.neighbours(x0, y, z, {-c[0], -c[1], -c[2]});
        for (; cut; cut &= cut - 1) words[std::countr_zero(cut)] |= 1u << i;
      }
    }
  return layout;
}

namespace {

/// Tiles within which inner and full ones come first.
constexpr std::uint32_t sorted_tiles = 128;

/// The tile that is `step` away from another, wrapped along periodic axes; empty_tile if there is none.
std::uint32_t tile_at(const NodeMap& nodes, std::uint32_t tile, const Int3& step) {
  Int3 position = nodes.tiles[tile].position;
  for (int axis = 0; axis < 3; ++axis) {
    const int moved = position[axis] + step[axis];
    position[axis] = wrapped(moved, nodes.tiles_in_box[axis]);
    if (position[axis] != moved && !nodes.periodic[axis]) return empty_tile;
  }
  return nodes.directory[nodes.directory_index(position)];
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
    for_each_neighbour(neighbour_bits, [&](const Int3& step) { inner = inner && is_full(tile_at(nodes, tile, step)); });
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

}  // namespace

CompactLayout make_compact_layout(const NodeMap& nodes, int directions, std::uint32_t neighbour_bits, bool folded) {
  CompactLayout layout;
  const auto count = static_cast<std::uint32_t>(nodes.tiles.size());
  const Int3 shape = tile_shape(nodes.dimension);
  const std::vector<TileClass> classes = classify(nodes, neighbour_bits);
  layout.canonical = sweep_order(nodes, folded);
  for (std::uint32_t k = 0; k < count; k += sorted_tiles)
    std::stable_sort(layout.canonical.begin() + k, layout.canonical.begin() + std::min(count, k + sorted_tiles),
                     [&](std::uint32_t a, std::uint32_t b) { return classes[a] < classes[b]; });
  layout.order.resize(count);
  for (std::uint32_t k = 0; k < count; ++k) layout.order[layout.canonical[k]] = k;
  layout.tiles.count = count;
  for (int axis = 0; axis < 3; ++axis) {
    layout.tiles.last_local[axis] = static_cast<std::uint32_t>((nodes.size[axis] - 1) % shape[axis]);
    if (nodes.periodic[axis] && nodes.size[axis] % shape[axis] != 0 && axis < nodes.dimension) layout.cut_tiles = true;
  }
  std::uint64_t base = 0;
  layout.records.reserve(count);
  for (const std::uint32_t tile : layout.canonical)
    layout.records.push_back(make_record(nodes, nodes.tiles[tile], classes[tile], base));
  base = (base + kernels::full_tile_alignment - 1) / kernels::full_tile_alignment * kernels::full_tile_alignment;
  layout.elements = base * directions;
  const auto margin = [&]<int dimension>(kernels::Margin<dimension>) {
    for (int place = 0; place < kernels::Margin<dimension>::count; ++place)
      layout.margin.push_back(static_cast<std::uint16_t>(kernels::Margin<dimension>::entry(place)));
  };
  nodes.dimension == 3 ? margin(kernels::Margin<3>{}) : margin(kernels::Margin<2>{});
  const int per_tile = std::popcount(neighbour_bits);
  layout.neighbours.resize(static_cast<std::uint64_t>(count) * per_tile);
#pragma omp parallel for schedule(static)
  for (std::int64_t k = 0; k < static_cast<std::int64_t>(count); ++k) {
    std::uint32_t* out = layout.neighbours.data() + k * per_tile;
    for_each_neighbour(neighbour_bits, [&](const Int3& step) {
      const std::uint32_t tile = tile_at(nodes, layout.canonical[k], step);
      *out++ = tile == empty_tile ? none : layout.place_of(tile);
    });
  }
  return layout;
}

SlidePlan plan_slide(const CompactLayout& layout, std::uint32_t teams, int least_log2) {
  const std::uint64_t count = layout.records.size();
  if (count == 0) return {};
  const std::size_t per_tile = layout.neighbours.size() / count;
  const auto end_of = [&](std::uint64_t tile) {
    return std::uint64_t{layout.records[tile].base} + (layout.records[tile].flags & kernels::tile_count_bits);
  };
  std::uint64_t reach = 0;  // nodes between a tile's begin and the far end of what it reads, either way
  for (std::uint64_t t = 0; t < count; ++t) {
    const std::uint64_t begin = layout.records[t].base, end = end_of(t);
    for (std::size_t k = 0; k < per_tile; ++k) {
      const std::uint32_t other = layout.neighbours[t * per_tile + k];
      if (other == none) continue;
      const std::uint64_t first = layout.records[other].base, last = end_of(other);
      reach = std::max({reach, first < begin ? begin - first : 0, last > end ? last - end : 0});
    }
  }
  SlidePlan plan;
  // Large enough that the blocks of a GPU do not wait for each other, then small beside the domain. The more tiles a
  // block updates, the less its guard weighs, and the more are on their way; small domains need all blocks they have.
  constexpr std::uint64_t tiles_for_rounds = std::uint64_t{1} << 16;
  const int most_log2 = teams > 4 ? 13 : 12;
  const int chunk_tiles_log2 =
      std::clamp(static_cast<int>(std::bit_width(count)) - 7, std::max(least_log2, std::countr_zero(teams)), most_log2);
  plan.rounds = count >= tiles_for_rounds ? 2 : 1;
  plan.block_tiles = teams * plan.rounds;
  plan.chunk_log2 = static_cast<std::uint32_t>(chunk_tiles_log2 - std::countr_zero(plan.block_tiles));
  const std::uint64_t chunk = std::uint64_t{1} << chunk_tiles_log2;
  std::uint64_t ahead = 0;  // nodes of two chunks
  for (std::uint64_t t = 0; t < count; ++t)
    ahead = std::max(ahead, end_of(std::min(count, t + 2 * chunk) - 1) - layout.records[t].base);
  // Beyond the whole array nothing overlaps any more.
  plan.shift = std::min(reach + ahead, end_of(count - 1));
  plan.shift = (plan.shift + 63) / 64 * 64;
  return plan;
}

std::uint64_t counter_bytes(const SlidePlan& plan, std::uint64_t tiles) {
  return ((plan.blocks(tiles) >> plan.chunk_log2) + 1) * kernels::slide_counters * kernels::slide_sector * 4;
}

}  // namespace fluvia::cuda
