// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/boundary/pressure.hpp"

namespace fluvia::core {

/// An opening that lets sound and vortices out. Of the characteristic waves along its normal n the outgoing one is left
/// alone and the incoming one only pulls the pressure gently towards the prescribed one:
///   d rho/dt = (rho/c_s) d u_n/dt - K (rho - rho_target),  K = sigma c_s / length,
/// which is L_- = K (p - p_target) of Poinsot & Lele, J. Comput. Phys. 101 (1992) 104, eq. 41, with the outgoing
/// amplitude eliminated between their eqs 24 and 25; sigma after Rudy & Strikwerda, J. Comput. Phys. 36 (1980) 55, and
/// the length of the box. The density is that half-way along the links, half a step ago, where an outgoing wave is what
/// the node had 1/2 + 1/(2 (c_s + u_n)) steps ago: u_n is taken there, between the last two steps. That makes the
/// reflection of a pulse eight times smaller than without (docs/openings.md). Needs the node's own past only.
struct NonReflectingOpening {
  enum Key { pressure, relaxation };
  enum Memory { density, delayed, last, before_last, steps, memory_size };
  static constexpr ConditionFacts facts = {
      .name = "non_reflecting",
      .meaning = "opening that lets sound and vortices out",
      .priority = 4,
      .order = 2,
      .is_opening = true,
      .drives = true,
      .needs_normal = true,
      .memory = memory_size,
      .keys = {{.name = "pressure", .dimension = Dimension::pressure, .meaning = "gauge pressure", .series = true},
               {.name = "relaxation",
                .meaning = "how firmly the mean pressure is held: sigma of Rudy & Strikwerda; 0 = not at all",
                .standard = 0.25,
                .least = 0,
                .most = 10}}};

  template <class Node>
  static FLUVIA_FUNCTION void apply(const Node& node) {
    using T = typename Node::T;
    constexpr double sound_speed = 0.57735026918962576451;
    T* const memory = node.memory;
    const T target = T(node.surface.values[pressure] / sound_speed_squared);
    const T rate = T(node.surface.values[relaxation] * sound_speed / node.surface.length);
    // u_n one step ago and a little earlier; of the first steps nothing is known.
    const T share = T(0.5) / (T(sound_speed) + memory[last]) - T(0.5);
    const T velocity = memory[last] + share * (memory[before_last] - memory[last]);
    T deviation = memory[steps] > T(0) ? memory[density] : target;
    if (memory[steps] > T(2))
      deviation += (T(1) + deviation) * (velocity - memory[delayed]) / T(sound_speed) - rate * (deviation - target);
    const auto m = PrescribedDensity::complete(node, deviation);
    T normal_velocity = 0;
    for (int axis = 0; axis < Node::Lattice::D; ++axis)
      normal_velocity += m.velocity[axis] * T(node.links.normal[axis]);
    memory[density] = deviation;
    memory[delayed] = velocity;
    memory[before_last] = memory[last];
    memory[last] = normal_velocity;
    if (memory[steps] < T(3)) memory[steps] += T(1);
  }
};

}  // namespace fluvia::core
