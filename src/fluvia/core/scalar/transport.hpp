// SPDX-License-Identifier: Apache-2.0
// A scalar T that a flow carries along and that spreads by itself, dT/dt + div(u T) = div(D grad T) + S: what one node
// does in a step. docs/decisions/0052 derives the rules; docs/heat.md has them for readers.
#pragma once
#include "fluvia/core/moments.hpp"
#include "fluvia/core/scalar/lattices.hpp"

namespace fluvia::core {

/// Rates of the even and of the odd part of the populations of a scalar (two relaxation times, Ginzburg 2005).
template <class T>
struct ScalarRates {
  T plus, minus;
};

/// D = c_s^2 (1/minus - 1/2), and (1/plus - 1/2)(1/minus - 1/2) is the magic parameter.
template <class Lattice, class T>
FLUVIA_FUNCTION constexpr ScalarRates<T> scalar_rates(double diffusivity, double magic) {
  const double odd = diffusivity / Lattice::sound_squared;  // 1/minus - 1/2
  return {static_cast<T>(1 / (0.5 + magic / odd)), static_cast<T>(1 / (0.5 + odd))};
}

/// Even and odd part of the populations of a pair of opposite directions; the odd one along the first of them.
template <class T>
struct ScalarPair {
  T even, odd;
};
/// e_i = w_i T (1 + c_i.u / c_s^2) of a direction with this weight, along which u has this component.
template <class Lattice, class T>
FLUVIA_FUNCTION ScalarPair<T> scalar_equilibrium(const T& weight, const T& value, const T& along) {
  const T even = weight * value;
  return {even, even * along * Scalar<T>(1 / Lattice::sound_squared)};
}

/// T = sum g + S/2 of the populations that arrived at a node. `stride`: from one direction to the next.
template <class Lattice, class T>
FLUVIA_FUNCTION T scalar_of(const T* g, int stride, T source) {
  T sum = g[0];
  for (int i = 1; i < Lattice::Q; ++i) sum += g[i * stride];
  return sum + T(0.5) * source;
}

/// Populations of a node in equilibrium, [direction * stride], whose sum and half of the source are `value`.
template <class Lattice, class T>
FLUVIA_FUNCTION void place_scalar(T* g, int stride, T value, const T (&u)[3], T source) {
  g[0] = T(Lattice::w[0]) * (value - T(0.5) * source);
  for_each_pair<Lattice>([&](auto there, auto back) {
    constexpr int direction = there.i;
    const T weight = T(Lattice::w[direction]);
    const ScalarPair<T> e = scalar_equilibrium<Lattice>(weight, value, along<Lattice, direction>(u));
    const T even = e.even - weight * (T(0.5) * source);
    g[there.i * stride] = even + e.odd;
    g[back.i * stride] = even - e.odd;
  });
}

/// Collides the populations of one node, [direction * stride]: g+ and g- relax to the even and the odd part of the
/// equilibrium, and the source, which is even, is added.
template <class Lattice, class T>
FLUVIA_FUNCTION void collide_scalar(T* g, int stride, T value, const T (&u)[3], T source, const ScalarRates<T>& rates) {
  const T given = (T(1) - T(0.5) * rates.plus) * source;
  g[0] += rates.plus * (T(Lattice::w[0]) * value - g[0]) + T(Lattice::w[0]) * given;
  for_each_pair<Lattice>([&](auto forth, auto opposed) {
    constexpr int direction = forth.i;
    const T weight = T(Lattice::w[direction]);
    T& there = g[forth.i * stride];
    T& back = g[opposed.i * stride];
    const ScalarPair<T> e = scalar_equilibrium<Lattice>(weight, value, along<Lattice, direction>(u));
    const T even = rates.plus * (e.even - T(0.5) * (there + back)) + weight * given;
    const T odd = rates.minus * (e.odd - T(0.5) * (there - back));
    there += even + odd;
    back += even - odd;
  });
}

}  // namespace fluvia::core
