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

/// What lies in the closed parts of files.
class SpaceCuts final : public LinkCuts {
 public:
  explicit SpaceCuts(std::shared_ptr<const EnclosedSpace> space)
      : LinkCuts([space](const Real3& place) { return space->distance(place); }), space_(std::move(space)) {}
  [[nodiscard]] std::optional<Chord> chord(const Real3& from, const LinkWay& way) const override {
    return space_->chord(from, from + way.along);
  }
  void meet(const Real3& from, const std::vector<LinkWay>& ways, std::uint32_t directions,
            double* entry) const override {
    for (std::size_t k = 0; k < ways.size(); ++k)
      if ((directions >> k & 1) != 0) entry[k] = std::min(entry[k], space_->entry(from, from + ways[k].along));
  }

 private:
  std::shared_ptr<const EnclosedSpace> space_;
};

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

void take_cuts(std::vector<std::unique_ptr<const LinkCuts>> cuts, BodyShape& body) {
  body.cuts = std::make_shared<const BodyCuts>(std::move(cuts));
  body.distance = [cuts = body.cuts](const Real3& place) { return cuts->distance(place); };
}

BodyShape shape_of_files(const Case& c, const Grid& grid, const std::string& surface) {
  BodyShape body;
  geometry::BodySurface closed = geometry::read_body_surface(c, grid, surface);
  const auto space = std::make_shared<const EnclosedSpace>(std::move(closed.mesh), closed.files);
  body.near_distance = [space](const Real3& place) { return space->near_distance(place); };
  std::vector<std::unique_ptr<const LinkCuts>> cuts;
  cuts.push_back(std::make_unique<const SpaceCuts>(space));
  take_cuts(std::move(cuts), body);
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
  std::vector<std::unique_ptr<const LinkCuts>> cuts;
  Real3 low{far, far, far}, high{-far, -far, -far};
  for (std::size_t k = 0; k < c.geometry.shapes.size(); ++k) {
    const Case::Shape& shape = c.geometry.shapes[k];
    if (shape.name != surface) continue;
    const std::string key = "geometry.shape[" + std::to_string(k) + "]";
    if (!geometry::extent(shape)) throw_input(c.place(key) + ": " + key + ": a " + shape.kind + " has no end");
    const RoundedBox& part = body.parts.emplace_back(part_of(shape, grid));
    cuts.push_back(make_shape_cuts(shape, grid, part, c.place(key) + ": " + key));
    for (std::size_t axis = 0; axis < 3; ++axis) {
      low[axis] = std::min(low[axis], part.low[axis] - part.radius);
      high[axis] = std::max(high[axis], part.high[axis] + part.radius);
    }
  }
  if (cuts.empty()) throw_input(c.place("body") + ": body: there is no shape '" + surface + "'");
  body.middle = 0.5 * (low + high);
  take_cuts(std::move(cuts), body);
  body.near_distance = body.distance;
  return body;
}

}  // namespace fluvia
