// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/bodies/body_shape.hpp"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "fluvia/base/error.hpp"

namespace fluvia {

BodyShape make_body_shape(const Case& c, const Grid& grid, const std::string& surface) {
  constexpr double far = std::numeric_limits<double>::max();
  BodyShape body{{}, {Real3{far, far, far}, Real3{-far, -far, -far}}};
  std::vector<geometry::SignedDistance> parts;
  for (std::size_t k = 0; k < c.geometry.shapes.size(); ++k) {
    const Case::Shape& shape = c.geometry.shapes[k];
    if (shape.name != surface) continue;
    const std::string key = "geometry.shape[" + std::to_string(k) + "]";
    parts.push_back(geometry::make_signed_distance(shape, grid, c.place(key) + ": " + key));
    const auto corners = geometry::extent(shape);
    if (!corners) throw_input(c.place(key) + ": " + key + ": a " + shape.kind + " has no end, and cannot move");
    const Real3 low = geometry::to_lattice(grid, (*corners)[0]), high = geometry::to_lattice(grid, (*corners)[1]);
    for (int axis = 0; axis < 3; ++axis) {
      body.extent[0][axis] = std::min(body.extent[0][axis], low[axis]);
      body.extent[1][axis] = std::max(body.extent[1][axis], high[axis]);
    }
  }
  if (parts.empty()) throw_input(c.place("body") + ": body: there is no shape '" + surface + "'");
  if (grid.dimension == 2) {
    body.extent[0][2] = 0;
    body.extent[1][2] = 1;
  }
  if (parts.size() == 1) {
    body.distance = std::move(parts.front());
  } else {
    body.distance = [parts = std::move(parts)](const Real3& place) {
      double least = far;
      for (const geometry::SignedDistance& distance : parts) least = std::min(least, distance(place));
      return least;
    };
  }
  return body;
}

}  // namespace fluvia
