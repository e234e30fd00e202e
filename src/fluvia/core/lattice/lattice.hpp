// SPDX-License-Identifier: Apache-2.0
// Everything that follows from the velocities and weights of a lattice, and the checks they must pass.
#pragma once
#include "fluvia/core/config.hpp"

namespace fluvia::core {

/// Squared lattice speed of sound of every lattice here.
inline constexpr double sound_speed_squared = 1.0 / 3.0;

/// Opposite direction; opposites are neighbours in the ordering: (1,2), (3,4), ...
constexpr int opposite(int i) {
  return i == 0 ? 0 : ((i - 1) ^ 1) + 1;
}

/// Direction with velocity (x,y,z), or -1.
template <class Lattice>
constexpr int direction_of(int x, int y, int z) {
  for (int i = 0; i < Lattice::Q; ++i)
    if (Lattice::c[i][0] == x && Lattice::c[i][1] == y && Lattice::c[i][2] == z) return i;
  return -1;
}

/// Mirror image of direction i in a plane normal to `axis`.
template <class Lattice>
constexpr int mirrored(int i, int axis) {
  return direction_of<Lattice>(axis == 0 ? -Lattice::c[i][0] : Lattice::c[i][0],
                               axis == 1 ? -Lattice::c[i][1] : Lattice::c[i][1],
                               axis == 2 ? -Lattice::c[i][2] : Lattice::c[i][2]);
}

namespace detail {
constexpr bool near(double a, double b) {
  return a - b < 1e-14 && b - a < 1e-14;
}

template <class Lattice>
constexpr bool opposites_are_adjacent() {
  for (int i = 0; i < Lattice::Q; ++i)
    for (int a = 0; a < 3; ++a)
      if (Lattice::c[i][a] != -Lattice::c[opposite(i)][a]) return false;
  return true;
}

/// Isotropy up to fourth order: sum w = 1, sum w c c = cs2 delta, sum w c c c c = cs4 (delta delta + ...).
template <class Lattice>
constexpr bool is_isotropic() {
  const double cs2 = sound_speed_squared;
  double sum = 0;
  for (int i = 0; i < Lattice::Q; ++i) sum += Lattice::w[i];
  if (!near(sum, 1)) return false;
  for (int a = 0; a < Lattice::D; ++a)
    for (int b = 0; b < Lattice::D; ++b) {
      double second = 0;
      for (int i = 0; i < Lattice::Q; ++i) second += Lattice::w[i] * Lattice::c[i][a] * Lattice::c[i][b];
      if (!near(second, a == b ? cs2 : 0)) return false;
      for (int g = 0; g < Lattice::D; ++g)
        for (int d = 0; d < Lattice::D; ++d) {
          double fourth = 0;
          for (int i = 0; i < Lattice::Q; ++i)
            fourth += Lattice::w[i] * Lattice::c[i][a] * Lattice::c[i][b] * Lattice::c[i][g] * Lattice::c[i][d];
          const int deltas = (a == b && g == d) + (a == g && b == d) + (a == d && b == g);
          if (!near(fourth, cs2 * cs2 * deltas)) return false;
        }
    }
  return true;
}

template <class Lattice>
constexpr bool is_mirror_symmetric() {
  for (int i = 0; i < Lattice::Q; ++i)
    for (int axis = 0; axis < 3; ++axis)
      if (mirrored<Lattice>(i, axis) < 0) return false;
  return true;
}
}  // namespace detail

/// Compile-time checks; instantiate once per lattice.
template <class Lattice>
constexpr bool is_valid_lattice() {
  static_assert(Lattice::Q % 2 == 1, "a rest direction and pairs of opposites");
  static_assert(detail::opposites_are_adjacent<Lattice>(), "opposite directions must be neighbours in the ordering");
  static_assert(detail::is_isotropic<Lattice>(), "weights are not isotropic to fourth order");
  static_assert(detail::is_mirror_symmetric<Lattice>(), "the lattice lacks a mirror image of a direction");
  return true;
}

}  // namespace fluvia::core
