// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cmath>

#include "fluvia/base/vector.hpp"

namespace fluvia {

/// Calls visit(node, weight) for the nodes around a point between which a linear interpolation goes: they may lie
/// beyond the box, or weigh nothing. `place`: the point in nodes from the corner of the box.
template <class Visit>
void for_each_corner(const Real3& place, int dimension, const Visit& visit) {
  for (int corner = 0; corner < 1 << dimension; ++corner) {
    Int3 node{};
    double weight = 1;
    for (int axis = 0; axis < dimension; ++axis) {
      const double base = std::floor(place[axis] - 0.5), part = place[axis] - 0.5 - base;
      const int far = corner >> axis & 1;
      node[axis] = static_cast<int>(base) + far;
      weight *= far ? part : 1 - part;
    }
    visit(node, weight);
  }
}

}  // namespace fluvia
