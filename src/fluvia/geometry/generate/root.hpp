// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cmath>

#include "fluvia/core/root.hpp"

namespace fluvia::geometry {

using core::find_root;

/// Unit gradient of `field` at `point` by central differences; zero in a flat field. Along z it vanishes in 2D.
template <class Field, class Point>
Point unit_gradient(const Field& field, const Point& point, double step, int dimension) {
  Point gradient{};
  double square = 0;
  for (int axis = 0; axis < dimension; ++axis) {
    Point low = point, high = point;
    low[axis] -= step;
    high[axis] += step;
    gradient[axis] = field(high) - field(low);
    square += gradient[axis] * gradient[axis];
  }
  if (square > 0) {
    for (int axis = 0; axis < dimension; ++axis) gradient[axis] /= std::sqrt(square);
  }
  return gradient;
}

}  // namespace fluvia::geometry
