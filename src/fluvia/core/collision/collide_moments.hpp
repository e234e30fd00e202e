// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/collision/recursive_regularized.hpp"
#include "fluvia/core/collision/regularized.hpp"
#include "fluvia/core/equilibrium/improved.hpp"
#include "fluvia/core/second_moments.hpp"
#include "fluvia/core/viscosity/viscosity.hpp"

namespace fluvia::core {

/// Whether all that a collision leaves of the populations of a node follows from SecondMoments, so that
/// collide_moments() and rebuild_after() do its work.
template <class Collision, class Equilibrium>
inline constexpr bool follows_from_moments = false;
template <class Equilibrium>
inline constexpr bool follows_from_moments<Regularized, Equilibrium> = true;
template <class Equilibrium>
inline constexpr bool follows_from_moments<RecursiveRegularized, Equilibrium> = true;
template <>
inline constexpr bool follows_from_moments<Regularized, Improved> = false;  ///< which has moments of fourth order
template <>
inline constexpr bool follows_from_moments<RecursiveRegularized, Improved> = false;

/// Whether a collision leaves moments of third order, which follow from the velocity and from what is left of the
/// stress out of equilibrium. With a force that takes the rate of the collision, which must not vary then.
template <class Collision>
inline constexpr bool leaves_third_order = false;
template <>
inline constexpr bool leaves_third_order<RecursiveRegularized> = true;

namespace detail {
template <class T>
FLUVIA_FUNCTION T inverse(const T& x) {
  return T(Scalar<T>(1)) / x;
}
/// Calls visit(Index<k>, Index<a>, Index<b>) for the components k = (a, b) of the stress that a lattice has.
template <class Lattice, class Visitor>
FLUVIA_FUNCTION void for_each_stress(Visitor&& visit) {
  unroll<6>([&](auto k) {
    constexpr int a = tensor_row[k.i], b = tensor_column[k.i];
    if constexpr (a < Lattice::D && b < Lattice::D) visit(k, Index<a>{}, Index<b>{});
  });
}
/// Flow at a node with these SecondMoments before its collision, or after it. `part` of the body force makes the
/// momentum that in the middle of the step: 1/2 before, -1/2 after.
template <class Lattice, class Equilibrium, bool force, class T>
struct FlowOfMoments {
  using S = Scalar<T>;
  Macroscopic<T> m;
  T momentum[Lattice::D];  ///< that multiplies the velocity in the flux

  FLUVIA_FUNCTION FlowOfMoments(const T (&moments)[SecondMoments<Lattice>::count],
                                const CollisionParameters<S>& parameters, const S& part) {
    m.density_deviation = moments[0];
    const T per_density = inverse(Equilibrium::density(m.density_deviation));
    for (int axis = 0; axis < 3; ++axis) m.velocity[axis] = T(S(0));
    unroll<Lattice::D>([&](auto axis) {
      momentum[axis.i] = moments[1 + axis.i];
      if constexpr (force) momentum[axis.i] += T(parameters.force[axis.i] * part);
      m.velocity[axis.i] = momentum[axis.i] * per_density;
    });
  }
};
}  // namespace detail

/// The SecondMoments of a node after a collision that follows_from_moments, from those before: what collide() does to
/// populations, but for round-off. With the velocity u, which has half of the body force F in it,
///   j' = j + F,   P' = (1 - omega) P + omega rho u u + (1 - omega/2) (u F + F u).
template <class Lattice, class Equilibrium, bool force, class Viscosity, class T>
FLUVIA_FUNCTION void collide_moments(T (&moments)[SecondMoments<Lattice>::count],
                                     const CollisionParameters<Scalar<T>>& parameters,
                                     const Viscosity& viscosity = {}) {
  using S = Scalar<T>;
  using Moments = SecondMoments<Lattice>;
  const detail::FlowOfMoments<Lattice, Equilibrium, force, T> flow(moments, parameters, S(0.5));
  const T(&u)[3] = flow.m.velocity;
  T omega = T(parameters.omega);
  if constexpr (Viscosity::varies) {
    T stress[6];
    detail::for_each_stress<Lattice>([&](auto k, auto row, auto column) {
      constexpr int at = Moments::stress(k.i), a = row.i, b = column.i;
      stress[k.i] = moments[at] - u[a] * flow.momentum[b];
    });
    if constexpr (Lattice::D == 2) stress[2] = stress[4] = stress[5] = T(S(0));
    if constexpr (force) correct_stress<Lattice>(flow.m, parameters.force, stress);
    omega = local_omega<Lattice, Equilibrium>(stress, flow.m, parameters, viscosity);
  }
  const T keep = T(S(1)) - omega, source_factor = omega * S(-0.5) + S(1);
  T relaxed[Lattice::D];  // omega rho u
  unroll<Lattice::D>([&](auto axis) { relaxed[axis.i] = flow.momentum[axis.i] * omega; });
  detail::for_each_stress<Lattice>([&](auto k, auto row, auto column) {
    constexpr int at = Moments::stress(k.i), a = row.i, b = column.i;
    moments[at] = moments[at] * keep + T(u[a] * relaxed[b]);
    if constexpr (force) {
      const T source = u[a] * parameters.force[b] + u[b] * parameters.force[a];
      moments[at] += source_factor * source;
    }
  });
  if constexpr (force) unroll<Lattice::D>([&](auto axis) { moments[1 + axis.i] += T(parameters.force[axis.i]); });
}

namespace detail {
/// Adds the third order that RecursiveRegularized leaves to populations that have the moments after it: of the stress
/// that is left, (1 - omega) (P - rho u u) = P' - rho u u - (1 - omega/2) (u F + F u).
template <class Lattice, class Equilibrium, bool force, class T>
FLUVIA_FUNCTION void add_third_order(const T (&moments)[SecondMoments<Lattice>::count],
                                     const CollisionParameters<Scalar<T>>& parameters, T (&f)[Lattice::Q]) {
  using S = Scalar<T>;
  using Moments = SecondMoments<Lattice>;
  using Third = ThirdOrder<Lattice>;
  const FlowOfMoments<Lattice, Equilibrium, force, T> flow(moments, parameters, S(-0.5));
  const T(&u)[3] = flow.m.velocity;
  T kept[6], third[Third::count];
  for (int k = 0; k < 6; ++k) kept[k] = T(S(0));
  for_each_stress<Lattice>([&](auto k, auto row, auto column) {
    constexpr int at = Moments::stress(k.i), a = row.i, b = column.i;
    kept[k.i] = moments[at] - u[a] * flow.momentum[b];
    if constexpr (force) {
      const T source = u[a] * parameters.force[b] + u[b] * parameters.force[a];
      kept[k.i] -= (T(parameters.omega) * S(-0.5) + S(1)) * source;
    }
  });
  RecursiveRegularized::third_order<Lattice, Equilibrium>(flow.m, kept, third);
  for_each_pair<Lattice>([&](auto p, auto n) {
    constexpr int direction = p.i;
    T odd = T(S(0));
    unroll<Third::count>([&](auto k) {
      constexpr double population = Third::population(direction, k.i);
      if constexpr (population != 0) odd += third[k.i] * S(population);
    });
    f[p.i] += odd;
    f[n.i] -= odd;
  });
}
}  // namespace detail

/// The populations that a collision leaves which has left these moments.
template <class Collision, class Lattice, class Equilibrium, bool force, class T>
FLUVIA_FUNCTION void rebuild_after(const T (&moments)[SecondMoments<Lattice>::count],
                                   const CollisionParameters<Scalar<T>>& parameters, T (&f)[Lattice::Q]) {
  SecondMoments<Lattice>::rebuild(moments, f);
  if constexpr (leaves_third_order<Collision>)
    detail::add_third_order<Lattice, Equilibrium, force>(moments, parameters, f);
}

}  // namespace fluvia::core
