// SPDX-License-Identifier: Apache-2.0
// Profiles of openings that several levels meet, developed ones and such as change in time: they are one over all
// levels, and let in what the case prescribes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <fstream>
#include <numbers>
#include <string>
#include <vector>

#include "fluvia/solver/links/boundary_setup.hpp"
#include "fluvia/solver/links/surface_roles.hpp"
#include "fluvia/solver/profiles/changing_profile.hpp"
#include "levels/arrangements.hpp"
#include "support/temporary_folder.hpp"

namespace {

using namespace levels_test;
using fluvia::operator*;
using fluvia::dot;
using fluvia::norm;
using fluvia::operator-;

constexpr double pi = std::numbers::pi;

/// An inlet at the lower face across x between walls, 40 nodes wide in 2D; in 3D a duct, 16 wide.
Case inlet_on_levels(bool flat, const std::string& profile, const std::vector<Case::Refine>& regions) {
  Case c = case_of(setup_of("patch", flat), flat ? "D2Q9" : "D3Q19", "recursive-regularized", "compact-pull");
  c.domain.nodes = {16, flat ? 40 : 16, flat ? 1 : 16};
  c.domain.periodic = {false, false, flat};
  c.physics.acceleration = {};
  c.boundaries.resize(2);
  c.boundaries[0].surface = "x_min";
  c.boundaries[0].type = "velocity";
  c.boundaries[0].profile = profile;
  c.boundaries[0].flow_rate = flat ? 0.4 : 1.6;
  c.boundaries[1].surface = "x_max";
  c.boundaries[1].type = "pressure";
  c.refine = regions;
  c.run.max_mach = 1e9;
  return c;
}

/// A link of the inlet on some level, in nodes of the coarsest.
struct InletLink {
  std::size_t level = 0;
  Real3 point{};
  double speed = 0, flow = 0;  ///< into the fluid; what a speed of 1 lets in
};

struct Inlet {
  Flow flow;
  fluvia::LevelProblems divided;
  std::vector<fluvia::BoundarySetup> setups;

  explicit Inlet(const Case& c)
      : flow(c), divided(fluvia::divide_into_levels({flow.settings, flow.units, flow.solver->geometry()}, "cpu")) {
    for (const fluvia::LevelProblem& level : divided.levels)
      setups.push_back(fluvia::make_boundary_setup(level.problem(), c.numerics.lattice));
  }
  [[nodiscard]] std::vector<InletLink> links(double time = 0) const {
    std::vector<InletLink> all;
    const fluvia::LatticeFacts& facts = fluvia::facts_of_lattice(flow.settings.numerics.lattice);
    for (std::size_t l = 0; l < setups.size(); ++l) {
      const fluvia::BoundarySetup& setup = setups[l];
      const double spacing = std::exp2(-static_cast<double>(l)), area = std::pow(spacing, facts.dimension - 1);
      std::vector<double> speed;
      for (const Real3& u : setup.links.velocity) speed.push_back(u[0]);
      for (const fluvia::ChangingProfile& profile : setup.changing) {
        const std::vector<double> now = profile.speeds(time);
        for (std::size_t k = 0; k < now.size(); ++k) speed[profile.links[k]] = now[k];
      }
      for (std::size_t k = 0; k < speed.size(); ++k) {
        const fluvia::CutLink& link = setup.links.at[k];
        if (link.surface != fluvia::surface_id::x_min) continue;
        const Int3& c = facts.velocities[link.direction];
        const Geometry& geometry = divided.levels[l].geometry;
        all.push_back({l, spacing * fluvia::wall_point(geometry, link, facts.velocities, 0.5).position, speed[k],
                       area * fluvia::flux_through(1, facts.weights[link.direction], c, {1, 0, 0})});
      }
    }
    return all;
  }
};

double flow_through(const std::vector<InletLink>& links) {
  double sum = 0;
  for (const InletLink& link : links) sum += link.flow * link.speed;
  return sum;
}

/// Of a channel: along a wall, in the middle, on three levels.
std::vector<std::vector<Case::Refine>> divisions() {
  return {
      {region(1, {0, 0, 0}, {16, 8, 1})}, {region(1, {0, 16, 0}, {16, 32, 1})}, {region(2, {0, 36, 0}, {16, 40, 1})}};
}

TEST(ProfilesOnLevels, AreDevelopedOverAllOfThem) {
  for (const auto& regions : divisions()) {
    const Inlet inlet(inlet_on_levels(true, "developed", regions));
    const std::vector<InletLink> links = inlet.links();
    EXPECT_NEAR(flow_through(links), 0.4, 1e-14);
    std::vector<int> count(inlet.setups.size(), 0);
    for (const InletLink& link : links) {
      ++count[link.level];
      const double y = link.point[1] / 40;
      EXPECT_NEAR(link.speed, std::max(0.0, 0.06 * y * (1 - y)), 2e-3 * 0.015) << link.level << ' ' << y;
    }
    EXPECT_GT(*std::min_element(count.begin(), count.end()), 10);
  }
}

/// Of a square duct, by the series of Fourier (F. M. White, Viscous Fluid Flow, 2006, eq. 3-48).
TEST(ProfilesOnLevels, AreDevelopedInDucts) {
  const auto series = [](double y, double z) {  // from the middle, in halves of the edge
    double sum = 0;
    for (int k = 1; k < 200; k += 2)
      sum += (k % 4 == 1 ? 1 : -1) * (1 - std::cosh(k * pi * z / 2) / std::cosh(k * pi / 2)) *
             std::cos(k * pi * y / 2) / (1.0 * k * k * k);
    return sum;
  };
  double mean = 0;
  constexpr int samples = 64;
  for (int j = 0; j < samples; ++j)
    for (int i = 0; i < samples; ++i)
      mean += series((2.0 * i + 1) / samples - 1, (2.0 * j + 1) / samples - 1) / (samples * samples);
  const Inlet inlet(inlet_on_levels(false, "developed", {region(1, {0, 0, 0}, {16, 8, 8})}));
  const std::vector<InletLink> links = inlet.links();
  EXPECT_NEAR(flow_through(links), 1.6, 1e-13);
  double largest[2] = {0, 0};
  for (const InletLink& link : links) {
    const double y = link.point[1] / 8 - 1, z = link.point[2] / 8 - 1;
    if (std::abs(y) > 1 || std::abs(z) > 1) continue;  // of links through corners of walls
    const double expected = 1.6 / 256 * series(y, z) / mean;
    largest[link.level] = std::max(largest[link.level], std::abs(link.speed - expected) / (2.1 * 1.6 / 256));
  }
  EXPECT_LT(largest[0], 0.012);
  EXPECT_LT(largest[1], 0.012);
}

/// Both levels have the phase and the size of the exact profile between plates, whose flow is that of the series.
TEST(ProfilesOnLevels, PulsateAsOne) {
  const fluvia::test::TemporaryFolder folder;
  constexpr double period = 4000, half = 20, alpha = 4;
  std::ofstream file(folder.path() / "flow.csv");
  for (int k = 0; k <= 400; ++k)
    file << fmt::format("{},{:.17g}\n", period * k / 400, 0.05 * std::cos(2 * pi * k / 400));
  file.close();
  for (const auto& regions : divisions()) {
    Case c = inlet_on_levels(true, "womersley", regions);
    c.boundaries[0].flow_rate.reset();
    c.boundaries[0].series = folder.path() / "flow.csv";
    c.boundaries[0].series_quantity = "flow_rate";
    c.units.tau = 0.5 + 3 * 2 * pi / period * half * half / (alpha * alpha);
    const Inlet inlet(c);
    const std::complex<double> i{0, 1}, k = std::sqrt(i * (alpha * alpha)) / half;
    for (int phase = 0; phase < 12; ++phase) {
      const std::vector<InletLink> links = inlet.links(period * phase / 12);
      EXPECT_NEAR(flow_through(links), 0.05 * std::cos(2 * pi * phase / 12), 2e-6);
      for (const InletLink& link : links) {
        const double y = link.point[1] - half;
        if (std::abs(y) > half) continue;
        const std::complex<double> exact = (1.0 - std::cosh(k * y) / std::cosh(k * half)) /
                                           (1.0 - std::tanh(k * half) / (k * half)) / (2 * half) * 0.05;
        EXPECT_NEAR(link.speed, (exact * std::exp(i * (2 * pi * phase / 12))).real(), 0.005 * 0.05 / 40 * 1.5)
            << link.level << ' ' << y << ' ' << phase;
      }
    }
  }
}

/// Tables over time, scaled to a flow rate on both levels together.
TEST(ProfilesOnLevels, FollowTablesOverTime) {
  const fluvia::test::TemporaryFolder folder;
  std::ofstream file(folder.path() / "speeds.csv");
  file << "t,x,y,speed\n";
  for (const double t : {0.0, 100.0})
    for (const double y : {0.0, 10.0, 20.0, 30.0, 40.0})
      file << fmt::format("{},0,{},{}\n", t, y, t == 0 ? 0.01 + 0.001 * y : 0.03 - 0.001 * y);
  file.close();
  for (const auto& regions : divisions()) {
    Case c = inlet_on_levels(true, "table", regions);
    c.boundaries[0].profile_file = folder.path() / "speeds.csv";
    c.boundaries[0].series_periodic = false;
    const Inlet inlet(c);
    for (const double time : {0.0, 50.0, 100.0}) {
      const std::vector<InletLink> links = inlet.links(time);
      EXPECT_NEAR(flow_through(links), 0.4, 1e-14);
      double rate = 0;  // of the shape that a speed of 1 in the middle has
      for (const InletLink& link : links) {
        const double part = time / 100, y = std::clamp(link.point[1], 0.0, 40.0);
        const double shape = (1 - part) * (0.01 + 0.001 * y) + part * (0.03 - 0.001 * y);
        rate = rate == 0 ? link.speed / shape : rate;
        EXPECT_NEAR(link.speed, rate * shape, 1e-9) << link.level << ' ' << y << ' ' << time;
      }
    }
  }
}

/// Turbulence that several levels meet lets nothing in, is one field, and has its intensity over all of them. The
/// velocity changes by 0.0055 a node at most, waves being four nodes long and more; it swings by 0.002.
TEST(ProfilesOnLevels, CarryTurbulence) {
  for (const auto& regions : divisions()) {
    Case c = inlet_on_levels(true, "parabolic", regions);
    c.boundaries[0].turbulence = {0.2, 6, 1};
    const Inlet inlet(c);
    double square = 0, area = 0;
    for (int t = 0; t < 200; ++t) {
      double flow = 0;
      std::vector<std::pair<Real3, Real3>> eddies;  // points, velocities
      for (std::size_t l = 0; l < inlet.setups.size(); ++l) {
        const double spacing = std::exp2(-static_cast<double>(l));
        for (const fluvia::ChangingProfile& profile : inlet.setups[l].changing) {
          fluvia::TurbulentInflow::Frames frames;
          const std::vector<Real3> now = profile.velocities(397.0 * t, frames);
          for (std::size_t k = 0; k < now.size(); ++k) {
            const Real3 u = now[k] - profile.steady[k];
            flow += spacing * dot(profile.turbulence.rates()[k], now[k]);
            square += spacing * profile.flux[k] * dot(u, u);
            area += spacing * profile.flux[k];
            eddies.emplace_back(spacing * profile.points[k], u);
          }
        }
      }
      EXPECT_NEAR(flow, 0.4, 1e-8) << t;
      for (const auto& [point, u] : eddies)
        for (const auto& [other, v] : eddies) {
          const double apart = norm(point - other);
          if (apart < 0.6) {
            EXPECT_LT(norm(u - v), 0.01 * (1e-4 + apart) * 0.8);
          }
        }
    }
    EXPECT_NEAR(std::sqrt(square / area / 2) / 0.01, 0.2, 0.02);
  }
}

/// A flow with such a profile on two levels has the same bits in parts and whatever the scheme, and steps in time.
TEST(ProfilesOnLevels, ChangeOnAllLevelsAtOnce) {
  const fluvia::test::TemporaryFolder folder;
  std::ofstream file(folder.path() / "flow.csv");
  for (int k = 0; k <= 40; ++k) file << fmt::format("{},{:.17g}\n", k, 0.2 + 0.1 * std::cos(2 * pi * k / 40));
  file.close();
  Case pulsating = inlet_on_levels(true, "womersley", divisions()[0]);
  pulsating.boundaries[0].flow_rate.reset();
  pulsating.boundaries[0].series = folder.path() / "flow.csv";
  pulsating.boundaries[0].series_quantity = "flow_rate";
  Case turbulent = inlet_on_levels(true, "developed", divisions()[0]);
  turbulent.boundaries[0].turbulence = {0.2, 6, 1};
  const auto run = [](const Case& settings, int parts) {
    Flow flow = started(settings, true, parts);
    for (int k = 0; k < 7; ++k) {
      flow.solver->set_profile_time(k);
      flow.solver->step(1);
    }
    return flow;
  };
  for (Case c : {pulsating, turbulent}) {
    const Flow flow = run(c, 1);
    const std::vector<std::byte> expected = saved(*flow.solver);
    c.numerics.scheme = "compact-aa";
    EXPECT_TRUE(saved(*run(c, 1).solver) == expected);
    EXPECT_TRUE(saved(*run(c, 2).solver) == expected);
  }
}

}  // namespace
