// SPDX-License-Identifier: Apache-2.0
// How a pass of several time steps goes through a dense box (pass_dense.hpp): numbers that host and kernels both need.
//
// A block of threads owns a tile of columns along the last axis and takes them plane by plane. Stage s of a pass, which
// is its step number s + 1 (number s if nodes keep moments), is two planes behind stage s - 1. Between them populations
// are in shared memory, in buffers of one plane each, used alternately; those that move along the column only are in
// registers of its thread.
#pragma once
#include "fluvia/core/lattice/lattice.hpp"

namespace fluvia::cuda::kernels {

/// Steps of a population along the axis that a pass marches along: -1, 0 or 1.
template <class Lattice>
constexpr int march_step(int i) {
  return Lattice::c[i][Lattice::D - 1];
}
/// True if a direction does not leave the column.
template <class Lattice>
constexpr bool stays_in_column(int i) {
  for (int axis = 0; axis + 1 < Lattice::D; ++axis)
    if (Lattice::c[i][axis] != 0) return false;
  return true;
}
/// Mirror image of direction i in planes normal to the axes whose bits are set.
template <class Lattice>
constexpr int image_of(int i, unsigned axes) {
  for (int axis = 0; axis < Lattice::D; ++axis)
    if ((axes >> axis & 1u) != 0) i = core::mirrored<Lattice>(i, axis);
  return i;
}
/// Axes along which a direction has this component.
template <class Lattice>
constexpr unsigned axes_with(int i, int component) {
  unsigned axes = 0;
  for (int a = 0; a < Lattice::D; ++a) axes |= Lattice::c[i][a] == component ? 1u << a : 0u;
  return axes;
}
/// Component of the step to where a population comes from: none along axes where that is reflected.
template <class Lattice>
constexpr int back_along(int i, int axis, unsigned reflected) {
  return (reflected >> axis & 1u) != 0 ? 0 : -Lattice::c[i][axis];
}
/// How many directions below i march as i does and leave the column.
template <class Lattice>
constexpr int leaving_before(int i, int march) {
  int count = 0;
  for (int k = 0; k < i; ++k) count += march_step<Lattice>(k) == march && !stays_in_column<Lattice>(k) ? 1 : 0;
  return count;
}

/// Planes of a direction that a stage keeps at a time: while stage s writes plane r, stage s + 1 is at plane r - 2,
/// where populations arrive from r - 3 (ahead), r - 2 (along) and r - 1 (back). Walls return those of r - 2, which a
/// thread reads in its own column before it writes plane r, so that two planes back are enough; over planes of symmetry
/// those of other columns arrive, for which plane r - 2 has to stay. Passes over populations always keep three: two
/// were not faster.
inline constexpr int planes_ahead = 4, planes_along = 3;
constexpr int planes_back(bool three) {
  return three ? 3 : 2;
}

/// Number of the first plane of directions that march so; each plane belongs to one direction.
template <class Lattice>
constexpr int first_plane(int march) {
  const int ahead = planes_ahead * leaving_before<Lattice>(Lattice::Q, 1);
  if (march > 0) return 0;
  if (march == 0) return ahead;
  return ahead + planes_along * leaving_before<Lattice>(Lattice::Q, 0);
}
/// Number of values of a column between two stages, with three planes back or two.
template <class Lattice>
constexpr int values_between_stages(bool three_back) {
  return first_plane<Lattice>(-1) + planes_back(three_back) * leaving_before<Lattice>(Lattice::Q, -1);
}

/// The columns of a block: a tile of `width` x `depth` (2D: `width`) that it stores, and those around it from which
/// populations flow in.
struct PassTile {
  int dimension, stages, width, depth;
  [[nodiscard]] constexpr int halo() const { return stages - 1; }
  [[nodiscard]] constexpr int columns_x() const { return width + 2 * halo(); }
  [[nodiscard]] constexpr int columns_y() const { return dimension == 3 ? depth + 2 * halo() : 1; }
  /// Number of columns by which so many steps along x and y lead on, and by which a direction does.
  [[nodiscard]] constexpr int column_shift(int x, int y) const { return x + columns_x() * y; }
  template <class Lattice>
  [[nodiscard]] constexpr int shift(int i) const {
    return column_shift(Lattice::c[i][0], Lattice::D == 3 ? Lattice::c[i][1] : 0);
  }
  [[nodiscard]] constexpr int columns() const { return columns_x() * columns_y(); }
  [[nodiscard]] constexpr int threads() const { return (columns() + 31) / 32 * 32; }
  /// Number of values in shared memory.
  [[nodiscard]] constexpr int values(int between_stages) const { return (stages - 1) * between_stages * columns(); }
};

}  // namespace fluvia::cuda::kernels
