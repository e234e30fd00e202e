// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cpu/storage/compact_links.hpp"

namespace fluvia::cpu {

/// Links a row: neighbours across an end of the segment mostly are stored right before or behind.
inline void CompactLinks::link_row(const CompactRows& rows, std::uint64_t mask, const Segment& there,
                                   std::uint64_t ends, int last, int neighbour, SegmentLinks& links) {
  const std::uint64_t left_adjoins = mask & ends & 1, right_adjoins = mask >> last & ends >> 1 & 1;
  const std::uint64_t left_fluid = mask & (ends | ends >> 2) & 1,
                      right_fluid = mask >> last & (ends >> 1 | ends >> 3) & 1;
  const std::uint64_t base = rows.base_of(there);
  const auto stride = static_cast<std::uint32_t>(there.block_nodes());
  const std::uint64_t to_left = there.mask << 1 | left_adjoins, to_right = there.mask >> 1 | right_adjoins << 63;
  links.set(neighbour, base - left_adjoins, to_left, mask & ~(to_left | left_fluid), stride);
  links.set(neighbour + 1, base, there.mask, mask & ~there.mask, stride);
  links.set(neighbour + 2, base + (there.mask & 1), to_right, mask & ~(to_right | right_fluid << last), stride);
}

int CompactLinks::find_links(const CompactRows& rows, std::uint32_t segment, const StepAccess& step,
                             SegmentLinks& links, EdgeLink* edges) {
  const std::uint64_t mask = rows.segments_[segment].mask;
  const Int3& size = rows.size_;
  const Bool3& periodic = rows.periodic_;
  const auto [row, column] = rows.by_columns_(rows.slots_[segment]);
  const auto [plane, row_of_plane] = rows.by_rows_(row);
  const int y = static_cast<int>(row_of_plane), z = static_cast<int>(plane);
  const int last = rows.width_of_column(column) - 1;
  int edge_count = 0;
  for (int dz = -1; dz <= 1; ++dz) {
    const int nz = wrapped(z + dz, size[2]);
    const bool has_plane = nz == z + dz || periodic[2];
    for (int dy = -1; dy <= 1; ++dy) {
      const int neighbour = StepAccess::neighbour(-1, dy, dz);
      if (!(step.rows >> (neighbour / 3) & 1)) continue;
      const int ny = wrapped(y + dy, size[1]);
      if (!has_plane || !(ny == y + dy || periodic[1])) {
        link_row(rows, mask, rows.segments_.back(), 0, last, neighbour, links);
        continue;
      }
      const std::uint64_t first = (ny + static_cast<std::uint64_t>(size[1]) * nz) * rows.columns_;
      const Segment& there = rows.segment_at(first + column);
      std::uint64_t ends = there.ends();
      // The segment without fluid is one for all rows, so it does not know what lies beside it.
      if (there.mask == 0 || ends >= Segment::left_apart)
        ends = find_edges(rows, mask, there, first, column, neighbour, edges, edge_count);
      link_row(rows, mask, there, ends, last, neighbour, links);
    }
  }
  return edge_count;
}

std::uint64_t CompactLinks::find_edges(const CompactRows& rows, std::uint64_t mask, const Segment& there,
                                       std::uint64_t first, std::uint32_t column, int neighbour, EdgeLink* edges,
                                       int& edge_count) {
  const int last = rows.width_of_column(column) - 1;
  std::uint64_t ends = there.ends();
  const auto add = [&](const Segment& beside, std::uint64_t lane, int bit, int number) {
    edges[edge_count++] = {rows.base_of(beside) + lane, static_cast<std::uint32_t>(beside.block_nodes()),
                           static_cast<std::int8_t>(bit), static_cast<std::int8_t>(number)};
  };
  if ((mask & 1) != 0 && (ends & Segment::left_adjoins) == 0)
    if (const Segment* const left = rows.segment_beside(first, column, -1)) {
      ends |= Segment::left_apart;
      add(*left, static_cast<std::uint64_t>(left->nodes()) - 1, 0, neighbour);
    }
  if ((mask >> last & 1) != 0 && (ends & Segment::right_adjoins) == 0)
    if (const Segment* const right = rows.segment_beside(first, column, 1)) {
      ends |= Segment::right_apart;
      add(*right, 0, last, neighbour + 2);
    }
  return ends;
}

// These loops go over all links at once, without branches and of one length, so that compilers make vectors of them.

void CompactLinks::link_chunk(const SegmentLinks& links, int first, int width, ChunkLinks& out) {
  const std::uint64_t here = lanes_below(width), below = lanes_below(first);
  for (int n = 0; n < most_links; ++n) out.there[n] = static_cast<std::uint16_t>(links.there[n] >> first & here);
  for (int n = 0; n < most_links; ++n) out.cut[n] = static_cast<std::uint16_t>(links.cut[n] >> first & here);
  for (int n = 0; n < most_links; ++n)
    out.offset[n] = links.offset[n] + static_cast<std::uint64_t>(std::popcount(links.there[n] & below));
  for (int n = 0; n < most_links; ++n) out.stride[n] = links.stride[n];
}

bool CompactLinks::are_runs(const ChunkLinks& links) {
  std::uint32_t shared = 0;
  for (int n = 0; n < most_links; ++n) {
    const std::uint32_t there = links.there[n];
    shared |= there & (there + (there & -there));  // what is added to a run ends behind it
  }
  return shared == 0;
}

void CompactLinks::begin_at_first_position(ChunkLinks& links) {
  for (int n = 0; n < most_links; ++n) {
    const std::uint64_t there = links.there[n] | std::uint64_t{1} << chunk_lanes;
    links.offset[n] -= static_cast<std::uint64_t>(std::popcount((there & -there) - 1));
  }
}

void CompactLinks::cut_chunks(std::uint64_t mask, const SegmentLinks& links, int& lane) {
  std::uint64_t whole = mask;
  for (int n = 0; n < most_links; ++n) whole &= links.there[n];
  const bool is_cut_at_runs = std::popcount(mask & ~(mask << 1)) <= most_runs;
  while (mask) {
    int first = std::countr_zero(mask), width = chunk_lanes;
    if (is_cut_at_runs)
      width = std::min(chunk_lanes, std::countr_one(mask >> first));
    else
      first = first / chunk_lanes * chunk_lanes;
    const std::uint64_t here = lanes_below(width) << first;
    const bool is_whole = width == chunk_lanes && (whole & here) == here;
    const int k = is_whole ? last_chunk - whole_chunks_++ : partial_chunks_++;
    ChunkLinks& out = links_[static_cast<std::size_t>(k)];
    link_chunk(links, first, width, out);
    Shape shape = Shape::scattered;
    if (is_whole) {
      shape = Shape::whole;
    } else if (is_cut_at_runs && are_runs(out)) {
      shape = Shape::run;
      begin_at_first_position(out);
    }
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
  links_.resize(group_lanes);
  edges_.clear();
  int lane = 0;
  SegmentLinks links = {};
  for (std::uint32_t s = first; s < end; ++s) {
    EdgeLink edges[18];
    const std::uint64_t mask = rows.segments_[s].mask;
    const int edge_count = find_links(rows, s, step, links, edges);
    for (int k = 0; k < edge_count; ++k)
      if (step.neighbours >> edges[k].neighbour & 1)
        edges_.push_back({edges[k].offset, edges[k].stride, static_cast<std::uint8_t>(edges[k].neighbour),
                          static_cast<std::uint8_t>(lane + std::popcount(mask & lanes_below(edges[k].bit)))});
    // Neighbours that no direction leads to shall not make a chunk less than whole.
    for (int n = 0; n < most_links; ++n) links.there[n] |= static_cast<std::uint64_t>(step.neighbours >> n & 1) - 1;
    cut_chunks(mask, links, lane);
  }
  is_whole_run_ = end - first == 1 && partial_chunks_ == 0;
}

}  // namespace fluvia::cpu
