// SPDX-License-Identifier: Apache-2.0
// Pressures far from 0, and densities far from that at rest: right where a reference can be found, said where not.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "fluvia/case/reference_pressure.hpp"
#include "fluvia/run/findings/findings_parts.hpp"
#include "fluvia/run/prepared_flow.hpp"
#include "run/small_cases.hpp"

namespace fluvia::test {
namespace {

using Json = nlohmann::json;
using Settings = std::vector<std::string>;

/// A channel that a force drives, with the same pressure everywhere: u_max = g H^2 / (8 nu) = 5e-4.
const std::string pressed_channel = R"(
[units]
viscosity = 0.1
[domain]
dimension = 2
nodes = [8, 20]
periodic = [true, false]
[physics]
acceleration = [1e-6, 0]
initial_pressure = 0.2
[numerics]
collision = "trt"
format = "fp64"
threads = 1
[run]
steps = 20000
[monitor]
every = 200
[[monitor.probe]]
name = "middle"
position = [4, 10, 0]
[output]
vtk = "none"
[checkpoint]
at_end = false
)";

std::vector<std::string> start_warnings(const std::string& text, const Settings& settings = {}) {
  std::vector<std::string> warnings;
  const Case c = parse_case(text, "case.toml", settings);
  PreparedFlow flow(c, [&](const std::string& warning) { warnings.push_back(warning); });
  flow.build();
  return warnings;
}

/// The warning that has these words; empty if none has.
std::string warning_with(const std::vector<std::string>& warnings, const std::string& words) {
  for (const std::string& warning : warnings)
    if (warning.find(words) != std::string::npos) return warning;
  return "";
}

/// What stands behind each "--set " in a warning.
Settings options_in(const std::string& warning) {
  Settings settings;
  for (std::size_t at = warning.find("--set "); at != std::string::npos; at = warning.find("--set ", at + 1))
    settings.push_back(warning.substr(at + 6, warning.find_first_of(" ;", at + 6) - at - 6));
  return settings;
}

/// Settings, and more of them. No operator: it would hide those of vectors from tests that are compiled together.
Settings joined(Settings a, const Json& b) {
  for (const Json& each : b) a.push_back(each.get<std::string>());
  return a;
}
Settings joined(Settings a, const Settings& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

double result_of(const Json& results, const std::string& name) {
  const Json found = quantity(results, name);
  return found.is_null() ? NAN : found["value"].get<double>();
}

TEST(ReferencePressure, IsThatOfTheOpenings) {
  const auto of = [](const std::string& text, const Settings& settings = {}) {
    return reference_pressure(parse_case(text, "case.toml", settings));
  };
  EXPECT_EQ(of(artery), 13332);
  EXPECT_EQ(of(artery, {"units.reference_pressure=100"}), 100);
  EXPECT_EQ(of(artery, {"boundary.x_max.pressure=0"}), 0) << "the pressure at the start is no reason";
  // If there are several pressures, the reference is the one nearest to 0, which is 0 if they lie on both sides.
  const Settings two = {"boundary.x_min.type=pressure"};
  const std::string between = [] {
    std::string text = artery;
    const std::string inflow = "speed = 0.05\nprofile = \"parabolic\"\n";
    text.replace(text.find(inflow), inflow.size(), "");
    return text;
  }();
  EXPECT_EQ(of(between, joined(two, Settings{"boundary.x_min.pressure=13400"})), 13332);
  EXPECT_EQ(of(between, joined(two, Settings{"boundary.x_min.pressure=12000"})), 12000);
  EXPECT_EQ(of(between, two), 0);
  EXPECT_EQ(of(between, joined(two, Settings{"boundary.x_min.pressure=-13400", "boundary.x_max.pressure=-13332"})),
            -13332);
  // Where no opening holds one, that at the start; in lattice units within what a density bears.
  EXPECT_EQ(of(pressed_channel), 0.2);
  EXPECT_EQ(of(si_duct, {"physics.initial_pressure=0.01"}), 0);
  EXPECT_EQ(of(pressed_channel, {"physics.initial_pressure=0.4"}), 0);
  // There openings prescribe densities.
  EXPECT_EQ(of(tunnel, {"boundary.x_max.pressure=0.01"}), 0);
  EXPECT_EQ(of(tunnel, {"boundary.x_max.pressure=0.01", "units.reference_pressure=0.01"}), 0.01);
}

TEST(ReferencePressure, OfASeriesIsItsMean) {
  const TemporaryFolder folder;
  const auto with = [&](const std::string& rows) {
    std::ofstream(folder.path() / "p.csv") << "time,value\n" << rows;
    std::string text = artery;
    text.replace(
        text.find("pressure = 13332"), 16,
        "series = \"" + (folder.path() / "p.csv").string() + "\"\nseries_quantity = \"pressure\"\nseries_scale = 100");
    return reference_pressure(parse_case(text, "case.toml"));
  };
  EXPECT_NEAR(with("0,100\n1,140\n4,100\n"), 12000, 1e-9);
  EXPECT_EQ(with("0,0\n1,140\n4,100\n"), 0);
  EXPECT_EQ(with("no numbers"), 13332) << "others say what is wrong with the file";
}

TEST(ReferencePressure, PressuresFarFromZeroChangeNoFlow) {
  const Json at_pressure = run_text(artery).results;
  EXPECT_NEAR(result_of(at_pressure, "max_velocity"), 0.075, 0.01 * 0.075);
  EXPECT_NEAR(result_of(at_pressure, "pressure_x_max"), 13332, 2);
  EXPECT_EQ(finding(at_pressure, "density")["judgement"], "good") << finding(at_pressure, "density");
  const Json at_zero = run_text(artery, {"boundary.x_max.pressure=0", "physics.initial_pressure=0"}).results;
  for (const char* same : {"max_velocity", "flow_x_min", "flow_x_max", "wall_shear_stress_max"})
    EXPECT_EQ(result_of(at_pressure, same), result_of(at_zero, same)) << same;
  EXPECT_NEAR(result_of(at_pressure, "pressure_x_min") - result_of(at_zero, "pressure_x_min"), 13332, 1e-9);
  EXPECT_EQ(run_text(artery, {"boundary.x_max.pressure=0", "physics.initial_pressure=0"}).results["monitors"],
            run_text(artery, {"boundary.x_max.pressure=0", "physics.initial_pressure=0", "units.reference_pressure=0"})
                .results["monitors"])
      << "0 is the reference of cases at 0";
}

/// Formulas and files give gauge pressures, of which the reference is taken off once.
TEST(ReferencePressure, IsTakenOffFormulas) {
  std::string text = artery;
  text.replace(text.find("initial_pressure = 13332"), 24, "initial_pressure_formula = \"100000 + 0*x\"");
  const Settings settings = {"boundary.x_max.pressure=100000", "run.steps=200", "monitor.every=10"};
  EXPECT_EQ(warning_with(start_warnings(text, settings), "means a density"), "");
  const Json results = run_text(text, settings).results;
  const Settings plain = {"boundary.x_max.pressure=100000", "physics.initial_pressure=100000", "run.steps=200",
                          "monitor.every=10"};
  EXPECT_EQ(results["monitors"], run_text(artery, plain).results["monitors"]);
}

/// What the grid leaves open of a pressure counts beside how far it lies from the reference, not beside 100 mmHg.
TEST(ReferencePressure, HidesNoErrorOfTheGrid) {
  const Case c = parse_case(artery, "case.toml");
  const Grid grid = make_grid(c);
  const Adviser adviser(c, make_units(c, grid.spacing), grid, 30000);
  std::vector<Quantity> results(2);
  results[0].name = "pressure_x_min";
  results[0].value = 13335;
  results[0].grid_error = 1;
  results[1].name = "pressure_drop";
  results[1].value = 3;
  results[1].grid_error = 0;
  for (Quantity& each : results) each.unit = "Pa";
  EXPECT_EQ(findings::judge_grid_error(results, 3, "", adviser, 13332).judgement, Judgement::bad);
  EXPECT_EQ(findings::judge_grid_error(results, 3, "", adviser, 0).judgement, Judgement::good);
}

/// Between plates of which one moves pressures are about zero: what the grid leaves open of these counts beside the
/// shear.
TEST(ReferencePressure, IsNoMeasureWhereWallsDriveTheFlow) {
  const Case c = parse_case(artery, "case.toml");
  const Grid grid = make_grid(c);
  const Adviser adviser(c, make_units(c, grid.spacing), grid, 30000);
  std::vector<Quantity> results(2);
  results[0].name = "pressure_x_min";
  results[0].value = 1e-6;
  results[0].grid_error = 2e-6;
  results[1].name = "wall_shear_stress_mean";
  results[1].value = 2e-4;
  results[1].grid_error = 0;
  for (Quantity& each : results) each.unit = "Pa";
  EXPECT_EQ(findings::judge_grid_error(results, 3, "", adviser, 0).judgement, Judgement::good);
  results[1].value = 2e-6;
  EXPECT_EQ(findings::judge_grid_error(results, 3, "", adviser, 0).judgement, Judgement::bad);
}

/// The mean of a temperature between -0.5 and 0.5 is about zero: its error counts beside the difference.
TEST(GridError, OfAMeanOfAScalarCountsBesideItsRange) {
  const Case c = parse_case(artery, "case.toml");
  const Grid grid = make_grid(c);
  const Adviser adviser(c, make_units(c, grid.spacing), grid, 30000);
  std::vector<Quantity> results(1);
  results[0].name = "mean_temperature";
  results[0].unit = "-";
  results[0].value = -3e-8;
  results[0].grid_error = 4e-8;
  EXPECT_EQ(findings::judge_grid_error(results, 3, "", adviser, 0).judgement, Judgement::bad);
  results[0].size = 1;
  EXPECT_EQ(findings::judge_grid_error(results, 3, "", adviser, 0).judgement, Judgement::good);
}

/// Nothing but the reference makes it right, and it is what plan and verdict advise.
TEST(Density, FarFromThatAtRestIsSaidAndMended) {
  const Settings wrong = {"units.reference_pressure=0"};
  const std::string warning = warning_with(start_warnings(artery, wrong), "means a density 37.7% above");
  EXPECT_EQ(warning.find("the pressure at 'x_max', 13332, means"), 0u) << warning;
  const Json results = run_text(artery, wrong).results;
  EXPECT_LT(result_of(results, "max_velocity"), 0.055);
  const Json density = finding(results, "density");
  EXPECT_EQ(density["judgement"], "bad") << density;
  EXPECT_NEAR(density["value"].get<double>(), 37.7, 0.5);
  EXPECT_EQ(results["verdict"]["verdict"], "do not trust");
  for (const Settings& advised : {joined(wrong, options_in(warning)), joined(wrong, density["settings"])}) {
    EXPECT_EQ(advised.size(), 2u) << warning << density;
    EXPECT_EQ(warning_with(start_warnings(artery, advised), "means a density"), "");
    const Json mended = run_text(artery, advised).results;
    EXPECT_NEAR(result_of(mended, "max_velocity"), 0.075, 0.01 * 0.075);
    EXPECT_EQ(finding(mended, "density")["judgement"], "good") << finding(mended, "density");
  }
}

TEST(Density, OfAClosedFlowIsThatAtItsStart) {
  const Json results = run_text(pressed_channel).results;
  EXPECT_NEAR(result_of(results, "max_velocity"), 5e-4, 5e-6);
  EXPECT_NEAR(result_of(results, "middle_pressure"), 0.2, 1e-6);
  EXPECT_EQ(finding(results, "density")["judgement"], "good");
  const Json wrong = run_text(pressed_channel, {"units.reference_pressure=0"}).results;
  EXPECT_EQ(finding(wrong, "density")["judgement"], "bad");
  EXPECT_NEAR(finding(wrong, "density")["value"].get<double>(), 60, 0.1);
}

/// Pressures so far apart that only shorter steps help, and the reference in their middle.
TEST(Density, OfPressuresFarApartNeedsShorterSteps) {
  const Settings strong = {"boundary.x_min.pressure=0.1", "run.steps=4000"};
  const std::string warning = warning_with(start_warnings(si_duct, strong), "means a density");
  const Settings advised = joined(strong, options_in(warning));
  ASSERT_EQ(advised.size(), 5u) << warning;
  EXPECT_EQ(warning_with(start_warnings(si_duct, advised), "means a density"), "");
  const Json before = run_text(si_duct, strong).results, after = run_text(si_duct, advised).results;
  EXPECT_EQ(finding(before, "density")["judgement"], "bad");
  EXPECT_EQ(finding(after, "density")["judgement"], "good") << finding(after, "density");
  EXPECT_NEAR(result_of(after, "pressure_drop"), 0.1, 1e-9);
}

/// Resistances that make a density 34% above that at rest.
TEST(Density, OfWindkesselsIsForetold) {
  std::string text = artery;
  text.replace(text.find("type = \"pressure\"\npressure = 13332"), 34,
               "type = \"windkessel\"\nproximal_resistance = 1e7\ndistal_resistance = 9e7\ncompliance = 5e-10");
  text.replace(text.find("initial_pressure = 13332"), 24, "");
  const double expected = 1e8 * 0.05 * 24e-4;
  const std::string warning = warning_with(start_warnings(text), "means a density 34% above");
  EXPECT_EQ(warning.find("the pressure that the mean inflow makes in the windkessels, 12000, means"), 0u) << warning;
  const Json results = run_text(text).results;
  EXPECT_EQ(finding(results, "density")["judgement"], "bad") << finding(results, "density");
  const Json mended = run_text(text, options_in(warning)).results;
  EXPECT_NEAR(result_of(mended, "max_velocity"), 0.075, 0.01 * 0.075);
  EXPECT_NEAR(result_of(mended, "pressure_x_max"), expected, 0.01 * expected);
  EXPECT_EQ(finding(mended, "density")["judgement"], "good") << finding(mended, "density");
}

/// Where flow rates are prescribed the case itself says what windkessels come to: the density at rest stands for that.
TEST(Density, OfWindkesselsAtAFlowRateIsThatAtRest) {
  std::string text = artery;
  text.replace(text.find("speed = 0.05"), 12, "flow_rate = 1.2e-4");
  text.replace(text.find("type = \"pressure\"\npressure = 13332"), 34,
               "type = \"windkessel\"\nproximal_resistance = 1e7\ndistal_resistance = 9e7\ncompliance = 5e-10");
  const std::string given = "initial_pressure = 13332";
  const auto of = [](const std::string& from, const Settings& settings = {}) {
    return reference_pressure(parse_case(from, "case.toml", settings));
  };
  EXPECT_EQ(of(text), 0) << "the case says where it starts";
  text.replace(text.find(given), given.size(), "");
  EXPECT_NEAR(of(text), 12000, 1e-6);
  EXPECT_NEAR(of(text, {"boundary.x_max.pressure=1000"}), 13000, 1e-6);
  EXPECT_EQ(of(text, {"units.reference_pressure=5"}), 5);
  // Two of them share the flow as their resistances say.
  EXPECT_NEAR(of(text + "[[boundary]]\nsurface = \"y_max\"\ntype = \"windkessel\"\npressure = 6000\n"
                        "proximal_resistance = 1e7\ndistal_resistance = 9e7\ncompliance = 5e-10\n"),
              9000, 1e-6);
  // An opening whose flow follows from its size, or from nothing: what lies behind the windkessel.
  EXPECT_EQ(of(text + "[[boundary]]\nsurface = \"y_max\"\ntype = \"velocity\"\nspeed = 0.01\n"), 0);
  EXPECT_EQ(warning_with(start_warnings(text), "means a density"), "");
  const Json results = run_text(text).results;
  EXPECT_NEAR(result_of(results, "pressure_x_max"), 12000, 120);
  EXPECT_NEAR(result_of(results, "max_velocity"), 0.075, 0.01 * 0.075);
  EXPECT_EQ(finding(results, "density")["judgement"], "good") << finding(results, "density");
}

/// A series of flow rates counts by its mean.
TEST(Density, OfWindkesselsAtASeriesIsThatOfItsMean) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "q.csv") << "time,value\n0,1e-4\n0.5,2e-4\n1,1e-4\n";
  std::string text = artery;
  text.replace(text.find("speed = 0.05"), 12,
               "series = \"" + (folder.path() / "q.csv").string() + "\"\nseries_quantity = \"flow_rate\"");
  text.replace(text.find("type = \"pressure\"\npressure = 13332"), 34,
               "type = \"windkessel\"\nproximal_resistance = 1e7\ndistal_resistance = 9e7\ncompliance = 5e-10");
  text.replace(text.find("initial_pressure = 13332"), 24, "");
  EXPECT_NEAR(reference_pressure(parse_case(text, "case.toml")), 15000, 1e-6);
}

/// Flow rates are prescribed and measured at the density at rest, so that all of a vessel has the same; and so they go
/// with the pressure gradient: dp/dx = 12 nu Q / h^3, whatever the density is.
TEST(Density, FlowRatesAgreeWhereItIsAnother) {
  const std::string text = R"(
[units]
viscosity = 0.1
reference_pressure = 0
[domain]
dimension = 2
nodes = [120, 8]
[[boundary]]
surface = "x_min"
type = "velocity"
flow_rate = 0.0356
profile = "parabolic"
[[boundary]]
surface = "x_max"
type = "pressure"
pressure = 0.005
[numerics]
collision = "trt"
format = "fp64"
threads = 1
[run]
steps = 30000
[monitor]
every = 100
[[monitor.plane]]
name = "first"
center = [30, 4]
normal = [1, 0]
[[monitor.plane]]
name = "second"
center = [90, 4]
normal = [1, 0]
[output]
vtk = "none"
[checkpoint]
at_end = false
)";
  const Json results = run_text(text).results;
  const double flow = 0.0356;
  EXPECT_NEAR(3 * result_of(results, "pressure_first"), 0.037, 0.001) << "the density there";
  EXPECT_NEAR(result_of(results, "flow_x_min"), flow, 1e-9);
  EXPECT_NEAR(result_of(results, "flow_x_max"), -flow, 1e-4 * flow);
  EXPECT_NEAR(result_of(results, "flow_first"), flow, 2e-4 * flow);
  EXPECT_NEAR(result_of(results, "flow_second"), flow, 2e-4 * flow);
  const double gradient = (result_of(results, "pressure_first") - result_of(results, "pressure_second")) / 60;
  // The sum over 8 nodes of a parabola is 1 + 1 / (2 * 8^2) times its integral.
  const double expected = 12 * 0.1 * flow / (512 + 4);
  EXPECT_NEAR(gradient, expected, 3e-4 * expected);
}

/// A reference pressure changes nothing of a fluid from which nothing leaves, and time nothing of its weight: the
/// verdict advised both, again and again.
TEST(Density, OfAClosedBoxNeedsShorterSteps) {
  const std::string end =
      "[numerics]\nthreads = 1\n[run]\nsteps = 4000\n[output]\nvtk = \"none\"\n[checkpoint]\nat_end = false\n";
  const std::string lid =
      "[units]\nviscosity = 0.1\n[domain]\ndimension = 2\nnodes = [24, 24]\n[[boundary]]\nsurface = \"y_max\"\ntype = "
      "\"moving_wall\"\nvelocity = [0.25, 0]\n";
  const Json fast = finding(run_text(lid + end).results, "density");
  EXPECT_EQ(fast["judgement"], "bad") << fast;
  EXPECT_EQ(fast["settings"], Json::array()) << fast;
  EXPECT_EQ(fast["advice"].get<std::string>().find("divide all velocities and the viscosity by 2:"), 0u) << fast;
  const std::string column =
      "[units]\nsystem = \"si\"\nspacing = 1e-3\ndensity = 1000\nviscosity = 1e-4\ntime_step = "
      "2e-4\n[domain]\ndimension = "
      "2\nnodes = [12, 60]\n[physics]\nacceleration = [0, -9.81]\n";
  const std::string open = "[[boundary]]\nsurface = \"y_max\"\ntype = \"pressure\"\n";
  for (const std::string& text : {column + end, column + open + end}) {
    const Json heavy = finding(run_text(text).results, "density");
    EXPECT_NE(heavy["judgement"], "good") << heavy;
    EXPECT_EQ(heavy["advice"].get<std::string>().find("run longer"), std::string::npos) << heavy;
    const Json mended = finding(run_text(text, joined(Settings{}, heavy["settings"])).results, "density");
    EXPECT_EQ(mended["judgement"], "good") << heavy << mended;
  }
}

/// On their way to a pressure far away windkessels are nowhere near it: halves of the way were advised.
TEST(Density, OfWindkesselsIsMeasuredFromWhatTheyComeTo) {
  const std::string text =
      "[units]\nviscosity = 0.1\n[domain]\ndimension = 2\nnodes = [24, 12]\n[numerics]\nthreads = 1\n[run]\nsteps = "
      "3000\n[monitor]\nevery = 20\n[output]\nvtk = \"none\"\n[checkpoint]\nat_end = false\n[[boundary]]\nsurface = "
      "\"x_min\"\n"
      "type = \"velocity\"\nspeed = 0.02\n[[boundary]]\nsurface = \"x_max\"\ntype = "
      "\"windkessel\"\nproximal_resistance = 1\n"
      "distal_resistance = 9\ncompliance = 10\n";
  const Json density = finding(run_text(text).results, "density");
  EXPECT_EQ(density["judgement"], "bad") << density;
  EXPECT_EQ(density["settings"], Json({"units.reference_pressure=2.4"})) << density;
  EXPECT_EQ(finding(run_text(text, joined(Settings{}, density["settings"])).results, "density")["judgement"], "good");
}

}  // namespace
}  // namespace fluvia::test
