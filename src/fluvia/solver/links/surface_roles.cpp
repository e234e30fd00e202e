// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/links/surface_roles.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "fluvia/base/error.hpp"
#include "fluvia/case/physics/registered_physics.hpp"
#include "fluvia/core/boundary/registry.hpp"
#include "fluvia/geometry/face_ranks.hpp"
#include "fluvia/solver/links/wall_links.hpp"

namespace fluvia {

namespace {

/// True for a face that is a plane of symmetry, by whatever name.
bool is_mirror(const Geometry& geometry, int surface) {
  return surface < surface_id::wall && geometry.nodes.mirrors[static_cast<std::size_t>(surface)];
}

/// Throws Error(input) for surfaces that the fluid slides along on lattices that cannot let it.
void check_sliding(const core::ConditionFacts& facts, int surface, const std::string& name,
                   const std::string& lattice) {
  const bool slides = facts.slides == core::Slides::everywhere ||
                      (facts.slides == core::Slides::off_faces && surface >= surface_id::wall);
  if (slides && !facts_of_lattice(lattice).isotropic)
    throw_input(fmt::format(
        "boundary '{}': type = \"{}\" {}is unstable on {}, whose weights are not isotropic; use "
        "numerics.lattice = \"D3Q19\"",
        name, facts.name, facts.slides == core::Slides::off_faces ? "on a surface that is no face of the box " : "",
        lattice));
}

}  // namespace

int find_surface(const Geometry& geometry, const std::string& name) {
  const auto it = std::find(geometry.surfaces.begin(), geometry.surfaces.end(), name);
  return it == geometry.surfaces.end() ? -1 : static_cast<int>(it - geometry.surfaces.begin());
}

const Opening* find_opening(const Geometry& geometry, int surface) {
  for (const Opening& opening : geometry.openings)
    if (opening.surface == surface) return &opening;
  return nullptr;
}

WallPoint wall_point(const Geometry& geometry, const CutLink& link, const std::vector<Int3>& c, double part) {
  const NodeMap& nodes = geometry.nodes;
  return wall_point(geometry, nodes.node_position(nodes.tiles[link.tile], link.bit), c[link.direction], part);
}

WallPoint wall_point(const Geometry& geometry, const Int3& x, const Int3& v, double part) {
  const NodeMap& nodes = geometry.nodes;
  WallPoint point{{x[0] + 0.5 - part * v[0], x[1] + 0.5 - part * v[1], x[2] + 0.5 - part * v[2]}};
  for (int axis = 0; axis < 3; ++axis)
    for (const int side : {0, 1}) {
      const double plane = side == 0 ? 0 : nodes.size[axis], beyond = point.position[axis] - plane;
      if (!nodes.mirrors[static_cast<std::size_t>(2 * axis + side)] || (side == 0 ? beyond >= 0 : beyond <= 0))
        continue;
      point.position[axis] = plane - beyond;
      point.sign[static_cast<std::size_t>(axis)] = -1;
    }
  return point;
}

Real3 wall_velocity(const Case::Boundary& b, const Units& units, const Geometry& geometry, const Real3& point) {
  const Real3 u = {units.velocity(b.velocity[0]), units.velocity(b.velocity[1]), units.velocity(b.velocity[2])};
  if (!b.angular_velocity) return u;
  const Real3 center = (1 / units.spacing) * (b.rotation_center.value_or(Real3{}) - geometry.origin);
  return u + units.time_step * cross(*b.angular_velocity, point - center);
}

SurfaceRoles surface_roles(const Case& c, const Geometry& geometry, const std::string& lattice) {
  const std::size_t count = geometry.surfaces.size();
  SurfaceRoles roles{std::vector<const Case::Boundary*>(count, nullptr),
                     std::vector<const core::ConditionFacts*>(count, &core::boundary_facts(0)),
                     std::vector<bool>(count, false),
                     std::vector<bool>(count, false),
                     std::vector<bool>(count, false),
                     std::vector<bool>(count, false),
                     std::vector<bool>(count, false),
                     std::vector<bool>(count, false)};
  for (const Case::Boundary& b : c.boundaries) {
    const int surface = find_surface(geometry, b.surface);
    if (surface < 0) throw_input(fmt::format("boundary '{}': there is no such surface", b.surface));
    roles.boundary[surface] = &b;
    roles.facts[surface] = &facts_of_boundary(b.type);
    roles.acts[surface] = roles.facts[surface]->acts && !is_mirror(geometry, surface);
    roles.slides[surface] = roles.acts[surface] && roles.facts[surface]->slides != core::Slides::never;
    roles.is_free[surface] =
        roles.facts[surface]->is_opening && roles.facts[surface]->velocity == core::VelocityKeys::none;
    check_sliding(*roles.facts[surface], surface, b.surface, lattice);
  }
  // An opening that prescribes a velocity owns such corners, and lets in what is prescribed, whatever slides past it;
  // if the others counted that, more would leave than comes in.
  const bool prescribes = std::any_of(roles.facts.begin(), roles.facts.end(), [](const core::ConditionFacts* facts) {
    return facts->is_opening && facts->velocity != core::VelocityKeys::none;
  });
  if (prescribes) roles.slides.assign(count, false);
  for (const std::string& name : c.monitors.forces) {
    const int surface = find_surface(geometry, name);
    if (surface < 0) throw_input(fmt::format("monitor.forces: there is no surface '{}'", name));
    if (is_mirror(geometry, surface))
      throw_input(fmt::format("monitor.forces: '{}' is a plane of symmetry, on which no force acts; remove it", name));
    roles.monitored[surface] = true;
  }
  for (const Opening& opening : geometry.openings) roles.monitored[opening.surface] = true;
  for (std::size_t s = 0; s < count; ++s) {
    roles.wanted[s] = roles.acts[s] || roles.monitored[s];
    roles.interpolated[s] = is_interpolated(geometry, static_cast<int>(s), *roles.facts[s]);
  }
  return roles;
}

std::vector<int> surface_ranks(const Geometry& geometry, const SurfaceRoles& roles) {
  std::vector<int> ranks(roles.facts.size());
  for (std::size_t s = 0; s < ranks.size(); ++s) ranks[s] = static_cast<int>(s);
  const auto faces = face_ranks(geometry.nodes.whole_size(), std::span(roles.facts).first(surface_id::wall));
  std::copy(faces.begin(), faces.end(), ranks.begin());
  return ranks;
}

Real3 velocity_on_link(const Geometry& geometry, const SurfaceRoles& roles, int surface, const Int3& x, const Int3& c,
                       double part, const std::function<Real3(int surface, const Real3& point)>& velocity_of) {
  const NodeMap& nodes = geometry.nodes;
  const WallPoint point = wall_point(geometry, x, c, part);
  Real3 velocity = velocity_of(surface, point.position);
  for (int axis = 0; axis < 3; ++axis) velocity[axis] *= point.sign[static_cast<std::size_t>(axis)];
  int faces = 0, walls = 0, inlets = 0;
  Bool3 closed{};
  Real3 of_walls{}, of_inlets{};
  for (int axis = 0; axis < 3; ++axis) {
    const int there = x[axis] - c[axis];
    if (nodes.periodic[axis] || (there >= 0 && there < nodes.size[axis])) continue;
    ++faces;
    Int3 straight{};
    straight[axis] = -c[axis];
    const int beyond = geometry.surface_of(x, straight);
    const core::ConditionFacts& facts = *roles.facts[static_cast<std::size_t>(beyond)];
    closed[axis] = !facts.is_opening;
    if (facts.sticks) {
      ++walls;
      of_walls = of_walls + velocity_of(beyond, point.position);
    } else if (facts.is_opening && facts.velocity != core::VelocityKeys::none) {
      ++inlets;
      of_inlets = of_inlets + velocity_of(beyond, point.position);
    }
  }
  if (faces < 2) return velocity;
  const bool is_opening = roles.facts[static_cast<std::size_t>(surface)]->is_opening;
  if (!is_opening && walls > 1) velocity = (1.0 / walls) * of_walls;
  if (is_opening && inlets > 1) velocity = (1.0 / inlets) * of_inlets;
  for (int axis = 0; axis < 3; ++axis)
    if (closed[axis]) velocity[axis] = 0;
  return velocity;
}

}  // namespace fluvia
