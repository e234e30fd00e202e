// SPDX-License-Identifier: Apache-2.0
// Synthetic turbulence at velocity openings: what they let in, and what becomes of it in the flow.
#include "fluvia/solver/profiles/turbulent_inflow.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>

#include "fluvia/solver/links/boundary_setup.hpp"
#include "fluvia/solver/profiles/random_field.hpp"
#include "reference/scene.hpp"
#include "support/errors.hpp"
#include "support/temporary_folder.hpp"

namespace fluvia::test {
namespace {

/// A stream from x_min to x_max of a box that is periodic across, or has walls there.
Case turbulent_stream(const Int3& nodes, bool walls, double intensity, double length) {
  Case c;
  c.domain.dimension = nodes[2] == 1 ? 2 : 3;
  c.domain.nodes = nodes;
  c.domain.periodic = {false, !walls, !walls || nodes[2] == 1};
  c.numerics.lattice = c.domain.dimension == 2 ? "D2Q9" : "D3Q19";
  c.numerics.device = "cpu";
  c.run.max_mach = 1e9;
  Case::Boundary inlet, outlet;
  inlet.surface = "x_min";
  inlet.type = "velocity";
  inlet.speed = 0.05;
  inlet.turbulence = {intensity, length, 3};
  outlet.surface = "x_max";
  outlet.type = "pressure";
  c.boundaries = {inlet, outlet};
  return c;
}

struct Inflow {
  ChangingProfile profile;
  TurbulentInflow::Frames frames{};

  explicit Inflow(const Case& c, double tau = 0.6)
      : profile(make_boundary_setup({c, scene::make_units(tau), build_geometry(c, make_grid(c))}, c.numerics.lattice)
                    .changing.at(0)) {}
  std::vector<Real3> at(double time) { return profile.velocities(time, frames); }
  [[nodiscard]] double flow_of(const std::vector<Real3>& velocities) const {
    double sum = 0;
    for (std::size_t k = 0; k < velocities.size(); ++k) sum += dot(profile.turbulence.rates()[k], velocities[k]);
    return sum;
  }
};

std::vector<Case> turbulent_streams() {
  std::vector<Case> all;
  for (const bool flat : {true, false})
    for (const bool walls : {true, false})
      for (const char* profile : {"uniform", "parabolic"}) {
        if (!walls && profile == std::string("parabolic")) continue;
        Case c = turbulent_stream({5, flat ? 60 : 20, flat ? 1 : 24}, walls, 0.2, 6);
        c.boundaries[0].profile = profile;
        all.push_back(c);
      }
  Case across = turbulent_stream({5, 20, 24}, false, 0.2, 6);
  across.boundaries[0].speed.reset();
  across.boundaries[0].velocity = {0.05, 0.02, 0};
  all.push_back(across);
  all.push_back(turbulent_stream({5, 40, 1}, true, 0.2, 30));  // eddies as large as the opening
  return all;
}

/// Every step lets in what the case prescribes, whatever the eddies.
TEST(TurbulentInflow, LetsInWhatIsPrescribed) {
  for (const Case& c : turbulent_streams()) {
    Inflow inflow(c);
    const double area = (*c.domain.nodes)[1] * (*c.domain.nodes)[2];
    for (double time = 0; time < 3000; time += 37.7)
      EXPECT_NEAR(inflow.flow_of(inflow.at(time)), 0.05 * area, 1e-13 * area) << time;
  }
}

/// Over the opening and a long time; between two frames a little is lost.
TEST(TurbulentInflow, HasTheIntensity) {
  for (const Case& c : turbulent_streams()) {
    Inflow inflow(c);
    const auto& steady = inflow.profile.steady;
    const double speed = c.boundaries[0].speed ? 0.05 : std::hypot(0.05, 0.02);
    double square = 0, area = 0;
    constexpr int times = 400;
    for (int t = 0; t < times; ++t) {
      const std::vector<Real3> now = inflow.at(211.0 * t);
      for (std::size_t k = 0; k < now.size(); ++k) {
        const Real3 u = now[k] - steady[k];
        if (c.domain.dimension == 2) {
          ASSERT_EQ(u[2], 0);
        }
        square += inflow.profile.flux[k] * dot(u, u);
        area += inflow.profile.flux[k];
      }
    }
    EXPECT_NEAR(std::sqrt(square / area / c.domain.dimension) / speed, 0.2, 0.01);
  }
}

/// Velocities follow from the time alone, whatever was asked for before, and are continuous.
TEST(TurbulentInflow, FollowsFromTheTime) {
  const Case c = turbulent_stream({5, 20, 24}, true, 0.2, 6);
  Inflow inflow(c);
  std::vector<Real3> before = inflow.at(999);
  for (double time = 1000; time < 1080; ++time) {
    const std::vector<Real3> now = inflow.at(time);
    if (time == 1017 || time == 1062) {
      EXPECT_EQ(Inflow(c).at(time), now) << time;
    }
    double largest = 0;
    for (std::size_t k = 0; k < now.size(); ++k) largest = std::max(largest, norm(now[k] - before[k]));
    EXPECT_LT(largest, 0.2 * 0.2 * 0.05) << time;
    before = now;
  }
  EXPECT_EQ(inflow.at(1003), Inflow(c).at(1003));
}

/// Across the edges of a periodic box the field goes on.
TEST(TurbulentInflow, RepeatsWhereTheBoxDoes) {
  Inflow inflow(turbulent_stream({5, 20, 24}, false, 0.2, 6));
  const std::vector<Real3> now = inflow.at(500);
  const auto& points = inflow.profile.points;
  int pairs = 0;
  for (std::size_t j = 0; j < points.size(); ++j)
    for (std::size_t k = 0; k < points.size(); ++k)
      if (points[j][1] == 0 && points[k][1] == 20 && points[j][2] == points[k][2]) {
        ++pairs;
        EXPECT_LT(norm(now[j] - now[k]), 1e-7 * 0.05);
      }
  EXPECT_GT(pairs, 20);
}

TEST(TurbulentInflow, NamesWhatIsWrong) {
  const auto refusal = [](const Case& c) { return error_of(ExitCode::input, [&] { Inflow{c}; }); };
  EXPECT_CONTAINS(refusal(turbulent_stream({5, 20, 1}, true, 0.1, 3.9)),
                  "turbulence.length = 3.9 is 3.9 nodes, fewer than 4, which is too short for the nodes there; give at "
                  "least 4");
  EXPECT_EQ(refusal(turbulent_stream({5, 20, 1}, true, 0.1, 4)), "");
  Case out = turbulent_stream({5, 20, 1}, true, 0.1, 6);
  out.boundaries[0].speed = -0.05;
  EXPECT_CONTAINS(refusal(out), "this velocity has none through the opening");
  // The largest speed of a time counts: 0.05 alone is Mach 0.087.
  Case fast = turbulent_stream({5, 20, 24}, true, 0.5, 6);
  fast.run.max_mach = 0.1;
  EXPECT_CONTAINS(refusal(fast), "Mach");
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "t.csv") << "t,x,y,speed\n0,0,0,0.05\n0,0,20,0.05\n9,0,0,0.05\n9,0,20,0.06\n";
  Case table = turbulent_stream({5, 20, 1}, true, 0.1, 6);
  table.boundaries[0].speed.reset();
  table.boundaries[0].profile = "table";
  table.boundaries[0].profile_file = folder.path() / "t.csv";
  EXPECT_CONTAINS(refusal(table), "has speeds at several times");
}

TEST(TurbulentInflow, IsCountedBeforehand) {
  for (const Case& c : turbulent_streams()) {
    const Geometry geometry = build_geometry(c, make_grid(c));
    const auto counted =
        static_cast<double>(count_boundaries({c, scene::make_units(0.6), geometry}, c.numerics.lattice).changing_bytes);
    const Inflow inflow(c);
    std::vector<Real3> points = inflow.profile.points;
    std::sort(points.begin(), points.end());
    const auto different = static_cast<double>(std::unique(points.begin(), points.end()) - points.begin());
    const double bytes = different * (6 * RandomField::groups * sizeof(float) + 2 * sizeof(Real3));
    EXPECT_GT(counted, bytes);
    EXPECT_LT(counted, 1.5 * bytes);
  }
}

/// Runs steps from one time to another as a simulation does.
void run_steps(Solver& solver, int from, int to) {
  for (int step = from; step < to; ++step) {
    EXPECT_TRUE(solver.set_profile_time(step));
    solver.step(1);
  }
}

/// The bits are those of every other scheme, and of a run that goes on in the middle.
TEST(TurbulentInflow, GivesEverySchemeTheSameBits) {
  for (const bool flat : {true, false}) {
    Case c = turbulent_stream({9, flat ? 21 : 9, flat ? 1 : 8}, true, 0.2, 5);
    c.numerics.format = "fp32";
    const auto make = [&] { return make_solver({c, scene::make_units(0.6), build_geometry(c, make_grid(c))}); };
    std::vector<std::byte> first;
    for (const char* scheme : {"aa", "esoteric-pull", "compact-aa", "compact-pull"}) {
      c.numerics.scheme = scheme;
      const auto solver = make();
      const int directions = flat ? 9 : 19;
      run_steps(*solver, 0, 14);
      const auto half = scene::save(*solver, directions, 4);
      const auto resumed = make();
      scene::load(*resumed, directions, half);
      scene::load_kept(*resumed, scene::save_kept(*solver));
      resumed->resume_at(14);
      run_steps(*solver, 14, 31);
      run_steps(*resumed, 14, 31);
      const auto populations = scene::save(*solver, directions, 4);
      EXPECT_TRUE(scene::save(*resumed, directions, 4) == populations) << scheme;
      if (first.empty()) first = populations;
      EXPECT_TRUE(populations == first) << scheme;
      EXPECT_NEAR(solver->opening_flow(0).flow_rate, 0.05 * (*c.domain.nodes)[1] * (*c.domain.nodes)[2], 1e-5);
    }
  }
}

/// Behind the inlet both components decay from what comes in, here by viscosity, and no sound goes with them: the mean
/// over the height stays. With a start from rest before an outlet of type pressure it would swing.
TEST(TurbulentInflow, GoesOnInTheFlowAndDecays) {
  constexpr int length = 30, height = 64, steps = 1400, from = 700, every = 5;
  constexpr double speed = 0.05;
  Case c = turbulent_stream({length, height, 1}, false, 0.1, 5);
  c.numerics.threads = 1;
  c.physics.initial_velocity = {speed, 0, 0};
  c.boundaries[1].type = "non_reflecting";
  const auto solver = make_solver({c, scene::make_units(0.51), build_geometry(c, make_grid(c))});
  const NodeMap& nodes = solver->geometry().nodes;
  std::vector<double> along(length), across(length);  // mean squares of what differs from the mean over the height
  for (int step = 0; step < steps; ++step) {
    solver->set_profile_time(step);
    solver->step(1);
    if (step < from || step % every != 0) continue;
    Moments moments;
    solver->moments(0, nodes.tiles.size(), false, moments);
    for (int x = 0; x < length; ++x) {
      const auto at = static_cast<std::size_t>(x);
      double mean = 0, square = 0;
      for (int y = 0; y < height; ++y) {
        const Real3& u = moments.velocity[static_cast<std::size_t>(nodes.node_index({x, y, 0}))];
        mean += u[0] / height;
        square += u[0] * u[0] / height;
        across[at] += u[1] * u[1] * every / (height * (steps - from));
      }
      EXPECT_NEAR(mean, speed, 0.002 * speed) << step << ' ' << x;
      along[at] += (square - mean * mean) * every / (steps - from);
    }
  }
  for (const std::vector<double>& squares : {along, across}) {
    const double first = std::sqrt(squares[2]) / speed, last = std::sqrt(squares[26]) / speed;
    EXPECT_NEAR(first, 0.09, 0.02);
    EXPECT_LT(last, 0.8 * first);
    EXPECT_GT(last, 0.5 * first);
  }
}

}  // namespace
}  // namespace fluvia::test
