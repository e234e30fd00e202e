// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cpu/dense_groups.hpp"

namespace fluvia::cpu {

namespace {
constexpr int wrapped(int i, int n) { return i < 0 ? i + n : i >= n ? i - n : i; }
}  // namespace

DenseGroups::DenseGroups(const NodeMap& nodes, int directions)
    : size_(nodes.size),
      periodic_(nodes.periodic),
      directions_(directions),
      blocks_((nodes.size[0] + group_nodes - 1) / group_nodes),
      box_nodes_(nodes.box_nodes()) {
  const std::uint64_t rows = static_cast<std::uint64_t>(size_[1]) * size_[2];
  masks_.assign(rows * blocks_, 0);
  for (const NodeMap::Tile& tile : nodes.tiles)
    for (std::uint64_t bits = tile.mask; bits; bits &= bits - 1) {
      std::uint64_t group;
      int lane;
      locate(nodes.node_position(tile, __builtin_ctzll(bits)), group, lane);
      masks_[group] |= std::uint64_t{1} << lane;
    }
  interior_.assign(masks_.size(), 0);
#pragma omp parallel for schedule(static)
  for (std::uint64_t group = 0; group < count(); ++group) {
    const Context context(*this, group);
    const int n = lanes(group);
    const std::uint64_t all = n == group_nodes ? ~std::uint64_t{0} : (std::uint64_t{1} << n) - 1;
    std::uint64_t fluid = masks_[group];
    for (int dz = -1; dz <= 1 && fluid == all; ++dz)
      for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx) fluid &= context.neighbours(dx, dy, dz);
    interior_[group] = fluid == all;
  }
}

void DenseGroups::groups_of_tiles(const NodeMap& nodes, std::uint64_t first, std::uint64_t count,
                                  std::vector<std::uint64_t>& out) const {
  const Int3 shape = tile_shape(nodes.dimension);
  std::uint64_t t = first;
  while (t < first + count) {
    // A run of tiles with the same y and z covers some blocks of each of its rows.
    std::uint64_t end = t;
    const Int3 begin = nodes.tiles[t].position;
    while (end < first + count && nodes.tiles[end].position[1] == begin[1] && nodes.tiles[end].position[2] == begin[2]) ++end;
    const int last_x = std::min(nodes.tiles[end - 1].position[0] * shape[0] + shape[0] - 1, size_[0] - 1);
    for (int z = begin[2] * shape[2]; z < std::min((begin[2] + 1) * shape[2], size_[2]); ++z)
      for (int y = begin[1] * shape[1]; y < std::min((begin[1] + 1) * shape[1], size_[1]); ++y) {
        const std::uint64_t row = y + static_cast<std::uint64_t>(size_[1]) * z;
        for (int block = begin[0] * shape[0] / group_nodes; block <= last_x / group_nodes; ++block)
          out.push_back(row * blocks_ + block);
      }
    t = end;
  }
}

DenseGroups::Context::Context(const DenseGroups& groups, std::uint64_t group)
    : groups_(groups), block_(group % groups.blocks_), mask_(groups.masks_[group]) {
  const Int3& n = groups.size_;
  const std::uint64_t row = group / groups.blocks_;
  const int y = static_cast<int>(row % n[1]), z = static_cast<int>(row / n[1]);
  x_ = static_cast<int>(block_) * group_nodes;
  lanes_ = std::min(group_nodes, n[0] - x_);
  box_lanes_ = lanes_ == group_nodes ? ~std::uint64_t{0} : (std::uint64_t{1} << lanes_) - 1;
  for (int dz = -1; dz <= 1; ++dz)
    for (int dy = -1; dy <= 1; ++dy) {
      const int ny = wrapped(y + dy, n[1]), nz = wrapped(z + dz, n[2]);
      const int k = 1 + dy + 3 * (1 + dz);
      rows_[k] = ny + static_cast<std::uint64_t>(n[1]) * nz;
      inside_[k] = (ny == y + dy || groups.periodic_[1]) && (nz == z + dz || groups.periodic_[2]);
    }
  interior_ = groups.interior_[group] != 0;
}

std::uint64_t DenseGroups::Context::neighbours(int dx, int dy, int dz) const {
  const int k = 1 + dy + 3 * (1 + dz);
  if (!inside_[k]) return 0;
  const std::uint64_t* row = groups_.masks_.data() + rows_[k] * groups_.blocks_;
  const std::uint64_t m = row[block_];
  if (dx == 0) return m;
  const std::uint64_t last = groups_.blocks_ - 1;
  const bool wraps = groups_.periodic_[0];
  if (dx < 0) {
    const int last_lane = (groups_.size_[0] - 1) % group_nodes;
    const std::uint64_t carry = block_ > 0 ? row[block_ - 1] >> 63 : wraps ? row[last] >> last_lane & 1 : 0;
    return (m << 1 | carry) & box_lanes_;
  }
  const std::uint64_t carry = block_ < last ? row[block_ + 1] & 1 : wraps ? row[0] & 1 : 0;
  return m >> 1 | carry << (lanes_ - 1);
}

std::uint64_t DenseGroups::Context::element(int lane, int dx, int dy, int dz, int slot) const {
  const int x = wrapped(x_ + lane + dx, groups_.size_[0]);
  const int block_x = x / group_nodes * group_nodes;
  const int width = std::min(group_nodes, groups_.size_[0] - block_x);
  return (rows_[1 + dy + 3 * (1 + dz)] * groups_.size_[0] + block_x) * groups_.directions_ +
         static_cast<std::uint64_t>(slot) * width + (x - block_x);
}

}  // namespace fluvia::cpu
