// SPDX-License-Identifier: Apache-2.0
// What keeps openings that hold a density stable where the viscosity is low.
#pragma once
#include "fluvia/core/boundary/surface.hpp"

namespace fluvia::core {

/// Takes a part of the stress on the plane of an opening that no flow with a constant velocity along the normal has,
/// where fluid leaves that is thin: where u_n/nu, a node's Reynolds number, is beyond 12.
///
/// Anti-bounce-back sends every stress back reversed, and collisions of thin fluids reverse it again. So nothing takes
/// away what the velocity along the plane has of waves two nodes long, nor sound as short as five nodes along the
/// normal: of a linearised step with `recursive-regularized`, D3Q19, u = 0.06, tau = 0.503 and 0.5005, the largest
/// eigenvalues are 1.019 and 1.029. A tenth of the stress a step is enough there, a fifth at u = 0.1
/// (docs/openings.md); what is taken is 3 u_n, and less below a Reynolds number of 24.
///
/// The stress on the plane is n.Pi, of which a parallel flow has -rho c_s^2 tau b along the plane, b being the gradient
/// of the speed. What is beside it goes over the cut links: along the plane by populations that carry no mass, along
/// the normal by mass, which an opening that holds a density exchanges anyway.
struct OutflowStress {
  static constexpr double least_reynolds = 12, of_speed = 3;

  /// Share of the stress that is taken in a step; 0 for most flows. `outwards`: velocity along the normal.
  template <class T>
  static FLUVIA_FUNCTION T share(const T& outwards, const T& viscosity) {
    const T excess = outwards - T(least_reynolds) * viscosity;
    if (!(excess > T(0))) return T(0);
    const T width = T(least_reynolds) * viscosity;
    const T all = T(of_speed) * outwards, most = all < T(1) ? all : T(1);
    return excess < width ? most * excess / width : most;
  }

  /// What is beside a parallel flow of the stress on the plane of a node with moments `m`, whose opening has the
  /// gradient `slope` of its speed along the plane: along the plane, and along the normal.
  template <class Node, class T = typename Node::T>
  static FLUVIA_FUNCTION void on_plane(const Node& node, const Macroscopic<T>& m, T viscosity, const T* slope,
                                       T (&along_plane)[3], T& along_normal) {
    using Lattice = typename Node::Lattice;
    using Equilibrium = typename Node::Equilibrium;
    for (int a = 0; a < 3; ++a) along_plane[a] = 0;
    // Component by component, so that few numbers are needed at a time.
    unroll<6>([&](auto k) {
      constexpr int r = tensor_row[k.i], c = tensor_column[k.i];
      if constexpr (r < Lattice::D && c < Lattice::D) {
        const T stress = nonequilibrium_stress<Lattice, Equilibrium, k.i>(node.f, m) +
                         stress_of_force<k.i>(m, node.parameters.force);
        along_plane[r] += stress * T(node.links.normal[c]);
        if constexpr (r != c) along_plane[c] += stress * T(node.links.normal[r]);
      }
    });
    along_normal = 0;
    for (int a = 0; a < Lattice::D; ++a) along_normal += along_plane[a] * T(node.links.normal[a]);
    const T of_slope = Equilibrium::density(m.density_deviation) * (viscosity + T(0.5 * sound_speed_squared));
    for (int a = 0; a < Lattice::D; ++a) along_plane[a] += of_slope * slope[a] - along_normal * T(node.links.normal[a]);
  }
};

}  // namespace fluvia::core
