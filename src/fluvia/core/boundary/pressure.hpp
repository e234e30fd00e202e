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
  /// Of the velocity along the opening that fluid brings in, what a step takes away per speed of inflow.
  static constexpr double straightening = 6;

  /// Completes the cut links. Fluid that comes back in shall come straight in: it has left its vortices outside.
  /// Without that its velocity along the opening is what the inside makes it, which feeds on itself, and a vortex that
  /// turns in an outlet blows up. Returns the moments of the completed node, and its velocity out of the fluid.
  template <class Node, class T = typename Node::T>
  static FLUVIA_FUNCTION Macroscopic<T> complete_both_ways(const Node& node, T deviation, T& outwards) {
    using Lattice = typename Node::Lattice;
    using Equilibrium = typename Node::Equilibrium;
    Macroscopic<T> m = complete(node, deviation);
    T u[3] = {m.velocity[0], m.velocity[1], m.velocity[2]}, n[3];
    outwards = 0;
    for (int a = 0; a < Lattice::D; ++a) {
      n[a] = T(node.links.normal[a]);
      outwards += u[a] * n[a];
    }
    if (!(outwards < T(0))) return m;
    T squared = 0;
    for (int a = 0; a < Lattice::D; ++a) {
      u[a] -= outwards * n[a];
      squared += u[a] * u[a];
    }
    // Populations -w_i (c_i - c).u with the links' mean c take momentum along u and leave the mass.
    T weight = 0, mean = 0, taken = 0;
    node.for_each_cut([&](auto i) {
      weight += T(Lattice::w[i.i]);
      mean += T(Lattice::w[i.i]) * along<Lattice, i.i>(u);
    });
    if (!(weight > T(0))) return m;
    mean /= weight;
    node.for_each_cut([&](auto i) {
      const T cu = along<Lattice, i.i>(u);
      taken += T(Lattice::w[i.i]) * cu * (cu - mean);
    });
    // On edges with other surfaces few links are left; they take no more than those of a plane, whose sum is u^2 / 18.
    if (taken < squared * T(1.0 / 18)) taken = squared * T(1.0 / 18);
    if (!(taken > T(0))) return m;
    const T asked = T(-straightening) * outwards, share = asked < T(1) ? asked : T(1);
    const T factor = share * Equilibrium::density(m.density_deviation) * squared / taken;
    node.for_each_cut([&](auto i) { node.f[i.i] -= factor * T(Lattice::w[i.i]) * (along<Lattice, i.i>(u) - mean); });
    return moments<Lattice, Equilibrium>(node.f, node.parameters.force);
  }

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

/// What openings that prescribe a pressure have in common; their first key is that pressure.
constexpr ConditionFacts outlet_facts(const char* name, const char* meaning) {
  return {.name = name,
          .meaning = meaning,
          .priority = 4,
          .order = 2,
          .is_opening = true,
          .drives = true,
          .needs_normal = true,
          .keys = {{.name = "pressure", .dimension = Dimension::pressure, .meaning = "gauge pressure"}}};
}

/// An opening with a prescribed pressure. It reflects sound; see NonReflectingOpening.
struct PressureOpening {
  static constexpr ConditionFacts facts = [] {
    ConditionFacts f = outlet_facts("pressure", "opening with a prescribed pressure; reflects sound");
    f.keys[0].series = true;
    return f;
  }();

  template <class Node>
  static FLUVIA_FUNCTION void apply(const Node& node) {
    using T = typename Node::T;
    T outwards;
    PrescribedDensity::complete_both_ways(node, T(node.surface.values[0] / sound_speed_squared), outwards);
  }
};

}  // namespace fluvia::core
