// SPDX-License-Identifier: Apache-2.0
#include "fluvia/run/bodies/body_reports.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fluvia/base/error.hpp"
#include "fluvia/base/text.hpp"
#include "fluvia/solver/bodies/moving_bodies.hpp"

namespace fluvia {

namespace {

Pose seen(const Solver& flow, Pose pose) {
  const auto levels = flow.levels();
  if (levels.empty()) return pose;
  const double nodes = std::exp2(levels.size() - 1);  // of the finest level in one of the coarsest
  for (std::size_t a = 0; static_cast<int>(a) < flow.geometry().nodes.dimension; ++a) pose.center[a] /= nodes;
  pose.angular_velocity = nodes * pose.angular_velocity;
  return pose;
}

}  // namespace

BodyState seen_state(const Solver& flow, int body) {
  BodyState state = flow.bodies()->state(body);
  state.pose = seen(flow, state.pose);
  return state;
}

Pose last_seen_pose(const Solver& flow, int body) {
  return seen(flow, flow.bodies()->last_pose(body));
}

std::vector<BodyReport> report_bodies(const Case& c, const Solver& solver, const Units& units) {
  std::vector<BodyReport> reports;
  const Geometry& geometry = solver.geometry();
  const int dimension = geometry.nodes.dimension;
  for (std::size_t k = 0; k < c.bodies.size(); ++k) {
    const int body = static_cast<int>(k);
    const BodyState state = seen_state(solver, body);
    const std::string& surface = c.bodies[k].surface;
    const auto number = std::find(geometry.surfaces.begin(), geometry.surfaces.end(), surface);
    const SurfaceForce felt =
        solver.surface_force(static_cast<int>(number - geometry.surfaces.begin()), last_seen_pose(solver, body).center);
    reports.push_back({surface, geometry.origin + units.spacing * state.pose.center, state.pose.axes,
                       state.turn.angle(), units.si_velocity(1) * state.pose.velocity,
                       units.si_rate(1) * state.pose.angular_velocity, units.si_force(1, dimension) * felt.force,
                       units.si_torque(1, dimension) * felt.torque});
  }
  return reports;
}

BodyVelocity velocity_of_body(const Case& c, const Units& units, const std::string& surface, const Real3& velocity,
                              const Real3& angular_velocity) {
  const auto body =
      std::find_if(c.bodies.begin(), c.bodies.end(), [&](const Case::Body& each) { return each.surface == surface; });
  if (body == c.bodies.end()) {
    std::vector<std::string> names;
    for (const Case::Body& each : c.bodies) names.push_back("'" + each.surface + "'");
    throw_input(fmt::format("body '{}': the case has none of this name (it has: {})", printable(surface),
                            names.empty() ? "none" : join(names)));
  }
  if (!std::isfinite(norm(velocity) + norm(angular_velocity)))
    throw_input(fmt::format("body '{}': expected velocities of finite numbers", surface));
  if (c.domain.dimension == 2 && (velocity[2] != 0 || angular_velocity[0] != 0 || angular_velocity[1] != 0))
    throw_input(fmt::format("body '{}': in 2D bodies move along x and y, and turn about z", surface));
  return {static_cast<int>(body - c.bodies.begin()), (1 / units.si_velocity(1)) * velocity,
          units.time_step * angular_velocity};
}

}  // namespace fluvia
