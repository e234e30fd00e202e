// SPDX-License-Identifier: Apache-2.0
#include "fluvia/run/checks/moving_walls.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "fluvia/base/error.hpp"
#include "fluvia/case/physics/registered_physics.hpp"
#include "fluvia/run/findings/body_extent.hpp"
#include "fluvia/solver/links/cut_links.hpp"
#include "fluvia/solver/links/surface_roles.hpp"

namespace fluvia {

namespace {

/// What the links of a surface along axes let in with a velocity, less what they let out, over the sum of both: -1 to
/// 1.
double one_sided(const Geometry& geometry, int surface, const Real3& velocity) {
  std::vector<bool> wanted(geometry.surfaces.size(), false);
  wanted[static_cast<std::size_t>(surface)] = true;
  std::vector<Int3> directions = {{0, 0, 0}};
  for (int axis = 0; axis < geometry.nodes.dimension; ++axis)
    for (const int side : {1, -1}) {
      Int3 c{};
      c[axis] = side;
      directions.push_back(c);
    }
  double sum = 0, whole = 0;
  for (const CutLink& link : collect_cut_links(geometry, directions, wanted)) {
    const Int3& c = directions[link.direction];
    const double in = c[0] * velocity[0] + c[1] * velocity[1] + c[2] * velocity[2];
    sum += in;
    whole += std::abs(in);
  }
  return whole > 0 ? sum / whole : 0;
}

void check_velocity(const Case& c, const Case::Boundary& b, const std::string& key, const Geometry& geometry,
                    int surface) {
  constexpr double tolerated = 0.5;  // part that a box, or an image, may cut off a body
  if (norm(b.velocity) == 0 || surface < surface_id::wall) return;
  if (std::abs(one_sided(geometry, surface, b.velocity)) <= tolerated) return;
  throw_input(
      fmt::format("{}: {}.velocity: [{:.6g}, {:.6g}, {:.6g}] leads '{}' {} the fluid, which lies on one side of it "
                  "only, so that it "
                  "lets {} as much as it sweeps: walls keep their place and move along themselves; give a velocity "
                  "along it, or make "
                  "it an opening of type = \"velocity\"",
                  c.place(key + ".velocity"), key, b.velocity[0], b.velocity[1], b.velocity[2], b.surface,
                  one_sided(geometry, surface, b.velocity) > 0 ? "into" : "out of",
                  one_sided(geometry, surface, b.velocity) > 0 ? "in" : "out"));
}

void check_images(const Case& c, const Case::Boundary& b, const std::string& key, const Geometry& geometry,
                  int surface) {
  if (!b.angular_velocity || norm(*b.angular_velocity) == 0 || !geometry.nodes.has_mirrors()) return;
  std::vector<bool> wanted(geometry.surfaces.size(), false);
  wanted[static_cast<std::size_t>(surface)] = true;
  const std::array<bool, 6> cut = cut_by_mirrors(geometry, wanted)[static_cast<std::size_t>(surface)];
  const Real3& omega = *b.angular_velocity;
  for (std::size_t face = 0; face < 6; ++face) {
    if (!cut[face] || std::abs(omega[static_cast<int>(face / 2)]) >= (1 - 1e-6) * norm(omega)) continue;
    throw_input(fmt::format(
        "{}: {}.angular_velocity: [{:.6g}, {:.6g}, {:.6g}]: '{}' is cut by the plane of symmetry '{}', behind which "
        "its "
        "image turns the other way: take the whole of it, or an axis along the plane's normal",
        c.place(key + ".angular_velocity"), key, omega[0], omega[1], omega[2], b.surface, geometry.surfaces[face]));
  }
}

}  // namespace

void check_moving_walls(const Case& c, const Geometry& geometry) {
  for (std::size_t i = 0; i < c.boundaries.size(); ++i) {
    const Case::Boundary& b = c.boundaries[i];
    const int surface = find_surface(geometry, b.surface);
    if (surface < 0 || facts_of_boundary(b.type).velocity != core::VelocityKeys::wall) continue;
    const std::string key = "boundary[" + std::to_string(i) + "]";
    check_velocity(c, b, key, geometry, surface);
    check_images(c, b, key, geometry, surface);
  }
}

}  // namespace fluvia
