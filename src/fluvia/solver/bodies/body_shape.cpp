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

/// What a way has in a ball, by the roots of the square of the distance.
std::optional<Chord> chord_of_ball(const RoundedBox& ball, const Real3& from, const Real3& to, int dimension) {
  double square = 0, along = 0, beside = -ball.radius * ball.radius;
  for (std::size_t a = 0; static_cast<int>(a) < dimension; ++a) {
    const double way = to[a] - from[a], arm = from[a] - ball.low[a];
    square += way * way;
    along += arm * way;
    beside += arm * arm;
  }
  const double root = along * along - square * beside;
  if (!(root > square * 2 * ball.radius * geometry::on_surface) || along >= 0) return {};
  const double far = std::sqrt(root) - along;  // which no digits cancel in
  if (beside >= far) return {};
  return Chord{beside / far, far / square};
}

/// What a way has in a box along the axes: what lies between all pairs of its sides.
std::optional<Chord> chord_of_box(const RoundedBox& box, const Real3& from, const Real3& to, int dimension) {
  constexpr double touching = geometry::on_surface;
  Chord chord{-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  double entry = chord.entry, exit = chord.exit;  // of what lies a little deeper
  for (std::size_t a = 0; static_cast<int>(a) < dimension; ++a) {
    const double way = to[a] - from[a], below = box.low[a] - from[a], above = box.high[a] - from[a];
    if (way == 0) {
      if (below > -touching || above < touching) return {};
      continue;
    }
    const double first = (way > 0 ? below : above) / way, last = (way > 0 ? above : below) / way;
    const double deeper = touching / std::abs(way);
    chord = {std::max(chord.entry, first), std::min(chord.exit, last)};
    entry = std::max(entry, first + deeper);
    exit = std::min(exit, last - deeper);
  }
  if (entry > exit || exit <= 0 || entry >= 1) return {};
  return chord;
}

/// What ways have in a convex shape: exactly where the part that it lies in is the shape itself.
using ChordOf = std::function<std::optional<Chord>(const Real3& from, const Real3& to)>;
ChordOf chord_of(const Case::Shape& shape, const RoundedBox& part, const geometry::SignedDistance& distance,
                 int dimension) {
  if (shape.kind == "sphere")
    return [=](const Real3& from, const Real3& to) { return chord_of_ball(part, from, to, dimension); };
  if (shape.kind == "box")
    return [=](const Real3& from, const Real3& to) { return chord_of_box(part, from, to, dimension); };
  return [=](const Real3& from, const Real3& to) { return chord_of_convex(distance, from, to); };
}

/// Whether a way passes the box around a part beside one of its sides, so that it has no chord there: soon asked, where
/// a body has several parts.
bool is_beside(const RoundedBox& part, const Real3& from, const Real3& to, int dimension) {
  for (std::size_t a = 0; static_cast<int>(a) < dimension; ++a)
    if (std::max(from[a], to[a]) < part.low[a] - part.radius || std::min(from[a], to[a]) > part.high[a] + part.radius)
      return true;
  return false;
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
  body.near_distance = [space](const Real3& place) { return space->near_distance(place); };
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
  std::vector<ChordOf> chords;
  std::string kind;
  Real3 low{far, far, far}, high{-far, -far, -far};
  for (std::size_t k = 0; k < c.geometry.shapes.size(); ++k) {
    const Case::Shape& shape = c.geometry.shapes[k];
    if (shape.name != surface) continue;
    const std::string key = "geometry.shape[" + std::to_string(k) + "]";
    if (!geometry::extent(shape)) throw_input(c.place(key) + ": " + key + ": a " + shape.kind + " has no end");
    kind = shape.kind;
    distances.push_back(geometry::make_signed_distance(shape, grid, c.place(key) + ": " + key));
    const RoundedBox& part = body.parts.emplace_back(part_of(shape, grid));
    chords.push_back(chord_of(shape, part, distances.back(), grid.dimension));
    for (std::size_t axis = 0; axis < 3; ++axis) {
      low[axis] = std::min(low[axis], part.low[axis] - part.radius);
      high[axis] = std::max(high[axis], part.high[axis] + part.radius);
    }
  }
  if (distances.empty()) throw_input(c.place("body") + ": body: there is no shape '" + surface + "'");
  body.middle = 0.5 * (low + high);
  body.chord = chords.size() == 1
                   ? chords.front()
                   : [chords, parts = body.parts, dimension = grid.dimension](const Real3& from, const Real3& to) {
                       std::optional<Chord> all;
                       for (std::size_t k = 0; k < chords.size(); ++k) {
                         if (is_beside(parts[k], from, to, dimension)) continue;
                         if (const std::optional<Chord> own = chords[k](from, to))
                           all = all ? Chord{std::min(all->entry, own->entry), std::max(all->exit, own->exit)} : *own;
                       }
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
  body.near_distance = body.distance;
  // Asked for each link at each step, so that what is known of a single shape is not asked through other functions.
  const auto entry_by = [&](auto chord) {
    return [distance = body.distance, chord = std::move(chord)](const Real3& from, const Real3& to) {
      if (const std::optional<Chord> met = chord(from, to)) return std::clamp(met->entry, 0.0, 1.0);
      const Real3 way = to - from;  // which just touches the surface
      return geometry::find_root([&](double part) { return distance(from + part * way); });
    };
  };
  if (chords.size() == 1 && kind == "sphere")
    body.entry = entry_by([part = body.parts.front(), dimension = grid.dimension](const Real3& from, const Real3& to) {
      return chord_of_ball(part, from, to, dimension);
    });
  else
    body.entry = entry_by(body.chord);
  return body;
}

}  // namespace fluvia
