// SPDX-License-Identifier: Apache-2.0
// Everything that follows from the velocities and weights of a lattice, and the checks they must pass.
#pragma once
#include "fluvia/core/lattice/isotropy.hpp"

namespace fluvia::core {

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

/// Most velocities that a lattice may have: all that lead to a node itself and its neighbours, and as many as sets of
/// directions, which are words of 32 bits, have room for.
inline constexpr int most_directions = 27;

namespace detail {
/// Checks that velocities reach neighbours only: halos are one node deep, cut links end at a neighbour, and periodic
/// boxes wrap once, so that a population that moves further in a step would be lost.
template <class Lattice>
constexpr bool leads_to_neighbours() {
  for (int i = 0; i < Lattice::Q; ++i)
    for (int axis = 0; axis < 3; ++axis) {
      const int reach = axis < Lattice::D ? 1 : 0;
      if (Lattice::c[i][axis] < -reach || Lattice::c[i][axis] > reach) return false;
    }
  return true;
}

template <class Lattice>
constexpr bool directions_differ() {
  for (int i = 0; i < Lattice::Q; ++i)
    if (direction_of<Lattice>(Lattice::c[i][0], Lattice::c[i][1], Lattice::c[i][2]) != i) return false;
  return true;
}

template <class Lattice>
constexpr bool opposites_are_adjacent() {
  for (int i = 0; i < Lattice::Q; ++i)
    for (int a = 0; a < 3; ++a)
      if (Lattice::c[i][a] != -Lattice::c[opposite(i)][a]) return false;
  return true;
}

/// Checks cubic symmetry up to fourth order: sum w = 1, sum w c c = cs2 delta, and fourth moments with only two values.
template <class Lattice>
constexpr bool is_cubic() {
  double sum = 0;
  for (int i = 0; i < Lattice::Q; ++i) sum += Lattice::w[i];
  if (!near(sum, 1)) return false;
  for (int a = 0; a < Lattice::D; ++a)
    for (int b = 0; b < Lattice::D; ++b) {
      double second = 0;
      for (int i = 0; i < Lattice::Q; ++i) second += Lattice::w[i] * Lattice::c[i][a] * Lattice::c[i][b];
      if (!near(second, a == b ? sound_speed_squared : 0)) return false;
      for (int g = 0; g < Lattice::D; ++g)
        for (int d = 0; d < Lattice::D; ++d) {
          const bool paired = (a == b && g == d) || (a == g && b == d) || (a == d && b == g);
          const double expected = !paired ? 0 : a == b && a == g ? Isotropy<Lattice>::along : Isotropy<Lattice>::across;
          if (!near(fourth_moment<Lattice>(a, b, g, d), expected)) return false;
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

/// Symmetry of a lattice's fourth moments. A lattice whose moments are not isotropic says so; it needs a collision with
/// a rate for each kind of stress.
enum class Weights { isotropic, cubic };

/// Checks of a lattice at compile time; instantiate once for each.
template <class Lattice, Weights weights = Weights::isotropic>
constexpr bool is_valid_lattice() {
  static_assert(Lattice::D == 2 || Lattice::D == 3, "a lattice has two or three dimensions");
  static_assert(Lattice::Q % 2 == 1, "a rest direction and pairs of opposites");
  static_assert(Lattice::Q <= most_directions, "a lattice has at most 27 directions: a set of them is one word");
  static_assert(detail::leads_to_neighbours<Lattice>(),
                "components of velocities are -1, 0 or 1, the third one 0 in 2D: streaming reaches neighbours only");
  static_assert(detail::directions_differ<Lattice>(), "a direction is there twice");
  static_assert(detail::opposites_are_adjacent<Lattice>(), "opposite directions must be neighbours in the ordering");
  static_assert(detail::is_cubic<Lattice>(), "weights lack cubic symmetry, or their sound speed squared is not 1/3");
  static_assert(Isotropy<Lattice>::isotropic == (weights == Weights::isotropic),
                "weights are not isotropic to fourth order although the lattice says so, or the reverse");
  static_assert(detail::is_mirror_symmetric<Lattice>(), "the lattice lacks a mirror image of a direction");
  return true;
}

}  // namespace fluvia::core
