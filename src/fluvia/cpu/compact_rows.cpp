// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cpu/compact_rows.hpp"

namespace fluvia::cpu {

namespace {
constexpr int wrapped(int i, int n) {
  return i < 0 ? i + n : i >= n ? i - n : i;
}
}  // namespace

CompactRows::CompactRows(const NodeMap& nodes, int directions)
    : size_(nodes.size),
      periodic_(nodes.periodic),
      directions_(static_cast<std::uint64_t>(directions)),
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
  directory_.assign(static_cast<std::uint64_t>(size_[1]) * size_[2] * columns_, no_segment);
  for_each_tile_row([&](const Int3& p, std::uint64_t) { directory_[place_of(p)] = 0; });
  std::uint32_t count = 0;
  for (std::uint32_t& entry : directory_)
    if (entry != no_segment) entry = count++;
  segments_.resize(count);
  places_.resize(count);
  for (std::uint64_t place = 0; place < directory_.size(); ++place)
    if (directory_[place] != no_segment) places_[directory_[place]] = static_cast<std::uint32_t>(place);
  for_each_tile_row([&](const Int3& p, std::uint64_t bits) {
    segments_[directory_[place_of(p)]].mask |= bits << (p[0] % group_lanes);
  });

  // Fill groups with whole segments.
  std::uint64_t first_node = 0;
  for (std::uint32_t first = 0; first < count;) {
    int nodes_of_group = 0;
    std::uint32_t end = first;
    for (; end < count; ++end) {
      const int more = std::popcount(segments_[end].mask);
      if (nodes_of_group + more > group_lanes) break;
      nodes_of_group += more;
    }
    first_segment_.push_back(first);
    int lane = 0;
    for (; first < end; ++first) {
      const std::uint64_t mask = segments_[first].mask;
      segments_[first] = Segment(mask, first_node, lane, nodes_of_group);
      lane += std::popcount(mask);
    }
    first_node += static_cast<std::uint64_t>(nodes_of_group);
  }
  first_segment_.push_back(count);
  first_segment_.shrink_to_fit();
}

std::uint64_t CompactRows::bytes() const {
  return segments_.capacity() * sizeof(Segment) +
         (places_.capacity() + directory_.capacity() + first_segment_.capacity()) * sizeof(std::uint32_t);
}

Int3 CompactRows::position(std::uint64_t group, int lane) const {
  std::uint32_t s = first_segment_[group];
  while (s + 1 < first_segment_[group + 1] && segments_[s + 1].first_lane() <= lane) ++s;
  const int bit =
      std::countr_zero(unpack_bits(std::uint64_t{1} << (lane - segments_[s].first_lane()), segments_[s].mask));
  const std::uint64_t row = places_[s] / columns_;
  return {static_cast<int>(places_[s] % columns_) * group_lanes + bit, static_cast<int>(row % size_[1]),
          static_cast<int>(row / size_[1])};
}

void CompactRows::locate(const Int3& node, std::uint64_t& group, int& lane) const {
  const std::uint32_t s = directory_[place_of(node)];
  group = static_cast<std::uint64_t>(std::upper_bound(first_segment_.begin(), first_segment_.end(), s) -
                                     first_segment_.begin()) -
          1;
  lane = segments_[s].first_lane() + std::popcount(segments_[s].mask & lanes_below(node[0] % group_lanes));
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

void CompactRows::find_links(std::uint32_t segment, const StepAccess& step, Link* links) const {
  const std::uint64_t mask = segments_[segment].mask, place = places_[segment];
  const std::uint64_t column = place % columns_, row = place / columns_;
  const int y = static_cast<int>(row % size_[1]), z = static_cast<int>(row / size_[1]);
  const int last_lane = width_of_column(column) - 1;
  const bool at_left = mask & 1, at_right = mask >> last_lane & 1;
  // Column that a shift across the segment's end leads to, or none.
  const std::uint64_t none = ~std::uint64_t{0};
  const std::uint64_t left = column > 0 ? column - 1 : periodic_[0] ? columns_ - 1 : none;
  const std::uint64_t right = column + 1 < columns_ ? column + 1 : periodic_[0] ? 0 : none;
  struct Row {
    Segment own, left, right;
    bool found = false;
  } rows[9];
  for (int i = 0; i < step.directions; ++i) {
    const int dx = step.c[i][0], dy = step.c[i][1], dz = step.c[i][2];
    Row& r = rows[4 + dy + 3 * dz];
    if (!r.found) {
      r.found = true;
      const int ny = wrapped(y + dy, size_[1]), nz = wrapped(z + dz, size_[2]);
      if ((ny == y + dy || periodic_[1]) && (nz == z + dz || periodic_[2])) {
        const std::uint64_t there = (ny + static_cast<std::uint64_t>(size_[1]) * nz) * columns_;
        r.own = segment_at(there + column);
        if (at_left && left != none) r.left = segment_at(there + left);
        if (at_right && right != none) r.right = segment_at(there + right);
      }
    }
    Link& link = links[i];
    link.base = base_of(r.own);
    link.stride = static_cast<std::uint32_t>(r.own.group_nodes());
    link.edge = -1;
    std::uint64_t lanes = mask & r.own.mask, theirs = lanes;
    if (dx < 0) {
      lanes = mask & r.own.mask << 1;
      theirs = lanes >> 1;
      if (at_left && r.left.mask >> (width_of_column(left) - 1) & 1) {
        link.edge = 0;
        link.edge_base = base_of(r.left) + std::popcount(r.left.mask) - 1;
        link.edge_stride = static_cast<std::uint32_t>(r.left.group_nodes());
      }
    } else if (dx > 0) {
      lanes = mask & r.own.mask >> 1;
      theirs = lanes << 1;
      if (at_right && r.right.mask & 1) {
        link.edge = static_cast<std::int8_t>(std::popcount(mask) - 1);
        link.edge_base = base_of(r.right);
        link.edge_stride = static_cast<std::uint32_t>(r.right.group_nodes());
      }
    }
    link.to = pack_bits(lanes, mask);
    link.from = pack_bits(theirs, r.own.mask);
    link.run = static_cast<std::int8_t>(is_run(link.to) && is_run(link.from) ? std::popcount(link.to) : 0);
  }
}

void CompactRows::Context::open(const CompactRows& rows, std::uint64_t group, const StepAccess& step) {
  const std::uint32_t first = rows.first_segment_[group], end = rows.first_segment_[group + 1];
  nodes_ = rows.lanes(group);
  base_ = rows.first_element(group);
  segments_.resize(step.local ? 0 : end - first);
  if (step.local) return;
  for (int i = 0; i < step.directions; ++i) cut_lanes_[i] = mask();
  for (std::uint32_t s = first; s < end; ++s) {
    SegmentLinks& links = segments_[s - first];
    links.first_lane = rows.segments_[s].first_lane();
    rows.find_links(s, step, links.links);
    for (int i = 0; i < step.directions; ++i) {
      const Link& link = links.links[i];
      const std::uint64_t linked = link.to | (link.edge >= 0 ? std::uint64_t{1} << link.edge : 0);
      cut_lanes_[i] &= ~(linked << links.first_lane);
    }
  }
}

}  // namespace fluvia::cpu
