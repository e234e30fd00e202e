// SPDX-License-Identifier: Apache-2.0
// A developed flow passes openings undisturbed, at any angle.
#include "physics/slanted_channel.hpp"

namespace physics_test {
namespace {

using namespace fluvia::surface_id;

/// Slope of the density along a channel between two places.
double density_slope(const SlantedChannel& channel, const fluvia::Solver& solver, double from, double to) {
  const fluvia::Moments m = scene::moments(solver);
  double n = 0, ss = 0, sr = 0, s1 = 0, r1 = 0;
  scene::for_each_fluid_node(solver.geometry().nodes, [&](const Int3& x, std::uint64_t k) {
    const double s = channel.place(x)[0], r = m.density[k] - 1;
    if (s < from || s > to) return;
    n += 1, ss += s * s, sr += s * r, s1 += s, r1 += r;
  });
  return (n * sr - s1 * r1) / (n * ss - s1 * s1);
}

/// Runs to a steady state of the viscous flow.
void settle(fluvia::Solver& solver, const SlantedChannel& channel, double nu, double most_times) {
  const auto chunk = static_cast<int>(0.05 * channel.width * channel.width / nu) + 50;
  double last = 0;
  for (int k = 0; k < static_cast<int>(most_times / 0.05); ++k) {
    solver.step(chunk);
    const double now = solver.opening_flow(0).flow_rate;
    if (!(std::abs(now) < 1) || std::abs(now - last) < 2e-5 * std::abs(now)) return;
    last = now;
  }
}

/// Flow rate of the channel in a slope of the density: of a straight one exact with TRT's walls; else that of one six
/// times as long as wide, far from its ends, so that the stairs of the walls have no part in the error.
double conductivity(const SlantedChannel& channel, double tau, const std::string& collision) {
  const double nu = viscosity_of(tau);
  // The sum of the parabola over nodes, not its integral.
  if (channel.straight && collision == "trt")
    return channel.width * (channel.width * channel.width + 0.5) / (12 * nu) / 3;
  SlantedChannel longer = channel;
  longer.length = std::round(6 * channel.width);
  const double rise = 3 * 8 * nu * 1e-3 / (longer.width * longer.width);  // of the density per node
  const auto solver = solver_of(longer, case_of("pressure", "pressure", collision), tau, [&](double s, double t) {
    return reference::NodeState{1 + rise * (0.5 * longer.length - s),
                                {4e-3 * t * (longer.width - t) / (longer.width * longer.width), 0, 0}};
  });
  solver->set_boundary_value(inlet, rise * longer.length / 6);
  solver->set_boundary_value(outlet, -rise * longer.length / 6);
  settle(*solver, longer, nu, 2);
  return -solver->opening_flow(0).flow_rate / density_slope(longer, *solver, longer.length / 3, 2 * longer.length / 3);
}

/// A flow between two pressures, steady, of the largest speed 1e-3 unless told otherwise.
std::unique_ptr<fluvia::Solver> steady_flow(const SlantedChannel& channel, double tau, const std::string& collision,
                                            const std::string& ends, double fastest = 1e-3) {
  const double nu = viscosity_of(tau), across = channel.width, rise = 24 * fastest * nu / (across * across);
  auto solver = solver_of(channel, case_of(ends, ends, collision), tau, [&](double s, double t) {
    return reference::NodeState{1 + rise * (0.5 * channel.length - s),
                                {4 * fastest * t * (across - t) / (across * across), 0, 0}};
  });
  solver->set_boundary_value(inlet, rise * channel.length / 6);
  solver->set_boundary_value(outlet, -rise * channel.length / 6);
  settle(*solver, channel, nu, 3);
  // Pressures that are held in the mean only settle slowly.
  if (!fluvia::facts_of_boundary(ends).holds_pressure) solver->step(30000);
  return solver;
}

/// Relative error of that flow, of a channel of this conductivity().
double flow_error(const SlantedChannel& channel, double tau, const std::string& collision, const std::string& ends,
                  double conductivity) {
  const double rise = 24e-3 * viscosity_of(tau) / (channel.width * channel.width);
  return steady_flow(channel, tau, collision, ends)->opening_flow(0).flow_rate / (rise * conductivity) - 1;
}
double flow_error(const SlantedChannel& channel, double tau, const std::string& collision) {
  return flow_error(channel, tau, collision, "pressure", conductivity(channel, tau, collision));
}

/// It was 8.5% on any grid: anti-bounce-back alone acts as if there were no shear (docs/openings.md). With TRT's walls
/// the parabola is exact, and so is what openings take it for.
TEST(OpeningFlow, IsThatOfALongChannelOnFaces) {
  for (const double tau : {0.55, 0.8, 1.5, 3.0})
    EXPECT_NEAR(flow_error(channel_at(0, 1, 16, 12), tau, "trt"), 0, 1e-4) << "tau " << tau;
  for (const char* collision : {"bgk", "mrt", "regularized"})
    EXPECT_NEAR(flow_error(channel_at(0, 1, 16, 12), 0.8, collision), 0, 1e-3) << collision;
}

/// It was 13 to 16%. What is left is that a short channel has other stairs than a long one, on finer grids as well.
TEST(OpeningFlow, IsThatOfALongChannelAtAnAngle) {
  for (const auto& [rise, run] : {std::pair(1, 3), std::pair(1, 2), std::pair(1, 1)}) {
    SCOPED_TRACE(testing::Message() << rise << ":" << run);
    const auto check = [&](double length, double width, double tau, const char* collision, double most) {
      const double error = flow_error(channel_at(rise, run, length, width), tau, collision);
      EXPECT_NEAR(error, 0, most) << width << " across, tau " << tau << " " << collision;
    };
    for (const double tau : {0.55, 0.8, 1.5}) check(16, 12, tau, "trt", 0.005);
    check(16, 12, 0.8, "mrt", 0.015);
    check(32, 24, 0.8, "trt", 0.005);
  }
}

/// Every condition that prescribes a pressure has the same rule. On faces those that hold it are as exact as the walls;
/// at angles stairs remain.
TEST(OpeningFlow, IsThatOfALongChannelBetweenAnyConditions) {
  for (const auto& [rise, run] : {std::pair(0, 1), std::pair(1, 3), std::pair(1, 2), std::pair(1, 1)}) {
    const SlantedChannel channel = channel_at(rise, run, 16, 12);
    const double exact = conductivity(channel, 0.8, "trt");
    for (const std::string& ends : conditions_with_plane_fits()) {
      const bool holds = fluvia::facts_of_boundary(ends).holds_pressure;
      const double most = !channel.straight ? 0.015 : holds ? 1e-4 : 5e-3;
      EXPECT_NEAR(flow_error(channel, 0.8, "trt", ends, exact), 0, most) << ends << " " << rise << ":" << run;
    }
  }
}

/// Beside the wall of a straight channel the speed and the stress are the same in the last nodes before the outlet as
/// in the middle: they were up to 27% less. The pressure is the same across a row, and nothing moves along it.
TEST(OpeningFlow, KeepsTheStressAtTheWallUpToTheLastNode) {
  const SlantedChannel channel = channel_at(0, 1, 27, 20);
  for (const std::string& ends : conditions_with_plane_fits())
    for (const double fastest : {1e-3, 0.05}) {  // Re 0.8 and 40 of the largest speed
      SCOPED_TRACE(testing::Message() << ends << " " << fastest);
      const double tau = fastest > 0.01 ? 0.575 : 0.8, rise = 24 * fastest * viscosity_of(tau) / 400;
      const auto solver = steady_flow(channel, tau, "trt", ends, fastest);
      const fluvia::Moments m = scene::moments(*solver, true);
      const auto& nodes = solver->geometry().nodes;
      const auto at = [&](int s, int t) {
        return static_cast<std::size_t>(nodes.node_index({s + channel.origin()[0], t + channel.origin()[1], 0}));
      };
      const auto same = [](double value, double middle, double most) {
        EXPECT_NEAR(value, middle, most * std::abs(middle));
      };
      for (const int s : {26, 25, 0})
        for (const int t : {0, 19}) {
          same(m.velocity[at(s, t)][0], m.velocity[at(13, t)][0], 0.01);
          same(m.stress[at(s, t)][3], m.stress[at(13, t)][3], 0.02);
        }
      for (int t = 0; t < 20; ++t) {
        EXPECT_NEAR(m.density[at(26, t)], m.density[at(26, 10)], 0.005 * 27 * rise);
        EXPECT_NEAR(m.velocity[at(26, t)][1], 0, 0.002 * fastest);
      }
    }
}

/// A channel in 3D one node thick, across which every node is its own neighbour.
TEST(OpeningFlow, IsThatOfALongSlitOfOneNode) {
  constexpr int length = 16, height = 12;
  const double nu = viscosity_of(0.8), drive = 1e-6;
  scene::Scene s = box(3, {length, height, 1}, {false, false, true});
  s.conditions = {{x_min, "pressure", {}, 0.5 * drive * length}, {x_max, "pressure", {}, -0.5 * drive * length}};
  const auto solver = scene::make_solver(s, options("D3Q19", "trt", 0.8));
  solver->step(static_cast<int>(3 * height * height / nu));
  const auto parabola = [&](const Real3& x) { return drive / (2 * nu) * x[1] * (height - x[1]); };
  EXPECT_LT(largest_error(*solver, 0, parabola), 1e-4);
}

/// What a collision makes of the second derivative of u^2, beside a small viscosity, is as large as a pressure drop of
/// up to a node: flows at Reynolds 72 of the largest speed were 5% too large (`trt`) to 8% too small. Every collision
/// and lattice, against a channel without ends that a force drives. `mrt` in 3D missed 1.2% while the density at the
/// ends was even: its energy relaxes at another rate than the stress. What is left of `cumulant` goes with the speed.
TEST(OpeningFlow, IsThatOfALongChannelWithInertia) {
  constexpr int length = 16, height = 12;
  constexpr double tau = 0.515, fastest = 0.03;
  const double nu = viscosity_of(tau), drive = 8 * nu * fastest / (height * height);
  for (const std::string& lattice : fluvia::lattice_names())
    for (const std::string& collision : fluvia::collision_names()) {
      if (!fluvia::collision_problem(collision, lattice).empty() || lattice == "D3Q13") continue;
      SCOPED_TRACE(lattice + " " + collision);
      const int dimension = lattice == "D2Q9" ? 2 : 3;
      double flow[2];
      for (const bool is_open : {false, true}) {
        scene::Scene s = box(dimension, {is_open ? length : 3, height, 1}, {!is_open, false, true});
        if (is_open)
          s.conditions = {{x_min, "pressure", {}, 0.5 * drive * length},
                          {x_max, "pressure", {}, -0.5 * drive * length}};
        else
          s.force[0] = drive;
        s.initial = [&](const Int3& x) {
          const double y = x[1] + 0.5;
          return reference::NodeState{1, {drive / (2 * nu) * y * (height - y), 0, 0}};
        };
        const auto solver = scene::make_solver(s, options(lattice, collision, tau));
        solver->step(static_cast<int>(height * height / nu / 2));
        const fluvia::Moments m = scene::moments(*solver);
        flow[is_open] = 0;
        for (int y = 0; y < height; ++y) flow[is_open] += velocity_at(*solver, m, {is_open ? length / 2 : 1, y, 0})[0];
      }
      EXPECT_NEAR(flow[1] / flow[0], 1, collision == "cumulant" ? 0.01 : 0.005);
    }
}

/// At an angle two rates as well make a normal stress across a flow, against which the density stands: where that was
/// even, these flows were 3.8 and 4.6% too large. What is left at 45 degrees does not depend on the collision.
TEST(OpeningFlow, IsThatOfALongChannelAtAnAngleWithInertia) {
  for (const auto& [run, most] : {std::pair(2, 0.015), std::pair(1, 0.025)}) {
    const SlantedChannel channel = channel_at(1, run, 16, 12);
    const auto flow = [&](double tau, double fastest) {
      return steady_flow(channel, tau, "trt", "pressure", fastest)->opening_flow(0).flow_rate / fastest;
    };
    // Walls at a fixed magic number are where they are at any viscosity.
    EXPECT_NEAR(flow(0.515, 0.03) / flow(0.8, 1e-3), 1, most) << "1:" << run;
  }
}

/// A square duct as long as it is wide, against one without ends that a force drives as hard. D3Q15 has no neighbours
/// across the diagonals of a face, and so knows nothing of the corners' part of the curvature.
TEST(OpeningFlow, IsThatOfALongDuct) {
  constexpr int width = 12;
  for (const char* lattice : {"D3Q15", "D3Q19", "D3Q27"}) {
    const auto o = options(lattice, "trt", 0.8);
    const double nu = viscosity_of(0.8), drive = 1e-6;
    scene::Scene endless = box(3, {3, width, width}, {true, false, false});
    endless.force[0] = drive;
    scene::Scene open = box(3, {width, width, width}, {false, false, false});
    open.conditions = {{x_min, "pressure", {}, 0.5 * drive * width}, {x_max, "pressure", {}, -0.5 * drive * width}};
    double flow[2];
    for (const bool is_open : {false, true}) {
      const auto solver = scene::make_solver(is_open ? open : endless, o);
      solver->step(static_cast<int>(1.5 * width * width / nu));
      const fluvia::Moments m = scene::moments(*solver);
      double sum = 0;
      scene::for_each_fluid_node(solver->geometry().nodes, [&](const Int3& x, std::uint64_t n) {
        if (x[0] == (is_open ? width / 2 : 1)) sum += m.velocity[n][0];
      });
      flow[is_open] = sum;
    }
    EXPECT_NEAR(flow[1] / flow[0], 1, lattice == std::string("D3Q15") ? 0.01 : 0.004) << lattice;
  }
}

/// Fluid between walls that slide as it moves: the walls' speeds are points of the fit. A quarter of that is what the
/// pressure of a uniform stream may be off by.
TEST(OpeningFlow, LetsAUniformStreamPassBetweenWallsThatSlide) {
  for (const auto& [rise, run] : {std::pair(0, 1), std::pair(1, 3), std::pair(1, 1)}) {
    const SlantedChannel channel = channel_at(rise, run, 40, 10);
    fluvia::Case c = case_of("velocity", "pressure", "trt");
    constexpr double speed = 0.1;
    c.boundaries[0].velocity = {speed * channel.axis[0], speed * channel.axis[1], 0};
    fluvia::Case::Boundary sides;
    sides.surface = "wall";
    sides.type = "moving_wall";
    sides.velocity = c.boundaries[0].velocity;
    c.boundaries.push_back(sides);
    const auto solver = solver_of(channel, c, 0.8, [](double, double) {
      return reference::NodeState{1, {speed, 0, 0}};
    });
    solver->step(20000);
    const fluvia::Moments m = scene::moments(*solver);
    double worst = 0;
    for (const double density : m.density) worst = std::max(worst, std::abs(density - 1) / 3);
    EXPECT_LE(worst, 0.01 * 0.5 * speed * speed) << rise << ":" << run;
  }
}

}  // namespace
}  // namespace physics_test
