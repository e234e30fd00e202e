// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/lattice/lattice.hpp"

namespace fluvia::core {

/// Density and velocity of a node (or of a pack of nodes), lattice units.
template <class T>
struct Macroscopic {
  T density_deviation;  ///< rho - 1
  T velocity[3];        ///< includes half the body force (Guo, Zheng & Shi, Phys. Rev. E 65 (2002) 046308)
};

/// Signs with which signed_sum() adds: the velocity component of directions, of the positive ones of pairs, and the
/// products of two components.
template <class Lattice, int direction>
struct ComponentsOf {
  static constexpr int at(int axis) { return Lattice::c[direction][axis]; }
};
template <class Lattice, int axis>
struct PairsAlong {
  static constexpr int at(int pair) { return Lattice::c[2 * pair + 1][axis]; }
};
template <class Lattice, int a, int b>
struct PairProducts {
  static constexpr int at(int pair) { return Lattice::c[2 * pair + 1][a] * Lattice::c[2 * pair + 1][b]; }
};

/// Sum of Signs::at(k) x[k] for `count` k from `first`, signs being 1, 0 and -1, not all 0; without a first addition to
/// 0, which compilers must keep. Of packs halves first: in a chain each addition would wait for the one before. Of
/// single numbers a chain: GPUs have other threads meanwhile, and halves take registers.
template <class Signs, int first, int count, class T, int size>
FLUVIA_FUNCTION T signed_sum(const T (&x)[size]) {
  constexpr int half = is_pack<T> ? count / 2 : count - 1;
  constexpr auto is_empty = [](int begin, int number) {
    for (int k = begin; k < begin + number; ++k)
      if (Signs::at(k) != 0) return false;
    return true;
  };
  if constexpr (count == 1)
    return Signs::at(first) > 0 ? x[first] : -x[first];
  else if constexpr (is_empty(first, half))
    return signed_sum<Signs, first + half, count - half>(x);
  else if constexpr (is_empty(first + half, count - half))
    return signed_sum<Signs, first, half>(x);
  else
    return signed_sum<Signs, first, half>(x) + signed_sum<Signs, first + half, count - half>(x);
}
struct AllOnce {
  static constexpr int at(int) { return 1; }
};

/// Adds x times a velocity component of direction p.
template <class Lattice, int p, int axis, class T>
FLUVIA_FUNCTION void add_component(T& sum, const T& x) {
  if constexpr (Lattice::c[p][axis] == 1) sum += x;
  if constexpr (Lattice::c[p][axis] == -1) sum -= x;
}

/// c_p . v
template <class Lattice, int p, class T>
FLUVIA_FUNCTION T along(const T (&v)[3]) {
  if constexpr (p == 0)
    return T(Scalar<T>(0));
  else
    return signed_sum<ComponentsOf<Lattice, p>, 0, Lattice::D>(v);
}

/// Zeroth and first moments of the deviations f_i - w_i.
template <class Lattice, class Equilibrium, class T>
FLUVIA_FUNCTION Macroscopic<T> moments(const T (&f)[Lattice::Q], const Scalar<T> (&force)[3]) {
  Macroscopic<T> m;
  constexpr int pairs = (Lattice::Q - 1) / 2;
  T even[pairs], odd[pairs], momentum[3] = {T(Scalar<T>(0)), T(Scalar<T>(0)), T(Scalar<T>(0))};
  for_each_pair<Lattice>([&](auto p, auto n) {
    even[p.i / 2] = f[p.i] + f[n.i];
    odd[p.i / 2] = f[p.i] - f[n.i];
  });
  m.density_deviation = signed_sum<AllOnce, 0, pairs>(even) + f[0];
  unroll<Lattice::D>([&](auto axis) {
    constexpr int a = axis.i;  // NVRTC takes a captured parameter for no constant
    momentum[a] = signed_sum<PairsAlong<Lattice, a>, 0, pairs>(odd);
  });
  const T inverse = Equilibrium::inverse_density(m.density_deviation);
  for (int axis = 0; axis < 3; ++axis)
    m.velocity[axis] =
        axis < Lattice::D ? (momentum[axis] + T(force[axis] * Scalar<T>(0.5))) * inverse : momentum[axis];
  return m;
}

/// Components of symmetric tensors: xx, yy, zz, xy, yz, zx.
inline constexpr int tensor_row[6] = {0, 1, 2, 0, 1, 2};
inline constexpr int tensor_column[6] = {0, 1, 2, 1, 2, 0};

/// Non-equilibrium momentum flux sum_i c_i c_i (f_i - f_i^eq); the second moment of both equilibria is exact.
template <class Lattice, class Equilibrium, class T>
FLUVIA_FUNCTION void nonequilibrium_stress(const T (&f)[Lattice::Q], const Macroscopic<T>& m, T (&stress)[6]) {
  const T density = Equilibrium::density(m.density_deviation);
  constexpr int pairs = (Lattice::Q - 1) / 2;
  T even[pairs];
  for_each_pair<Lattice>([&](auto p, auto n) { even[p.i / 2] = f[p.i] + f[n.i]; });
  unroll<6>([&](auto k) {
    constexpr int a = tensor_row[k.i], b = tensor_column[k.i];
    if constexpr (a < Lattice::D && b < Lattice::D) {
      stress[k.i] = signed_sum<PairProducts<Lattice, a, b>, 0, pairs>(even) - density * m.velocity[a] * m.velocity[b];
      if constexpr (a == b) stress[k.i] -= m.density_deviation * Scalar<T>(sound_speed_squared);
    } else {
      stress[k.i] = T(Scalar<T>(0));
    }
  });
}

}  // namespace fluvia::core
