// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/boundary_setup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "fluvia/base/error.hpp"
#include "fluvia/solver/wall_links.hpp"

namespace fluvia {

namespace {

int find_surface(const Geometry& geometry, const std::string& name) {
  const auto it = std::find(geometry.surfaces.begin(), geometry.surfaces.end(), name);
  return it == geometry.surfaces.end() ? -1 : static_cast<int>(it - geometry.surfaces.begin());
}

const Opening* find_opening(const Geometry& geometry, int surface) {
  for (const Opening& opening : geometry.openings)
    if (opening.surface == surface) return &opening;
  return nullptr;
}

/// The point of the link where its boundary acts: its middle, or where the wall is.
Real3 wall_point(const Geometry& geometry, const CutLink& link, const std::vector<Int3>& c, bool interpolated) {
  const Int3 x = geometry.nodes.node_position(geometry.nodes.tiles[link.tile], link.bit);
  const Int3& v = c[link.direction];
  const double q = interpolated ? stored_wall_distance(geometry, x, {-v[0], -v[1], -v[2]}) : 0.5;
  return {x[0] + 0.5 - q * v[0], x[1] + 0.5 - q * v[1], x[2] + 0.5 - q * v[2]};
}

/// Velocity of one boundary at a point of it, before flux scaling.
Real3 prescribed_velocity(const Case::Boundary& b, const Units& units, double spacing_scale, const Opening* opening,
                          const Real3& point, bool by_flux) {
  double shape = 1;
  if (b.profile == "parabolic" && opening && opening->parabola) shape = std::max(0.0, opening->parabola(point));
  if (by_flux) return (-shape) * opening->normal;
  Real3 u = {units.velocity(b.velocity[0]), units.velocity(b.velocity[1]), units.velocity(b.velocity[2])};
  if (b.angular_velocity) {
    const Real3 center = b.rotation_center.value_or(Real3{});
    const Real3 arm = {point[0] - center[0] * spacing_scale, point[1] - center[1] * spacing_scale,
                       point[2] - center[2] * spacing_scale};
    u = u + units.time_step * cross(*b.angular_velocity, arm);
  }
  return shape * u;
}

/// What a boundary prescribes; a time series prescribes one unit, which its values then multiply.
std::optional<double> prescribed(const Case::Boundary& b, const char* quantity, const std::optional<double>& constant) {
  return !b.series.empty() && b.series_quantity == quantity ? std::optional(1.0) : constant;
}
std::optional<double> prescribed_speed(const Case::Boundary& b) {
  return prescribed(b, "speed", b.speed);
}
std::optional<double> prescribed_flow(const Case::Boundary& b) {
  return prescribed(b, "flow_rate", b.flow_rate);
}
bool prescribes_flux(const Case::Boundary& b) {
  return prescribed_speed(b) || prescribed_flow(b);
}

core::BoundaryKind kind_of(const std::string& type) {
  if (type == "moving_wall" || type == "velocity") return core::BoundaryKind::velocity;
  if (type == "pressure") return core::BoundaryKind::pressure;
  if (type == "free_slip") return core::BoundaryKind::free_slip;
  return core::BoundaryKind::wall;
}

core::SurfaceState surface_state(const Case::Boundary& b, const Units& units, const Geometry& geometry, int surface) {
  core::SurfaceState state;
  state.kind = kind_of(b.type);
  state.axis = surface / 2;
  state.density_deviation = units.pressure(b.pressure) / core::sound_speed_squared;
  if (state.kind == core::BoundaryKind::free_slip && surface > surface_id::z_max)
    throw_input(
        fmt::format("boundary '{}': free_slip needs a face of the box (x_min ... z_max), not a body", b.surface));
  if (prescribes_flux(b))
    if (!find_opening(geometry, surface))
      throw_input(fmt::format("boundary '{}': speed and flow_rate need an opening", b.surface));
  return state;
}

/// What the case asks of each surface.
struct SurfaceRoles {
  std::vector<const Case::Boundary*> condition;
  std::vector<bool> active, monitored, wanted;  ///< not a wall at rest; measured; either
  std::vector<bool> interpolated;               ///< walls that act where they are
};

SurfaceRoles surface_roles(const Case& c, const Geometry& geometry) {
  const std::size_t count = geometry.surfaces.size();
  SurfaceRoles roles{std::vector<const Case::Boundary*>(count, nullptr), std::vector<bool>(count, false),
                     std::vector<bool>(count, false), std::vector<bool>(count, false), std::vector<bool>(count, false)};
  for (const Case::Boundary& b : c.boundaries) {
    const int surface = find_surface(geometry, b.surface);
    if (surface < 0) throw_input(fmt::format("boundary '{}': there is no such surface", b.surface));
    roles.condition[surface] = &b;
    roles.active[surface] = kind_of(b.type) != core::BoundaryKind::wall;
  }
  for (const std::string& name : c.monitors.forces) {
    const int surface = find_surface(geometry, name);
    if (surface < 0) throw_input(fmt::format("monitor.forces: there is no surface '{}'", name));
    roles.monitored[surface] = true;
  }
  for (const Opening& opening : geometry.openings) roles.monitored[opening.surface] = true;
  for (std::size_t s = 0; s < count; ++s) {
    roles.wanted[s] = roles.active[s] || roles.monitored[s];
    roles.interpolated[s] = is_interpolated(geometry, static_cast<int>(s), roles.condition[s]);
  }
  return roles;
}

/// What the links of surfaces with a prescribed velocity let in, and how fast it moves.
std::vector<SurfaceForce> carried_momentum(const BoundarySetup& setup, const Geometry& geometry,
                                           const std::vector<Int3>& directions, const std::vector<double>& weights,
                                           const std::vector<bool>& interpolated) {
  std::vector<SurfaceForce> carried(setup.surfaces.size());
  for (std::size_t k = 0; k < setup.links.size(); ++k) {
    const CutLink& link = setup.links[k];
    const Int3& c = directions[link.direction];
    const bool between_nodes = interpolated[link.surface];
    const Real3 u = (between_nodes ? 2 : 1) * setup.velocities[k];
    const Real3 momentum =
        geometry.nodes.node_volume() * 6 * weights[link.direction] * (c[0] * u[0] + c[1] * u[1] + c[2] * u[2]) * u;
    SurfaceForce& sum = carried[link.surface];
    sum.force = sum.force + momentum;
    sum.torque = sum.torque + cross(wall_point(geometry, link, directions, between_nodes), momentum);
  }
  return carried;
}

}  // namespace

SurfaceForce wall_force(SurfaceForce exchanged, const SurfaceForce& carried, double scale, const Real3& center) {
  exchanged.force = exchanged.force + scale * scale * carried.force;
  exchanged.torque = exchanged.torque + scale * scale * (carried.torque - cross(center, carried.force));
  return exchanged;
}

BoundaryCount count_boundaries(const Case& c, const Geometry& geometry, const std::string& lattice) {
  const SurfaceRoles roles = surface_roles(c, geometry);
  const std::vector<CutLinkCount> counts = count_cut_links(geometry, lattice_velocities(lattice), roles.wanted);
  BoundaryCount result;
  for (std::size_t s = 0; s < counts.size(); ++s) {
    if (roles.monitored[s]) result.monitored_links += counts[s].links;
    if (!roles.active[s]) continue;
    const Case::Boundary& b = *roles.condition[s];
    const bool varies = b.profile == "parabolic" || b.angular_velocity;
    result.links += counts[s].links;
    result.records += varies ? counts[s].links : counts[s].nodes;
  }
  return result;
}

BoundarySetup make_boundary_setup(const Case& c, const Units& units, const Geometry& geometry,
                                  const std::string& lattice) {
  const std::vector<Int3> velocities = lattice_velocities(lattice);
  const std::vector<double> weights = lattice_weights(lattice);
  BoundarySetup setup;
  const std::size_t count = geometry.surfaces.size();
  const auto [condition, active, monitored, wanted, interpolated] = surface_roles(c, geometry);
  setup.monitored = monitored;
  setup.surfaces.resize(count);
  for (std::size_t s = 0; s < count; ++s)
    if (condition[s]) setup.surfaces[s] = surface_state(*condition[s], units, geometry, static_cast<int>(s));

  std::vector<double> flux(count, 0.0);
  std::vector<bool> seen(count, false);
  for (const CutLink& link : collect_cut_links(geometry, velocities, wanted)) {
    seen[link.surface] = true;
    if (setup.monitored[link.surface]) setup.monitored_links.push_back(link);
    if (!active[link.surface]) continue;
    const Case::Boundary& b = *condition[link.surface];
    Real3 u{};
    if (setup.surfaces[link.surface].kind == core::BoundaryKind::velocity) {
      u = prescribed_velocity(b, units, 1 / units.spacing, find_opening(geometry, link.surface),
                              wall_point(geometry, link, velocities, interpolated[link.surface]), prescribes_flux(b));
      // What is interpolated lacks the wall's share once, what was bounced back in the middle of a link twice.
      if (interpolated[link.surface]) u = 0.5 * u;
      const Int3& v = velocities[link.direction];
      flux[link.surface] +=
          geometry.nodes.node_volume() * 6 * weights[link.direction] * (v[0] * u[0] + v[1] * u[1] + v[2] * u[2]);
    }
    setup.links.push_back(link);
    setup.velocities.push_back(u);
  }
  std::vector<double> scale(count, 1.0);
  for (std::size_t s = 0; s < count; ++s) {
    if (active[s] && !seen[s])
      throw_input(fmt::format("boundary '{}': this surface touches no fluid node; check its place and size",
                              geometry.surfaces[s]));
    if (!condition[s] || !active[s] || !prescribes_flux(*condition[s])) continue;
    const Case::Boundary& b = *condition[s];
    const double target =
        prescribed_flow(b) ? units.flow_rate(*prescribed_flow(b), geometry.nodes.dimension)
                           : units.velocity(*prescribed_speed(b)) * find_opening(geometry, static_cast<int>(s))->area;
    if (flux[s] <= 0)
      throw_input(
          fmt::format("boundary '{}': its profile lets nothing in; check that the opening's normal points out of "
                      "the fluid and that it is wider than two nodes",
                      b.surface));
    scale[s] = target / flux[s];
  }
  for (std::size_t k = 0; k < setup.links.size(); ++k)
    setup.velocities[k] = scale[setup.links[k].surface] * setup.velocities[k];
  setup.carried = carried_momentum(setup, geometry, velocities, weights, interpolated);
  return setup;
}

}  // namespace fluvia
