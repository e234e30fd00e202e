// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/boundary/surface.hpp"

namespace fluvia::core {

/// A layer before an opening that takes what fluctuates out of the flow, so that little of it reaches the opening:
///   f_i -= chi (f_i^eq(rho, u) - f_i^eq(<rho>, <u>)),  chi = strongest (d / depth)^3
/// at d from the layer's inner edge, with the node's own running means as what shall be left. Sponge after Israeli &
/// Orszag, J. Comput. Phys. 41 (1981) 115; cubic so that it reflects little by itself.
/// Sound of any wave length below four depths leaves e^-absorption of itself each way. The means run over the time in
/// which it passes twice: a flow that starts feels the layer as one of 1 + 2 absorption times its inertia, no more.
struct Sponge {
  static constexpr double absorption = 3;
  enum Memory { started, mean_density, mean_velocity, memory_size = mean_velocity + 3 };

  /// chi in a layer so deep, nodes, at a share of the depth from its inner edge. Its integral over the depth is
  /// absorption times the speed of sound, as far as the weight stays below 1/2.
  static double damping(double depth, double share) {
    const double strongest = 4 * absorption * 0.57735026918962576451 / depth;
    return (strongest < 0.5 ? strongest : 0.5) * share * share * share;
  }

  template <class Node>
  static FLUVIA_FUNCTION void apply(const Node& node) {
    using T = typename Node::T;
    using Lattice = typename Node::Lattice;
    using Equilibrium = typename Node::Equilibrium;
    T* const memory = node.memory;
    const Macroscopic<T> now = moments<Lattice, Equilibrium>(node.f, node.parameters.force);
    const T usual = T(0.28867513459481288225) / T(node.surface.sponge);  // c_s / (2 depth)
    const T rate = memory[started] > T(0) && usual < T(1) ? usual : T(1);
    Macroscopic<T> mean;
    memory[mean_density] += rate * (now.density_deviation - memory[mean_density]);
    mean.density_deviation = memory[mean_density];
    for (int a = 0; a < 3; ++a) {
      memory[mean_velocity + a] += rate * (now.velocity[a] - memory[mean_velocity + a]);
      mean.velocity[a] = memory[mean_velocity + a];
    }
    memory[started] = T(1);
    // One equilibrium after the other: both at once do not fit the registers of a GPU.
    add(node, mean, T(node.links.damping));
    add(node, now, -T(node.links.damping));
  }

 private:
  template <class Node, class T = typename Node::T>
  static FLUVIA_FUNCTION void add(const Node& node, const Macroscopic<T>& m, T factor) {
    using Lattice = typename Node::Lattice;
    const EquilibriumPairs<Lattice, typename Node::Equilibrium, T> equilibrium(m);
    node.f[0] += factor * equilibrium.rest();
    for_each_pair<Lattice>([&](auto p, auto n) {
      T even, odd;
      equilibrium.template pair<p.i>(even, odd);
      node.f[p.i] += factor * (even + odd);
      node.f[n.i] += factor * (even - odd);
    });
  }
};

}  // namespace fluvia::core
