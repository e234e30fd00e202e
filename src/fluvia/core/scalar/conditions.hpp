// SPDX-License-Identifier: Apache-2.0
// What a surface does to a scalar: what comes back along a link that it cuts, from the populations of the node alone
// (docs/decisions/0052). Each rule is a type with a name and a function; ScalarConditions lists them.
#pragma once
#include "fluvia/core/scalar/transport.hpp"

namespace fluvia::core {

/// A node in a step, as the rules see it: what arrived, and what leaves along the link after the collision.
template <class T>
struct ScalarNode {
  T value, u[3], source;
};

/// A direction that is known only while a kernel runs. Arrays of lattices are no memory of a GPU.
template <class T>
struct ScalarDirection {
  T c[3], weight;
};
template <class Lattice, class T>
FLUVIA_FUNCTION ScalarDirection<T> scalar_direction(int direction) {
  ScalarDirection<T> found{};
  unroll<Lattice::Q>([&](auto i) {
    constexpr int d = i.i;
    if (d == direction) found = {{T(Lattice::c[d][0]), T(Lattice::c[d][1]), T(Lattice::c[d][2])}, T(Lattice::w[d])};
  });
  return found;
}

/// A cut link. `out`: the direction in which it leaves the fluid, of scalar_direction().
template <class T>
struct ScalarLink {
  ScalarDirection<T> out;
  T distance;     ///< part of the link in the fluid, where values act
  T area;         ///< part of the area of a cell's face for which it stands
  T reach;        ///< of the node from the surface along its normal, for exchange
  T there, back;  ///< populations along it and against it that arrived at the node
  T leaves;       ///< along it after the collision
  T inner;        ///< against it at the next node away from the surface, before the step
};

/// What a surface prescribes, lattice units.
template <class T>
struct ScalarSurface {
  T value = 0;        ///< the value, the flux into the fluid, or the value outside
  T coefficient = 0;  ///< of exchange
};

/// Parts of the populations of a node along a cut link, even and odd, and out of equilibrium.
template <class T>
struct ScalarParts {
  ScalarPair<T> e, n;
};
template <class Lattice, class T>
FLUVIA_FUNCTION ScalarParts<T> scalar_parts(const ScalarLink<T>& link, const ScalarNode<T>& node) {
  const T along = link.out.c[0] * node.u[0] + link.out.c[1] * node.u[1] + link.out.c[2] * node.u[2];
  const ScalarPair<T> e = scalar_equilibrium<Lattice>(link.out.weight, node.value, along);
  return {e, {T(0.5) * (link.there + link.back) - e.even, T(0.5) * (link.there - link.back) - e.odd}};
}

/// What value at a surface makes of e+, e- and n-. With n- = -(c.grad e+) / minus what is known of the flux, w value =
/// e+ - q minus n- along the way out; a part a of that equation is taken. a = 2 at q = 1/2 is anti-bounce-back; all
/// factors stay within 1 with a = min(2, 2 / (q minus)).
template <class Lattice, class T>
FLUVIA_FUNCTION T scalar_from_value(const ScalarLink<T>& link, const ScalarParts<T>& parts, T value,
                                    const ScalarRates<T>& rates) {
  const T reach = link.distance * rates.minus;
  const T a = reach > T(1) ? T(2) / reach : T(2);
  return a * link.out.weight * value + (T(1) - a) * parts.e.even - parts.e.odd + (a * reach - T(1)) * parts.n.odd;
}

/// T = value at a wall, at its distance.
struct ScalarValue {
  static constexpr const char* name = "value";
  template <class Lattice, class T>
  FLUVIA_FUNCTION static T back(const ScalarLink<T>& link, const ScalarNode<T>& node, const ScalarSurface<T>& surface,
                                const ScalarRates<T>& rates, T) {
    const ScalarParts<T> parts = scalar_parts<Lattice>(link, node);
    return scalar_from_value<Lattice>(link, parts, surface.value, rates) - (T(1) - rates.plus) * parts.n.even -
           (T(1) - T(0.5) * rates.plus) * link.out.weight * node.source;
  }
};

/// T = value where fluid passes. There n+ = -(c.grad e-) / plus is of first order in the gradient, since the flow
/// crosses the surface, and comes back as it is: a linear profile that is carried through is exact.
struct ScalarInflow {
  static constexpr const char* name = "inflow";
  template <class Lattice, class T>
  FLUVIA_FUNCTION static T back(const ScalarLink<T>& link, const ScalarNode<T>& node, const ScalarSurface<T>& surface,
                                const ScalarRates<T>& rates, T) {
    const ScalarParts<T> parts = scalar_parts<Lattice>(link, node);
    return scalar_from_value<Lattice>(link, parts, surface.value, rates) + parts.n.even;
  }
};

/// D dT/dn = value into the fluid, per area; 0: adiabatic.
struct ScalarFlux {
  static constexpr const char* name = "flux";
  template <class Lattice, class T>
  FLUVIA_FUNCTION static T back(const ScalarLink<T>& link, const ScalarNode<T>&, const ScalarSurface<T>& surface,
                                const ScalarRates<T>&, T) {
    return link.leaves + surface.value * link.area;
  }
};

/// A flux of coefficient (value - T at the surface), with T at the surface from T of the node and that flux.
struct ScalarExchange {
  static constexpr const char* name = "exchange";
  template <class Lattice, class T>
  FLUVIA_FUNCTION static T back(const ScalarLink<T>& link, const ScalarNode<T>& node, const ScalarSurface<T>& surface,
                                const ScalarRates<T>&, T diffusivity) {
    const T h = surface.coefficient / (T(1) + surface.coefficient * link.reach / diffusivity);
    return link.leaves + h * (surface.value - node.value) * link.area;
  }
};

/// The scalar goes out as it comes: what comes back is what was on the way at the next node away from the surface.
struct ScalarOutflow {
  static constexpr const char* name = "outflow";
  template <class Lattice, class T>
  FLUVIA_FUNCTION static T back(const ScalarLink<T>& link, const ScalarNode<T>&, const ScalarSurface<T>&,
                                const ScalarRates<T>&, T) {
    return link.inner;
  }
};

/// What comes back along a link between two materials, half-way between its nodes, from what leaves each: temperature
/// and flux of heat go on without a jump (Li, Chen, Mei & Klausner 2014), and what one gains is what the other loses.
/// Capacities of a volume. `part`: how much of that passes, 1 but between cells that end at walls, of
/// scalar_face_part(). `shift`: what is added to the difference where the joint is elsewhere, of joint_shift().
template <class T>
FLUVIA_FUNCTION void pass_between(T& one, T& other, T capacity, T other_capacity, T part, T shift = T(0)) {
  const T difference = (other - one + shift) * (T(2) * part / (capacity + other_capacity));
  one += other_capacity * difference;
  other -= capacity * difference;
}

/// What a node at one end of such a link says of it.
template <class T>
struct ScalarEnd {
  T even;    ///< e+ along the link
  T slope;   ///< c.grad e+ along the link away from the node
  T minus;   ///< rate of the odd part
  T before;  ///< part of the link before the joint
};
/// `there` and `back` along the link away from the node and against it, that arrived; `leaves` after the collision.
template <class T>
FLUVIA_FUNCTION ScalarEnd<T> scalar_end(T weight, T there, T back, T leaves, T value, T source,
                                        const ScalarRates<T>& rates, T before) {
  const T even = weight * value, arrived = T(0.5) * (there + back);
  const T stays = arrived + rates.plus * (even - arrived) + (T(1) - T(0.5) * rates.plus) * weight * source;
  // The odd part lost minus n-, which is the slope but for its sign.
  return {even, leaves - stays - T(0.5) * (there - back), rates.minus, before};
}

/// Of a joint that is not half-way: what the difference of what leaves its ends lacks. T at the joint is what both ends
/// say, and a part `a` of the jump between them is taken; a = 1 at 1/2. All factors of what a node says stay within 1
/// with a = min(1, 1 / (before minus)) (docs/decisions/0059).
template <class T>
FLUVIA_FUNCTION T joint_shift(const ScalarEnd<T>& one, const ScalarEnd<T>& other) {
  T a = T(1);
  if (one.before * one.minus > T(1)) a = T(1) / (one.before * one.minus);
  if (other.before * other.minus * a > T(1)) a = T(1) / (other.before * other.minus);
  return (a - T(1)) * (other.even - one.even) + (T(0.5) - a * one.before) * one.slope -
         (T(0.5) - a * other.before) * other.slope;
}

/// Every rule; add one here. Indices into this list name them in records of links.
using ScalarConditions = TypeList<ScalarFlux, ScalarValue, ScalarInflow, ScalarExchange, ScalarOutflow>;

/// Place of a rule in ScalarConditions.
template <class Rule, class... Rules>
constexpr int scalar_rule(TypeList<Rules...>) {
  int at = -1, k = 0;
  ((__is_same(Rule, Rules) ? at = k++ : k++), ...);
  return at;
}
template <class Rule>
inline constexpr int scalar_rule_of = scalar_rule<Rule>(ScalarConditions{});

/// What comes back along a link by the rule with this number.
template <class Lattice, class T>
FLUVIA_FUNCTION T scalar_back(int rule, const ScalarLink<T>& link, const ScalarNode<T>& node,
                              const ScalarSurface<T>& surface, const ScalarRates<T>& rates, T diffusivity) {
  T result = T(0);
  int k = 0;
  for_each_type(ScalarConditions{}, [&]<class Rule>(Rule) {
    if (rule == k++) result = Rule::template back<Lattice, T>(link, node, surface, rates, diffusivity);
  });
  return result;
}

}  // namespace fluvia::core
