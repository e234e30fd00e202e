// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/boundary/outflow_stress.hpp"
#include "fluvia/core/boundary/surface.hpp"

namespace fluvia::core {

/// What is prescribed to an opening at a node: the density, and how the speed through it changes along its plane.
template <class T>
struct OpeningPlane {
  T deviation;             ///< rho - 1 in the plane
  T upstream = T(0);       ///< how much more the density is at the node upstream, per node of distance from the plane
  T speed[plane_numbers];  ///< CutNode::fit_plane()
  T shear[plane_numbers];  ///< CutNode::fit_plane(), followed as slowly as a viscous fluid bears
  T viscosity;
};

/// Anti-bounce-back towards a density half-way along the link, with what a flow that is parallel there has beside it,
///   f_i = -f_ibar + 2 f_i^eq,even(rho, u - b.c_i/2 n) + d_i - 18 nu rho w_i (c_i.n) s_i,
/// chosen because, unlike wet-node closures, it needs no flat, axis-aligned plane. f_ibar is what left one step ago, n
/// the normal out of the fluid. The speed through the plane changes by b.t + t.K.t along it, CutNode::fit_plane() one
/// step ago. d_i is what the collision makes of the second derivative of f_i^eq,even, CurvatureShares, without that of
/// the term before: 2 w_i rho Q_i(n) (along c.C.c + across trace C - (b.c)^2/4) with C = b b + 2 u_n K and u_n one step
/// ago. Of what is odd in the velocity, s_i = b.c - c.K.c - (b.c)(c.grad nu)/(2 nu) is Pi of anti-bounce-back's own
/// closure, 2 (1 - omega/2) f_i^neq,even of that shear, with the velocity along the plane constant along n; of a
/// viscosity that depends on the shear rate, grad nu/nu = 2 (d ln nu/d ln |b|) K.b/b^2. The node's own Pi instead
/// leaves nothing that holds the velocity along the plane, and makes outlets at an angle to the lattice unstable
/// (docs/openings.md). s follows at the rate 1/(4 nu) where that is below 1; an explicit shear of a fluid more viscous
/// would swing. The velocity u is the node's own and depends on the populations to be found: a few passes
/// (next_guess()).
///
/// Where openings meet in a node (OpeningNode::others), each finds u as if all their links were its own, those of the
/// others without shear, from what was loaded; a link that leaves through two gets half of its populations from each.
/// So none is first. What bounced back from one is no flow for another: with that a uniform stream bent by a tenth.
///
/// Ginzburg, Verhaeghe & d'Humieres, Commun. Comput. Phys. 3 (2008) 519, section 3, for the closure of
/// anti-bounce-back.
struct PrescribedDensity {
  static constexpr int most_passes = 32;
  /// Fluid that enters loses this part of its velocity along the opening in a step, times the speed of inflow.
  static constexpr double straightening = 6;

  /// Completes the cut links. Fluid that comes back in shall come straight in: it has left its vortices outside.
  /// Without that its velocity along the opening is what the inside makes it, which feeds on itself, and a vortex that
  /// turns in an outlet blows up. Returns the moments of the completed node, and its velocity out of the fluid.
  /// `outwards`: the velocity out of the fluid one step ago, or 0; then that now.
  template <class Node, class T = typename Node::T>
  static FLUVIA_FUNCTION Macroscopic<T> complete_both_ways(const Node& node, const OpeningPlane<T>& plane,
                                                           T& outwards) {
    using Lattice = typename Node::Lattice;
    using Equilibrium = typename Node::Equilibrium;
    const Macroscopic<T> m = complete(node, plane, outwards);
    outwards = 0;
    for (int a = 0; a < Lattice::D; ++a) outwards += m.velocity[a] * T(node.links.normal[a]);
    const bool is_inflow = outwards < T(0);
    const bool is_shared = Node::openings_meet && node.links.opening.others != 0;
    // What is to lose a part, along the plane, and half of that along the normal where fluid leaves.
    T along_plane[3] = {T(0), T(0), T(0)}, along_normal = 0, squared = 0, factor;
    if (is_inflow) {
      for (int a = 0; a < Lattice::D; ++a) {
        along_plane[a] = m.velocity[a] - outwards * T(node.links.normal[a]);
        squared += along_plane[a] * along_plane[a];
      }
      const T asked = T(-straightening) * outwards;
      factor = (asked < T(1) ? asked : T(1)) * Equilibrium::density(m.density_deviation) * squared;
    } else {
      const T share = OutflowStress::share(outwards, plane.viscosity);
      if (!Isotropy<Lattice>::isotropic || !(share > T(0)) || is_shared) return m;
      OutflowStress::on_plane(node, m, plane.viscosity, plane.shear, along_plane, along_normal);
      along_normal *= T(0.5);
      // Cut links of a plane have sum w = 1/6 and sum w c_t^2 = 1/18; so that much of the stress goes.
      factor = T(-18) * share;
    }
    // Populations -w_i (c_i - c).u with the links' mean c take momentum along u and leave the mass.
    T weight = 0, mean = 0;
    node.for_each_cut([&](auto i) {
      weight += T(Lattice::w[i.i]);
      mean += T(Lattice::w[i.i]) * along<Lattice, i.i>(along_plane);
    });
    mean = weight > T(0) ? mean / weight : T(0);
    if (is_inflow) {
      T taken = 0;
      node.for_each_cut([&](auto i) {
        const T cu = along<Lattice, i.i>(along_plane);
        taken += T(Lattice::w[i.i]) * cu * (cu - mean);
      });
      // On edges with other surfaces few links are left; they take no more than those of a plane, whose sum is u^2
      // / 18.
      if (taken < squared * T(1.0 / 18)) taken = squared * T(1.0 / 18);
      factor = taken > T(0) ? factor / taken : T(0);
    }
    mean += along_normal;
    node.for_each_cut(
        [&](auto i) { node.f[i.i] -= factor * T(Lattice::w[i.i]) * (along<Lattice, i.i>(along_plane) - mean); });
    if (is_shared) return m;  // the density of such a node is the same before and after
    const Macroscopic<T> now = moments<Lattice, Equilibrium>(node.f, node.parameters.force);
    if (!is_inflow) {
      outwards = 0;
      for (int a = 0; a < Lattice::D; ++a) outwards += now.velocity[a] * T(node.links.normal[a]);
    }
    return now;
  }

  /// Numbers that boundary conditions keep of the plane of an opening: the rate of the shear stress one step ago, 0
  /// before, and the shear.
  static constexpr int plane_memory = 1 + plane_numbers;

  /// The plane of an opening with a prescribed density. `speeds`: where conditions have kept speeds of one step ago;
  /// `kept`: plane_memory numbers.
  template <class Node, class T = typename Node::T>
  static FLUVIA_FUNCTION OpeningPlane<T> plane_of(const Node& node, T deviation, const T& outwards, int speeds,
                                                  T* kept) {
    OpeningPlane<T> plane;
    node.fit_plane(speeds, plane.speed);
    plane.deviation = deviation + density_share(node) * (steepness(plane.speed) + T(2) * outwards * trace(plane.speed));
    const T omega = kept[0] > T(0) ? kept[0] : T(node.parameters.omega);
    plane.viscosity = (T(1) / omega - T(0.5)) * T(sound_speed_squared);
    const T rate = plane.viscosity > T(0.25) ? T(0.25) / plane.viscosity : T(1);
    T* const shear = kept + 1;
    for (int k = 0; k < plane_numbers; ++k) {
      shear[k] += rate * (plane.speed[k] - shear[k]);
      plane.shear[k] = shear[k];
    }
    if constexpr (Node::Viscosity::varies) add_viscosity_gradient(node, T(1) / omega, plane.shear);
    return plane;
  }
  /// Takes the density half-way along links as linear between the plane and the node upstream, as both were one step
  /// ago.
  template <class Node, class T = typename Node::T>
  static FLUVIA_FUNCTION void set_upstream(const Node& node, T deviation, OpeningPlane<T>& plane) {
    const T distance = T(node.links.opening.upstream_distance) + T(node.links.opening.depth);
    plane.upstream = (deviation - plane.deviation) / distance;
  }

 private:
  /// Adds (d ln nu/d ln |b|) ((K.b) b + b (K.b)) / (2 b^2) to K, with which c.K.c is what s_i asks for. The derivative
  /// is the model's, by a difference.
  template <class Node, class T = typename Node::T>
  static FLUVIA_FUNCTION void add_viscosity_gradient(const Node& node, T tau, T (&shear)[plane_numbers]) {
    using std::sqrt;
    const T b[3] = {shear[0], shear[1], shear[2]};
    const T squared = b[0] * b[0] + b[1] * b[1] + b[2] * b[2];
    if (!(squared > T(1e-20))) return;
    constexpr T step = T(0.02);
    const T product = tau * sqrt(squared);
    const T less = T(1) / node.viscosity.omega(T(product * (T(1) - step)), node.parameters);
    const T more = T(1) / node.viscosity.omega(T(product * (T(1) + step)), node.parameters);
    const T viscosities = (more - T(0.5)) / (less - T(0.5)), rates = (T(1) + step) / (T(1) - step) * less / more;
    if (!(viscosities > T(0)) || !(rates > T(1))) return;
    const T slope = binary_logarithm(viscosities) / binary_logarithm(rates);
    T along_b[3] = {};
    unroll<6>([&](auto k) {
      constexpr int r = tensor_row[k.i], c = tensor_column[k.i];
      along_b[r] += shear[3 + k.i] * b[c];
      if constexpr (r != c) along_b[c] += shear[3 + k.i] * b[r];
    });
    unroll<6>([&](auto k) {
      constexpr int r = tensor_row[k.i], c = tensor_column[k.i];
      shear[3 + k.i] += T(0.5) * slope / squared * (along_b[r] * b[c] + along_b[c] * b[r]);
    });
  }
  /// The product c_i.K.c_i.
  template <class Lattice, int i, class T>
  static FLUVIA_FUNCTION T squared(const T (&plane)[plane_numbers]) {
    T sum = 0;
    unroll<6>([&](auto k) {
      constexpr int a = tensor_row[k.i], b = tensor_column[k.i];
      constexpr int cc = Lattice::c[i][a] * Lattice::c[i][b];
      if constexpr (a < Lattice::D && b < Lattice::D && cc != 0) sum += T((a == b ? 1 : 2) * cc) * plane[3 + k.i];
    });
    return sum;
  }
  /// The part of the trace of C that the density has and the pressure has not.
  template <class Node, class T = typename Node::T>
  static FLUVIA_FUNCTION T density_share(const Node& node) {
    const auto& shares = node.parameters.curvature;
    T fourth = 0;
    for (int axis = 0; axis < Node::Lattice::D; ++axis) {
      const T n = T(node.links.normal[axis]), square = n * n;
      fourth += square * square;
    }
    return shares.density + shares.density_at_angles * (T(1) - fourth);
  }
  /// The product b.b.
  template <class T>
  static FLUVIA_FUNCTION T steepness(const T (&plane)[plane_numbers]) {
    return plane[0] * plane[0] + plane[1] * plane[1] + plane[2] * plane[2];
  }
  /// The trace of K.
  template <class T>
  static FLUVIA_FUNCTION T trace(const T (&plane)[plane_numbers]) {
    return plane[3] + plane[4] + plane[5];
  }
  /// The product b.c_i.
  template <class Lattice, int i, class T>
  static FLUVIA_FUNCTION T linear(const T (&plane)[plane_numbers]) {
    const T b[3] = {plane[0], plane[1], plane[2]};
    return along<Lattice, i>(b);
  }

  /// The next guess of the velocity of which the populations have the velocity `found`: Newton's, with the derivatives
  /// that links through a plane have together, which take from the velocity along its normal its square and from that
  /// along the plane its product with it. Where the links are few, or the plane is not that of the lattice, these are
  /// the derivatives in part, and a pass takes the error down by about the lattice speed.
  template <class T>
  static FLUVIA_FUNCTION void next_guess(const T (&n)[3], const T (&found)[3], T (&u)[3]) {
    T out = 0, change = 0;
    for (int a = 0; a < 3; ++a) {
      out += u[a] * n[a];
      change += (found[a] - u[a]) * n[a];
    }
    const T speed = out > T(-0.25) ? out : T(-0.25);
    const T normal = change / (T(1) + T(2) * speed), inverse = T(1) / (T(1) + speed);
    for (int a = 0; a < 3; ++a) {
      const T tangential = u[a] - out * n[a], asked = found[a] - u[a] - change * n[a];
      u[a] += normal * n[a] + (asked - tangential * normal) * inverse;
    }
  }

  /// The value 2 w_i Q_i(n), and what of the second derivative of f^eq,even stays in link i.
  template <class T>
  struct Bend {
    T factor, along, across;
  };
  template <int i, class Node, class T = typename Node::T>
  static FLUVIA_FUNCTION Bend<T> bend_of(const Node& node, const T (&n)[3]) {
    using Lattice = typename Node::Lattice;
    const auto& shares = node.parameters.curvature;
    const T out = along<Lattice, i>(n);
    constexpr int axes = Lattice::c[i][0] * Lattice::c[i][0] + Lattice::c[i][1] * Lattice::c[i][1] +
                         Lattice::c[i][2] * Lattice::c[i][2] - 1;
    Bend<T> bend{T(2 * Lattice::w[i]) * quadratic<Lattice, i>(n, n, out, out, T(1)), shares.mean, T(0)};
    bool on_face = false;
    for (const T component : n) on_face = on_face || component > T(0.999) || component < T(-0.999);
    if (on_face) {
      bend.along = shares.along[axes];
      bend.across = shares.across[axes];
    }
    return bend;
  }

  /// The part of a cut link that does not depend on the velocity u: the shear, and d_i, with the speed of one step ago.
  template <int i, class Node, class T = typename Node::T>
  static FLUVIA_FUNCTION T of_the_step_before(const Node& node, const OpeningPlane<T>& plane, const T (&n)[3],
                                              const T& outwards) {
    using Lattice = typename Node::Lattice;
    const T slope = linear<Lattice, i>(plane.speed);
    const Bend<T> bend = bend_of<i>(node, n);
    const T bent = (bend.along - T(0.25)) * slope * slope + bend.across * steepness(plane.speed) +
                   T(2) * outwards * (bend.along * squared<Lattice, i>(plane.speed) + bend.across * trace(plane.speed));
    const T s = linear<Lattice, i>(plane.shear) - squared<Lattice, i>(plane.shear);
    const T sheared = T(-18 * Lattice::w[i]) * plane.viscosity * along<Lattice, i>(n) * s;
    return Node::Equilibrium::density(plane.deviation) * (sheared + bend.factor * bent);
  }

  /// The part of a cut link that depends on the velocity u: 2 f_i^eq,even(rho, u - b.c_i/2 n).
  template <int i, class Node, class T = typename Node::T>
  static FLUVIA_FUNCTION T twice_even(const Node& node, const OpeningPlane<T>& plane, const T (&n)[3],
                                      const T (&u)[3]) {
    using Lattice = typename Node::Lattice;
    constexpr int p = i % 2 == 1 ? i : i - 1;
    const T out = along<Lattice, i>(n), depth = T(node.links.opening.depth) + T(0.5) * out;  // out < 0: c_i comes in
    T change = T(-0.5) * linear<Lattice, i>(plane.speed);
    Macroscopic<T> half_way{plane.deviation + plane.upstream * depth, {}};
    if (Node::openings_meet && !node.is_cut(i)) {  // the link is another opening's
      change = T(0);
      half_way.density_deviation = plane.deviation;
    }
    for (int a = 0; a < 3; ++a) half_way.velocity[a] = u[a] + change * n[a];
    const EquilibriumPairs<Lattice, typename Node::Equilibrium, T> equilibrium(half_way);
    T even, odd;
    equilibrium.template pair<p>(even, odd);
    return even * T(2);
  }

  /// Finds the velocity of the node and completes its cut links. Returns the moments of the completed node.
  template <class Node, class T = typename Node::T>
  static FLUVIA_FUNCTION Macroscopic<T> complete(const Node& node, const OpeningPlane<T>& plane, T outwards) {
    using Lattice = typename Node::Lattice;
    using Equilibrium = typename Node::Equilibrium;
    // What is left of the error after such a step is smaller by at least the lattice speed, and populations depend on
    // it only by its product with u.
    constexpr T settled = sizeof(T) == 8 ? T(1e-13) : T(1e-6);
    const auto& force = node.parameters.force;
    const T n[3] = {T(node.links.normal[0]), T(node.links.normal[1]), T(node.links.normal[2])};
    const Uint32 cut = node.links.directions;
    Uint32 others = 0;
    if constexpr (Node::openings_meet) others = node.links.opening.others;
    const auto share_of = [&](int i) { return T((cut & others & 1u << i) != 0 ? 0.5 : 1); };
    Sums<T> given;
    if (Node::openings_meet && others != 0) {
      given = sums<Lattice>(node.f);
      node.for_each_of(cut | others, [&](auto i) {
        constexpr int direction = i.i;
        T turned = -node.loaded[direction];
        if (node.is_cut(direction)) turned += of_the_step_before<direction>(node, plane, n, outwards);
        const T change = turned - node.f[direction];
        given.mass += change;
        unroll<Lattice::D>(
            [&](auto axis) { add_component<Lattice, direction, axis.i>(given.momentum[axis.i], change); });
        if (node.is_cut(direction)) node.f[direction] += share_of(direction) * (turned - node.loaded[direction]);
      });
    } else {
      node.for_each_cut([&](auto i) { node.f[i.i] = of_the_step_before<i.i>(node, plane, n, outwards) - node.f[i.i]; });
      given = sums<Lattice>(node.f);
    }
    T u[3] = {outwards * n[0], outwards * n[1], outwards * n[2]};
    bool is_last = false;
    for (int pass = 1;; ++pass) {
      Sums<T> all = given;
      node.for_each_of(cut | others, [&](auto i) {
        constexpr int direction = i.i;
        const T even = twice_even<direction>(node, plane, n, u);
        all.mass += even;
        unroll<Lattice::D>([&](auto axis) { add_component<Lattice, direction, axis.i>(all.momentum[axis.i], even); });
        if (is_last && node.is_cut(direction)) node.f[direction] += share_of(direction) * even;
      });
      if (Node::openings_meet && is_last && others != 0) return macroscopic<Lattice, Equilibrium>(all, force);
      if (is_last) break;
      const Macroscopic<T> found = macroscopic<Lattice, Equilibrium>(all, force);
      T change = 0;
      for (int axis = 0; axis < 3; ++axis) {
        const T difference = found.velocity[axis] - u[axis];
        change += difference > 0 ? difference : -difference;
      }
      next_guess(n, found.velocity, u);
      is_last = !(change > settled) || pass == most_passes;
    }
    return moments<Lattice, Equilibrium>(node.f, force);
  }
};

/// What openings that prescribe a pressure have in common; their first key is that pressure.
constexpr ConditionFacts outlet_facts(const char* name, const char* meaning, int memory) {
  return {.name = name,
          .meaning = meaning,
          .priority = 4,
          .order = 2,
          .is_opening = true,
          .drives = true,
          .holds_pressure = true,
          .needs_normal = true,
          .upstream = Upstream::off_faces,
          .needs_plane_fit = true,
          .memory = memory,
          .keys = {{.name = "pressure", .dimension = Dimension::pressure, .meaning = "gauge pressure"}}};
}

/// An opening with a prescribed pressure. It reflects sound; see NonReflectingOpening.
struct PressureOpening {
  /// Steps alternate between two numbers for the speed and two for the density, so that what other nodes read is not
  /// what is written. `turn`: 0 before the first step, then 1 and 2.
  enum Memory {
    turn,
    speeds,
    densities = speeds + 2,
    plane = densities + 2,
    memory_size = plane + PrescribedDensity::plane_memory
  };
  static constexpr ConditionFacts facts = [] {
    ConditionFacts f = outlet_facts("pressure", "opening with a prescribed pressure; reflects sound", memory_size);
    f.keys[0].series = true;
    return f;
  }();

  template <class Node>
  static FLUVIA_FUNCTION void apply(const Node& node) {
    using T = typename Node::T;
    T* const memory = node.memory;
    const T taken = memory[turn];
    const int now = taken > T(0.5) && taken < T(1.5) ? 1 : 0, last = 1 - now;
    T outwards = taken > T(0.5) ? memory[speeds + last] : T(0);
    auto opening = PrescribedDensity::plane_of(node, T(node.surface.values[0] / sound_speed_squared), outwards,
                                               speeds + last, memory + plane);
    if (node.upstream != nullptr && taken > T(0.5))
      PrescribedDensity::set_upstream(node, node.upstream[densities + last], opening);
    const auto m = PrescribedDensity::complete_both_ways(node, opening, outwards);
    for (int number = 0; number < 2; ++number)  // by constants, so that the numbers may be registers
      if (number == now) {
        memory[speeds + number] = outwards;
        memory[densities + number] = m.density_deviation;
      }
    memory[plane] = node.local_rate(m);
    memory[turn] = T(now == 0 ? 1 : 2);
  }
};

}  // namespace fluvia::core
