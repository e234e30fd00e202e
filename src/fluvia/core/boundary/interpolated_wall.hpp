// SPDX-License-Identifier: Apache-2.0
// Walls between the nodes: what comes back over a link is interpolated to where its wall is. It needs nothing but the
// populations of the node itself, before and after its collision, and acts where they are: what left along a cut link
// is replaced by what shall come back, and implicit bounce-back does the rest. docs/walls.md derives the rule.
#pragma once
#include "fluvia/core/moments.hpp"

namespace fluvia::core {

/// The point of a link at which a wall reflects.
enum class WallRule : int {
  half_way,              ///< in the middle of every link
  interpolated,          ///< at the wall's own distance
  viscosity_independent  ///< at the wall's own distance; the error in slow flow does not depend on the relaxation time
};

/// Distances from node to wall are kept in 8 bits: (stored + 1) / 256 of the link, so that 1/2 and 1 are exact.
template <class S>
FLUVIA_FUNCTION S wall_distance(Uint32 stored) {
  return S(static_cast<int>(stored) + 1) * S(1.0 / 256);
}

/// How many numbers BeforeWalls keeps: an even sum a pair, and an odd one if the rule or a force has such terms.
template <class Lattice, WallRule rule, bool force>
inline constexpr int wall_sums = (rule == WallRule::viscosity_independent || force ? 2 : 1) * ((Lattice::Q - 1) / 2);

/// What the rule needs of a node's populations before its collision. With k and i the directions of a pair, q the
/// distance along k, f and f* before and after the collision, and e.g. f+ = (f_k + f_i) / 2, f-_k = (f_k - f_i) / 2:
///   f_i(t + 1) = f+ + q (f*+ - f+) + kappa n-_k + (1 + kappa) / 2 3 w_k c_k.F
/// for a wall at rest, where n-_k = f-_k - 3 w_k c_k.(sum c f + F/2) is the odd part out of equilibrium. Since f*+ - f+
/// is the derivative of the odd equilibrium along the link, which the wall makes zero at q, that holds for any
/// collision. For BGK and TRT it is the rule ELI-UL of Marson, Thorimbert, Chopard, Ginzburg & Latt, Phys. Rev. E 103
/// (2021) 053308, e+ + (1 - q/tau+) n+ + kappa n-, with kappa = 0 or, viscosity-independent, -1. The last term makes a
/// force drive flow as a pressure gradient does. `Sums` holds wall_sums numbers.
template <class Lattice, WallRule rule, bool force, class T, class Sums = T[wall_sums<Lattice, rule, force>]>
class BeforeWalls {
 public:
  BeforeWalls() = default;
  FLUVIA_FUNCTION explicit BeforeWalls(const Sums& sums) : sums_(sums) {}

  FLUVIA_FUNCTION void keep(const T (&f)[Lattice::Q], const T (&body_force)[3]) {
    T flow[3] = {T(0), T(0), T(0)};  // kappa times the momentum, then with what the force adds to all odd terms
    for_each_pair<Lattice>([&](auto p, auto n) {
      constexpr int direction = p.i;  // NVRTC takes a captured parameter for no constant
      sums_[p.i / 2] = (f[p.i] + f[n.i]) * T(0.5);
      if constexpr (kappa != 0) {
        const T difference = (f[p.i] - f[n.i]) * T(kappa);
        sums_[pairs + p.i / 2] = difference * T(0.5);
        unroll<Lattice::D>([&](auto axis) { add_component<Lattice, direction, axis.i>(flow[axis.i], difference); });
      }
    });
    if constexpr (has_odd) {
      // kappa n- + (1 + kappa)/2 S-: of the force, (-kappa + 1 + kappa)/2 S- is left.
      for (int axis = 0; axis < Lattice::D; ++axis)
        flow[axis] = (force ? body_force[axis] * T(0.5) : T(0)) - flow[axis];
      for_each_pair<Lattice>([&](auto p, auto) {
        const T odd = along<Lattice, p.i>(flow) * T(3 * Lattice::w[p.i]);
        sums_[pairs + p.i / 2] = kappa != 0 ? sums_[pairs + p.i / 2] + odd : odd;
      });
    }
  }

  /// Takes the populations of a pair of directions 2 * pair + 1 and 2 * pair + 2 of the same node after the collision,
  /// `forth` and `back`: replaces those with bits in `cut` (1, 2) by what shall come back, and `supply` more (of
  /// either: what keeps the mass, docs/walls.md). `distances`: of(pair) is the distance of the wall along whichever is
  /// cut, and, unless no pair is cut on both sides, second(pair) then that along `back`.
  template <class Distances>
  FLUVIA_FUNCTION void return_pair(int pair, Uint32 cut, const Distances& distances, T supply, T& forth,
                                   T& back) const {
    const T even = sums_[pair], slope = (forth + back) * T(0.5) - even, given = even + supply;
    const T returned = given + distances.of(pair) * slope;
    T returned_back = returned;
    if constexpr (requires { distances.second(pair); })
      if ((cut & 3u) == 3u) returned_back = given + distances.second(pair) * slope;
    if constexpr (has_odd) {
      const T odd = sums_[pairs + pair];
      if ((cut & 1u) != 0) forth = returned + odd;
      if ((cut & 2u) != 0) back = returned_back - odd;
    } else {
      if ((cut & 1u) != 0) forth = returned;
      if ((cut & 2u) != 0) back = returned_back;
    }
  }

 private:
  static constexpr int pairs = (Lattice::Q - 1) / 2;
  static constexpr int kappa = rule == WallRule::viscosity_independent ? -1 : 0;
  static constexpr bool has_odd = kappa != 0 || force;
  Sums sums_;
};

}  // namespace fluvia::core
