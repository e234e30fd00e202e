// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/boundary/surface.hpp"

namespace fluvia::core {

/// Anti-bounce-back towards a density half-way along the link,
///   f_i = -f_ibar + 2 f_i^eq,even(rho, u),
/// chosen because, unlike wet-node closures, it needs no flat, axis-aligned plane. f_ibar is what left one step ago.
/// The velocity is the node's own and depends on the populations to be found: a few passes, each of which takes the
/// error down by about twice the lattice speed. Putting the sign of the viscous part right, + (2 - omega) w_i Q_i : Pi
/// of the step before, makes outlets at an angle to the lattice unstable (docs/openings.md). Ginzburg, Verhaeghe &
/// d'Humieres, Commun. Comput. Phys. 3 (2008) 519, section 3.
struct PrescribedDensity {
  static constexpr int most_passes = 64;

  /// Returns the moments of the completed node.
  template <class Node, class T = typename Node::T>
  static FLUVIA_FUNCTION Macroscopic<T> complete(const Node& node, T deviation) {
    using Lattice = typename Node::Lattice;
    using Equilibrium = typename Node::Equilibrium;
    constexpr T settled = sizeof(T) == 8 ? T(1e-15) : T(1e-8);
    const auto& force = node.parameters.force;
    T bounced[Lattice::Q];
    node.for_each_cut([&](auto i) { bounced[i.i] = node.f[i.i]; });
    Macroscopic<T> m{deviation, {0, 0, 0}};
    for (int pass = 0; pass < most_passes; ++pass) {
      const EquilibriumPairs<Lattice, Equilibrium, T> equilibrium(m);
      node.for_each_cut([&](auto i) {
        constexpr int p = i.i % 2 == 1 ? i.i : i.i - 1;
        T even, odd;
        equilibrium.template pair<p>(even, odd);
        node.f[i.i] = even * T(2) - bounced[i.i];
      });
      const Macroscopic<T> found = moments<Lattice, Equilibrium>(node.f, force);
      T change = 0;
      for (int axis = 0; axis < 3; ++axis) {
        const T difference = found.velocity[axis] - m.velocity[axis];
        change += difference > 0 ? difference : -difference;
        m.velocity[axis] = found.velocity[axis];
      }
      if (!(change > settled)) break;
    }
    return moments<Lattice, Equilibrium>(node.f, force);
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
      .keys = {{.name = "pressure", .dimension = Dimension::pressure, .meaning = "gauge pressure", .series = true}}};

  template <class Node>
  static FLUVIA_FUNCTION void apply(const Node& node) {
    using T = typename Node::T;
    PrescribedDensity::complete(node, T(node.surface.values[0] / sound_speed_squared));
  }
};

}  // namespace fluvia::core
