// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cpu/storage/dense_rows.hpp"

namespace fluvia::cpu {

DenseRows::DenseRows(const NodeMap& nodes, const StreamingTable& streaming, bool layers_only)
    : layers_(layers_only ? layers_with_nodes(nodes) : all_layers(nodes)),
      size_(nodes.size),
      periodic_(nodes.periodic),
      axis_(layers_.axis),
      streams_([&] {
        size_[axis_] = layers_.count;
        periodic_[axis_] = layers_.periodic;
        return model::DenseStreams(size_, streaming.step[0].directions);
      }()),
      columns_((static_cast<std::uint64_t>(nodes.size[0]) + group_lanes - 1) / group_lanes) {
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
  for (int parity = 0; parity < 2; ++parity) offsets_[parity] = offsets_of(streaming.step[parity]);
  kinds_.assign(count(), Kind::mixed);
  const int depth = nodes.dimension == 3 ? 1 : 0;
#pragma omp parallel for schedule(static)
  for (std::uint64_t group = 0; group < count(); ++group) kinds_[group] = kind_of(group, depth);
}

DenseRows::Offsets DenseRows::offsets_of(const StepAccess& step) const {
  Offsets offsets;
  for (int i = 0; i < step.directions; ++i) {
    offsets.read[i] = offset(step.c[i], step.read[i]);
    offsets.write[i] = offset(step.c[i], step.write[i]);
    if (step.c[i][0] == 0) continue;
    const int towards = step.c[i][0] < 0 ? 0 : 1;
    add_move(step.c[i], step.read[i], step.read_cut[i], 1 - towards, offsets.fetched[1 - towards]);
    add_move(step.c[i], step.write[i], step.write_cut[i], towards, offsets.settled[towards]);
  }
  return offsets;
}

/// Adds what moves to another element for a link that leads out of the box at that end of a row, if anything does.
void DenseRows::add_move(const signed char* c, core::Access regular, core::Access cut, int end,
                         std::vector<Move>& moves) const {
  const std::int64_t lane = end == 0 ? 0 : size_[0] - 1;
  const std::int64_t in_run = lane + offset(c, regular);
  if (!periodic_[0]) {
    if (!(regular == cut)) moves.push_back({in_run, lane + offset(c, cut)});
  } else if (regular.side != 0) {
    moves.push_back({in_run, in_run + (end == 0 ? size_[0] : -size_[0])});
  }
}

DenseRows::Kind DenseRows::kind_of(std::uint64_t group, int depth) const {
  Context context;
  context.open(*this, group, {});  // the group is opened as one of mixed kind
  const std::uint64_t all = lanes_below(lanes(group));
  const Int3 x = stored_position(group, 0);
  const int last = x[0] + lanes(group) - 1;
  const bool at_row_end = x[0] == 0 || last == size_[0] - 1,
             at_face = x[1] == 0 || x[1] == size_[1] - 1 || (depth > 0 && (x[2] == 0 || x[2] == size_[2] - 1));
  const std::uint64_t ends[3] = {x[0] == 0 ? std::uint64_t{1} : 0, 0,
                                 last == size_[0] - 1 ? std::uint64_t{1} << (lanes(group) - 1) : 0};
  std::uint64_t fluid = masks_[group], fluid_in_box = fluid;
  for (int dz = -depth; dz <= depth; ++dz)
    for (int dy = -1; dy <= 1; ++dy)
      for (int dx = -1; dx <= 1; ++dx) {
        const std::uint64_t there = context.neighbours(dx, dy, dz);
        fluid &= there;
        fluid_in_box &= there | ends[1 + dx];
      }
  // At a periodic end neighbours must be fluid, too: walls there would cut some of the links and not all.
  if (at_row_end && !at_face && fluid_in_box == all && (fluid == all || !periodic_[0])) return Kind::row_end;
  if (fluid != all) return Kind::mixed;
  return at_face || at_row_end ? Kind::interior : Kind::simple;
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
    for (int z = begin[2] * shape[2]; z < std::min((begin[2] + 1) * shape[2], nodes.size[2]); ++z)
      for (int y = begin[1] * shape[1]; y < std::min((begin[1] + 1) * shape[1], nodes.size[1]); ++y) {
        const std::uint64_t row = row_of({0, y, z});
        if (row * columns_ >= masks_.size()) continue;  // the layer is not stored
        for (int column = begin[0] * shape[0] / group_lanes; column <= last_x / group_lanes; ++column)
          out.push_back(row * columns_ + column);
      }
    t = end;
  }
}

void DenseRows::Context::open(const DenseRows& rows, std::uint64_t group, int groups, const StepAccess& step) {
  rows_ = &rows;
  mask_ = rows.masks_[group];
  base_ = rows.element_of(group);
  row_ = rows.element_of(group / rows.columns_ * rows.columns_);
  offsets_ = &rows.offsets_[step.turn];
  const Kind kind = rows.kinds_[group];
  const std::uint64_t last = group + static_cast<std::uint64_t>(groups) - 1;
  lanes_ = (groups - 1) * group_lanes + rows.lanes(last);
  column_ = static_cast<int>(group % rows.columns_);
  interior_ = kind == Kind::interior || kind == Kind::simple || (kind == Kind::row_end && rows.periodic_[0]);
  is_whole_ = mask_ == lanes_below(rows.lanes(group));
  is_linear_ = kind == Kind::simple || kind == Kind::row_end;
  at_end_[0] = kind == Kind::row_end && column_ == 0;
  at_end_[1] = rows.kinds_[last] == Kind::row_end && column_ + groups - 1 == rows.last_column();
  if (is_linear_) return;
  const Int3& n = rows.size_;
  const std::uint64_t row = group / rows.columns_;
  const int y = static_cast<int>(row % n[1]), z = static_cast<int>(row / n[1]);
  for (int dz = -1; dz <= 1; ++dz)
    for (int dy = -1; dy <= 1; ++dy) {
      const int ny = wrapped(y + dy, n[1]), nz = wrapped(z + dz, n[2]);
      const int k = 1 + dy + 3 * (1 + dz);
      first_of_row_[k] = (ny + static_cast<std::uint64_t>(n[1]) * nz) * rows.columns_;
      inside_[k] = (ny == y + dy || rows.periodic_[1]) && (nz == z + dz || rows.periodic_[2]);
      bases_[k] = rows.element_of(first_of_row_[k] + column_);
    }
  if (interior_) return;
  for (int i = 0; i < step.directions; ++i) cut_[i] = mask_ & ~neighbours(step.c[i][0], step.c[i][1], step.c[i][2]);
}

std::uint64_t DenseRows::Context::neighbours(int dx, int dy, int dz) const {
  const int k = 1 + dy + 3 * (1 + dz);
  if (!inside_[k]) return 0;
  const auto mask_of = [&](int column) { return rows_->masks_[first_of_row_[k] + column]; };
  const std::uint64_t m = mask_of(column_);
  if (dx == 0) return m;
  const int last = rows_->last_column();
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
  const int there = column_ * group_lanes + lane + dx,
            x = rows_->periodic_[0] ? wrapped(there, rows_->size_[0]) : there;
  const std::uint64_t row =
      is_linear_ ? rows_->element_at(row_, dy, dz) : rows_->element_of(first_of_row_[1 + dy + 3 * (1 + dz)]);
  return static_cast<std::uint64_t>(slot) * rows_->streams_.slot + row +
         static_cast<std::uint64_t>(static_cast<std::int64_t>(x));
}

}  // namespace fluvia::cpu
