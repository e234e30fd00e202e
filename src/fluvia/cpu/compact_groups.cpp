// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cpu/compact_groups.hpp"

namespace fluvia::cpu {

namespace {
/// Bytes k = sum of bytes 0 .. k-1 of `counts`.
std::uint64_t exclusive_sums(std::uint64_t counts) { return counts * 0x0101010101010100ull; }

void row_starts(int dimension, std::uint64_t mask, std::uint64_t& even, std::uint64_t& odd) {
  std::uint64_t n = mask - (mask >> 1 & 0x5555555555555555ull);
  n = (n & 0x3333333333333333ull) + (n >> 2 & 0x3333333333333333ull);  // fluid nodes per four bits
  const std::uint64_t low = n & 0x0f0f0f0f0f0f0f0full, high = n >> 4 & 0x0f0f0f0f0f0f0f0full;
  even = exclusive_sums(low + high);
  odd = dimension == 3 ? even + low : 0;
}
}  // namespace

template <int dimension>
CompactGroups<dimension>::CompactGroups(const NodeMap& nodes, int directions) : nodes_(nodes), directions_(directions) {
  flags_.assign(nodes.tiles.size(), 0);
  const Int3 shape = tile_shape(dimension);
  const auto wraps_inside = [&](const NodeMap::Tile& tile) {
    for (int axis = 0; axis < dimension; ++axis)
      if (nodes.periodic[axis] && nodes.size[axis] % shape[axis] != 0 &&
          (tile.position[axis] == 0 || tile.position[axis] == nodes.tiles_in_box[axis] - 1))
        return true;
    return false;
  };
#pragma omp parallel for schedule(static)
  for (std::uint64_t t = 0; t < count(); ++t) {
    if (wraps_inside(nodes.tiles[t])) flags_[t] |= flag_irregular;
    std::uint64_t fluid = nodes.tiles[t].mask;
    const Context context(*this, t);
    for (int dz = dimension == 3 ? -1 : 0; dz <= (dimension == 3 ? 1 : 0) && ~fluid == 0; ++dz)
      for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx) fluid &= context.neighbours(dx, dy, dz);
    if (~fluid == 0) flags_[t] |= flag_interior;
  }
}

template <int dimension>
void CompactGroups<dimension>::locate(const Int3& node, std::uint64_t& group, int& lane) const {
  const Int3 s = tile_shape(dimension);
  group = nodes_.directory[nodes_.directory_index({node[0] / s[0], node[1] / s[1], node[2] / s[2]})];
  lane = tile_bit(dimension, {node[0] % s[0], node[1] % s[1], node[2] % s[2]});
}

template <int dimension>
TileView CompactGroups<dimension>::make_view(std::uint64_t tile) const {
  TileView view;
  view.mask = nodes_.tiles[tile].mask;
  view.base = nodes_.tiles[tile].first_node * directions_;
  view.count = static_cast<unsigned>(std::popcount(view.mask));
  row_starts(dimension, view.mask, view.even_rows, view.odd_rows);
  return view;
}

template <int dimension>
CompactGroups<dimension>::Context::Context(const CompactGroups& groups, std::uint64_t group)
    : groups_(groups), tile_(groups.nodes_.tiles[group]), flags_(groups.flags_[group]) {
  views_[13] = groups.make_view(group);
}

template <int dimension>
void CompactGroups<dimension>::Context::see_neighbours() const {
  const NodeMap& nodes = groups_.nodes_;
  for (int tz = dimension == 3 ? -1 : 0; tz <= (dimension == 3 ? 1 : 0); ++tz)
    for (int ty = -1; ty <= 1; ++ty)
      for (int tx = -1; tx <= 1; ++tx) {
        if ((tx | ty | tz) == 0) continue;
        Int3 p = {tile_.position[0] + tx, tile_.position[1] + ty, tile_.position[2] + tz};
        bool inside = true;
        for (int axis = 0; axis < 3; ++axis) {
          const int n = nodes.tiles_in_box[axis];
          if (p[axis] >= 0 && p[axis] < n) continue;
          inside = inside && nodes.periodic[axis];
          p[axis] = p[axis] < 0 ? n - 1 : 0;
        }
        const std::uint32_t id = inside ? nodes.directory[nodes.directory_index(p)] : empty_tile;
        if (id != empty_tile) views_[(1 + tx) + 3 * (1 + ty) + 9 * (1 + tz)] = groups_.make_view(id);
      }
  neighbours_seen_ = true;
}

template <int dimension>
std::uint64_t CompactGroups<dimension>::Context::neighbours(int dx, int dy, int dz) const {
  if ((dx | dy | dz) == 0) return tile_.mask;
  std::uint64_t result = 0;
  if (flags_ & flag_irregular) {
    for (std::uint64_t bits = tile_.mask; bits; bits &= bits - 1) {
      const int lane = std::countr_zero(bits);
      const Int3 p = groups_.nodes_.node_position(tile_, lane);
      if (groups_.nodes_.is_fluid({p[0] + dx, p[1] + dy, p[2] + dz})) result |= std::uint64_t{1} << lane;
    }
    return result;
  }
  // Shift whole masks: the own tile's bits, then what comes in from the tiles that the shift reaches. 2D has no z.
  constexpr std::uint64_t first_column = dimension == 3 ? 0x1111111111111111ull : 0x0101010101010101ull;
  const auto shift_x = [&](std::uint64_t own, std::uint64_t side) {
    if (dx == 0) return own;
    if (dx > 0) return (own >> 1 & ~(first_column << (row_nodes - 1))) | (side & first_column) << (row_nodes - 1);
    return (own << 1 & ~first_column) | (side >> (row_nodes - 1) & first_column);
  };
  const auto column = [&](int ty, int tz) { return shift_x(view(0, ty, tz).mask, dx ? view(dx, ty, tz).mask : 0); };
  constexpr int plane_bits = row_nodes * rows_y;
  const auto shift_y = [&](int tz) -> std::uint64_t {
    const std::uint64_t own = column(0, tz);
    if (dy == 0) return own;
    const std::uint64_t side = column(dy, tz);
    std::uint64_t moved = 0;
    for (int z = 0; z < rows_z; ++z) {
      const std::uint64_t plane_mask = plane_bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << plane_bits % 64) - 1;
      const std::uint64_t a = own >> (plane_bits * z) & plane_mask, b = side >> (plane_bits * z) & plane_mask;
      const std::uint64_t plane = dy > 0 ? a >> row_nodes | b << (plane_bits - row_nodes)
                                         : a << row_nodes | b >> (plane_bits - row_nodes);
      moved |= (plane & plane_mask) << (plane_bits * z);
    }
    return moved;
  };
  if (dz == 0) return shift_y(0);
  constexpr int plane_shift = plane_bits % 64, rest = 64 - plane_shift;
  return dz > 0 ? shift_y(0) >> plane_shift | shift_y(1) << rest % 64 : shift_y(0) << plane_shift | shift_y(-1) >> rest % 64;
}

template <int dimension>
std::uint64_t CompactGroups<dimension>::Context::element(int lane, int dx, int dy, int dz, int slot) const {
  const NodeMap& nodes = groups_.nodes_;
  Int3 p = nodes.node_position(tile_, lane);
  p = {p[0] + dx, p[1] + dy, p[2] + dz};
  (void)nodes.wrap(p);  // the caller knows that it is a fluid node
  std::uint64_t group;
  int bit;
  groups_.locate(p, group, bit);
  const NodeMap::Tile& tile = nodes.tiles[group];
  const std::uint64_t below = tile.mask & ((std::uint64_t{1} << bit) - 1);
  return tile.first_node * groups_.directions_ + static_cast<std::uint64_t>(slot) * std::popcount(tile.mask) +
         std::popcount(below);
}

template class CompactGroups<2>;
template class CompactGroups<3>;

}  // namespace fluvia::cpu
