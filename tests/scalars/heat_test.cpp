// SPDX-License-Identifier: Apache-2.0
// Scalars of cases against exact solutions and published tables, and what cases may not say of them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "fluvia/case/case.hpp"
#include "fluvia/run/session.hpp"
#include "scalars/session_values.hpp"
#include "support/errors.hpp"

namespace fluvia::test {
namespace {

/// A gap in SI units between plates at y = 0 and y = 10 mm, ten nodes wide.
std::string gap(const std::string& lower, const std::string& upper, const std::string& scalar = "") {
  return fmt::format(R"case(
[units]
system = "si"
spacing = 1e-3
density = 1
viscosity = 1e-5
time_step = 0.02
[domain]
dimension = 2
nodes = [6, 10]
periodic = [true, false]
[[boundary]]
surface = "y_min"
type = "wall"
{}
[[boundary]]
surface = "y_max"
type = "wall"
{}
[[scalar]]
name = "temperature"
unit = "K"
diffusivity = 8e-6
initial = 300
reference_length = 0.01
{}
[numerics]
format = "fp64"
device = "cpu"
[run]
steps = 10000
)case",
                     lower, upper, scalar);
}

/// A linear profile, which the lattice has exactly: what is left is rounding of numbers of size 10 and e^-30 of the
/// start, as the slowest mode decays with pi^2 D / H^2 a step.
TEST(Heat, ConductionBetweenPlatesIsExactInSi) {
  struct Plates {
    const char *lower, *upper;
    double at_lower, slope;  ///< K, K/m
  };
  const double d = 8e-6, h = 2e-3;
  for (const Plates& plates : {Plates{"scalars = { temperature = { value = 310 } }",
                                      "scalars = { temperature = { value = 290 } }", 310, -2000},
                               Plates{"scalars = { temperature = { flux = 0.016 } }",
                                      "scalars = { temperature = { value = 290 } }", 310, -2000},
                               Plates{"scalars = { temperature = { exchange = 2e-3, ambient = 320 } }",
                                      "scalars = { temperature = { value = 290 } }",
                                      290 + 30 * (0.01 / d) / (0.01 / d + 1 / h), -30 / (d * (0.01 / d + 1 / h))}}) {
    SCOPED_TRACE(plates.lower);
    Session session(parse_case(gap(plates.lower, plates.upper), "gap.toml"));
    session.advance(6000);
    const std::vector<double> temperature = values_of(session, "temperature");
    for (int y = 0; y < 10; ++y)
      EXPECT_NEAR(temperature[static_cast<std::size_t>(6 * y)], plates.at_lower + plates.slope * (y + 0.5) * 1e-3,
                  1e-8);
    // Through 6 mm of a plate, per metre of depth.
    const double flux = -d * plates.slope * 6e-3;
    EXPECT_NEAR(column(session, "flux_temperature_y_min") / flux, 1, 1e-9);
    EXPECT_NEAR(column(session, "flux_temperature_y_max") / flux, -1, 1e-9);
    EXPECT_NEAR(column(session, "mean_temperature"), plates.at_lower + plates.slope * 5e-3, 1e-8);
  }
}

TEST(Heat, NusseltNumberOfConductionIsOne) {
  Session session(parse_case(
      gap("scalars = { temperature = { value = 310 } }", "scalars = { temperature = { value = 290 } }"), "gap.toml"));
  session.advance(6000);
  EXPECT_NEAR(column(session, "nusselt_temperature_y_min"), 1, 1e-9);
}

/// A wall whose temperature rises: the other one notices.
TEST(Heat, SurfacesTakeOtherValuesWhileTheFlowGoesOn) {
  Session session(parse_case(
      gap("scalars = { temperature = { value = 310 } }", "scalars = { temperature = { value = 290 } }"), "gap.toml"));
  session.set_boundary("y_min", "temperature", 330);
  session.advance(6000);
  EXPECT_NEAR(column(session, "mean_temperature"), 310, 1e-8);
  EXPECT_CONTAINS(error_of(ExitCode::input, [&] { session.set_boundary("y_min", "pressure", 1); }), "pressure");
}

/// A source between plates at 300 K: T - 300 = S y (H - y) / (2 D); a parabola is exact with this magic parameter but
/// for a shift at the walls of second order: 3/16 would leave none, 1/4 leaves (4/3 (1/4) - 1/4) S / (4 D) nodes^2.
TEST(Heat, SourcesHeatTheMiddle) {
  Session session(parse_case(gap("scalars = { temperature = { value = 300 } }",
                                 "scalars = { temperature = { value = 300 } }", "source = \"0.5\""),
                             "gap.toml"));
  session.advance(6000);
  const std::vector<double> temperature = values_of(session, "temperature");
  for (int y = 0; y < 10; ++y) {
    const double at = (y + 0.5) * 1e-3, expected = 0.5 * at * (0.01 - at) / (2 * 8e-6);
    EXPECT_NEAR(temperature[static_cast<std::size_t>(6 * y)] - 300, expected, 0.5e-6 / (4 * 8e-6)) << y;
  }
  // What is made in 6 mm x 10 mm goes out through both plates.
  EXPECT_NEAR(column(session, "flux_temperature_y_min") / (-0.5 * 6e-3 * 0.01 / 2), 1, 1e-9);
}

/// Between adiabatic plates a source 2 t heats everything to t^2, and with it a wall that is told to be so warm; linear
/// sources are added exactly. A step is 0.02 s.
TEST(Heat, SourcesAndSurfacesChangeInSeconds) {
  const auto mean = [](const std::string& lower, const std::string& scalar) {
    Session session(parse_case(gap(lower, "", scalar), "gap.toml"));
    session.advance(100);
    return column(session, "mean_temperature");
  };
  EXPECT_NEAR(mean("", "source = \"2*t\""), 300 + 4, 1e-9);
  EXPECT_NEAR(mean("scalars = { temperature = { flux = \"t < 1 ? 0.02 : 0\" } }", ""), 300 + 0.02 * 1 / 0.01, 1e-9);
  // What the wall has at the beginning of a step acts in the middle of it: half a step late.
  const double followed = mean("scalars = { temperature = { value = \"300 + t^2\" } }", "source = \"2*t\"");
  EXPECT_NEAR(followed, 300 + 4, 2 * 2 * 0.01);
  EXPECT_LT(followed, 300 + 4);
}

TEST(Heat, WhatChangesInTimeIsRefusedWhereItCannot) {
  const std::string cold = "scalars = { temperature = { value = 290 } }";
  const auto refused = [&](const std::string& lower, const std::string& part, const std::string& scalar = "") {
    EXPECT_CONTAINS(
        error_of(ExitCode::input, [&] { Session session(parse_case(gap(lower, cold, scalar), "gap.toml")); }), part);
  };
  refused("scalars = { temperature = { value = \"300 + x\" } }", "the time t and pi");
  refused("scalars = { temperature = { flux = \"1/t\" } }", "no finite number at time 0");
  refused("scalars = { temperature = { value = { series = \"missing.csv\" } } }", "missing.csv");
  refused("scalars = { temperature = { value = { } } }", "'series' is missing");
  refused("scalars = { temperature = { value = { serie = \"t.csv\" } } }", "did you mean 'series'");
  refused("scalars = { temperature = { value = true } }", "expected a number");
  refused(cold, "the time t and pi, e.g. 2*sin", "source = \"time\"");
  Session session(parse_case(gap("scalars = { temperature = { value = \"300 + t\" } }", cold), "gap.toml"));
  EXPECT_CONTAINS(error_of(ExitCode::input, [&] { session.set_boundary("y_min", "temperature", 330); }),
                  "the case says how 'temperature' changes there");
}

/// The heated cavity of De Vahl Davis (1983), Pr = 0.71, on coarse grids: second order, 1% at these sizes.
double nusselt_of_cavity(double rayleigh, int size, int steps) {
  const double speed = 0.1, viscosity = speed * size * std::sqrt(0.71 / rayleigh);
  const std::string text = fmt::format(R"case(
[units]
viscosity = {0}
[domain]
dimension = 2
nodes = [{1}, {1}]
[physics]
gravity = [0, {2}]
[[scalar]]
name = "temperature"
prandtl = 0.71
expansion = 1
reference_length = {1}
[[boundary]]
surface = "x_min"
type = "wall"
scalars = {{ temperature = {{ value = 0.5 }} }}
[[boundary]]
surface = "x_max"
type = "wall"
scalars = {{ temperature = {{ value = -0.5 }} }}
[numerics]
format = "fp64"
device = "cpu"
trial = false
[run]
steps = 1000000
)case",
                                       viscosity, size, -speed * speed / size);
  Session session(parse_case(text, "cavity.toml"));
  session.advance(steps);
  EXPECT_NEAR(column(session, "nusselt_temperature_x_min") + column(session, "nusselt_temperature_x_max"), 0, 1e-4);
  return column(session, "nusselt_temperature_x_min");
}

TEST(Heat, CavityHasThePublishedNusseltNumber) {
  EXPECT_NEAR(nusselt_of_cavity(1e3, 32, 12000) / 1.118, 1, 0.01);
  EXPECT_NEAR(nusselt_of_cavity(1e4, 40, 24000) / 2.243, 1, 0.01);
}

/// Dispersion between plates (Aris 1959): a passive pulse spreads with D (1 + Pe^2 / 210), Pe = U H / D. Both moments
/// of the pulse are those of the grid, so that what is off is of second order: 1/12^2 = 0.7%.
TEST(Heat, PulsesDisperseBetweenPlates) {
  const double height = 12, speed = 0.05, peclet = 10, d = speed * height / peclet, viscosity = 0.1;
  const int length = 400;
  const std::string text = fmt::format(R"case(
[units]
viscosity = {}
[domain]
dimension = 2
nodes = [{}, 12]
periodic = [true, false]
[physics]
acceleration = [{}, 0]
initial_velocity_formula = ["6*{}*y/12*(1-y/12)", "0"]
[[scalar]]
name = "dye"
diffusivity = {}
initial_formula = "exp(-(x-100)^2/450)"
[numerics]
format = "fp64"
device = "cpu"
trial = false
[run]
steps = 1000000
)case",
                                       viscosity, length, 12 * viscosity * speed / (height * height), speed, d);
  Session session(parse_case(text, "plates.toml"));
  const auto variance = [&] {
    const std::vector<double> dye = values_of(session, "dye");
    double along = 0, across = 0;  // the middle, on the circle that a periodic axis is
    const double turn = 2 * std::numbers::pi / length;
    for (std::size_t k = 0; k < dye.size(); ++k) {
      const double x = static_cast<double>(k % length) + 0.5;
      along += dye[k] * std::cos(turn * x);
      across += dye[k] * std::sin(turn * x);
    }
    const double middle = std::atan2(across, along) / turn;
    double sum = 0, first = 0, second = 0;
    for (std::size_t k = 0; k < dye.size(); ++k) {
      const double x = std::remainder(static_cast<double>(k % length) + 0.5 - middle, length);
      sum += dye[k];
      first += dye[k] * x;
      second += dye[k] * x * x;
    }
    return second / sum - first * first / (sum * sum);
  };
  session.advance(1500);
  const double before = variance();
  session.advance(3000);
  const double found = (variance() - before) / (2 * 3000);
  EXPECT_NEAR(found / (d * (1 + peclet * peclet / 210)), 1, 0.01);
}

/// A disc of fluid, or a ball, in a wall that gives what `rim` says, with a scalar to begin with.
Session disc(int size, const std::string& walls, const std::string& rim, const std::string& initial,
             bool ball = false) {
  const double middle = 0.5 * size + 0.13;
  return Session(parse_case(
      fmt::format(R"case(
[units]
viscosity = 0.1
[domain]
dimension = {6}
nodes = [{0}, {0}{7}]
[walls]
method = "{1}"
[[geometry.shape]]
name = "rim"
kind = "{8}"
operation = "fluid"
{9} = [{2}, {2}{10}]
radius = {3}
[[boundary]]
surface = "rim"
type = "wall"
scalars = {{ dye = {{ {4} }} }}
[[scalar]]
name = "dye"
diffusivity = 0.1
reference = 0
initial = 1
initial_formula = "{5}"
[numerics]
format = "fp64"
device = "cpu"
threads = 1
trial = false
[run]
steps = 1000000
)case",
                  size, walls, middle, 0.46 * size, rim, initial, ball ? 3 : 2, ball ? fmt::format(", {}", size) : "",
                  ball ? "sphere" : "cylinder", ball ? "center" : "from", ball ? fmt::format(", {}", middle) : ""),
      "disc.toml"));
}

/// What is uneven in a disc that lets nothing out goes with D (1.84118 / R)^2, the first zero of J1' (Carslaw & Jaeger,
/// 7.6), in a ball with D (2.08158 / R)^2, that of the spherical one: the relative error of that rate. It changes along
/// the rim.
double error_of_decay(int size, const std::string& walls, bool ball = false) {
  Session session = disc(size, walls, "adiabatic = true", fmt::format("1 + (x - {0})/{0}", 0.5 * size), ball);
  const double zero = ball ? 2.0815760 : 1.8411838;
  const double radius = 0.46 * size, time = std::round(radius * radius / 0.1);
  const auto strength = [&] {
    const std::vector<double> dye = values_of(session, "dye");
    const double mean = column(session, "mean_dye");
    double sum = 0;
    for (const double value : dye)
      if (!std::isnan(value)) sum += (value - mean) * (value - mean);
    return std::log(std::sqrt(sum));
  };
  session.advance(static_cast<int>(time));
  const double before = strength(), mean = column(session, "mean_dye");
  session.advance(static_cast<int>(time));
  EXPECT_NEAR(column(session, "mean_dye"), mean, 1e-15 * time) << "nothing is lost";
  const double rate = (before - strength()) / time;
  return rate / (0.1 * zero * zero / (radius * radius)) - 1;
}

TEST(Heat, DiscsThatLetNothingOutEvenOutAtTheirPace) {
  const double coarse = error_of_decay(24, "interpolated"), fine = error_of_decay(48, "interpolated");
  EXPECT_NEAR(coarse, 0, 0.004);
  EXPECT_NEAR(fine, 0, 0.0015);
  EXPECT_LT(std::abs(error_of_decay(24, "half-way")), 0.035) << "a staircase";
}

TEST(Heat, BallsThatLetNothingOutEvenOutAtTheirPace) {
  const double coarse = error_of_decay(12, "interpolated", true), fine = error_of_decay(24, "interpolated", true);
  EXPECT_NEAR(coarse, 0, 0.02);
  EXPECT_NEAR(fine, 0, 0.006);
}

/// A disc whose rim exchanges with what is outside, h R = 2 D, cools with D (b / R)^2, b J1(b) = 2 J0(b) (Carslaw &
/// Jaeger, 7.7): the relative error of that rate.
double error_of_cooling(int size) {
  const double radius = 0.46 * size, time = std::round(0.3 * radius * radius / 0.1);
  Session session = disc(size, "interpolated", fmt::format("exchange = {}, ambient = 0", 2 * 0.1 / radius), "1");
  double low = 1, high = 2;
  for (int k = 0; k < 60; ++k) {
    const double middle = 0.5 * (low + high);
    (middle * std::cyl_bessel_j(1, middle) < 2 * std::cyl_bessel_j(0, middle) ? low : high) = middle;
  }
  session.advance(static_cast<int>(time));
  const double before = column(session, "mean_dye");
  session.advance(static_cast<int>(time));
  return std::log(before / column(session, "mean_dye")) / time / (0.1 * low * low / (radius * radius)) - 1;
}

TEST(Heat, DiscsCoolAtTheirPace) {
  EXPECT_NEAR(error_of_cooling(20), 0, 0.008);
  EXPECT_NEAR(error_of_cooling(48), 0, 0.002);
}

/// What comes in through the rim of a disc with a radius R is 2 flux / R of what its area holds, to the last digit of
/// what passed.
TEST(Heat, DiscsTakeWhatTheirRimGives) {
  Session session = disc(20, "interpolated", "flux = 0.001", "1");
  session.advance(200);
  const double before = column(session, "mean_dye"), passed = column(session, "flux_dye_rim");
  session.advance(100);
  const double grown = column(session, "mean_dye") - before, area = 3.14159265 * 9.2 * 9.2;
  EXPECT_NEAR(grown / (100 * 0.001 * 2 / 9.2), 1, 0.02);
  EXPECT_NEAR(grown * area / (100 * passed), 1, 0.01);
}

/// The age at the end of a plug flow is its length over its speed.
TEST(Heat, AgeIsTheTimeSinceTheInlet) {
  const std::string text = R"case(
[units]
viscosity = 0.1
[domain]
dimension = 2
nodes = [40, 6]
periodic = [false, true]
[[boundary]]
surface = "x_min"
type = "velocity"
velocity = [0.05, 0]
scalars = { age = { value = 0 } }
[[boundary]]
surface = "x_max"
type = "pressure"
[physics]
initial_velocity = [0.05, 0]
[[scalar]]
name = "age"
diffusivity = 0.01
source = "age"
[numerics]
format = "fp64"
device = "cpu"
[run]
steps = 5000
)case";
  Session session(parse_case(text, "plug.toml"));
  session.advance(3000);
  const std::vector<double> age = values_of(session, "age");
  // A linear profile, x / u, in which nothing spreads. The outlet, first order, lets the speed differ by a percent.
  for (const int x : {10, 20, 30}) EXPECT_NEAR(age[static_cast<std::size_t>(x)] / ((x + 0.5) / 0.05), 1, 0.03) << x;
  EXPECT_NEAR(column(session, "bulk_age_x_max") / (40 / 0.05), 1, 0.02) << "what leaves was there so long";
}

/// Side by side at an outlet nothing is mixed; a value that rises evenly from 0 to 1 has a variance of 1/12 there, and
/// 1/4 would be that of both side by side.
TEST(Heat, OutletsSayHowWellWhatLeavesIsMixed) {
  const auto mixing = [](const char* initial) {
    const Session session(parse_case(fmt::format(R"case(
[units]
viscosity = 0.1
[domain]
dimension = 2
nodes = [10, 12]
[[boundary]]
surface = "x_min"
type = "velocity"
speed = 0.01
[[boundary]]
surface = "x_max"
type = "pressure"
[[boundary]]
surface = "y_min"
type = "wall"
scalars = {{ dye = {{ value = 1 }} }}
[[boundary]]
surface = "y_max"
type = "wall"
scalars = {{ dye = {{ value = 3 }} }}
[[scalar]]
name = "dye"
diffusivity = 0.1
reference = 0
initial_formula = "{}"
[numerics]
format = "fp64"
device = "cpu"
[run]
steps = 10
)case",
                                                 initial),
                                     "mixing.toml"));
    return column(session, "mixing_dye_x_max");
  };
  EXPECT_NEAR(mixing("y < 6 ? 1 : 3"), 0, 1e-12);
  EXPECT_NEAR(mixing("2"), 1, 1e-6);
  EXPECT_NEAR(mixing("1 + y/6"), 1 - std::sqrt((1 - 1.0 / 144) / 12 / 0.25), 1e-12);
}

TEST(Heat, WhatCasesMayNotSayIsRefused) {
  const auto refused = [](const std::string& text, const std::string& part) {
    EXPECT_CONTAINS(error_of(ExitCode::input, [&] { Session session(parse_case(text, "gap.toml")); }), part);
  };
  const std::string hot = "scalars = { temperature = { value = 310 } }";
  refused(gap("scalars = { temperature = { value = 310, flux = 1 } }", hot), "contradict each other");
  refused(gap("scalars = { temperture = { value = 310 } }", hot), "did you mean 'temperature'");
  refused(gap("scalars = { temperature = { } }", hot), "says nothing");
  refused(gap("scalars = { temperature = { exchange = 1 } }", hot), "belong together");
  refused(gap("scalars = { temperature = { valu = 1 } }", hot), "unknown key 'valu'");
  refused(gap(hot, hot, "prandtl = 0.7"), "contradict each other");
  refused(gap(hot, hot, "expansion = 1e-3"), "physics.gravity");
  refused(gap(hot, hot, "lattice = \"D3Q7\""), "does not fit");
  refused(gap(hot, hot, "source = \"1/(x-x)\""), "no finite number");
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = gap(hot, hot);
    text.replace(text.find(from), from.size(), to);
    return text;
  };
  refused(with("diffusivity = 8e-6", "diffusivity = -1"), "out of range");
  refused(with("diffusivity = 8e-6", "diffusivity = 1e-9"), "within 0.001 of 1/2");
  refused(with("diffusivity = 8e-6", ""), "'diffusivity' is missing");
  std::string misnamed = gap("", "");
  misnamed.replace(misnamed.find("\"temperature\""), 13, "\"pressure\"");
  refused(misnamed, "is the name of a field of the flow");
  refused(with("[run]", "[output]\nfields = [\"temperatur\"]\n[run]"), "temperature");
  std::string closed = gap("", "", "source = \"1\"");
  closed += "[run.steady]\nquantity = \"scalar:temperature\"\n";
  refused(closed, "never becomes steady");
}

}  // namespace
}  // namespace fluvia::test
