// SPDX-License-Identifier: Apache-2.0
#include "fluvia/geometry/generate/shapes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fluvia/base/error.hpp"
#include "fluvia/base/text.hpp"
#include "fluvia/geometry/generate/root.hpp"
#include "fluvia/geometry/generate/shape_nodes.hpp"

namespace fluvia::geometry {
namespace {

/// Depth along z that stands for "without end" in 2D.
constexpr double endless = 1e15;

class DistanceLayer final : public Layer {
 public:
  DistanceLayer(SignedDistance distance, Decision decision, int dimension, int surface)
      : distance_(std::move(distance)), decision_(decision), dimension_(dimension), surface_(surface) {}

  [[nodiscard]] std::uint64_t apply(const Int3& tile, std::uint64_t fluid) const override {
    const std::uint64_t nothing_left = decision_ == Decision::solid ? 0 : ~std::uint64_t{0};
    if (fluid == nothing_left) return fluid;
    const std::uint64_t inside = inside_mask(tile);
    return decision_ == Decision::solid ? fluid & ~inside : fluid | inside;
  }
  [[nodiscard]] Decision decide(const Int3& node) const override {
    return distance_(node_centre(node)) <= on_surface ? decision_ : Decision::none;
  }
  [[nodiscard]] bool may_decide(const Int3& first, const Int3& last) const override {
    Real3 middle, half;
    for (int axis = 0; axis < 3; ++axis) {
      middle[axis] = 0.5 * (first[axis] + last[axis] + 1);
      half[axis] = 0.5 * (last[axis] - first[axis]);
    }
    // The distance at the middle bounds it at every node.
    return distance_(middle) <= norm(half) + 1e-6;
  }
  [[nodiscard]] Decision decide_beyond(const Int3& node) const override { return decide(node); }
  [[nodiscard]] int surface(const Int3&, const Int3&, const Int3&) const override { return surface_; }
  [[nodiscard]] Cut cut(const Link& link) const override {
    return {find_root([&](double part) { return distance_(link.point(part)); }), Cut::Kind::surface};
  }
  [[nodiscard]] Real3 normal(const Link& link, const Cut& cut) const override {
    constexpr double step = 1e-4;
    const Real3 gradient = unit_gradient(distance_, link.point(cut.part), step, dimension_);
    return norm(gradient) > 0 ? gradient : Layer::normal(link, cut);
  }

 private:
  [[nodiscard]] std::uint64_t inside_mask(const Int3& tile) const {
    const Int3 shape = tile_shape(dimension_);
    Real3 corner, centre;
    double radius = 0;
    for (int axis = 0; axis < 3; ++axis) {
      corner[axis] = static_cast<double>(tile[axis]) * shape[axis] + 0.5;
      centre[axis] = corner[axis] + 0.5 * (shape[axis] - 1);
      radius += 0.25 * (shape[axis] - 1) * (shape[axis] - 1);
    }
    // The distance at the centre bounds it at every node, so that most tiles need one evaluation.
    const double distance = distance_(centre), reach = std::sqrt(radius) + 1e-6;
    if (distance > reach) return 0;
    if (distance < -reach) return ~std::uint64_t{0};
    std::uint64_t mask = 0;
    for (int bit = 0; bit < nodes_per_tile; ++bit) {
      const Int3 local = tile_local(dimension_, bit);
      const Real3 point{corner[0] + local[0], corner[1] + local[1], corner[2] + local[2]};
      if (distance_(point) <= on_surface) mask |= std::uint64_t{1} << bit;
    }
    return mask;
  }
  SignedDistance distance_;
  Decision decision_;
  int dimension_;
  int surface_;
};

double positive(double value, const std::string& place, const char* key) {
  if (!(value > 0) || !std::isfinite(value)) {
    throw_input(fmt::format("{}: {} is {}, expected a positive length", place, key, value));
  }
  return value;
}

Real3 direction(Real3 normal, bool flat, const std::string& place) {
  if (flat) normal[2] = 0;
  const double length = norm(normal);
  if (!(length > 0) || !std::isfinite(length)) {
    throw_input(fmt::format("{}: normal {} has no direction{}", place, format_point(normal),
                            flat ? " in the x-y plane of a 2D case" : ""));
  }
  return (1 / length) * normal;
}

/// The part of a body with this shape knows how far from it a place is.
template <class Part>
SignedDistance part_distance(const Part& part) {
  return [=](const Real3& p) { return part.distance(triple(p)); };
}

SignedDistance box_distance(const Real3& centre, const Real3& half) {
  return part_distance(core::BoxPart{{}, {}, triple(centre), triple(half)});
}

SignedDistance sphere_distance(const Real3& centre, double radius) {
  return part_distance(core::BallPart{triple(centre), radius, false});
}

SignedDistance capsule_distance(const Real3& from, const Real3& to, double radius) {
  const Real3 axis = to - from;
  const double square = dot(axis, axis);
  return [=](const Real3& p) {
    const double t = square > 0 ? std::clamp(dot(p - from, axis) / square, 0.0, 1.0) : 0.0;
    return norm(p - from - t * axis) - radius;
  };
}

SignedDistance cylinder_distance(const Real3& from, const Real3& to, double radius) {
  const double length = norm(to - from);
  return part_distance(core::CylinderPart{triple(from), triple((1 / length) * (to - from)), length, radius});
}

/// Of a cone cut off at both ends: the part that three convex bodies have in common, the space between two planes and
/// an endless cone, so that beyond its rims the distance is too small.
SignedDistance cone_distance(const Real3& from, const Real3& to, double radius, double end_radius) {
  const double length = norm(to - from), side = std::hypot(length, radius - end_radius);
  const Real3 axis = (1 / length) * (to - from);
  return [=](const Real3& p) {
    const double along = dot(p - from, axis), across = norm(p - from - along * axis);
    const double beside = ((across - radius) * length + along * (radius - end_radius)) / side;
    return std::max({beside, -along, along - length});
  };
}

SignedDistance axis_shape(const Case::Shape& shape, const Grid& grid, const std::string& place, double radius) {
  Real3 from = to_lattice(grid, shape.from), to = to_lattice(grid, shape.to);
  const bool flat = grid.dimension == 2;
  if (flat) from[2] = to[2] = 0.5;
  const bool point = norm(to - from) < 1e-9;
  if (shape.kind == "capsule") return capsule_distance(from, to, radius);
  // Seen along its axis a cylinder is a disc; 2D cases may leave out the axis.
  if (point && flat && shape.kind == "cylinder") return sphere_distance(from, radius);
  if (point) {
    throw_input(fmt::format("{}: from and to are the same point {}; they are the ends of the axis", place,
                            format_point(shape.from)));
  }
  if (shape.kind == "cone") {
    if (!(shape.end_radius >= 0) || !std::isfinite(shape.end_radius))
      throw_input(fmt::format("{}: end_radius is {}, expected a length, or 0 for a tip", place, shape.end_radius));
    return cone_distance(from, to, radius, shape.end_radius / grid.spacing);
  }
  return cylinder_distance(from, to, radius);
}

void check_finite_points(const Case::Shape& shape, const std::string& place) {
  const std::pair<const char*, const Real3*> points[] = {
      {"center", &shape.center}, {"size", &shape.size}, {"from", &shape.from}, {"to", &shape.to}};
  for (const auto& [key, point] : points) {
    for (const double x : *point) {
      if (!std::isfinite(x))
        throw_input(fmt::format("{}: {} is {}, expected finite numbers", place, key, format_point(*point)));
    }
  }
}

}  // namespace

SignedDistance make_signed_distance(const Case::Shape& shape, const Grid& grid, const std::string& place) {
  check_finite_points(shape, place);
  const bool flat = grid.dimension == 2;
  Real3 centre = to_lattice(grid, shape.center);
  if (flat) centre[2] = 0.5;
  if (shape.kind == "box") {
    Real3 half;
    const char* const keys[] = {"size along x", "size along y", "size along z"};
    for (int axis = 0; axis < 3; ++axis) {
      half[axis] = flat && axis == 2 ? endless : 0.5 * positive(shape.size[axis], place, keys[axis]) / grid.spacing;
    }
    return box_distance(centre, half);
  }
  if (shape.kind == "sphere") return sphere_distance(centre, positive(shape.radius, place, "radius") / grid.spacing);
  if (shape.kind == "cylinder" || shape.kind == "cone" || shape.kind == "capsule") {
    return axis_shape(shape, grid, place, positive(shape.radius, place, "radius") / grid.spacing);
  }
  const Real3 from = to_lattice(grid, shape.from);
  if (shape.kind == "half_space") {
    const Real3 normal = direction(shape.normal, flat, place);
    return [=](const Real3& p) { return dot(p - from, normal); };
  }
  if (shape.kind == "channel") {
    const Real3 normal = direction(shape.normal, flat, place);
    const double half = 0.5 * positive(shape.height, place, "height") / grid.spacing;
    const double sign = shape.operation == "fluid" ? 1 : -1;
    return [=](const Real3& p) { return sign * (std::abs(dot(p - from, normal) - half) - half); };
  }
  throw_input(fmt::format("{}: unknown kind \"{}\"; use box, sphere, cylinder, cone, capsule, half_space or channel",
                          place, shape.kind));
}

std::optional<std::array<Real3, 2>> extent(const Case::Shape& shape) {
  std::array<Real3, 2> corners{};
  for (int axis = 0; axis < 3; ++axis) {
    if (shape.kind == "box" || shape.kind == "sphere") {
      const double half = shape.kind == "box" ? 0.5 * shape.size[axis] : shape.radius;
      corners[0][axis] = shape.center[axis] - half;
      corners[1][axis] = shape.center[axis] + half;
    } else if (shape.kind == "cylinder" || shape.kind == "capsule") {
      corners[0][axis] = std::min(shape.from[axis], shape.to[axis]) - shape.radius;
      corners[1][axis] = std::max(shape.from[axis], shape.to[axis]) + shape.radius;
    } else {
      return {};
    }
  }
  return corners;
}

std::unique_ptr<const Layer> make_distance_layer(SignedDistance distance, Decision decision, int dimension,
                                                 int surface) {
  return std::make_unique<DistanceLayer>(std::move(distance), decision, dimension, surface);
}

void add_shape_layers(const Case& c, const Grid& grid, SurfaceNames& names, Layers& layers) {
  for (std::size_t i = 0; i < c.geometry.shapes.size(); ++i) {
    const Case::Shape& shape = c.geometry.shapes[i];
    const std::string place = fmt::format("geometry.shapes[{}] ({})", i, shape.name.empty() ? shape.kind : shape.name);
    if (shape.operation != "solid" && shape.operation != "fluid") {
      throw_input(fmt::format("{}: operation is \"{}\", expected \"solid\" or \"fluid\"", place, shape.operation));
    }
    const Decision decision = shape.operation == "solid" ? Decision::solid : Decision::fluid;
    if (c.moves(shape.name)) {  // solid where it is at a time, and fluid to the geometry (solver/bodies)
      names.add(shape.name);
      continue;
    }
    SignedDistance distance = make_signed_distance(shape, grid, place);
    if (lies_between_nodes(distance, grid))
      throw_input(
          fmt::format("{}: no node lies in it, so that nothing is left of it: nodes are {} apart; make it thicker, "
                      "or the grid finer, or move it onto nodes",
                      place, format_real(grid.spacing)));
    layers.push_back(make_distance_layer(std::move(distance), decision, grid.dimension, names.add(shape.name)));
  }
}

}  // namespace fluvia::geometry
