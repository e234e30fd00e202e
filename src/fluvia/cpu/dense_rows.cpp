// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cpu/dense_rows.hpp"

namespace fluvia::cpu {

DenseRows::DenseRows(const NodeMap& nodes, int directions)
    : size_(nodes.size),
      periodic_(nodes.periodic),
      directions_(static_cast<std::uint64_t>(directions)),
      columns_((static_cast<std::uint64_t>(nodes.size[0]) + group_lanes - 1) / group_lanes),
      stored_nodes_(nodes.box_nodes()) {
  masks_.assign(static_cast<std::uint64_t>(size_[1]) * size_[2] * columns_, 0);
  const Int3 shape = tile_shape(nodes.dimension);
  for (const NodeMap::Tile& tile : nodes.tiles)
    for (int r = 0; r < nodes_per_tile / shape[0]; ++r)
      if (const std::uint64_t bits = tile.mask >> (r * shape[0]) & lanes_below(shape[0])) {
        std::uint64_t group;
        int lane;
        locate(nodes.node_position(tile, r * shape[0]), group, lane);
        masks_[group] |= bits << lane;  // rows of tiles never straddle segments
      }
  interior_.assign(count(), 0);
  const int depth = nodes.dimension == 3 ? 1 : 0;
#pragma omp parallel for schedule(static)
  for (std::uint64_t group = 0; group < count(); ++group) {
    Context context;
    context.open(*this, group, {});
    const std::uint64_t all = lanes_below(lanes(group));
    std::uint64_t fluid = masks_[group];
    for (int dz = -depth; dz <= depth && fluid == all; ++dz)
      for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx) fluid &= context.neighbours(dx, dy, dz);
    interior_[group] = fluid == all;
  }
}

void DenseRows::groups_of_tiles(const NodeMap& nodes, std::uint64_t first, std::uint64_t count,
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
        for (int column = begin[0] * shape[0] / group_lanes; column <= last_x / group_lanes; ++column)
          out.push_back(row * columns_ + column);
      }
    t = end;
  }
}

void DenseRows::Context::open(const DenseRows& rows, std::uint64_t group, const StepAccess&) {
  rows_ = &rows;
  mask_ = rows.masks_[group];
  interior_ = rows.interior_[group] != 0;
  const Int3& n = rows.size_;
  const std::uint64_t row = group / rows.columns_;
  column_ = static_cast<int>(group % rows.columns_);
  lanes_ = rows.lanes(group);
  const int y = static_cast<int>(row % n[1]), z = static_cast<int>(row / n[1]);
  for (int dz = -1; dz <= 1; ++dz)
    for (int dy = -1; dy <= 1; ++dy) {
      const int ny = wrapped(y + dy, n[1]), nz = wrapped(z + dz, n[2]);
      const int k = 1 + dy + 3 * (1 + dz);
      first_of_row_[k] = (ny + static_cast<std::uint64_t>(n[1]) * nz) * rows.columns_;
      inside_[k] = (ny == y + dy || rows.periodic_[1]) && (nz == z + dz || rows.periodic_[2]);
      bases_[k] = rows.first_element(first_of_row_[k] + column_);
    }
}

std::uint64_t DenseRows::Context::neighbours(int dx, int dy, int dz) const {
  const int k = 1 + dy + 3 * (1 + dz);
  if (!inside_[k]) return 0;
  const auto mask_of = [&](int column) { return rows_->masks_[first_of_row_[k] + column]; };
  const std::uint64_t m = mask_of(column_);
  if (dx == 0) return m;
  const int last = static_cast<int>(rows_->columns_) - 1;
  const bool wraps = rows_->periodic_[0];
  if (dx < 0) {
    const int last_lane = (rows_->size_[0] - 1) % group_lanes;
    const std::uint64_t carry = column_ > 0 ? mask_of(column_ - 1) >> 63 : wraps ? mask_of(last) >> last_lane & 1 : 0;
    return (m << 1 | carry) & lanes_below(lanes_);
  }
  const std::uint64_t carry = column_ < last ? mask_of(column_ + 1) & 1 : wraps ? mask_of(0) & 1 : 0;
  return m >> 1 | carry << (lanes_ - 1);
}

std::uint64_t DenseRows::Context::element(int lane, int dx, int dy, int dz, int slot) const {
  const int x = wrapped(column_ * group_lanes + lane + dx, rows_->size_[0]);
  const int column = x / group_lanes, k = 1 + dy + 3 * (1 + dz);
  const std::uint64_t base = column == column_ ? bases_[k] : rows_->first_element(first_of_row_[k] + column);
  return base + static_cast<std::uint64_t>(slot) * rows_->width_of_column(column) + x % group_lanes;
}

}  // namespace fluvia::cpu
