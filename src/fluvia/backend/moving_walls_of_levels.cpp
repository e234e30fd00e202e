// SPDX-License-Identifier: Apache-2.0
#include "fluvia/backend/moving_walls_of_levels.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "fluvia/case/physics/registered_physics.hpp"
#include "fluvia/core/boundary/registry.hpp"
#include "fluvia/geometry/levels/regions.hpp"
#include "fluvia/solver/links/cut_links.hpp"
#include "fluvia/solver/links/surface_roles.hpp"
#include "fluvia/solver/links/wall_links.hpp"

namespace fluvia {

namespace {

bool is_moving_wall(const core::ConditionFacts& facts) {
  return facts.velocity == core::VelocityKeys::wall;
}

/// The wall of a level that cuts a link, if it moves: with its velocity where it does, as the level's own links have
/// it; of places that are no nodes of the level half-way.
std::optional<domain::MovingWall> moving_wall(const LevelProblem& level, const SurfaceRoles& roles, const Int3& node,
                                              const Int3& offset) {
  const Geometry& geometry = level.geometry;
  const int surface = geometry.surface_of(node, offset);
  const auto s = static_cast<std::size_t>(surface);
  if (!is_moving_wall(*roles.facts[s])) return {};
  const double part = roles.interpolated[s] && geometry.nodes.is_fluid(node)
                          ? stored_wall_distance(geometry, node, offset)
                          : half_way_along_link;
  const Real3 velocity = velocity_on_link(geometry, roles, surface, node, {-offset[0], -offset[1], -offset[2]}, part,
                                          [&](int other, const Real3& point) {
                                            const auto o = static_cast<std::size_t>(other);
                                            return roles.boundary[o] != nullptr && is_moving_wall(*roles.facts[o])
                                                       ? wall_velocity(*roles.boundary[o], level.units, geometry, point)
                                                       : Real3{};
                                          });
  return domain::MovingWall{static_cast<std::uint32_t>(surface), velocity, roles.interpolated[s]};
}

}  // namespace

std::function<std::optional<domain::MovingWall>(int level, const Int3& node, const Int3& offset)> find_moving_walls(
    const Case& c, const LevelProblems& divided, const std::string& lattice) {
  if (std::none_of(c.boundaries.begin(), c.boundaries.end(),
                   [](const Case::Boundary& b) { return is_moving_wall(facts_of_boundary(b.type)); }))
    return {};
  std::vector<SurfaceRoles> roles;
  for (const LevelProblem& level : divided.levels) roles.push_back(surface_roles(c, level.geometry, lattice));
  return [&divided, roles = std::move(roles)](int level, const Int3& node, const Int3& offset) {
    const auto l = static_cast<std::size_t>(level);
    return moving_wall(divided.levels[l], roles[l], node, offset);
  };
}

std::function<bool(const Int3& node, const Int3& offset)> find_sliding_walls(const Case& c, const Geometry& level) {
  std::vector<bool> slides;
  for (const core::ConditionFacts* facts : geometry::conditions_of(c, level))
    slides.push_back(facts->slides != core::Slides::never);
  if (std::ranges::find(slides, true) == slides.end()) return {};
  return [&level, slides = std::move(slides)](const Int3& node, const Int3& offset) {
    return slides[static_cast<std::size_t>(level.surface_of(node, offset))];
  };
}

std::function<int(int level, const Int3& node, const Int3& offset)> find_measured_surfaces(
    const Case& c, const LevelProblems& divided) {
  if (c.monitors.forces.empty()) return {};
  std::vector<bool> is_measured;
  for (const std::string& name : divided.levels.front().geometry.surfaces)
    is_measured.push_back(std::ranges::find(c.monitors.forces, name) != c.monitors.forces.end());
  return [&divided, is_measured = std::move(is_measured)](int level, const Int3& node, const Int3& offset) {
    const int surface = divided.levels[static_cast<std::size_t>(level)].geometry.surface_of(node, offset);
    return is_measured[static_cast<std::size_t>(surface)] ? surface : -1;
  };
}

}  // namespace fluvia
