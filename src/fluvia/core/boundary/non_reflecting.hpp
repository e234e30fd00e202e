// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/boundary/pressure.hpp"

namespace fluvia::core {

/// An opening that lets sound and vortices out. Sound leaves along the outward normal n at c_s + u_n, vortices with the
/// mean flow at V. In the frame of these, D = d/dt + V d/dn, a vortex changes nothing and of sound the outgoing
/// characteristic holds, so that with the incoming one left out
///   D rho = (rho/c_s) D u_n - K (rho - rho_target),  K = sigma c_s / length,
/// which for V = 0 is L_- = K (p - p_target) of Poinsot & Lele, J. Comput. Phys. 101 (1992) 104, eq. 41, with the
/// outgoing amplitude eliminated between their eqs 24 and 25; sigma after Rudy & Strikwerda, J. Comput. Phys. 36 (1980)
/// 55, and the length of the box. Without V d/dn the velocity of a vortex passes for that of sound. V and the mean of
/// the terms with V d/dn are running means over three passages of the box; the latter is left out, so that a steady
/// flow has the prescribed pressure whatever its gradients are.
///
/// What pulls the mean must not hold the waves. Instead of K (rho - rho_target) it is K/2 m, where m follows
/// rho - rho_target at the rate 2 K: critically damped, so that a mean settles as fast as with K, while of a wave of
/// frequency w (K/w)^2 comes back instead of K/w. An m beside the dynamic pressure q = V^2/2, as starts from rest leave
/// it, is no flow's own: K grows with (m c_s^2/q)^2, up to ten times.
///
/// All that leaves the differences between the densities of an opening's nodes as good as free: what a start leaves of
/// them stayed for tens of thousands of steps, since a flow answers to them by its velocity, of which this condition
/// makes them again, and at angles to the lattice they grew. So a density goes on from the mean of its neighbours' in
/// the opening instead of its own. Sound does not feel that, and vortices have passed before they do.
///
/// The density is that half-way along the links, half a step ago. A wave that is there then was half-way between the
/// node and the one upstream 1/2 + 1/(c_s + u_n), about 2, steps ago; D u_n is taken there. Where there is no node
/// upstream, V d/dn is left out and d u_n/dt is that of the node itself, 1/2 + 1/(2 (c_s + u_n)) steps ago.
struct NonReflectingOpening {
  enum Key { pressure, relaxation };
  /// `steps` counts 0, 1, ..., 7 and then 4 to 7 again; step s keeps velocity and density of the node as number s
  /// modulo 4 of `velocities` and `densities`, and the density in the plane alternately in `density` and
  /// `other_density`, so that what other nodes read is not what is being written.
  enum Memory {
    density,
    held,
    mean_velocity,
    mean_carried,
    steps,
    velocities,
    densities = velocities + 4,
    plane = densities + 4,
    other_density = plane + PrescribedDensity::plane_memory,
    memory_size
  };
  static constexpr ConditionFacts facts = [] {
    ConditionFacts f = outlet_facts("non_reflecting", "opening that lets sound and vortices out", memory_size);
    f.holds_pressure = false;  // it holds the pressure in the mean
    f.upstream = Upstream::everywhere;
    f.keys[pressure].series = true;
    f.keys[relaxation] = {.name = "relaxation",
                          .meaning = "how firmly the mean pressure is held: sigma of Rudy & Strikwerda; 0 = not at all",
                          .standard = 0.05,
                          .least = 0,
                          .most = 10};
    return f;
  }();

  template <class Node>
  static FLUVIA_FUNCTION void apply(const Node& node) {
    using T = typename Node::T;
    constexpr double sound_speed = 0.57735026918962576451;
    T* const memory = node.memory;
    const T target = T(node.surface.values[pressure] / sound_speed_squared);
    const T length = T(node.surface.length);
    const int step = static_cast<int>(memory[steps]);
    const auto ago = [step](int first, int count) { return first + (step + 4 - count) % 4; };
    const int now = step % 2 == 0 ? density : other_density, before = density + other_density - now;
    T deviation = step > 0 ? memory[before] : target;
    if (step >= 4) {
      const T mean = memory[mean_velocity];
      const T last = memory[ago(velocities, 1)], second = memory[ago(velocities, 2)],
              third = memory[ago(velocities, 3)];
      T change, carried = 0;
      if (node.upstream != nullptr) {
        const T distance = T(node.links.opening.upstream_distance);
        const T second_up = node.upstream[ago(velocities, 2)], third_up = node.upstream[ago(velocities, 3)];
        change = T(0.5) * (second - third + second_up - third_up);
        const T speed = memory[mean_velocity] > T(0) ? memory[mean_velocity] : T(0);
        const T velocity_gradient = T(0.5) * (second - second_up + third - third_up) / distance;
        const T density_gradient = (deviation - node.upstream[ago(densities, 1)]) / (distance + T(0.5));
        carried = speed * ((T(1) + deviation) * velocity_gradient * T(1 / sound_speed) - density_gradient);
      } else {
        const T share = T(0.5) / (T(sound_speed) + last) - T(0.5);
        change = last - second + share * (second - third - last + second);
      }
      const T rate = ((last < T(0) ? -last : last) + T(0.01)) / (T(3) * length);
      memory[mean_velocity] += rate * (last - mean);
      memory[mean_carried] += rate * (carried - memory[mean_carried]);
      const T beside = memory[held] / (T(1.5) * mean * mean + T(1e-12)), squared = beside * beside;
      const T pull =
          T(node.surface.values[relaxation] * sound_speed) / length * (T(1) + T(9) * (squared < T(1) ? squared : T(1)));
      memory[held] += T(2) * pull / (T(1) + T(2) * pull) * (deviation - target - memory[held]);
      deviation += (T(1) + deviation) * change * T(1 / sound_speed) + carried - memory[mean_carried] -
                   T(0.5) * pull * memory[held] + node.excess_beside(before);
    }
    T outwards = step > 0 ? memory[ago(velocities, 1)] : T(0);
    auto opening = PrescribedDensity::plane_of(node, deviation, outwards, ago(velocities, 1), memory + plane);
    if (step > 0 && node.upstream != nullptr)
      PrescribedDensity::set_upstream(node, node.upstream[ago(densities, 1)], opening);
    const auto m = PrescribedDensity::complete_both_ways(node, opening, outwards);
    memory[plane] = node.local_rate(m);
    memory[now] = deviation;
    memory[velocities + step % 4] = outwards;
    memory[densities + step % 4] = m.density_deviation;
    if (step == 0) memory[mean_velocity] = outwards;
    memory[steps] = T(step == 7 ? 4 : step + 1);
  }
};

}  // namespace fluvia::core
