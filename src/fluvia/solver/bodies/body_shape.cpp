// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/bodies/body_shape.hpp"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "fluvia/base/error.hpp"

namespace fluvia {

namespace {

/// What a shape that ends somewhere lies in, lattice units.
RoundedBox part_of(const Case::Shape& shape, const Grid& grid) {
  RoundedBox part;
  if (shape.kind == "box") {
    part.low = geometry::to_lattice(grid, shape.center - 0.5 * shape.size);
    part.high = geometry::to_lattice(grid, shape.center + 0.5 * shape.size);
  } else {
    const bool ball = shape.kind == "sphere";
    const Real3 from = geometry::to_lattice(grid, ball ? shape.center : shape.from);
    const Real3 to = geometry::to_lattice(grid, ball ? shape.center : shape.to);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      part.low[axis] = std::min(from[axis], to[axis]);
      part.high[axis] = std::max(from[axis], to[axis]);
    }
    part.radius = shape.radius / grid.spacing;
  }
  if (grid.dimension == 2) part.low[2] = part.high[2] = 0.5;
  return part;
}

}  // namespace

BodyShape make_body_shape(const Case& c, const Grid& grid, const std::string& surface) {
  constexpr double far = std::numeric_limits<double>::max();
  BodyShape body;
  std::vector<geometry::SignedDistance> distances;
  Real3 low{far, far, far}, high{-far, -far, -far};
  for (std::size_t k = 0; k < c.geometry.shapes.size(); ++k) {
    const Case::Shape& shape = c.geometry.shapes[k];
    if (shape.name != surface) continue;
    const std::string key = "geometry.shape[" + std::to_string(k) + "]";
    if (!geometry::extent(shape)) throw_input(c.place(key) + ": " + key + ": a " + shape.kind + " has no end");
    distances.push_back(geometry::make_signed_distance(shape, grid, c.place(key) + ": " + key));
    const RoundedBox& part = body.parts.emplace_back(part_of(shape, grid));
    for (std::size_t axis = 0; axis < 3; ++axis) {
      low[axis] = std::min(low[axis], part.low[axis] - part.radius);
      high[axis] = std::max(high[axis], part.high[axis] + part.radius);
    }
  }
  if (distances.empty()) throw_input(c.place("body") + ": body: there is no shape '" + surface + "'");
  body.middle = 0.5 * (low + high);
  if (distances.size() == 1) {
    body.distance = std::move(distances.front());
  } else {
    body.distance = [distances = std::move(distances)](const Real3& place) {
      double least = far;
      for (const geometry::SignedDistance& distance : distances) least = std::min(least, distance(place));
      return least;
    };
  }
  return body;
}

}  // namespace fluvia
