// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/boundary/surface.hpp"

namespace fluvia::core {

/// A layer before an opening that takes what fluctuates out of the flow, so that little of it reaches the opening:
///   f_i -= chi (f_i^eq(rho, u) - f_i^eq(<rho>, <u>)),  chi = strongest (d / depth)^3
/// at d from the layer's inner edge, with the node's own running means over three passages of the box as what shall be
/// left. Sponge after Israeli & Orszag, J. Comput. Phys. 41 (1981) 115; cubic so that it reflects little by itself.
struct Sponge {
  static constexpr double strongest = 0.5;
  enum Memory { started, mean_density, mean_velocity, memory_size = mean_velocity + 3 };

  template <class Node>
  static FLUVIA_FUNCTION void apply(const Node& node) {
    using T = typename Node::T;
    using Lattice = typename Node::Lattice;
    using Equilibrium = typename Node::Equilibrium;
    T* const memory = node.memory;
    const Macroscopic<T> now = moments<Lattice, Equilibrium>(node.f, node.parameters.force);
    T speed = 0;
    for (int a = 0; a < 3; ++a) speed += memory[mean_velocity + a] * T(node.links.normal[a]);
    const T usual = ((speed < T(0) ? -speed : speed) + T(0.01)) / (T(3) * T(node.surface.length));
    const T rate = memory[started] > T(0) ? usual : T(1);
    Macroscopic<T> mean;
    memory[mean_density] += rate * (now.density_deviation - memory[mean_density]);
    mean.density_deviation = memory[mean_density];
    for (int a = 0; a < 3; ++a) {
      memory[mean_velocity + a] += rate * (now.velocity[a] - memory[mean_velocity + a]);
      mean.velocity[a] = memory[mean_velocity + a];
    }
    memory[started] = T(1);
    const T chi = T(node.links.damping);
    const EquilibriumPairs<Lattice, Equilibrium, T> from(now), to(mean);
    node.f[0] += chi * (to.rest() - from.rest());
    for_each_pair<Lattice>([&](auto p, auto n) {
      T even, odd, even_now, odd_now;
      to.template pair<p.i>(even, odd);
      from.template pair<p.i>(even_now, odd_now);
      node.f[p.i] += chi * (even - even_now + odd - odd_now);
      node.f[n.i] += chi * (even - even_now - odd + odd_now);
    });
  }
};

}  // namespace fluvia::core
