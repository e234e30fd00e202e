// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/boundary/interpolated_wall.hpp"
#include "fluvia/core/collision/registry.hpp"
#include "fluvia/core/equilibrium/registry.hpp"
#include "fluvia/core/viscosity/viscosity.hpp"

namespace fluvia::core {

/// Moments, local viscosity, collision and force of one node or of a pack of nodes, in place. `viscosity`: one of
/// core::Viscosities, or what evaluates one.
template <class Collision, class Lattice, class Equilibrium, bool force, class Viscosity, class T>
FLUVIA_FUNCTION void collide(T (&f)[Lattice::Q], const CollisionParameters<Scalar<T>>& parameters,
                             const Viscosity& viscosity = {}) {
  const Macroscopic<T> m = moments<Lattice, Equilibrium>(f, parameters.force);
  T stress[6] = {};
  if constexpr (Collision::needs_stress || Viscosity::varies) nonequilibrium_stress<Lattice, Equilibrium>(f, m, stress);
  T omega = T(parameters.omega);
  if constexpr (Viscosity::varies) {
    T corrected[6];
    for (int k = 0; k < 6; ++k) corrected[k] = stress[k];
    if constexpr (force) correct_stress<Lattice>(m, parameters.force, corrected);
    omega = local_omega<Lattice, Equilibrium>(corrected, m, parameters, viscosity);
  }
  Collision::template relax<Lattice, Equilibrium, force>(f, m, stress, omega, parameters);
}

/// Collides one node with walls between the nodes: afterwards f_k holds what shall come back from the wall along k
/// where bit k of `cut` is set. `distances`: as BeforeWalls::return_pair takes them, and any_opposed(), whether some
/// pair may be cut on both sides; supply() is what all links to walls give, in parts of their weight. `before`:
/// BeforeWalls, to keep what that needs. `own`: the node's own force, which acts before the collision.
template <class Collision, class Lattice, class Equilibrium, bool force, class Viscosity, class T, class Before,
          class Supply, class Distances, class Own>
FLUVIA_FUNCTION void collide_at_walls(T (&f)[Lattice::Q], const CollisionParameters<T>& parameters, Before& before,
                                      Uint32 cut, Supply&& supply, const Distances& distances, const Own& own) {
  T all_forces[3] = {parameters.force[0], parameters.force[1], parameters.force[2]};
  own.add_to(all_forces);
  before.keep(f, all_forces);
  own.template kick<Lattice, Equilibrium>(f, parameters.force, T(1));
  collide<Collision, Lattice, Equilibrium, force, Viscosity>(f, parameters);
  const T supplied = supply();
  const auto return_pairs = [&](const auto& known) {
    for_each_pair<Lattice>([&](auto p, auto n) {
      before.return_pair(p.i / 2, cut >> p.i, known, supplied * T(Lattice::w[p.i]), f[p.i], f[n.i]);
    });
  };
  if (distances.any_opposed())
    return_pairs(distances.on_both_sides());
  else
    return_pairs(distances);
}

}  // namespace fluvia::core
