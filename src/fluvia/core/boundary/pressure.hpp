// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/boundary/surface.hpp"

namespace fluvia::core {

/// w_i Q_i : T, the even population that carries the momentum flux T (see Isotropy).
template <class Lattice, int i, class T>
FLUVIA_FUNCTION T population_of_stress(const T (&stress)[6]) {
  using Form = Isotropy<Lattice>;
  T along_link = 0, normal = 0, trace = 0;
  unroll<6>([&](auto k) {
    constexpr int a = tensor_row[k.i], b = tensor_column[k.i];
    constexpr int cc = Lattice::c[i][a] * Lattice::c[i][b] * (a == b ? 1 : 2);
    if constexpr (cc != 0) along_link += stress[k.i] * T(cc);
    if constexpr (a == b && a < Lattice::D) {
      trace += stress[k.i];
      if constexpr (Lattice::c[i][a] != 0) normal += stress[k.i];
    }
  });
  return T(Lattice::w[i]) * (T(Form::product) * along_link + T(Form::normal) * normal + T(Form::trace(i)) * trace);
}

/// Anti-bounce-back towards a density half-way along the link,
///   f_i = -f_ibar + 2 f_i^eq,even(rho, u) + (2 - omega) n_i,
/// chosen because, unlike wet-node closures, it needs no flat, axis-aligned plane. f_ibar is what left one step ago.
/// Its non-equilibrium part would come back with the wrong sign; n_i = w_i Q_i : Pi puts it right, Pi being the node's
/// viscous momentum flux of that step, which is kept in six numbers. The velocity is the node's own and depends on the
/// populations to be found: a few passes, each of which takes the error down by about twice the lattice speed.
/// Ginzburg, Verhaeghe & d'Humieres, Commun. Comput. Phys. 3 (2008) 519, section 3.
struct PrescribedDensity {
  static constexpr int stress_memory = 6;
  static constexpr int most_passes = 16;

  /// `stress`: that of the step before; becomes that of this step. Returns the moments of the completed node.
  template <class Node, class T = typename Node::T>
  static FLUVIA_FUNCTION Macroscopic<T> complete(const Node& node, T deviation, T* kept_stress) {
    using Lattice = typename Node::Lattice;
    using Equilibrium = typename Node::Equilibrium;
    constexpr T settled = sizeof(T) == 8 ? T(1e-14) : T(1e-8);
    const auto& force = node.parameters.force;
    T stress[6], base[Lattice::Q];
    for (int k = 0; k < 6; ++k) stress[k] = kept_stress[k];
    const T stress_factor = T(2) - node.parameters.omega;
    node.for_each_cut([&](auto i) {
      constexpr int direction = i.i;
      base[i.i] = stress_factor * population_of_stress<Lattice, direction>(stress) - node.f[i.i];
    });
    Macroscopic<T> m{deviation, {0, 0, 0}};
    for (int pass = 0; pass < most_passes; ++pass) {
      const EquilibriumPairs<Lattice, Equilibrium, T> equilibrium(m);
      node.for_each_cut([&](auto i) {
        constexpr int p = i.i % 2 == 1 ? i.i : i.i - 1;
        T even, odd;
        equilibrium.template pair<p>(even, odd);
        node.f[i.i] = base[i.i] + even * T(2);
      });
      const Macroscopic<T> found = moments<Lattice, Equilibrium>(node.f, force);
      T change = 0;
      for (int axis = 0; axis < 3; ++axis) {
        const T difference = found.velocity[axis] - m.velocity[axis];
        change += difference > 0 ? difference : -difference;
        m.velocity[axis] = found.velocity[axis];
      }
      m.density_deviation = deviation;
      if (!(change > settled)) break;
    }
    const Macroscopic<T> completed = moments<Lattice, Equilibrium>(node.f, force);
    nonequilibrium_stress<Lattice, Equilibrium>(node.f, completed, stress);
    for (int k = 0; k < 6; ++k) kept_stress[k] = stress[k];
    return completed;
  }
};

/// An opening with a prescribed pressure. It reflects sound; see NonReflectingOpening.
struct PressureOpening {
  static constexpr ConditionFacts facts = {
      .name = "pressure",
      .meaning = "opening with a prescribed pressure; reflects sound",
      .priority = 4,
      .order = 2,
      .is_opening = true,
      .drives = true,
      .memory = PrescribedDensity::stress_memory,
      .keys = {{.name = "pressure", .dimension = Dimension::pressure, .meaning = "gauge pressure", .series = true}}};

  template <class Node>
  static FLUVIA_FUNCTION void apply(const Node& node) {
    using T = typename Node::T;
    PrescribedDensity::complete(node, T(node.surface.values[0] / sound_speed_squared), node.memory);
  }
};

}  // namespace fluvia::core
