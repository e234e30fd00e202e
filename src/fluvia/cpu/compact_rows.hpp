// SPDX-License-Identifier: Apache-2.0
// Gathers and scatters of compact tiles, row by row. Included by compact_groups.hpp.
#pragma once
#include <bit>

#include "fluvia/cpu/compact_groups.hpp"

namespace fluvia::cpu {

namespace detail {
/// Fluid nodes of a tile before row `row`.
template <int dimension>
inline unsigned row_start(const TileView& tile, int row) {
  if constexpr (dimension == 3) return (row & 1 ? tile.odd_rows : tile.even_rows) >> (8 * (row >> 1)) & 0xff;
  return tile.even_rows >> (8 * row) & 0xff;
}
inline unsigned rank(std::uint64_t row_bits, int x) {
  return static_cast<unsigned>(std::popcount(row_bits & ((std::uint64_t{1} << x) - 1)));
}
}  // namespace detail

template <int dimension>
template <class Format>
void CompactGroups<dimension>::Context::gather(const typename Format::Storage* memory, int dx, int dy, int dz, int slot,
                                               typename Format::Arithmetic* out) const {
  if (flags_ & flag_irregular && (dx | dy | dz) != 0) {
    for (std::uint64_t bits = tile_.mask & neighbours(dx, dy, dz); bits; bits &= bits - 1) {
      const int lane = std::countr_zero(bits);
      out[lane] = Format::decode(memory[element(lane, dx, dy, dz, slot)]);
    }
    return;
  }
  for (int z = 0; z < rows_z; ++z)
    for (int y = 0; y < rows_y; ++y) {
      const int sy = y + dy, sz = z + dz;
      const int ty = sy < 0 ? -1 : sy >= rows_y, tz = sz < 0 ? -1 : sz >= rows_z;
      const int row = (sy & (rows_y - 1)) + rows_y * (sz & (rows_z - 1));
      typename Format::Arithmetic* to = out + row_nodes * (y + rows_y * z);
      const TileView& tile = view(0, ty, tz);
      const std::uint64_t bits = tile.mask >> (row_nodes * row) & row_full;
      const auto* from = memory + tile.base + static_cast<std::uint64_t>(slot) * tile.count +
                         detail::row_start<dimension>(tile, row);
      if (bits == row_full) {
        if (dx == 0)
          for (int x = 0; x < row_nodes; ++x) to[x] = Format::decode(from[x]);
        else if (dx < 0)
          for (int x = 1; x < row_nodes; ++x) to[x] = Format::decode(from[x - 1]);
        else
          for (int x = 0; x < row_nodes - 1; ++x) to[x] = Format::decode(from[x + 1]);
      } else if (bits != 0) {
        const int first = dx < 0 ? 1 : 0, last = dx > 0 ? row_nodes - 1 : row_nodes;
        for (int x = first; x < last; ++x) to[x] = Format::decode(from[detail::rank(bits, x + dx)]);
      }
      if (dx != 0) {
        const TileView& side = view(dx, ty, tz);
        const int x = dx < 0 ? 0 : row_nodes - 1, source = dx < 0 ? row_nodes - 1 : 0;
        const std::uint64_t side_bits = side.mask >> (row_nodes * row) & row_full;
        if (side_bits >> source & 1)
          to[x] = Format::decode(memory[side.base + static_cast<std::uint64_t>(slot) * side.count +
                                        detail::row_start<dimension>(side, row) + detail::rank(side_bits, source)]);
      }
    }
}

template <int dimension>
template <class Format>
void CompactGroups<dimension>::Context::scatter(typename Format::Storage* memory, int dx, int dy, int dz, int slot,
                                                const typename Format::Arithmetic* in, std::uint64_t lanes) const {
  if (flags_ & flag_irregular && (dx | dy | dz) != 0) {
    for (std::uint64_t bits = lanes; bits; bits &= bits - 1) {
      const int lane = std::countr_zero(bits);
      memory[element(lane, dx, dy, dz, slot)] = Format::encode(in[lane]);
    }
    return;
  }
  for (int z = 0; z < rows_z; ++z)
    for (int y = 0; y < rows_y; ++y) {
      const int own_row = y + rows_y * z;
      const std::uint64_t wanted = lanes >> (row_nodes * own_row) & row_full;
      if (wanted == 0) continue;
      const int sy = y + dy, sz = z + dz;
      const int ty = sy < 0 ? -1 : sy >= rows_y, tz = sz < 0 ? -1 : sz >= rows_z;
      const int row = (sy & (rows_y - 1)) + rows_y * (sz & (rows_z - 1));
      const typename Format::Arithmetic* from = in + row_nodes * own_row;
      const TileView& tile = view(0, ty, tz);
      const std::uint64_t bits = tile.mask >> (row_nodes * row) & row_full;
      auto* to = memory + tile.base + static_cast<std::uint64_t>(slot) * tile.count +
                 detail::row_start<dimension>(tile, row);
      const int first = dx < 0 ? 1 : 0, last = dx > 0 ? row_nodes - 1 : row_nodes;
      if (bits == row_full && wanted == row_full) {
        if (dx == 0)
          for (int x = 0; x < row_nodes; ++x) to[x] = Format::encode(from[x]);
        else if (dx < 0)
          for (int x = 1; x < row_nodes; ++x) to[x - 1] = Format::encode(from[x]);
        else
          for (int x = 0; x < row_nodes - 1; ++x) to[x + 1] = Format::encode(from[x]);
      } else {
        for (int x = first; x < last; ++x)
          if (wanted >> x & 1) to[detail::rank(bits, x + dx)] = Format::encode(from[x]);
      }
      const int edge = dx < 0 ? 0 : row_nodes - 1, target = dx < 0 ? row_nodes - 1 : 0;
      if (dx != 0 && (wanted >> edge & 1)) {
        const TileView& side = view(dx, ty, tz);
        const std::uint64_t side_bits = side.mask >> (row_nodes * row) & row_full;
        memory[side.base + static_cast<std::uint64_t>(slot) * side.count + detail::row_start<dimension>(side, row) +
               detail::rank(side_bits, target)] = Format::encode(from[edge]);
      }
    }
}

}  // namespace fluvia::cpu
