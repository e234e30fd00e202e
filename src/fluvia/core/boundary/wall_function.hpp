// SPDX-License-Identifier: Apache-2.0
// The friction of a turbulent boundary layer that the nodes do not resolve.
#pragma once
#include "fluvia/core/boundary/slip.hpp"
#include "fluvia/core/math.hpp"

namespace fluvia::core {

/// u+ of the law of the wall of D. B. Spalding, J. Appl. Mech. 28 (1961) 455,
///   y+ = u+ + e^(-kappa B) (e^s - 1 - s - s^2/2 - s^3/6),  s = kappa u+,
/// where the Reynolds number u y / nu = u+ y+ of a speed u at a distance y is given. kappa = 0.4, B = 5.5.
template <class T>
FLUVIA_FUNCTION T spalding_velocity(T reynolds) {
  constexpr T kappa = T(0.4), least = T(0.11080315836233387);  // e^(-0.4 * 5.5)
  // Both the linear and the logarithmic law alone lie above the root, from where Newton's steps cannot leave it behind,
  // as the function is convex.
  using std::sqrt;
  const T linear = sqrt(reynolds);
  const T logarithmic = T(detail::log_of_2) * binary_logarithm(reynolds + T(1)) / kappa + T(5.5);
  T u = linear < logarithmic ? linear : logarithmic;
  for (int k = 0; k < 12; ++k) {
    const T s = kappa * u, power = binary_power(T(s * T(1 / detail::log_of_2)));
    const T square = s * s;
    const T tail = least * (power - T(1) - s - T(0.5) * square - square * s * T(1.0 / 6));
    const T slope = least * kappa * (power - T(1) - s - T(0.5) * square);
    u -= (u * (u + tail) - reynolds) / (T(2) * u + tail + u * slope);
  }
  return u;
}

/// u_tau where the mean speed at the distance y from a wall is `speed`: that of Spalding's law, 0 where y+ is below 5,
/// or that of a rough wall, u = u_tau / kappa ln(1 + 30 y / grain), if that is larger.
template <class T>
FLUVIA_FUNCTION T friction_velocity(T speed, T y, T viscosity, T grain) {
  constexpr T resolved = T(25);
  constexpr double kappa = 0.4;
  const T reynolds = speed * y / viscosity;
  T friction = reynolds > resolved ? speed / spalding_velocity(reynolds) : T(0);
  if (grain > T(0)) {
    const T rough = speed * T(kappa / detail::log_of_2) / binary_logarithm(T(1) + T(30) * y / grain);
    friction = rough > friction ? rough : friction;
  }
  return friction;
}

/// A wall at rest beside which the boundary layer is turbulent and thinner than the nodes can resolve. In the place of
/// the friction that bounce-back makes of the velocity of the first node comes that of the law of the wall, from the
/// velocity at the node beyond: the links slide, which takes nothing of the momentum along the wall, and then take what
/// the friction takes, tau_w times the part of the surface that belongs to the node, -sum_cut 6 w_i c_i.n. That is the
/// exchange of momentum of H. Asmuth, C. F. Janssen, H. Olivares-Espinosa & S. Ivanell, Phys. Fluids 33 (2021) 105111,
/// with links that let no mass through.
///
/// The law holds in the mean, so it is asked with a running mean of the velocity over y / u_tau; tau_w follows the
/// velocity of the time in the ratio of the means (U. Schumann, J. Comput. Phys. 18 (1975) 376). Where y+ is below 5
/// the layer is resolved, and the wall is that of bounce-back. So it is beside edges, where a flow separates that would
/// go around them if it slid.
struct WallFunction {
  enum Key { sand_grain };
  /// `steps` counts 0, 1, 2, 3 and then alternately 2 and 3; the velocity of the node is kept alternately in one half
  /// of `velocities` and the other, so that what other nodes read is not what is being written.
  enum Memory { steps, velocities, mean_velocity = velocities + 6, memory_size = mean_velocity + 3 };
  static constexpr ConditionFacts facts = {
      .name = "wall_function",
      .meaning = "wall at rest with the friction of a turbulent boundary layer that is not resolved",
      .priority = 1,
      .order = 1,
      .sticks = true,
      .slides = Slides::everywhere,
      .models_friction = true,
      .needs_normal = true,
      .upstream = Upstream::everywhere,
      .memory = memory_size,
      .keys = {{.name = "sand_grain",
                .dimension = Dimension::length,
                .meaning = "size of sand grains as rough as the wall, 30 times its roughness length; 0 = smooth",
                .least = 0}}};

  template <class Node>
  static FLUVIA_FUNCTION void apply(const Node& node) {
    using T = typename Node::T;
    T* const memory = node.memory;
    const int step = static_cast<int>(memory[steps]);
    T* const now = memory + velocities + (step % 2 == 0 ? 0 : 3);
    if (step > 0 && node.links.directions != 0) {
      const bool above = node.upstream != nullptr;
      const T* const sample = (above ? node.upstream : node.memory) + velocities + (step % 2 == 0 ? 3 : 0);
      exchange(node, sample, T(node.links.opening.depth) + (above ? T(node.links.opening.upstream_distance) : T(0)),
               step == 1);
    }
    const auto m = moments<typename Node::Lattice, typename Node::Equilibrium>(node.f, node.parameters.force);
    for (int a = 0; a < 3; ++a) now[a] = m.velocity[a];
    memory[steps] = T(step == 3 ? 2 : step + 1);
  }

 private:
  template <class Node, class T = typename Node::T>
  static FLUVIA_FUNCTION void exchange(const Node& node, const T* velocity, T y, bool first) {
    using Lattice = typename Node::Lattice;
    T* const mean = node.memory + mean_velocity;
    T along[3], normal[3], through = 0, area = 0;
    T known = 0;
    for (int a = 0; a < 3; ++a) {
      normal[a] = T(node.links.normal[a]);
      known += normal[a] * normal[a];
    }
    if (known < T(0.5)) return;
    for (int a = 0; a < 3; ++a) through += velocity[a] * normal[a];
    for (int a = 0; a < 3; ++a) along[a] = velocity[a] - through * normal[a];
    for (int a = 0; first && a < 3; ++a) mean[a] = along[a];
    using std::sqrt;
    const T speed = sqrt(mean[0] * mean[0] + mean[1] * mean[1] + mean[2] * mean[2]);
    const T friction =
        friction_velocity(speed, y, T(node.parameters.shear_viscosity), T(node.surface.values[sand_grain]));
    const T rate = friction / (y + friction);
    for (int a = 0; a < 3; ++a) mean[a] += (friction > T(0) ? rate : T(1)) * (along[a] - mean[a]);
    if (!(friction > T(0))) return;
    node.for_each_cut([&](auto i) {
      for (int a = 0; a < 3; ++a) area -= T(6 * Lattice::w[i.i] * Lattice::c[i.i][a]) * normal[a];
    });
    const T half_stress = T(0.5) * friction * friction * area / speed;  // what is added is taken twice
    // Links that hardly go along the wall shall not carry more than they can; those of a plane of the lattice all can.
    // There 5e-5 would leave 0.1% of what the links carry, which is as much as the friction itself.
    const T least = follows_lattice(normal) ? least_for_rounding<T> : T(5e-5);
    slide(node, T(1), least, [&](T(&carried)[3]) {
      for (int a = 0; a < 3; ++a) carried[a] += half_stress * along[a];
    });
  }
  /// Whether a wall with this normal is a plane of the lattice.
  template <class T>
  static FLUVIA_FUNCTION bool follows_lattice(const T (&normal)[3]) {
    constexpr T parallel = T(0.9999);
    bool follows = false;
    for (int a = 0; a < 3; ++a) follows = follows || normal[a] > parallel || normal[a] < -parallel;
    return follows;
  }
};

}  // namespace fluvia::core
