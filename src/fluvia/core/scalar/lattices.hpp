// SPDX-License-Identifier: Apache-2.0
// Lattices that carry a scalar. A scalar needs its weights isotropic to second order only, sum w c_a c_b = c_s^2
// delta_ab, so that few directions do, and c_s^2 is a number of the lattice. Those of flows are rows as well.
#pragma once
#include "fluvia/core/lattice/d2q9.hpp"
#include "fluvia/core/lattice/d3q19.hpp"
#include "fluvia/core/lattice/lattice.hpp"

namespace fluvia::core {

/// With w_0 = 1/3 the speed of sound is that of the lattices of flows.
struct D2Q5 {
  static constexpr const char* name = "D2Q5";
  static constexpr int D = 2, Q = 5;
  static constexpr signed char c[Q][3] = {{0, 0, 0}, {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}};
  static constexpr double w[Q] = {1.0 / 3, 1.0 / 6, 1.0 / 6, 1.0 / 6, 1.0 / 6};
  static constexpr double sound_squared = 1.0 / 3;
};

/// Yoshida & Nagaoka, J. Comput. Phys. 229 (2010) 7774.
struct D3Q7 {
  static constexpr const char* name = "D3Q7";
  static constexpr int D = 3, Q = 7;
  static constexpr signed char c[Q][3] = {{0, 0, 0},  {1, 0, 0}, {-1, 0, 0}, {0, 1, 0},
                                          {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  static constexpr double w[Q] = {1.0 / 4, 1.0 / 8, 1.0 / 8, 1.0 / 8, 1.0 / 8, 1.0 / 8, 1.0 / 8};
  static constexpr double sound_squared = 1.0 / 4;
};

/// A lattice of flows that carries a scalar.
template <class Lattice>
struct OfFlow : Lattice {
  static constexpr double sound_squared = sound_speed_squared;
};

/// Every lattice of scalars, of each dimension the one that `auto` means in front; add one here and nowhere else.
using ScalarLattices = TypeList<D2Q5, D3Q7, OfFlow<D2Q9>, OfFlow<D3Q19>>;

namespace detail {
/// Checks sum w = 1 and sum w c_a c_b = c_s^2 delta_ab.
template <class Lattice>
constexpr bool carries_scalars() {
  double sum = 0;
  for (int i = 0; i < Lattice::Q; ++i) sum += Lattice::w[i];
  if (!near(sum, 1)) return false;
  for (int a = 0; a < Lattice::D; ++a)
    for (int b = 0; b < Lattice::D; ++b) {
      double second = 0;
      for (int i = 0; i < Lattice::Q; ++i) second += Lattice::w[i] * Lattice::c[i][a] * Lattice::c[i][b];
      if (!near(second, a == b ? Lattice::sound_squared : 0)) return false;
    }
  return leads_to_neighbours<Lattice>() && directions_differ<Lattice>() && opposites_are_adjacent<Lattice>() &&
         is_mirror_symmetric<Lattice>();
}
template <class... Lattices>
constexpr bool all_carry_scalars(TypeList<Lattices...>) {
  return (carries_scalars<Lattices>() && ...);
}
}  // namespace detail
static_assert(detail::all_carry_scalars(ScalarLattices{}));

}  // namespace fluvia::core
