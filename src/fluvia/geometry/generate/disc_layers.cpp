// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>

#include "fluvia/base/error.hpp"
#include "fluvia/geometry/mesh/stl_layers.hpp"

namespace fluvia::geometry {
namespace {

/// Thickness of the solid plug behind a disc: longer than any link, so that none jumps over it.
constexpr double plug = 1.8;

/// A disc that closes the flow: the nodes just behind it are solid.
class DiscLayer final : public Layer {
 public:
  DiscLayer(const Real3& centre, const Real3& normal, double radius, int dimension, int surface)
      : centre_(centre), normal_(normal), radius_(radius), dimension_(dimension), surface_(surface) {}

  [[nodiscard]] std::uint64_t apply(const Int3& tile, std::uint64_t fluid) const override {
    const Int3 shape = tile_shape(dimension_);
    Real3 middle;
    for (int axis = 0; axis < 3; ++axis) middle[axis] = (tile[axis] + 0.5) * shape[axis];
    if (fluid == 0 || norm(middle - centre_) > std::hypot(radius_, plug) + 6) return fluid;
    for (int bit = 0; bit < nodes_per_tile; ++bit) {
      const Int3 local = tile_local(dimension_, bit);
      const Int3 node{tile[0] * shape[0] + local[0], tile[1] * shape[1] + local[1], tile[2] * shape[2] + local[2]};
      if (decide(node) == Decision::solid) fluid &= ~(std::uint64_t{1} << bit);
    }
    return fluid;
  }
  [[nodiscard]] Decision decide(const Int3& node) const override {
    const Real3 from_centre = node_centre(node) - centre_;
    const double along = dot(from_centre, normal_);
    const bool behind = along > -1e-9 && along < plug;
    return behind && norm(from_centre - along * normal_) <= radius_ ? Decision::solid : Decision::none;
  }
  [[nodiscard]] int surface(const Int3& node, const Int3&, const Int3&) const override {
    return dot(node_centre(node) - centre_, normal_) < 0 ? surface_ : surface_id::wall;
  }

 private:
  Real3 centre_, normal_;
  double radius_;
  int dimension_, surface_;
};

/// Brings a disc on a face of the box, or within half a node of it, one node inside: the outermost nodes are what
/// closes the flow behind it, and without any the disc would cut no link.
Real3 off_the_face(Real3 centre, const Real3& normal, const Int3& size) {
  constexpr double straight = 1 - 1e-9;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double last = size[axis];
    if (last < 2) continue;
    if (normal[axis] > straight && centre[axis] > last - 0.5) centre[axis] = last - 1;
    if (normal[axis] < -straight && centre[axis] < 0.5) centre[axis] = 1;
  }
  return centre;
}

}  // namespace

void add_disc_layers(const Case& c, const Grid& grid, SurfaceNames& names, Layers& layers,
                     std::vector<SurfaceOpening>& openings) {
  for (std::size_t i = 0; i < c.openings.size(); ++i) {
    const auto& input = c.openings[i];
    const std::string place = fmt::format("openings[{}] ({})", i, input.name);
    if (input.name.empty()) throw_input(place + ": an opening needs a name, which its boundary refers to");
    if (!input.center) throw_input(place + ": center is missing");
    if (!input.radius && !input.normal) {
      if (c.geometry.stl.empty()) {
        throw_input(place + ": without an STL there is no hole near center; give normal and radius of a disc");
      }
      continue;  // the opening names a hole
    }
    if (!input.radius || !input.normal) {
      throw_input(place + ": a disc needs center, normal and radius; to name a hole of the STL give only center");
    }
    Real3 normal = *input.normal, centre = to_lattice(grid, *input.center);
    if (grid.dimension == 2) normal[2] = 0, centre[2] = 0.5;
    const double length = norm(normal), radius = *input.radius / grid.spacing;
    if (!(length > 0)) throw_input(place + ": normal has no direction; it points out of the fluid");
    if (!(radius > 0)) throw_input(fmt::format("{}: radius is {}, expected a positive length", place, *input.radius));
    normal = (1 / length) * normal;
    BoundingBox box;
    for (int axis = 0; axis < grid.dimension; ++axis) {
      if (centre[axis] < 0 || centre[axis] > grid.size[axis]) {
        throw_input(
            fmt::format("{}: center {} lies outside the box from {} to {}", place, format_point(*input.center),
                        format_point(grid.origin),
                        format_point(to_case(grid, {1.0 * grid.size[0], 1.0 * grid.size[1], 1.0 * grid.size[2]}))));
      }
    }
    centre = off_the_face(centre, normal, grid.size);
    box.add(centre - Real3{radius, radius, radius});
    box.add(centre + Real3{radius, radius, radius});
    const int surface = names.add(input.name);
    layers.push_back(std::make_unique<DiscLayer>(centre, normal, radius, grid.dimension, surface));
    openings.push_back({input.name, surface, centre, normal, 0, {}, box});
  }
}

}  // namespace fluvia::geometry
