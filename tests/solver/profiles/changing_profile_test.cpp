// SPDX-License-Identifier: Apache-2.0
// Velocity openings whose profile changes its shape in time: pulsating flow from a waveform, tables over time.
#include "fluvia/solver/profiles/changing_profile.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <fstream>
#include <numbers>
#include <string>

#include "fluvia/solver/links/boundary_setup.hpp"
#include "fluvia/solver/profiles/waveform.hpp"
#include "reference/combinations.hpp"
#include "reference/scenes.hpp"
#include "support/temporary_folder.hpp"

namespace fluvia::test {
namespace {

using Complex = std::complex<double>;
constexpr Complex i{0, 1};
constexpr double pi = std::numbers::pi;

class ChangingProfileTest : public testing::Test {
 protected:
  std::filesystem::path write(const std::string& name, const std::string& text) {
    std::ofstream(folder_.path() / name, std::ios::binary) << text;
    return folder_.path() / name;
  }
  /// mean + cos(2 pi t / period), so finely that lines between the points are off by 2e-6.
  std::filesystem::path cosine(double mean, double period) {
    constexpr int points = 1600;
    std::string text;
    for (int k = 0; k <= points; ++k)
      text += fmt::format("{},{:.17g}\n", period * k / points, mean + std::cos(2 * pi * k / points));
    return write("cosine.csv", text);
  }
  TemporaryFolder folder_;
};

/// A box of whose faces along x one is an inlet; along z it is periodic unless it is a duct or a pipe.
struct Inlet {
  Case c;
  Case::Boundary& inlet() { return c.boundaries[0]; }
};
Inlet inlet_of(const Int3& nodes, bool walls_along_z) {
  Inlet result;
  Case& c = result.c;
  c.domain.dimension = nodes[2] == 1 ? 2 : 3;
  c.domain.nodes = nodes;
  c.domain.periodic = {false, false, !walls_along_z};
  c.run.max_mach = 1e9;
  Case::Boundary inlet, outlet;
  inlet.surface = "x_min";
  inlet.type = "velocity";
  inlet.profile = "womersley";
  inlet.series_quantity = "flow_rate";
  outlet.surface = "x_max";
  outlet.type = "pressure";
  c.boundaries = {inlet, outlet};
  return result;
}

BoundarySetup setup_of(const Case& c, const Units& units, const std::string& lattice) {
  return make_boundary_setup({c, units, build_geometry(c, make_grid(c))}, lattice);
}

double flow_of(const ChangingProfile& profile, double time) {
  const std::vector<double> speeds = profile.speeds(time);
  double sum = 0;
  for (std::size_t k = 0; k < speeds.size(); ++k) sum += profile.flux[k] * speeds[k];
  return sum;
}

/// Largest difference of the speeds from those of `exact`, a complex amplitude at a point with the time e^(i phase),
/// over a period, relative to the largest of these.
template <class Exact>
double largest_error(const ChangingProfile& profile, double period, const Exact& exact) {
  double error = 0, largest = 0;
  for (int phase = 0; phase < 12; ++phase) {
    const std::vector<double> speeds = profile.speeds(period * phase / 12);
    for (std::size_t k = 0; k < speeds.size(); ++k) {
      const double expected = (exact(profile.points[k]) * std::exp(i * (2 * pi * phase / 12))).real();
      error = std::max(error, std::abs(speeds[k] - expected));
      largest = std::max(largest, std::abs(expected));
    }
  }
  return error / largest;
}

/// Between plates at y = 0 and 2h: u = Q/(2h) (1 - cosh(k y')/cosh(k h)) / (1 - tanh(k h)/(k h)), k = sqrt(i w/nu), y'
/// from the middle. Second differences are off by (alpha/h)^2/12 and the rim half a cell away by 1/h^2: at h = 24 that
/// is 1.1% for alpha = 8 and 0.23% for alpha = 2; with h = 48 a quarter of it.
TEST_F(ChangingProfileTest, FollowsTheCoshOfAPlaneChannel) {
  for (const double alpha : {2.0, 8.0}) {
    double error[2];
    for (const int finer : {0, 1}) {
      const double h = finer == 0 ? 24 : 48, period = 1e5;
      Inlet in = inlet_of({4, static_cast<int>(2 * h), 1}, false);
      in.inlet().series = cosine(0, period);
      Units units;
      units.viscosity = 2 * pi / period * h * h / (alpha * alpha);
      const BoundarySetup setup = setup_of(in.c, units, "D2Q9");
      ASSERT_EQ(setup.changing.size(), 1u);
      EXPECT_EQ(setup.changing[0].modes.size(), 3u);  // one harmonic
      const Complex k = std::sqrt(i * (2 * pi / period) / units.viscosity);
      error[finer] = largest_error(setup.changing[0], period, [&](const Real3& x) {
        return (1.0 - std::cosh(k * (x[1] - h)) / std::cosh(k * h)) / (1.0 - std::tanh(k * h) / (k * h)) / (2 * h);
      });
    }
    EXPECT_LT(error[0], alpha > 4 ? 0.011 : 0.0023) << alpha;
    EXPECT_LT(error[1], 0.35 * error[0]) << alpha;
  }
}

/// Bessel functions by their power series; fine for |z| below 10.
Complex bessel(int order, Complex z) {
  Complex term = order == 0 ? 1.0 : z / 2.0, sum = term;
  for (int k = 1; k < 60; ++k) {
    term *= -z * z / (4.0 * k * (k + order));
    sum += term;
  }
  return sum;
}

/// A round hole in the face: u = Q/(pi R^2) (1 - J0(s r/R)/J0(s)) / (1 - 2 J1(s)/(s J0(s))), s = i^(3/2) alpha. The
/// rim is a staircase, off by half a node on some places: of R = 20, where the speed at the rim rises by alpha/R a
/// node, that is 0.25 alpha/R of the largest speed on average there and nowhere more than twice that.
TEST_F(ChangingProfileTest, FollowsTheBesselFunctionOfARoundPipe) {
  constexpr double radius = 20.3, period = 1e5;
  for (const double alpha : {2.0, 8.0}) {
    Inlet in = inlet_of({6, 45, 45}, true);
    in.inlet().series = cosine(0, period);
    Case::Shape block, pipe;
    block.kind = "box";
    block.center = {3, 22.5, 22.5};
    block.size = {20, 60, 60};
    pipe.kind = "cylinder";
    pipe.operation = "fluid";
    pipe.from = {-10, 22.5, 22.5};
    pipe.to = {16, 22.5, 22.5};
    pipe.radius = radius;
    in.c.geometry.shapes = {block, pipe};
    Units units;
    units.viscosity = 2 * pi / period * radius * radius / (alpha * alpha);
    const BoundarySetup setup = setup_of(in.c, units, "D3Q19");
    ASSERT_EQ(setup.changing.size(), 1u);
    const ChangingProfile& profile = setup.changing[0];
    const Complex s = std::pow(i, 1.5) * alpha;
    const auto exact = [&](const Real3& x) -> Complex {
      const double r = std::hypot(x[1] - 22.5, x[2] - 22.5) / radius;
      if (r > 1) return 0;
      return (1.0 - bessel(0, s * r) / bessel(0, s)) / (1.0 - 2.0 * bessel(1, s) / (s * bessel(0, s))) /
             (pi * radius * radius);
    };
    EXPECT_LT(largest_error(profile, period, exact), 0.5 * alpha / radius) << alpha;
    // Away from the rim it is much better: the middle has the phase and size of Womersley's.
    ChangingProfile middle = profile;
    for (std::size_t k = middle.points.size(); k-- > 0;) {
      if (std::hypot(middle.points[k][1] - 22.5, middle.points[k][2] - 22.5) < 0.7 * radius) continue;
      middle.points.erase(middle.points.begin() + static_cast<std::ptrdiff_t>(k));
      middle.links.erase(middle.links.begin() + static_cast<std::ptrdiff_t>(k));
      for (auto& mode : middle.modes) mode.erase(mode.begin() + static_cast<std::ptrdiff_t>(k));
    }
    EXPECT_LT(largest_error(middle, period, exact), 0.02) << alpha;
  }
}

/// Whatever truncation leaves of a waveform with corners and a jump: the discrete flow rate is that of the series.
TEST_F(ChangingProfileTest, LetsInWhatTheSeriesSays) {
  const auto file = write("corners.csv", "time,flow\n10,1\n30,4\n31,-2\n60,0.5\n75,0.5\n76,3\n110,2\n");
  const TimeSeries series(file, true);
  for (const char* quantity : {"flow_rate", "speed"})
    for (const bool duct : {false, true}) {
      Inlet in = inlet_of({4, 13, duct ? 9 : 1}, duct);
      in.inlet().series = file;
      in.inlet().series_quantity = quantity;
      in.inlet().series_scale = 0.5;
      Units units = scene::make_units(0.6);
      units.time_step = 0.125;
      const BoundarySetup setup = setup_of(in.c, units, duct ? "D3Q19" : "D2Q9");
      const double area = duct ? 13 * 9 : 13;
      const double unit =
          0.5 * (quantity == std::string("speed") ? units.velocity(1) * area : units.flow_rate(1, duct ? 3 : 2));
      for (double time = 0; time < 400; time += 3.7)
        EXPECT_NEAR(flow_of(setup.changing[0], time), unit * series.at(time), 1e-13 * unit) << time;
    }
}

TEST_F(ChangingProfileTest, FindsTheWaveform) {
  const Waveform wave = find_waveform(TimeSeries(cosine(3, 20), true));
  EXPECT_NEAR(wave.mean, 3, 1e-12);
  ASSERT_EQ(wave.harmonics.size(), 1u);
  EXPECT_EQ(wave.harmonics[0].number, 1);
  EXPECT_NEAR(std::abs(wave.harmonics[0].amplitude - 1.0), 0, 2e-6);
  EXPECT_LT(wave.left, 1e-6);
  // A square wave of eight steep pieces: 4/pi sin(pi d n)/n for the odd ones alone.
  const Waveform square = find_waveform(
      TimeSeries(write("s.csv", "0,1\n1,1\n2.5,1\n2.5000001,-1\n4,-1\n5,-1\n7.5,-1\n7.5000001,1\n9,1\n10,1\n"), true));
  ASSERT_EQ(square.harmonics.size(), 2u);
  EXPECT_EQ(square.harmonics[1].number, 3);
  EXPECT_NEAR(square.harmonics[0].amplitude.real(), 4 / pi, 1e-6);
  EXPECT_NEAR(square.harmonics[1].amplitude.real(), -4 / pi / 3, 1e-6);
  EXPECT_NEAR(square.left, 1 - 8 / (pi * pi) * (1 + 1.0 / 9), 1e-6);
}

/// One that looks otherwise backwards, and begins at another time than zero.
TEST_F(ChangingProfileTest, FindsTheWaveformForwards) {
  std::string rows;
  for (int k = 0; k <= 200; ++k) rows += fmt::format("{},{:.9f}\n", 3 + 0.05 * k, 2 + std::sin(2 * pi * k / 200));
  const Waveform wave = find_waveform(TimeSeries(write("sine.csv", rows), true));
  ASSERT_EQ(wave.harmonics.size(), 1u);
  for (const double time : {3.0, 4.1, 7.7, 12.9, 14.1})
    EXPECT_NEAR(wave.at(wave.harmonics[0], time).real(), std::sin(2 * pi * (time - 3) / 10), 1e-3) << time;
}

TEST_F(ChangingProfileTest, RefusesAFlowThatDoesNotChange) {
  Inlet in = inlet_of({4, 8, 1}, false);
  for (const char* rows : {"0,1\n", "0,1\n5,1\n"}) {
    in.inlet().series = write("flow.csv", rows);
    EXPECT_CONTAINS(error_of(ExitCode::input, [&] { setup_of(in.c, scene::make_units(0.8), "D2Q9"); }),
                    "use profile = \"developed\"");
  }
}

/// The largest speed over the period counts, not the mean nor that at the start.
TEST_F(ChangingProfileTest, RefusesSpeedsBeyondTheLimit) {
  Inlet in = inlet_of({4, 20, 1}, false);
  in.inlet().series_quantity = "speed";
  in.inlet().series = write("flow.csv", "0,0\n40,0\n50,0.1\n60,0\n100,0\n");
  in.c.run.max_mach = 0.3;  // 0.173
  EXPECT_NO_THROW(setup_of(in.c, scene::make_units(0.8), "D2Q9"));
  in.c.run.max_mach = 0.2;  // 0.115, less than the peak in the middle
  EXPECT_CONTAINS(error_of(ExitCode::input, [&] { setup_of(in.c, scene::make_units(0.8), "D2Q9"); }), "boundary[0]");
}

/// A 2D inlet, 8 nodes wide, with a table over time of linear profiles a + b y.
class TableOverTimeTest : public ChangingProfileTest {
 protected:
  static std::string rows(double t, double a, double b) {
    std::string text;
    for (const int y : {0, 2, 3, 6, 8}) text += fmt::format("{},0,{},{:.17g}\n", t, y, a + b * y);
    return text;
  }
  Inlet table_of(const std::string& text) {
    Inlet in = inlet_of({4, 8, 1}, false);
    in.inlet().profile = "table";
    in.inlet().series_quantity.clear();
    in.inlet().profile_file = write("table.csv", text);
    return in;
  }
  std::string refusal(const std::string& text) {
    const Inlet in = table_of(text);
    return error_of(ExitCode::input, [&] { setup_of(in.c, scene::make_units(0.8), "D2Q9"); });
  }
  const std::string head_ = "t, x, y, speed\n";
  const std::string three_ = head_ + rows(1, 0.02, 0.001) + rows(3, 0.04, -0.002) + rows(6, -0.01, 0.003);
};

/// Between two times every speed is the linear mean of theirs; a series repeats or keeps its ends.
TEST_F(TableOverTimeTest, IsLinearInTimeAndSpace) {
  Inlet in = table_of(three_);
  for (const bool periodic : {true, false}) {
    in.inlet().series_periodic = periodic;
    Units units = scene::make_units(0.8);
    units.time_step = 0.5;
    const BoundarySetup setup = setup_of(in.c, units, "D2Q9");
    ASSERT_EQ(setup.changing.size(), 1u);
    const ChangingProfile& profile = setup.changing[0];
    ASSERT_EQ(profile.modes.size(), 3u);
    const auto expect = [&](double time, double a, double b) {
      const std::vector<double> speeds = profile.speeds(time);
      for (std::size_t k = 0; k < speeds.size(); ++k)
        EXPECT_NEAR(speeds[k], 0.5 * (a + b * profile.points[k][1]), 1e-8) << time;  // slopes are held back by 1e-9
    };
    expect(1, 0.02, 0.001);
    expect(2, 0.03, -0.0005);
    expect(5, 0.02 / 3, 0.004 / 3);
    expect(6 - 1e-12, -0.01, 0.003);
    expect(7, periodic ? 0.03 : -0.01, periodic ? -0.0005 : 0.003);
    expect(-3, periodic ? 0.03 : 0.02, periodic ? -0.0005 : 0.001);
    EXPECT_LE(profile.weights(2).size(), 2u);
    const std::vector<double> now = profile.speeds(2);
    for (std::size_t k = 0; k < now.size(); ++k)
      EXPECT_EQ(now[k], 0.5 * (0.5 * profile.modes[0][k]) + 0.5 * (0.5 * profile.modes[1][k]));
  }
}

/// With a flow rate only the shape counts, at each time.
TEST_F(TableOverTimeTest, IsScaledToThePrescribedFlow) {
  Inlet in = table_of(head_ + rows(1, 0.02, 0.001) + rows(3, 0.04, -0.002) + rows(6, 0.01, 0.003));
  in.inlet().flow_rate = 0.3;
  const BoundarySetup constant = setup_of(in.c, scene::make_units(0.8), "D2Q9");
  for (double time = 0; time < 20; time += 0.37) EXPECT_NEAR(flow_of(constant.changing[0], time), 0.3, 1e-15);
  // What a series gives multiplies it in the step.
  in.inlet().flow_rate.reset();
  in.inlet().series = write("flow.csv", "0,1\n2,3\n");
  in.inlet().series_quantity = "speed";
  const BoundarySetup series = setup_of(in.c, scene::make_units(0.8), "D2Q9");
  for (double time = 0; time < 20; time += 0.37) EXPECT_NEAR(flow_of(series.changing[0], time), 8, 1e-13);
  const auto solver = make_solver({in.c, scene::make_units(0.8), build_geometry(in.c, make_grid(in.c))});
  solver->set_boundary_value(surface_id::x_min, 0.01);
  EXPECT_TRUE(solver->set_profile_time(2.3));
  solver->step(1);
  EXPECT_NEAR(solver->opening_flow(0).flow_rate, 0.08, 1e-6);
}

/// The largest speed at any of its times counts.
TEST_F(TableOverTimeTest, RefusesSpeedsBeyondTheLimit) {
  Inlet in = table_of(head_ + rows(1, 0.02, 0) + rows(3, 0.2, 0) + rows(6, 0.02, 0));
  in.c.run.max_mach = 0.34;  // 0.2 sqrt(3) = 0.346
  EXPECT_CONTAINS(error_of(ExitCode::input, [&] { setup_of(in.c, scene::make_units(0.8), "D2Q9"); }), "Mach 0.346");
  in.c.run.max_mach = 0.35;
  EXPECT_NO_THROW(setup_of(in.c, scene::make_units(0.8), "D2Q9"));
}

TEST_F(TableOverTimeTest, NamesWhatIsWrong) {
  const std::string same = "every time needs the same points in the same order";
  EXPECT_CONTAINS(refusal(head_ + rows(1, 1, 0) + rows(0.5, 1, 0)),
                  "table.csv:7: t = 0.5 comes after t = 1; times must increase");
  EXPECT_CONTAINS(refusal(head_ + rows(1, 1, 0) + "2,0,0,1\n2,0,2,1\n"),
                  "table.csv:8: t = 2 ends after 2 of the 5 points of t = 1; " + same);
  EXPECT_CONTAINS(refusal(head_ + rows(1, 1, 0) + "2,0,0,1\n" + rows(3, 1, 0)),
                  "table.csv:7: t = 2 ends after 1 of the 5 points of t = 1; " + same);
  EXPECT_CONTAINS(refusal(head_ + rows(1, 1, 0) + rows(2, 1, 0) + "2,0,9,1\n"),
                  "table.csv:12: t = 2 has more points than the 5 of t = 1; " + same);
  EXPECT_CONTAINS(refusal(head_ + rows(1, 1, 0) + "2,0,0,1\n2,0,5,1\n"),
                  "table.csv:8: point 2 of t = 2 is not that of t = 1; " + same);
  EXPECT_CONTAINS(refusal(head_ + rows(1, 1, 0)), "needs at least two times, this has 1");
  EXPECT_CONTAINS(refusal(head_), "needs at least two times, this has 0");
  EXPECT_CONTAINS(refusal(head_ + "0,0,nan,1\n"), "table.csv:2: '0,0,nan,1' is not a row 't,x,y,speed'");
  EXPECT_CONTAINS(refusal("t,x,y,z,speed\n0,0,0,0,1\n"),
                  "table.csv:1: 't,x,y,z,speed' begins with a time but is not 't,x,y,speed'");
  EXPECT_CONTAINS(refusal("x,y,speed\n" + rows(1, 1, 0)), "is not a row 'x,y,speed'");
  EXPECT_CONTAINS(refusal(head_ + "0,9,0,1\n1,9,0,1\n"), "nodes off the plane of opening 'x_min'");
  EXPECT_CONTAINS(refusal(head_ + "0,0,1e5,1\n1,0,1e5,1\n"), "nodes beside opening 'x_min', which is ");
  EXPECT_CONTAINS(refusal(head_ + "0,0,1e308,1\n1,0,1e308,1\n"), "nodes beside opening 'x_min', which is ");
  Inlet in = table_of(head_ + rows(1, 1, 0) + rows(3, -1, 0));
  in.inlet().speed = 0.1;
  EXPECT_CONTAINS(error_of(ExitCode::input, [&] { setup_of(in.c, scene::make_units(0.8), "D2Q9"); }),
                  "the speeds of t = 3 let nothing in on the whole");
}

TEST_F(TableOverTimeTest, IsCountedBeforehand) {
  Inlet in = table_of(three_);
  for (const char* profile : {"table", "womersley"}) {
    if (profile == std::string("womersley")) {
      in.inlet().series = cosine(0.1, 100);
      in.inlet().series_quantity = "speed";
      in.inlet().profile_file.clear();
    }
    in.inlet().profile = profile;
    const Geometry geometry = build_geometry(in.c, make_grid(in.c));
    const BoundarySetup setup = setup_of(in.c, scene::make_units(0.8), "D2Q9");
    const ChangingProfile& p = setup.changing.at(0);
    const std::size_t bytes = p.links.size() * (sizeof p.links[0] + sizeof p.flux[0] + sizeof p.points[0] +
                                                p.modes.size() * sizeof p.modes[0][0] + sizeof(std::uint32_t));
    EXPECT_EQ(count_boundaries({in.c, scene::make_units(0.8), geometry}, "D2Q9").changing_bytes, bytes);
  }
}

/// The bits are those of every other scheme, and of a run that goes on in the middle of a period.
TEST_F(ChangingProfileTest, GivesEverySchemeTheSameBits) {
  for (const int dimension : {2, 3}) {
    const scene::Scene s =
        scene::pulsating_channel(dimension == 2 ? Int3{37, 21, 1} : Int3{11, 9, 8}, folder_.path() / "flow.csv");
    reference::Physics physics;
    physics.lattice = dimension == 2 ? "D2Q9" : "D3Q19";
    const int directions = dimension == 2 ? 9 : 19;
    const auto run = [&](Solver& solver, int from, int to) {
      for (int step = from; step < to; ++step) {
        EXPECT_TRUE(solver.set_profile_time(step));
        solver.step(1);
      }
    };
    std::vector<std::byte> first;
    SurfaceForce force;
    for (const scene::Variant& v : scene::variants(dimension)) {
      SCOPED_TRACE(testing::Message() << v);
      const scene::Options o = {physics, v.scheme.name, "fp32", 1, "cpu", v.tile, 0, "auto"};
      const auto solver = scene::make_solver(s, o);
      run(*solver, 0, 4);
      const auto half = scene::save(*solver, directions, 4);
      const auto resumed = scene::make_solver(s, o);
      scene::load(*resumed, directions, half);
      scene::load_kept(*resumed, scene::save_kept(*solver));
      resumed->resume_at(4);
      run(*solver, 4, 11);
      run(*resumed, 4, 11);
      const auto populations = scene::save(*solver, directions, 4);
      EXPECT_TRUE(scene::save(*resumed, directions, 4) == populations);
      if (first.empty()) {
        first = populations;
        force = solver->surface_force(surface_id::x_min, {});
      }
      EXPECT_TRUE(populations == first);
      EXPECT_NEAR(solver->surface_force(surface_id::x_min, {}).force[0], force.force[0], 1e-5);
      EXPECT_NEAR(
          solver->opening_flow(0).flow_rate,
          flow_of(make_boundary_setup({scene::make_case(s, o), scene::make_units(physics.tau), scene::make_geometry(s)},
                                      physics.lattice)
                      .changing[0],
                  10),
          1e-6);
    }
  }
}

}  // namespace
}  // namespace fluvia::test
