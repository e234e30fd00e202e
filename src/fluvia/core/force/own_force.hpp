// SPDX-License-Identifier: Apache-2.0
// The body force that a node has beside that of all others, docs/decisions/0056.
#pragma once
#include "fluvia/core/force/guo.hpp"

namespace fluvia::core {

/// For flows without any.
struct NoOwnForce {
  template <class T>
  FLUVIA_FUNCTION void add_to(T (&)[3]) const {}
  template <class Lattice, class Equilibrium, class T>
  FLUVIA_FUNCTION void kick(T (&)[Lattice::Q], const Scalar<T> (&)[3], const Scalar<T>&) const {}
};

/// That of one node, lattice units.
template <class T>
struct OwnForce {
  T value[3];
  bool acts;  ///< false: the node has none, and `value` is 0

  FLUVIA_FUNCTION void add_to(T (&force)[3]) const {
    for (int axis = 0; axis < 3; ++axis) force[axis] += value[axis];
  }
  /// core::kick, with `part` of the force; `uniform`: the one that the collision brings.
  template <class Lattice, class Equilibrium>
  FLUVIA_FUNCTION void kick(T (&f)[Lattice::Q], const Scalar<T> (&uniform)[3], const Scalar<T>& part) const {
    if (acts) core::kick<Lattice, Equilibrium>(f, value, uniform, part);
  }
};

}  // namespace fluvia::core
