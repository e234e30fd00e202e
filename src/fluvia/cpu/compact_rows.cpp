// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cpu/compact_rows.hpp"

namespace fluvia::cpu {

CompactRows::CompactRows(const NodeMap& nodes, const StreamingTable& streaming)
    : size_(nodes.size),
      periodic_(nodes.periodic),
      directions_(static_cast<std::uint64_t>(streaming.step[0].directions)),
      columns_((static_cast<std::uint64_t>(nodes.size[0]) + group_lanes - 1) / group_lanes),
      stored_nodes_(nodes.fluid_nodes) {
  const Int3 shape = tile_shape(nodes.dimension);
  const std::uint64_t row_bits = lanes_below(shape[0]);
  // Rows of tiles never straddle segments: 64 is a multiple of their width.
  const auto for_each_tile_row = [&](auto&& body) {
    for (const NodeMap::Tile& tile : nodes.tiles)
      for (int r = 0; r < nodes_per_tile / shape[0]; ++r)
        if (const std::uint64_t bits = tile.mask >> (r * shape[0]) & row_bits)
          body(nodes.node_position(tile, r * shape[0]), bits);
  };
  constexpr std::uint32_t no_segment = 0xffffffffu;
  directory_.assign(static_cast<std::uint64_t>(size_[1]) * size_[2] * columns_ + 1, no_segment);
  for_each_tile_row([&](const Int3& p, std::uint64_t) { directory_[place_of(p)] = 0; });
  std::uint32_t count = 0;
  for (std::uint32_t& entry : directory_)
    if (entry != no_segment) entry = count++;
  segments_.resize(count + 1);
  places_.resize(count);
  for (std::uint64_t place = 0; place < directory_.size(); ++place)
    if (directory_[place] != no_segment)
      places_[directory_[place]] = static_cast<std::uint32_t>(place);
    else
      directory_[place] = count;
  for_each_tile_row([&](const Int3& p, std::uint64_t bits) {
    segments_[directory_[place_of(p)]].mask |= bits << (p[0] % group_lanes);
  });

  // Fill groups with whole segments, and blocks with whole groups.
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
      const int more = std::popcount(segments_[end].mask);
      if (nodes_of_group + more > group_lanes) break;
      nodes_of_group += more;
    }
    if (nodes_of_block + nodes_of_group > largest_block) end_block(first);
    first = end;
  }
  end_block(count);
  first_segment_.push_back(count);
  first_segment_.shrink_to_fit();
}

std::uint64_t CompactRows::bytes() const {
  return segments_.capacity() * sizeof(Segment) +
         (places_.capacity() + directory_.capacity() + first_segment_.capacity()) * sizeof(std::uint32_t);
}

Int3 CompactRows::position(std::uint64_t group, int lane) const {
  std::uint32_t s = first_segment_[group];
  lane += segments_[s].first_lane();
  while (s + 1 < first_segment_[group + 1] && segments_[s + 1].first_lane() <= lane) ++s;
  const int bit =
      std::countr_zero(unpack_bits(std::uint64_t{1} << (lane - segments_[s].first_lane()), segments_[s].mask));
  const std::uint64_t row = places_[s] / columns_;
  return {static_cast<int>(places_[s] % columns_) * group_lanes + bit, static_cast<int>(row % size_[1]),
          static_cast<int>(row / size_[1])};
}

void CompactRows::box_indices(std::uint64_t group, std::uint32_t (&out)[group_lanes]) const {
  std::uint32_t* next = out;
  for (std::uint32_t s = first_segment_[group]; s < first_segment_[group + 1]; ++s) {
    const auto first = static_cast<std::uint32_t>(places_[s] / columns_ * static_cast<std::uint64_t>(size_[0]) +
                                                  places_[s] % columns_ * group_lanes);
    for (std::uint64_t rest = segments_[s].mask; rest != 0; rest &= rest - 1)
      *next++ = first + static_cast<std::uint32_t>(std::countr_zero(rest));
  }
}

void CompactRows::locate(const Int3& node, std::uint64_t& group, int& lane) const {
  const std::uint32_t s = directory_[place_of(node)];
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

inline void CompactRows::link_row(std::uint64_t mask, const Segment& there, const Segment& left, const Segment& right,
                                  int left_last, int last, int neighbour, Link* links, EdgeLink* edges,
                                  int& edge_count) const {
  // Neighbours across an end of the segment mostly are stored right before or behind.
  const auto nodes_field = [](const Segment& s) { return static_cast<std::uint64_t>(std::popcount(s.mask)) << 12; };
  const std::uint64_t left_fluid = mask & left.mask >> left_last & 1, right_fluid = mask >> last & right.mask & 1;
  const std::uint64_t left_adjoins = left_fluid & (left.packed + nodes_field(left) == there.packed ? 1 : 0);
  const std::uint64_t right_adjoins =
      right_fluid & (there.packed + nodes_field(there) == right.packed && last == group_lanes - 1 ? 1 : 0);
  const std::uint64_t base = base_of(there);
  const auto stride = static_cast<std::uint32_t>(there.block_nodes());
  const std::uint64_t to_left = there.mask << 1 | left_adjoins, to_right = there.mask >> 1 | right_adjoins << 63;
  links[neighbour] = {base - left_adjoins, to_left, mask & ~(to_left | left_fluid), stride};
  links[neighbour + 1] = {base, there.mask, mask & ~there.mask, stride};
  links[neighbour + 2] = {base + (there.mask & 1), to_right, mask & ~(to_right | right_fluid << last), stride};
  if (left_fluid != left_adjoins)
    edges[edge_count++] = {base_of(left) + static_cast<std::uint64_t>(std::popcount(left.mask)) - 1,
                           static_cast<std::uint32_t>(left.block_nodes()), 0, static_cast<std::int8_t>(neighbour)};
  if (right_fluid != right_adjoins)
    edges[edge_count++] = {base_of(right), static_cast<std::uint32_t>(right.block_nodes()),
                           static_cast<std::int8_t>(last), static_cast<std::int8_t>(neighbour + 2)};
}

int CompactRows::find_links(std::uint32_t segment, const StepAccess& step, Link* links, EdgeLink* edges) const {
  const std::uint64_t mask = segments_[segment].mask;
  const std::uint32_t place = places_[segment], columns = static_cast<std::uint32_t>(columns_);
  const std::uint32_t row = place / columns, column = place % columns;
  const int y = static_cast<int>(row % static_cast<std::uint32_t>(size_[1])),
            z = static_cast<int>(row / static_cast<std::uint32_t>(size_[1]));
  // Columns that a shift across the segment's ends leads to.
  const std::uint64_t outside = directory_.size() - 1;
  const bool has_left = column > 0 || periodic_[0], has_right = column + 1 < columns || periodic_[0];
  const std::uint32_t left = column > 0 ? column - 1 : columns - 1, right = column + 1 < columns ? column + 1 : 0;
  const int last = width_of_column(column) - 1, left_last = width_of_column(left) - 1;
  int edge_count = 0;
  for (int dz = -1; dz <= 1; ++dz)
    for (int dy = -1; dy <= 1; ++dy) {
      const int neighbour = StepAccess::neighbour(-1, dy, dz);
      if (!(step.rows >> (neighbour / 3) & 1)) continue;
      const int ny = wrapped(y + dy, size_[1]), nz = wrapped(z + dz, size_[2]);
      const bool inside = (ny == y + dy || periodic_[1]) && (nz == z + dz || periodic_[2]);
      const std::uint64_t first = (ny + static_cast<std::uint64_t>(size_[1]) * nz) * columns_;
      link_row(mask, segment_at(inside ? first + column : outside),
               segment_at(inside && has_left ? first + left : outside),
               segment_at(inside && has_right ? first + right : outside), left_last, last, neighbour, links, edges,
               edge_count);
    }
  return edge_count;
}

void CompactRows::Context::cut_chunks(std::uint64_t mask, const StepAccess& step, const Link* links, int& lane) {
  std::uint64_t whole = mask;
  for (int i = 1; i < directions_; ++i) whole &= links[step.neighbours[i]].there;
  const bool are_runs = std::popcount(mask & ~(mask << 1)) <= most_runs;
  while (mask) {
    int place = std::countr_zero(mask), width = chunk_lanes;
    if (are_runs)
      width = std::min(chunk_lanes, std::countr_one(mask >> place));
    else
      place = place / chunk_lanes * chunk_lanes;
    const std::uint64_t places = lanes_below(width) << place, below = lanes_below(place);
    const bool is_whole = width == chunk_lanes && (whole & places) == places;
    const int k = is_whole ? last_chunk - whole_chunks_++ : partial_chunks_++;
    ChunkLink* out = links_.data() + k * directions_;
    std::uint32_t all_runs = are_runs ? whole_chunk : 0;
    for (int i = 1; i < directions_; ++i) {
      const Link& link = links[step.neighbours[i]];
      const auto there = static_cast<std::uint32_t>((link.there & places) >> place);
      const std::uint32_t run_end = there + (there & -there);  // shares no bit with a run
      all_runs &= (there & run_end) == 0 ? whole_chunk : 0;
      out[i].offset = link.offset + static_cast<std::uint64_t>(std::popcount(link.there & below));
      out[i].stride = link.stride;
      out[i].there = static_cast<std::uint16_t>(there);
      out[i].cut = static_cast<std::uint16_t>((link.cut & places) >> place);
    }
    const Shape shape = is_whole ? Shape::whole : all_runs ? Shape::run : Shape::scattered;
    if (shape == Shape::run)
      for (int i = 1; i < directions_; ++i)
        out[i].offset -= static_cast<std::uint64_t>(std::countr_zero(out[i].there | 1u << chunk_lanes));
    const auto part = static_cast<std::uint16_t>((mask & places) >> place);
    chunks_[k] = {part, static_cast<std::uint8_t>(lane), shape};
    lane += std::popcount(part);
    mask &= ~places;
  }
}

void CompactRows::Context::open(const CompactRows& rows, std::uint64_t group, const StepAccess& step) {
  const std::uint32_t first = rows.first_segment_[group], end = rows.first_segment_[group + 1];
  nodes_ = rows.lanes(group);
  directions_ = step.directions;
  base_ = rows.base_of(rows.segments_[rows.first_segment_[group]]);
  stride_ = static_cast<std::uint64_t>(rows.segments_[first].block_nodes());
  partial_chunks_ = whole_chunks_ = 0;
  is_whole_run_ = false;
  if (step.local) return;
  links_.resize(static_cast<std::size_t>(group_lanes * directions_));
  edges_.clear();
  int lane = 0;
  for (std::uint32_t s = first; s < end; ++s) {
    Link links[27];
    EdgeLink edges[18];
    const std::uint64_t mask = rows.segments_[s].mask;
    const int edge_count = rows.find_links(s, step, links, edges);
    for (int k = 0; k < edge_count; ++k)
      for (int i = 1; i < directions_; ++i)
        if (step.neighbours[i] == edges[k].neighbour)
          edges_.push_back({edges[k].offset, edges[k].stride, static_cast<std::uint8_t>(i),
                            static_cast<std::uint8_t>(lane + std::popcount(mask & lanes_below(edges[k].place)))});
    cut_chunks(mask, step, links, lane);
  }
  is_whole_run_ = end - first == 1 && partial_chunks_ == 0;
}

}  // namespace fluvia::cpu
