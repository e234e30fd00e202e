// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cpu/compact_links.hpp"

namespace fluvia::cpu {

inline void CompactLinks::link_row(const CompactRows& rows, std::uint64_t mask, const Segment& there,
                                   const Segment& left, const Segment& right, int left_last, int last, int neighbour,
                                   Link* links, EdgeLink* edges, int& edge_count) {
  // Neighbours across an end of the segment mostly are stored right before or behind.
  const std::uint64_t left_fluid = mask & left.mask >> left_last & 1, right_fluid = mask >> last & right.mask & 1;
  const std::uint64_t left_adjoins = left_fluid & (left.adjoins(there) ? 1 : 0);
  const std::uint64_t right_adjoins = right_fluid & (there.adjoins(right) && last == group_lanes - 1 ? 1 : 0);
  const std::uint64_t base = rows.base_of(there);
  const auto stride = static_cast<std::uint32_t>(there.block_nodes());
  const std::uint64_t to_left = there.mask << 1 | left_adjoins, to_right = there.mask >> 1 | right_adjoins << 63;
  links[neighbour] = {base - left_adjoins, to_left, mask & ~(to_left | left_fluid), stride};
  links[neighbour + 1] = {base, there.mask, mask & ~there.mask, stride};
  links[neighbour + 2] = {base + (there.mask & 1), to_right, mask & ~(to_right | right_fluid << last), stride};
  if (left_fluid != left_adjoins)
    edges[edge_count++] = {rows.base_of(left) + static_cast<std::uint64_t>(left.nodes()) - 1,
                           static_cast<std::uint32_t>(left.block_nodes()), 0, static_cast<std::int8_t>(neighbour)};
  if (right_fluid != right_adjoins)
    edges[edge_count++] = {rows.base_of(right), static_cast<std::uint32_t>(right.block_nodes()),
                           static_cast<std::int8_t>(last), static_cast<std::int8_t>(neighbour + 2)};
}

int CompactLinks::find_links(const CompactRows& rows, std::uint32_t segment, const StepAccess& step, Link* links,
                             EdgeLink* edges) {
  const std::uint64_t mask = rows.segments_[segment].mask;
  const Int3& size = rows.size_;
  const Bool3& periodic = rows.periodic_;
  const auto columns = static_cast<std::uint32_t>(rows.columns_);
  const std::uint32_t slot = rows.slots_[segment];
  const std::uint32_t row = slot / columns, column = slot % columns;
  const int y = static_cast<int>(row % static_cast<std::uint32_t>(size[1])),
            z = static_cast<int>(row / static_cast<std::uint32_t>(size[1]));
  // Columns that a shift across the segment's ends leads to.
  const std::uint64_t outside = rows.directory_.size() - 1;
  const bool has_left = column > 0 || periodic[0], has_right = column + 1 < columns || periodic[0];
  const std::uint32_t left = column > 0 ? column - 1 : columns - 1, right = column + 1 < columns ? column + 1 : 0;
  const int last = rows.width_of_column(column) - 1, left_last = rows.width_of_column(left) - 1;
  int edge_count = 0;
  for (int dz = -1; dz <= 1; ++dz)
    for (int dy = -1; dy <= 1; ++dy) {
      const int neighbour = StepAccess::neighbour(-1, dy, dz);
      if (!(step.rows >> (neighbour / 3) & 1)) continue;
      const int ny = wrapped(y + dy, size[1]), nz = wrapped(z + dz, size[2]);
      const bool inside = (ny == y + dy || periodic[1]) && (nz == z + dz || periodic[2]);
      const std::uint64_t first = (ny + static_cast<std::uint64_t>(size[1]) * nz) * columns;
      link_row(rows, mask, rows.segment_at(inside ? first + column : outside),
               rows.segment_at(inside && has_left ? first + left : outside),
               rows.segment_at(inside && has_right ? first + right : outside), left_last, last, neighbour, links, edges,
               edge_count);
    }
  return edge_count;
}

void CompactLinks::cut_chunks(std::uint64_t mask, const StepAccess& step, const Link* links, int& lane) {
  std::uint64_t whole = mask;
  for (int i = 1; i < directions_; ++i) whole &= links[step.neighbours[i]].there;
  const bool are_runs = std::popcount(mask & ~(mask << 1)) <= most_runs;
  while (mask) {
    int first = std::countr_zero(mask), width = chunk_lanes;
    if (are_runs)
      width = std::min(chunk_lanes, std::countr_one(mask >> first));
    else
      first = first / chunk_lanes * chunk_lanes;
    const std::uint64_t here = lanes_below(width) << first, below = lanes_below(first);
    const bool is_whole = width == chunk_lanes && (whole & here) == here;
    const int k = is_whole ? last_chunk - whole_chunks_++ : partial_chunks_++;
    ChunkLink* out = links_.data() + k * directions_;
    std::uint32_t all_runs = are_runs ? whole_chunk : 0;
    for (int i = 1; i < directions_; ++i) {
      const Link& link = links[step.neighbours[i]];
      const auto there = static_cast<std::uint32_t>((link.there & here) >> first);
      const std::uint32_t run_end = there + (there & -there);  // shares no bit with a run
      all_runs &= (there & run_end) == 0 ? whole_chunk : 0;
      out[i].offset = link.offset + static_cast<std::uint64_t>(std::popcount(link.there & below));
      out[i].stride = link.stride;
      out[i].there = static_cast<std::uint16_t>(there);
      out[i].cut = static_cast<std::uint16_t>((link.cut & here) >> first);
    }
    const Shape shape = is_whole ? Shape::whole : all_runs ? Shape::run : Shape::scattered;
    if (shape == Shape::run)
      for (int i = 1; i < directions_; ++i)
        out[i].offset -= static_cast<std::uint64_t>(std::countr_zero(out[i].there | 1u << chunk_lanes));
    const auto part = static_cast<std::uint16_t>((mask & here) >> first);
    chunks_[k] = {part, static_cast<std::uint8_t>(lane), shape};
    lane += std::popcount(part);
    mask &= ~here;
  }
}

void CompactLinks::open(const CompactRows& rows, std::uint64_t group, const StepAccess& step) {
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
    const int edge_count = find_links(rows, s, step, links, edges);
    for (int k = 0; k < edge_count; ++k)
      for (int i = 1; i < directions_; ++i)
        if (step.neighbours[i] == edges[k].neighbour)
          edges_.push_back({edges[k].offset, edges[k].stride, static_cast<std::uint8_t>(i),
                            static_cast<std::uint8_t>(lane + std::popcount(mask & lanes_below(edges[k].bit)))});
    cut_chunks(mask, step, links, lane);
  }
  is_whole_run_ = end - first == 1 && partial_chunks_ == 0;
}

}  // namespace fluvia::cpu
