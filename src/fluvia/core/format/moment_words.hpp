// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/contraction.hpp"
#include "fluvia/core/format/random_bits.hpp"
#include "fluvia/core/format/small_float.hpp"
#include "fluvia/core/second_moments.hpp"

namespace fluvia::core {

/// SecondMoments of a node in 16 bits each, two in a word of 32: whole multiples of `unit`, 17 bits of mass and
/// momentum and 15 of the stress that a flow with this momentum does not have at rest, m_ab - m_a m_b. So mass and
/// momentum lie within `most`, a quarter, and that stress within `most_stress`; a stress beyond is the nearest, a mass
/// or momentum beyond makes the node NaN, since what is missing of it would be missing for ever
/// (docs/decisions/0058-moments-of-sixteen-bits.md).
///
/// Populations that are rebuilt are whole multiples too, so that their sums, wherever they go, are exact: streaming,
/// half-way walls and a collision without a force change mass and momentum by nothing at all, however long they run.
/// What has to be rounded is rounded at random, so that its mean is right.
template <class Lattice>
struct MomentWords {
  using T = Contracted<float>;
  using Moments = SecondMoments<Lattice>;
  static constexpr int D = Lattice::D, Q = Lattice::Q, count = Moments::count / 2;
  static constexpr float unit = detail::power_of_two(-18), most = detail::power_of_two(-2),
                         most_stress = detail::power_of_two(-4);

  /// The words of moments, rounded by random bits of the node and step.
  static FLUVIA_FUNCTION void encode(const T (&m)[Moments::count], Uint32 bits, Uint32 (&words)[count]) {
    const Random random{bits};
    T exact[1 + D];
    bool fits = true;
    unroll<1 + D>([&](auto k) {
      const T whole = nearest(m[k.i]);
      exact[k.i] = nearest(random.template part<k.i>() + T(m[k.i] - whole)) + whole;
      const float value = exact[k.i].value;
      fits = fits && -most < value && value < most;  // false for NaN
    });
    unroll<count>([&](auto k) {
      const Uint32 below = k.i <= D ? field<lower_bits>(exact[k.i <= D ? k.i : 0])
                                    : field<lower_bits>(deviation<Moments::count - 1>(m, exact, random));
      const Uint32 above = field<upper_bits>(deviation<1 + D + k.i>(m, exact, random));
      words[k.i] = below | above << lower_bits;
    });
    if (!fits) words[0] &= ~field_mask<lower_bits>;
  }

  static FLUVIA_FUNCTION void decode(const Uint32 (&words)[count], T (&m)[Moments::count]) {
    unroll<count>([&](auto k) {
      m[k.i <= D ? k.i : Moments::count - 1] = number<lower_bits>(words[k.i] & field_mask<lower_bits>);
      m[1 + D + k.i] = number<upper_bits>(words[k.i] >> lower_bits);
    });
    for_each_stress([&](auto at, auto a, auto b) { m[at.i] += m[1 + a.i] * m[1 + b.i]; });
    if ((words[0] & field_mask<lower_bits>) == 0) m[0] = T(detail::float_of(0x7fc00000u));
  }

  /// Random bits to round populations with that are rebuilt from the words of a node of the box. They follow from these
  /// alone, whose last digits are random: so whoever reads a node rebuilds the same.
  static FLUVIA_FUNCTION Uint32 bits_of(const Uint32 (&words)[count], Uint32 node) {
    constexpr Uint32 of_node = direction_multiplier(count);
    Uint32 x = node * of_node;
    unroll<count>([&](auto k) {
      constexpr Uint32 multiplier = direction_multiplier(k.i);
      x += words[k.i] * multiplier;
    });
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
  }

  /// Rounds populations that have these moments to whole multiples that have the same mass and momentum: those across
  /// axes by themselves; then, along each axis, one by itself and the other so that momentum is right; then that at
  /// rest.
  static FLUVIA_FUNCTION void round(const T (&m)[Moments::count], Uint32 bits, T (&f)[Q]) {
    const Random random{bits};
    T rest = m[0], missing[D];
    unroll<D>([&](auto axis) { missing[axis.i] = m[1 + axis.i]; });
    unroll<Q, 1>([&](auto i) {
      constexpr int p = i.i, n = opposite(p);
      if constexpr (p < n && !is_on_axis(p)) {
        const Product<float> part = random.template part<p>();
        f[p] = nearest(part + f[p]);
        f[n] = nearest(f[n] - part);
        const T even = f[p] + f[n], odd = f[p] - f[n];
        rest -= even;
        unroll<D>([&](auto axis) {
          constexpr int c = Lattice::c[p][axis.i];
          if constexpr (c > 0) missing[axis.i] -= odd;
          if constexpr (c < 0) missing[axis.i] += odd;
        });
      }
    });
    unroll<D>([&](auto axis) {
      constexpr int p = positive(axis.i), n = opposite(p);
      const T half = (T(f[p] + f[n]) - missing[axis.i]) * T(0.5f);
      f[n] = nearest(random.template part<p>() + half);
      f[p] = f[n] + missing[axis.i];
      rest -= f[n] + f[p];
    });
    f[0] = rest;
  }

 private:
  static constexpr int lower_bits = 17, upper_bits = 15;

  /// Parts of the unit that random bits start, one for each number k; each lies between -1/2 and 1/2, neither of which
  /// it is, so that what is whole stays so.
  struct Random {
    Uint32 bits;

    template <int k>
    [[nodiscard]] FLUVIA_FUNCTION Product<float> part() const {
      constexpr Uint32 multiplier = direction_multiplier(k);
      return T(detail::float_of(0x3f800001u | bits * multiplier >> 9) - 1.5f) * T(unit);
    }
  };
  template <int bits>
  static constexpr Uint32 field_mask = (1u << bits) - 1;
  /// A float of which the last digit is worth the unit, and half of what a field holds above it.
  template <int bits>
  static constexpr float middle = unit*(static_cast<float>(1 << 23) + static_cast<float>(1 << (bits - 1)));

  /// The nearest whole multiple of the unit.
  static FLUVIA_FUNCTION T nearest(const T& x) {
    const T many(1.5f * static_cast<float>(1 << 23) * unit);
    return T(x + many) - many;
  }
  template <int bits>
  static FLUVIA_FUNCTION Uint32 field(const T& whole) {
    return detail::bits_of(T(whole + T(middle<bits>)).value) & field_mask<bits>;
  }
  template <int bits>
  static FLUVIA_FUNCTION T number(Uint32 field) {
    constexpr Uint32 start = __builtin_bit_cast(Uint32, unit * static_cast<float>(1 << 23));
    return T(detail::float_of(start | field)) - T(middle<bits>);
  }
  /// Calls visit(Index<index of a moment>, Index<a>, Index<b>) for the stresses.
  template <class Visitor>
  static FLUVIA_FUNCTION void for_each_stress(Visitor&& visit) {
    unroll<6>([&](auto k) {
      constexpr int at = Moments::stress(k.i);
      if constexpr (at >= 0) visit(Index<at>{}, Index<tensor_row[k.i]>{}, Index<tensor_column[k.i]>{});
    });
  }
  static constexpr int component_of(int at) {
    for (int k = 0; k < 6; ++k)
      if (Moments::stress(k) == at) return k;
    return -1;
  }
  /// What is kept of the stress with this index, within bounds.
  template <int at>
  static FLUVIA_FUNCTION T deviation(const T (&m)[Moments::count], const T (&exact)[1 + D], const Random& random) {
    constexpr int k = component_of(at), a = tensor_row[k], b = tensor_column[k];
    constexpr float largest = most_stress - unit;
    const T deviation = m[at] - exact[1 + a] * exact[1 + b];
    const T rounded = nearest(random.template part<at>() + deviation);
    return T(rounded.value > largest ? largest : rounded.value > -largest ? rounded.value : -largest);
  }
  static constexpr bool is_on_axis(int i) {
    int axes = 0;
    for (int a = 0; a < D; ++a) axes += Lattice::c[i][a] != 0 ? 1 : 0;
    return axes == 1;
  }
  static constexpr int positive(int axis) {
    return direction_of<Lattice>(axis == 0 ? 1 : 0, axis == 1 ? 1 : 0, axis == 2 ? 1 : 0);
  }
};

}  // namespace fluvia::core
