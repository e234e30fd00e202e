// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cpu/row_groups.hpp"

namespace fluvia::cpu {

namespace {
constexpr int wrapped(int i, int n) {
  return i < 0 ? i + n : i >= n ? i - n : i;
}
}  // namespace

template <bool compact>
RowGroups<compact>::RowGroups(const NodeMap& nodes, int directions)
    : size_(nodes.size),
      periodic_(nodes.periodic),
      directions_(directions),
      blocks_((nodes.size[0] + group_lanes - 1) / group_lanes) {
  const std::uint64_t segments = static_cast<std::uint64_t>(size_[1]) * size_[2] * blocks_;
  const auto segment_of_node = [&](const Int3& p) {
    return (p[1] + static_cast<std::uint64_t>(size_[1]) * p[2]) * blocks_ + p[0] / group_lanes;
  };
  const Int3 shape = tile_shape(nodes.dimension);
  const std::uint64_t row_bits = lanes_below(shape[0]);
  // Rows of tiles never straddle segments: 64 is a multiple of their width.
  const auto for_each_tile_row = [&](auto&& body) {
    for (const NodeMap::Tile& tile : nodes.tiles)
      for (int r = 0; r < nodes_per_tile / shape[0]; ++r)
        if (const std::uint64_t bits = tile.mask >> (r * shape[0]) & row_bits)
          body(nodes.node_position(tile, r * shape[0]), bits);
  };
  if constexpr (compact) {
    directory_.assign(segments, no_group);
    for_each_tile_row([&](const Int3& p, std::uint64_t) { directory_[segment_of_node(p)] = 0; });
    for (std::uint64_t s = 0; s < segments; ++s)
      if (directory_[s] != no_group) {
        directory_[s] = static_cast<std::uint32_t>(places_.size());
        places_.push_back(static_cast<std::uint32_t>(s));
      }
    places_.shrink_to_fit();
    masks_.assign(places_.size(), 0);
  } else {
    masks_.assign(segments, 0);
  }
  for_each_tile_row(
      [&](const Int3& p, std::uint64_t bits) { masks_[group_at(segment_of_node(p))] |= bits << (p[0] % group_lanes); });
  stored_nodes_ = compact ? nodes.fluid_nodes : nodes.box_nodes();
  if constexpr (compact) {
    first_node_.resize(masks_.size());
    std::uint64_t before = 0;
    for (std::uint64_t g = 0; g < count(); ++g) {
      first_node_[g] = before;
      before += std::popcount(masks_[g]);
    }
  }
  interior_.assign(count(), 0);
  const int depth = nodes.dimension == 3 ? 1 : 0;
#pragma omp parallel for schedule(static)
  for (std::uint64_t group = 0; group < count(); ++group) {
    const Context context(*this, group);
    const std::uint64_t all = lanes_below(lanes(group));
    std::uint64_t fluid = masks_[group];
    for (int dz = -depth; dz <= depth && fluid == all; ++dz)
      for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx) fluid &= context.neighbours(dx, dy, dz);
    interior_[group] = fluid == all;
  }
}

template <bool compact>
std::uint64_t RowGroups<compact>::bytes() const {
  return masks_.capacity() * sizeof(masks_[0]) + interior_.capacity() + first_node_.capacity() * sizeof(std::uint64_t) +
         (places_.capacity() + directory_.capacity()) * sizeof(std::uint32_t);
}

template <bool compact>
Segment RowGroups<compact>::segment_of(std::uint64_t group) const {
  if constexpr (compact)
    return {masks_[group], first_node_[group] * directions_, static_cast<std::uint32_t>(std::popcount(masks_[group]))};
  const std::uint64_t row = group / blocks_, block = group % blocks_;
  const int n = lanes_of_block(block);
  return {lanes_below(n), (row * size_[0] + block * group_lanes) * directions_, static_cast<std::uint32_t>(n)};
}

template <bool compact>
void RowGroups<compact>::groups_of_tiles(const NodeMap& nodes, std::uint64_t first, std::uint64_t count,
                                         std::vector<std::uint64_t>& out) const {
  const Int3 shape = tile_shape(nodes.dimension);
  std::uint64_t t = first;
  while (t < first + count) {
    // A run of tiles with the same y and z covers some segments of each of its rows.
    std::uint64_t end = t;
    const Int3 begin = nodes.tiles[t].position;
    while (end < first + count && nodes.tiles[end].position[1] == begin[1] && nodes.tiles[end].position[2] == begin[2])
      ++end;
    const int last_x = std::min(nodes.tiles[end - 1].position[0] * shape[0] + shape[0], size_[0]) - 1;
    for (int z = begin[2] * shape[2]; z < std::min((begin[2] + 1) * shape[2], size_[2]); ++z)
      for (int y = begin[1] * shape[1]; y < std::min((begin[1] + 1) * shape[1], size_[1]); ++y) {
        const std::uint64_t row = y + static_cast<std::uint64_t>(size_[1]) * z;
        for (int block = begin[0] * shape[0] / group_lanes; block <= last_x / group_lanes; ++block)
          if (const std::uint64_t group = group_at(row * blocks_ + block); !compact || group != no_group)
            out.push_back(group);
      }
    t = end;
  }
}

template <bool compact>
RowGroups<compact>::Context::Context(const RowGroups& groups, std::uint64_t group)
    : groups_(&groups), mask_(groups.masks_[group]) {
  const Int3& n = groups.size_;
  const std::uint64_t place = groups.place(group), row = place / groups.blocks_;
  block_ = static_cast<int>(place % groups.blocks_);
  lanes_ = groups.lanes_of_block(block_);
  const int y = static_cast<int>(row % n[1]), z = static_cast<int>(row / n[1]);
  for (int dz = -1; dz <= 1; ++dz)
    for (int dy = -1; dy <= 1; ++dy) {
      const int ny = wrapped(y + dy, n[1]), nz = wrapped(z + dz, n[2]);
      const int k = 1 + dy + 3 * (1 + dz);
      rows_[k] = (ny + static_cast<std::uint64_t>(n[1]) * nz) * groups.blocks_;
      inside_[k] = (ny == y + dy || groups.periodic_[1]) && (nz == z + dz || groups.periodic_[2]);
      segments_[k] = groups.segment_at(rows_[k] + block_);
    }
  interior_ = groups.interior_[group] != 0;
}

template <bool compact>
std::uint64_t RowGroups<compact>::Context::neighbours(int dx, int dy, int dz) const {
  const int k = 1 + dy + 3 * (1 + dz);
  if (!inside_[k]) return 0;
  const std::uint64_t m = compact ? segments_[k].stored : groups_->masks_[rows_[k] + block_];
  if (dx == 0) return m;
  const int last = static_cast<int>(groups_->blocks_) - 1;
  const bool wraps = groups_->periodic_[0];
  const auto side = [&](int block) { return groups_->mask_at(rows_[k] + block); };
  if (dx < 0) {
    const int last_lane = (groups_->size_[0] - 1) % group_lanes;
    const std::uint64_t carry = block_ > 0 ? side(block_ - 1) >> 63 : wraps ? side(last) >> last_lane & 1 : 0;
    return (m << 1 | carry) & lanes_below(lanes_);
  }
  const std::uint64_t carry = block_ < last ? side(block_ + 1) & 1 : wraps ? side(0) & 1 : 0;
  return m >> 1 | carry << (lanes_ - 1);
}

template <bool compact>
std::uint64_t RowGroups<compact>::Context::element(int lane, int dx, int dy, int dz, int slot) const {
  const int x = wrapped(block_ * group_lanes + lane + dx, groups_->size_[0]);
  const int bit = x % group_lanes, block = x / group_lanes, k = 1 + dy + 3 * (1 + dz);
  const Segment s = block == block_ ? segments_[k] : groups_->segment_at(rows_[k] + block);
  const int rank = compact ? std::popcount(s.stored & lanes_below(bit)) : bit;
  return s.base + static_cast<std::uint64_t>(slot) * s.stride + rank;
}

template class RowGroups<false>;
template class RowGroups<true>;

}  // namespace fluvia::cpu
