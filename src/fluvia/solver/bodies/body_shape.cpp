// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/bodies/body_shape.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "fluvia/base/error.hpp"
#include "fluvia/geometry/generate/root.hpp"
#include "fluvia/geometry/mesh/stl_layers.hpp"
#include "fluvia/solver/bodies/enclosed_space.hpp"

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

/// What a way between two places outside of a convex shape has in it. The distance along it is a convex function, whose
/// least value is bracketed by halves; as it changes by no more than the way, that soon shows that there is no chord.
std::optional<Chord> chord_of_convex(const geometry::SignedDistance& distance, const Real3& from, const Real3& to) {
  constexpr double least_bracket = 1e-6;  // of the way
  constexpr double touching = -geometry::on_surface;
  const Real3 way = to - from;
  const double length = norm(way);
  const auto at = [&](double part) { return distance(from + part * way); };
  const auto split = [&](double inside) {
    return Chord{inside * geometry::find_root([&](double part) { return at(part * inside); }),
                 1 - (1 - inside) * geometry::find_root([&](double part) { return at(1 - part * (1 - inside)); })};
  };
  double middle = 0.5, half = 0.5;  // of the bracket
  double of_first = at(0), of_last = at(1), of_middle = at(middle);
  while (of_middle > touching) {
    if (half < least_bracket || std::min(of_first, of_last) + of_middle > half * length) return {};
    half /= 2;
    const double of_before = at(middle - half), of_after = at(middle + half);
    if (of_before <= touching) return split(middle - half);
    if (of_after <= touching) return split(middle + half);
    if (of_before < of_middle) {
      of_last = std::exchange(of_middle, of_before);
      middle -= half;
    } else if (of_after < of_middle) {
      of_first = std::exchange(of_middle, of_after);
      middle += half;
    } else {
      of_first = of_before;
      of_last = of_after;
    }
  }
  return split(middle);
}

/// Boxes around the corners of a mesh, of which neighbouring ones share a box: what is turned is not much larger then.
std::vector<RoundedBox> boxes_of(const std::vector<Real3>& corners, int dimension) {
  constexpr double boxes_across = 48, least = 0.5;
  geometry::BoundingBox all;
  for (const Real3& corner : corners) all.add(corner);
  const double edge = std::max(least, norm(all.upper - all.lower) / boxes_across);
  std::map<std::array<int, 3>, geometry::BoundingBox> boxes;
  for (const Real3& corner : corners) {
    std::array<int, 3> at{};
    for (std::size_t a = 0; a < 3; ++a) at[a] = static_cast<int>(std::floor((corner[a] - all.lower[a]) / edge));
    boxes[at].add(corner);
  }
  std::vector<RoundedBox> parts;
  for (const auto& [at, box] : boxes) {
    RoundedBox& part = parts.emplace_back(RoundedBox{box.lower, box.upper, 0});
    if (dimension == 2) part.low[2] = part.high[2] = 0.5;
  }
  return parts;
}

BodyShape shape_of_files(const Case& c, const Grid& grid, const std::string& surface) {
  BodyShape body;
  geometry::BodySurface closed = geometry::read_body_surface(c, grid, surface);
  const auto space = std::make_shared<const EnclosedSpace>(std::move(closed.mesh), closed.files);
  body.distance = [space](const Real3& place) { return space->distance(place); };
  body.entry = [space](const Real3& from, const Real3& to) { return space->entry(from, to); };
  body.chord = [space](const Real3& from, const Real3& to) { return space->chord(from, to); };
  body.parts = boxes_of(space->corners(), grid.dimension);
  geometry::BoundingBox all;
  for (const RoundedBox& part : body.parts) all.add(part.low), all.add(part.high);
  body.middle = 0.5 * (all.lower + all.upper);
  return body;
}

}  // namespace

BodyShape make_body_shape(const Case& c, const Grid& grid, const std::string& surface) {
  if (std::any_of(c.geometry.stl.begin(), c.geometry.stl.end(),
                  [&](const Case::Stl& stl) { return stl.name == surface; }))
    return shape_of_files(c, grid, surface);
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
  body.chord = [distances](const Real3& from, const Real3& to) {
    std::optional<Chord> all;
    for (const geometry::SignedDistance& distance : distances)
      if (const std::optional<Chord> own = chord_of_convex(distance, from, to))
        all = all ? Chord{std::min(all->entry, own->entry), std::max(all->exit, own->exit)} : *own;
    return all;
  };
  if (distances.size() == 1) {
    body.distance = std::move(distances.front());
  } else {
    body.distance = [distances = std::move(distances)](const Real3& place) {
      double least = far;
      for (const geometry::SignedDistance& distance : distances) least = std::min(least, distance(place));
      return least;
    };
  }
  body.entry = [distance = body.distance](const Real3& from, const Real3& to) {
    const Real3 way = to - from;
    return geometry::find_root([&](double part) { return distance(from + part * way); });
  };
  return body;
}

}  // namespace fluvia
