// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cpu/storage/compact_rows.hpp"

namespace fluvia::cpu {

namespace {
template <class Vector, class Value>
Vector with(Vector vector, int axis, Value value) {
  vector[axis] = value;
  return vector;
}
}  // namespace

CompactRows::CompactRows(const NodeMap& nodes, const StreamingTable& streaming, bool layers_only)
    : stored_layers_(layers_only ? layers_with_nodes(nodes) : all_layers(nodes)),
      size_(with(nodes.size, stored_layers_.axis, stored_layers_.count)),
      periodic_(with(nodes.periodic, stored_layers_.axis, stored_layers_.periodic)),
      directions_(static_cast<std::uint64_t>(streaming.step[0].directions)),
      columns_((static_cast<std::uint64_t>(nodes.size[0]) + group_lanes - 1) / group_lanes),
      stored_nodes_(nodes.fluid_nodes),
      by_columns_(static_cast<std::uint32_t>(columns_)),
      by_rows_(static_cast<std::uint32_t>(size_[1])),
      axis_(stored_layers_.axis),
      layers_(size_[axis_]),
      rows_(axis_ == 1 ? static_cast<std::int64_t>(columns_) : size_[1]) {
  const Int3 shape = tile_shape(nodes.dimension);
  const std::uint64_t row_bits = lanes_below(shape[0]);
  // Rows of tiles never straddle segments: 64 is a multiple of their width.
  const auto for_each_tile_row = [&](auto&& body) {
    for (const NodeMap::Tile& tile : nodes.tiles)
      for (int r = 0; r < nodes_per_tile / shape[0]; ++r)
        if (const std::uint64_t bits = tile.mask >> (r * shape[0]) & row_bits)
          body(stored(nodes.node_position(tile, r * shape[0])), bits);
  };
  constexpr std::uint32_t no_segment = 0xffffffffu;
  directory_.assign(static_cast<std::uint64_t>(size_[1]) * size_[2] * columns_ + 1, no_segment);
  for_each_tile_row([&](const Int3& p, std::uint64_t) { directory_[segment_slot(p)] = 0; });
  std::uint32_t count = 0;
  for (std::uint32_t& entry : directory_)
    if (entry != no_segment) entry = count++;
  segments_.resize(count + 1);
  slots_.resize(count);
  for (std::uint64_t slot = 0; slot < directory_.size(); ++slot)
    if (directory_[slot] != no_segment)
      slots_[directory_[slot]] = static_cast<std::uint32_t>(slot);
    else
      directory_[slot] = count;
  for_each_tile_row([&](const Int3& p, std::uint64_t bits) {
    segments_[directory_[segment_slot(p)]].mask |= bits << (p[0] % group_lanes);
  });

  // Fill groups with whole segments, and blocks with whole groups. Groups end with the layer.
  std::uint64_t first_node = 0;
  std::uint32_t first_of_block = 0;
  int nodes_of_block = 0, nodes_of_group = 0;
  const auto end_block = [&](std::uint32_t end) {
    int lane = 0;
    for (; first_of_block < end; ++first_of_block) {
      const std::uint64_t mask = segments_[first_of_block].mask;
      segments_[first_of_block] = Segment(mask, first_node, lane, nodes_of_block);
      lane += std::popcount(mask);
    }
    first_node += static_cast<std::uint64_t>(nodes_of_block);
    nodes_of_block = 0;
  };
  for (std::uint32_t first = 0; first < count; nodes_of_block += nodes_of_group) {
    first_segment_.push_back(first);
    nodes_of_group = 0;
    std::uint32_t end = first;
    for (; end < count; ++end) {
      const int more = segments_[end].nodes();
      if (nodes_of_group + more > group_lanes) break;
      if (rows_ > 1 && row_of(end) / rows_ != row_of(first) / rows_) break;
      nodes_of_group += more;
    }
    rows_of_group_ = std::max(rows_of_group_, row_of(end - 1) - row_of(first) + 1);
    if (nodes_of_block + nodes_of_group > largest_block) end_block(first);
    first = end;
  }
  end_block(count);
  first_segment_.push_back(count);
  first_segment_.shrink_to_fit();
  find_ends();
}

void CompactRows::index_rows() {
  group_of_row_.resize(static_cast<std::size_t>(layers_ * rows_) + 1);
  for (std::size_t row = 0, group = 0; row < group_of_row_.size(); ++row) {
    while (group < count() && static_cast<std::size_t>(row_of(first_segment_[group])) < row) ++group;
    group_of_row_[row] = static_cast<std::uint32_t>(group);
  }
}

void CompactRows::find_ends() {
  for (std::size_t s = 0; s < slots_.size(); ++s) {
    const std::uint32_t column = by_columns_(slots_[s]).remainder, first = slots_[s] - column;
    Segment& here = segments_[s];
    std::uint64_t ends = 0;
    if (const Segment* const left = segment_beside(first, column, -1))
      ends |= left->adjoins(here) ? Segment::left_adjoins : Segment::left_apart;
    if (const Segment* const right = segment_beside(first, column, 1))
      ends |= here.adjoins(*right) && width_of_column(column) == group_lanes ? Segment::right_adjoins
                                                                             : Segment::right_apart;
    here.set_ends(ends);
  }
}

std::uint64_t CompactRows::bytes() const {
  return segments_.capacity() * sizeof(Segment) +
         (slots_.capacity() + directory_.capacity() + first_segment_.capacity() + group_of_row_.capacity()) *
             sizeof(std::uint32_t);
}

Int3 CompactRows::first_position(std::uint32_t segment) const {
  const auto [row, column] = by_columns_(slots_[segment]);
  const auto [plane, row_of_plane] = by_rows_(row);
  Int3 node = {static_cast<int>(column) * group_lanes, static_cast<int>(row_of_plane), static_cast<int>(plane)};
  node[axis_] = stored_layers_.in_box(node[axis_]);
  return node;
}

Int3 CompactRows::position(std::uint64_t group, int lane) const {
  std::uint32_t s = first_segment_[group];
  lane += segments_[s].first_lane();
  while (s + 1 < first_segment_[group + 1] && segments_[s + 1].first_lane() <= lane) ++s;
  const int bit =
      std::countr_zero(unpack_bits(std::uint64_t{1} << (lane - segments_[s].first_lane()), segments_[s].mask));
  Int3 node = first_position(s);
  node[0] += bit;
  return node;
}

void CompactRows::box_indices(std::uint64_t group, std::uint32_t (&out)[group_lanes]) const {
  std::uint32_t* next = out;
  for (std::uint32_t s = first_segment_[group]; s < first_segment_[group + 1]; ++s) {
    const Int3 node = first_position(s);  // of a box in 2D, z is 0
    const auto first = static_cast<std::uint32_t>(
        node[0] + static_cast<std::uint64_t>(size_[0]) * (node[1] + static_cast<std::uint64_t>(size_[1]) * node[2]));
    for (std::uint64_t rest = segments_[s].mask; rest != 0; rest &= rest - 1)
      *next++ = first + static_cast<std::uint32_t>(std::countr_zero(rest));
  }
}

void CompactRows::locate(const Int3& node, std::uint64_t& group, int& lane) const {
  const Int3 inside = stored(node);
  // The last entry is the segment for everything outside.
  const std::uint32_t s = inside[axis_] < size_[axis_] ? directory_[segment_slot(inside)] : directory_.back();
  group = static_cast<std::uint64_t>(std::upper_bound(first_segment_.begin(), first_segment_.end(), s) -
                                     first_segment_.begin()) -
          1;
  lane = segments_[s].first_lane() - segments_[first_segment_[group]].first_lane() +
         std::popcount(segments_[s].mask & lanes_below(node[0] % group_lanes));
}

void CompactRows::groups_of_tiles(const NodeMap& nodes, std::uint64_t first, std::uint64_t count,
                                  std::vector<std::uint64_t>& out) const {
  const Int3 shape = tile_shape(nodes.dimension);
  const std::size_t begin = out.size();
  for (std::uint64_t t = first; t < first + count; ++t)
    for (int r = 0; r < nodes_per_tile / shape[0]; ++r)
      if (nodes.tiles[t].mask >> (r * shape[0]) & lanes_below(shape[0])) {
        std::uint64_t group;
        int lane;
        // Any fluid node of the tile's row will do: they share a segment.
        const int bit = r * shape[0] + std::countr_zero(nodes.tiles[t].mask >> (r * shape[0]));
        locate(nodes.node_position(nodes.tiles[t], bit), group, lane);
        if (out.size() == begin || out.back() != group) out.push_back(group);
      }
  std::sort(out.begin() + static_cast<std::ptrdiff_t>(begin), out.end());
  out.erase(std::unique(out.begin() + static_cast<std::ptrdiff_t>(begin), out.end()), out.end());
}

}  // namespace fluvia::cpu
