// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/moments.hpp"

namespace fluvia::core {

/// Mass, momentum and stress of a node: all that populations hold which have no moments of higher order, as Regularized
/// leaves them behind (docs/decisions/0050-passes-over-moments.md). Ten numbers in space, six in the plane:
///   0             sum f_i, the density minus 1
///   1 + a         sum c_ia f_i
///   1 + D + k     sum c_ia c_ib f_i - delta_ab/3 sum f_i, for the components xx, yy, (zz,) xy(, yz, zx)
/// of the deviations f_i - w_i. From these f_i = w_i (m_0 + 3 c_ia m_a + 9/2 (c_ia c_ib - delta_ab/3) m_ab).
/// Exact on lattices whose fourth moments are isotropic.
template <class Lattice>
struct SecondMoments {
  static constexpr bool supports = Isotropy<Lattice>::isotropic;
  static constexpr int D = Lattice::D, Q = Lattice::Q, count = 1 + D + D * (D + 1) / 2;

  /// Index of a component of the stress, which tensor_row and tensor_column number; -1 beyond the plane.
  static constexpr int stress(int component) {
    if (D == 3) return 4 + component;
    return component == 0 || component == 1 ? 3 + component : component == 3 ? 5 : -1;
  }

  /// Goes through directions by their number of axes: what is even or odd under c -> -c along each of these is summed
  /// once and used for all moments.
  template <class T>
  static FLUVIA_FUNCTION void find(const T (&f)[Q], T (&m)[count]) {
    static_assert(supports, "moments of second order are enough on lattices with isotropic weights only");
    m[0] = f[0];
    unroll<D>([&](auto axis) {
      constexpr int a = axis.i, p = direction<a>(1), n = direction<a>(-1);
      m[normal<a>] = f[p] + f[n];
      m[1 + a] = f[p] - f[n];
      m[0] += m[normal<a>];
    });
    for_each_plane([&](auto first, auto second) {
      constexpr int a = first.i, b = second.i, pp = direction<a, b>(1, 1), pn = direction<a, b>(1, -1),
                    np = opposite(pn), nn = opposite(pp);
      const T along = f[pp] + f[nn], across = f[pn] + f[np], odd = f[pp] - f[nn], odd_across = f[pn] - f[np];
      const T even = along + across;
      m[shear<a, b>] = along - across;
      m[1 + a] += odd + odd_across;
      m[1 + b] += odd - odd_across;
      m[normal<a>] += even;
      m[normal<b>] += even;
      m[0] += even;
    });
    if constexpr (has_corners) {
      T even[4], odd[4];
      unroll<4>([&](auto k) {
        constexpr int p = corner(k.i), n = opposite(p);
        even[k.i] = f[p] + f[n];
        odd[k.i] = f[p] - f[n];
      });
      const T along = even[0] + even[1], across = even[2] + even[3], all = along + across,
              difference = even[0] - even[1], difference_across = even[2] - even[3];
      const T odd_along = odd[0] + odd[1], odd_across = odd[2] + odd[3];
      add<!has_planes>(m[shear<0, 1>], along - across);
      add<!has_planes>(m[shear<1, 2>], difference - difference_across);
      add<!has_planes>(m[shear<0, 2>], difference + difference_across);
      m[1] += odd_along + odd_across;
      m[2] += odd_along - odd_across;
      m[3] += (odd[0] - odd[1]) + (odd[2] - odd[3]);
      unroll<D>([&](auto axis) { m[normal<axis.i>] += all; });
      m[0] += all;
    }
    unroll<D>([&](auto axis) { m[normal<axis.i>] -= m[0] * Scalar<T>(sound_speed_squared); });
  }

  /// The same in reverse, with products by weights first.
  template <class T>
  static FLUVIA_FUNCTION void rebuild(const T (&m)[count], T (&f)[Q]) {
    using S = Scalar<T>;
    static_assert(supports, "moments of second order are enough on lattices with isotropic weights only");
    T trace = m[normal<0>];
    unroll<D, 1>([&](auto axis) { trace += m[normal<axis.i>]; });
    const T base = m[0] - trace * S(1.5);
    f[0] = base * S(weight<0, 0, 0>);
    constexpr double on_axis = weight<1, 0, 0>;
    const T base_on_axis = base * S(on_axis);
    unroll<D>([&](auto axis) {
      constexpr int a = axis.i, p = direction<a>(1), n = direction<a>(-1);
      const T even = base_on_axis + m[normal<a>] * S(4.5 * on_axis);
      f[p] = even + m[1 + a] * S(3 * on_axis);
      f[n] = even - m[1 + a] * S(3 * on_axis);
    });
    if constexpr (has_planes) {
      constexpr double in_plane = weight<1, 1, 0>;
      const T half = base * S(in_plane / 2);
      T part[D];  // of each axis of a plane
      unroll<D>([&](auto axis) { part[axis.i] = half + m[normal<axis.i>] * S(4.5 * in_plane); });
      for_each_plane([&](auto first, auto second) {
        constexpr int a = first.i, b = second.i, pp = direction<a, b>(1, 1), pn = direction<a, b>(1, -1),
                      np = opposite(pn), nn = opposite(pp);
        const T even = part[a] + part[b], sum = m[1 + a] + m[1 + b], difference = m[1 + a] - m[1 + b];
        const T along = even + m[shear<a, b>] * S(9 * in_plane), across = even - m[shear<a, b>] * S(9 * in_plane);
        f[pp] = along + sum * S(3 * in_plane);
        f[nn] = along - sum * S(3 * in_plane);
        f[pn] = across + difference * S(3 * in_plane);
        f[np] = across - difference * S(3 * in_plane);
      });
    }
    if constexpr (has_corners) {
      constexpr double at_corner = weight<1, 1, 1>;
      const T even = (base + trace * S(4.5)) * S(at_corner);
      const T sum = m[1] + m[2], difference = m[1] - m[2];
      const T side = m[shear<1, 2>] + m[shear<0, 2>], side_across = m[shear<1, 2>] - m[shear<0, 2>];
      const T along = even + m[shear<0, 1>] * S(9 * at_corner), across = even - m[shear<0, 1>] * S(9 * at_corner);
      const T evens[4] = {along + side * S(9 * at_corner), along - side * S(9 * at_corner),
                          across - side_across * S(9 * at_corner), across + side_across * S(9 * at_corner)};
      const T odds[4] = {sum + m[3], sum - m[3], difference + m[3], difference - m[3]};
      unroll<4>([&](auto k) {
        constexpr int p = corner(k.i), n = opposite(p);
        f[p] = evens[k.i] + odds[k.i] * S(3 * at_corner);
        f[n] = evens[k.i] - odds[k.i] * S(3 * at_corner);
      });
    }
  }

 private:
  static constexpr bool has_planes = direction_of<Lattice>(1, 1, 0) >= 0,
                        has_corners = D == 3 && direction_of<Lattice>(1, 1, 1) >= 0;
  /// Index of the normal stress along an axis, and of the shear stress in a plane.
  template <int a>
  static constexpr int normal = 1 + D + a;
  template <int a, int b>
  static constexpr int shear = stress(a + b == 1   ? 3
                                      : a + b == 3 ? 4
                                                   : 5);
  template <int x, int y, int z>
  static constexpr double weight = Lattice::w[direction_of<Lattice>(x, y, z)];

  /// The direction along one axis, and along the diagonals of the plane of two.
  template <int a>
  static constexpr int direction(int sign) {
    return direction_of<Lattice>(a == 0 ? sign : 0, a == 1 ? sign : 0, a == 2 ? sign : 0);
  }
  template <int a, int b>
  static constexpr int direction(int along_a, int along_b) {
    return direction_of<Lattice>(a == 0 ? along_a : 0, a == 1 ? along_a : b == 1 ? along_b : 0, b == 2 ? along_b : 0);
  }
  /// The directions (1, 1, 1), (1, 1, -1), (1, -1, 1), (1, -1, -1).
  static constexpr int corner(int k) { return direction_of<Lattice>(1, k < 2 ? 1 : -1, k % 2 == 0 ? 1 : -1); }
  template <class Visitor>
  static FLUVIA_FUNCTION void for_each_plane(Visitor&& visit) {
    if constexpr (has_planes) {
      visit(Index<0>{}, Index<1>{});
      if constexpr (D == 3) {
        visit(Index<1>{}, Index<2>{});
        visit(Index<0>{}, Index<2>{});
      }
    }
  }
  template <bool is_first, class T>
  static FLUVIA_FUNCTION void add(T& sum, const T& x) {
    if constexpr (is_first)
      sum = x;
    else
      sum += x;
  }
};

}  // namespace fluvia::core
