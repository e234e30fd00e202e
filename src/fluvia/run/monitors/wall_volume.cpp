// SPDX-License-Identifier: Apache-2.0
#include "fluvia/run/monitors/wall_volume.hpp"

#include "fluvia/case/physics/registered_physics.hpp"
#include "fluvia/geometry/wall_strips.hpp"
#include "fluvia/output/walls/wall_values.hpp"
#include "fluvia/solver/links/sheet_links.hpp"
#include "fluvia/solver/links/surface_roles.hpp"
#include "fluvia/solver/links/wall_links.hpp"

namespace fluvia {

WallVolume wall_volume(const Problem& problem, double time) {
  const Geometry& geometry = problem.geometry;
  WallVolume result;
  // Lattices that keep every second node have no links along axes.
  if (!geometry.distance_of || geometry.nodes.node_volume() != 1) return result;
  std::vector<Int3> axes{{0, 0, 0}};
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(geometry.nodes.dimension); ++axis)
    for (const int side : {1, -1}) axes.emplace_back()[axis] = side;
  const std::string lattice = lattice_of(problem.settings);
  const SurfaceRoles roles = surface_roles(problem.settings, geometry, lattice);
  const WallVelocity velocity_of = wall_velocities(problem, time);
  for (const CutLink& link :
       without_sheets(geometry.nodes, axes, collect_cut_links(geometry, axes, roles.interpolated))) {
    const Int3& v = axes[link.direction];
    const Int3 node = geometry.nodes.node_position(geometry.nodes.tiles[link.tile], link.bit);
    const double strip = strip_at_wall(geometry, node, {-v[0], -v[1], -v[2]}, -1);
    result.volume += strip;
    const WallPoint point =
        wall_point(geometry, link, axes, stored_wall_distance(geometry, node, {-v[0], -v[1], -v[2]}));
    const auto velocity = velocity_of(link.surface, point.position);
    for (std::size_t axis = 0; velocity && axis < 3; ++axis)
      result.momentum[axis] += strip * point.sign[axis] * problem.units.velocity((*velocity)[axis]);
  }
  return result;
}

}  // namespace fluvia
