// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/boundary/surface.hpp"

namespace fluvia::core {

/// Prescribed pressure half-way along the link by anti-bounce-back: f_i = -f_ibar + 2 f_i^eq,even(rho_wall, u), chosen
/// because, unlike wet-node closures, it needs no flat, axis-aligned plane. The velocity is the node's own: its linear
/// part does not depend on u, so one correction after a first pass suffices (the rest is of fourth order in Mach).
/// Ginzburg, Verhaeghe & d'Humieres, Commun. Comput. Phys. 3 (2008) 519, section 3.
struct PressureOpening {
  static constexpr ConditionFacts facts = {
      .name = "pressure",
      .meaning = "opening with a prescribed pressure",
      .priority = 4,
      .order = 2,
      .is_opening = true,
      .drives = true,
      .keys = {{.name = "pressure", .dimension = Dimension::pressure, .meaning = "gauge pressure", .series = true}}};

  template <class Node>
  static FLUVIA_FUNCTION void apply(const Node& node) {
    using T = typename Node::T;
    using Lattice = typename Node::Lattice;
    using Equilibrium = typename Node::Equilibrium;
    auto& f = node.f;
    const T deviation = T(node.surface.values[0] / sound_speed_squared);
    node.for_each_cut([&](auto i) { f[i.i] = T(2 * Lattice::w[i.i]) * deviation - f[i.i]; });
    const Macroscopic<T> m = moments<Lattice, Equilibrium>(f, node.parameters.force);
    const T density = Equilibrium::density(deviation);
    T speed_squared = 0;
    for (int axis = 0; axis < Lattice::D; ++axis) speed_squared += m.velocity[axis] * m.velocity[axis];
    node.for_each_cut([&](auto i) {
      T cu = 0;
      for (int axis = 0; axis < Lattice::D; ++axis) cu += T(Lattice::c[i.i][axis]) * m.velocity[axis];
      constexpr int direction = i.i;
      f[i.i] += T(2 * Lattice::w[i.i]) * density *
                quadratic<Lattice, direction>(m.velocity, m.velocity, cu, cu, speed_squared);
    });
  }
};

}  // namespace fluvia::core
