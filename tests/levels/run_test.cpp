// SPDX-License-Identifier: Apache-2.0
// Runs of cases with levels from the text of the case to files: results, restarts, what `fluvia plan` says.
#include "fluvia/run/run.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "fluvia/backend/backend.hpp"
#include "fluvia/case/case.hpp"
#include "fluvia/initial/vtkhdf_file.hpp"
#include "fluvia/run/checks/preflight.hpp"
#include "fluvia/run/session.hpp"
#include "fluvia/units/units.hpp"
#include "support/errors.hpp"
#include "support/program.hpp"
#include "support/temporary_folder.hpp"

namespace fluvia::test {
namespace {

/// A cylinder in a channel, in SI units, with a finer region around it.
const std::string channel = R"(
[units]
system = "si"
spacing = 0.01
density = 1.0
viscosity = 1e-3
reference_velocity = 0.2
reference_length = 0.1
lattice_velocity = 0.02
[domain]
dimension = 2
size = [1.2, 0.41]
[[geometry.shape]]
name = "cylinder"
kind = "cylinder"
from = [0.3, 0.2]
radius = 0.05
[[refine]]
level = 1
around = "cylinder"
distance = 0.04
[[boundary]]
surface = "x_min"
type = "velocity"
speed = 0.2
profile = "parabolic"
ramp = 1.0
[[boundary]]
surface = "x_max"
type = "pressure"
[numerics]
format = "fp64"
[run]
steps = 600
check_every = 50
[monitor]
every = 50
forces = ["cylinder"]
reference_area = 0.1
average_from = 100
[[monitor.probe]]
name = "behind"
position = [0.4, 0.2]
[output]
every = 400
fields = ["pressure", "velocity", "vorticity", "average_velocity"]
[[output.slice]]
field = "average_velocity"
axis = "z"
)";

RunResult run(const std::filesystem::path& folder, const std::vector<std::string>& settings, bool resume = false) {
  RunOptions options;
  options.output = folder;
  options.resume = resume;
  return run_case(parse_case(channel, "case.toml", settings), options);
}

/// What is measured, averaged and written does not depend on where a run was interrupted, nor on scheme and threads.
TEST(LevelsRun, HasTheSameResultsAfterAResume) {
  const TemporaryFolder folder;
  const RunResult whole = run(folder.path() / "whole", {"numerics.threads=1"});
  run(folder.path() / "part", {"run.steps=223", "numerics.threads=2"});
  const RunResult joined = run(folder.path() / "part", {"numerics.scheme=compact-aa", "numerics.threads=2"}, true);
  for (const char* key : {"quantities", "verdict"}) EXPECT_EQ(joined.results[key], whole.results[key]) << key;
  for (const char* name : {"monitors.csv", "fields-000000600.vtkhdf", "level-0-000000600.vtkhdf",
                           "level-1-000000600.vtkhdf", "level-1-000000400.vtkhdf"})
    EXPECT_TRUE(read_text(folder.path() / "part" / name) == read_text(folder.path() / "whole" / name)) << name;
}

/// A run on levels is nearer to one whose grid is fine everywhere than one whose grid is coarse everywhere, and says so
/// of its resolution.
TEST(LevelsRun, IsNearToTheFinestGrid) {
  const TemporaryFolder folder;
  const auto drag = [&](const std::string& name, const std::string& text, const std::vector<std::string>& settings,
                        std::string* report = nullptr) {
    RunOptions options;
    options.output = folder.path() / name;
    const RunResult result = run_case(parse_case(text, "case.toml", settings), options);
    if (report != nullptr) *report = result.report;
    for (const Quantity& q : result.quantities)
      if (q.name == "coefficient_cylinder_x") return q.value;
    return 0.0;
  };
  std::string uniform = channel, report;
  uniform.erase(uniform.find("[[refine]]"), uniform.find("[[boundary]]") - uniform.find("[[refine]]"));
  const std::vector<std::string> coarse_settings = {"run.steps=6000", "output.every=0", "monitor.average_from=5000"};
  const double levels = drag("levels", channel, coarse_settings, &report),
               coarse = drag("coarse", uniform, coarse_settings),
               fine = drag("fine", uniform,
                           {"units.spacing=0.005", "run.steps=12000", "output.every=0", "monitor.average_from=10000",
                            "numerics.collision=mrt"});
  EXPECT_NEAR(levels, fine, 0.005 * fine);
  EXPECT_GT(std::abs(coarse - fine), std::abs(levels - fine));
  EXPECT_NE(report.find("'cylinder': 20 nodes across"), std::string::npos) << report;
}

/// Fields of a run begin one with the same levels where that one ended, and one with others near to it. Beside walls
/// and openings velocities form in the first step.
TEST(LevelsRun, BeginsWithTheFieldsOfAnotherRun) {
  const TemporaryFolder folder;
  run(folder.path() / "first", {"run.steps=400"});
  const auto from_first = [&](double distance) {
    std::string text = channel;
    text.replace(text.find("distance = 0.04"), 15, "distance = " + std::to_string(distance));
    return std::make_unique<Session>(
        parse_case(text, "case.toml",
                   {"physics.initial_velocity_file='" + (folder.path() / "first").string() + "'",
                    "physics.initial_pressure_file='" + (folder.path() / "first").string() + "'"}));
  };
  Session first(parse_case(channel, "case.toml"));
  first.advance(400);
  /// The difference below which four of five nodes of a level have theirs.
  const auto difference = [&](const Session& other, int level) {
    const std::vector<double> a = first.field_of_level("velocity", level, true),
                              b = other.field_of_level("velocity", level, false);
    EXPECT_EQ(a.size(), b.size());
    std::vector<double> all;
    for (std::size_t k = 0; k < std::min(a.size(), b.size()); ++k)
      if (std::isfinite(a[k]) && std::isfinite(b[k])) all.push_back(std::abs(a[k] - b[k]));
    std::sort(all.begin(), all.end());
    return all[all.size() / 5 * 4];
  };
  const auto same = from_first(0.04), wider = from_first(0.08);
  for (const int level : {0, 1}) EXPECT_LT(difference(*same, level), 1e-7) << level;
  EXPECT_GT(wider->plan().levels[1].nodes, same->plan().levels[1].nodes);
  EXPECT_LT(difference(*wider, 1), 1e-7) << "where both have it";
  std::filesystem::remove(folder.path() / "first" / "level-1-000000400.vtkhdf");
  EXPECT_GT(difference(*from_first(0.04), 1), 1e-5) << "the file of the finer level is read, too";
}

/// Averages of one sample are the flow itself, at the nodes of each level, walls included.
TEST(LevelsRun, AveragesOnEachLevel) {
  const TemporaryFolder folder;
  run(folder.path() / "out",
      {"run.steps=60", "monitor.every=60", "monitor.average_from=59",
       "output.fields=['velocity', 'wall_shear_stress', 'average_velocity', 'average_wall_shear_stress']"});
  for (const int level : {0, 1}) {
    const auto file = folder.path() / "out" / ("level-" + std::to_string(level) + "-000000060.vtkhdf");
    for (const auto& [name, depth] : {std::pair<std::string, int>{"velocity", 3}, {"wall_shear_stress", 1}}) {
      const RegularSamples now = read_vtkhdf(file, name, depth), mean = read_vtkhdf(file, "average_" + name, depth);
      EXPECT_EQ(now.numbers, mean.numbers);
      ASSERT_EQ(now.values.size(), mean.values.size());
      float largest = 0;
      for (std::size_t k = 0; k < now.values.size(); ++k) {
        largest = std::max(largest, std::abs(now.values[k]));
        if (!std::isfinite(now.values[k])) continue;
        ASSERT_FLOAT_EQ(now.values[k], mean.values[k]) << name << ' ' << k;
      }
      EXPECT_GT(largest, 0) << name;
    }
  }
}

/// Files of levels have what lies in the region, with the stride, at nodes of their own.
TEST(LevelsRun, WritesPartsOfEachLevel) {
  const TemporaryFolder folder;
  const auto cells = [&](const std::string& name, int level, const std::vector<std::string>& more) {
    std::vector<std::string> settings = {"run.steps=1", "output.fields=['pressure']", "output.slice=[]",
                                         "monitor.average_from=0"};
    settings.insert(settings.end(), more.begin(), more.end());
    run(folder.path() / name, settings);
    const auto file = folder.path() / name / ("level-" + std::to_string(level) + "-000000001.vtkhdf");
    return std::filesystem::exists(file) ? read_vtkhdf(file, "pressure", 1).values.size() : 0;
  };
  const std::size_t all = cells("all", 1, {});
  EXPECT_GT(all, 0U);
  const std::string half = "output.region=[[0.0, 0.0, 0.0], [0.3, 0.41, 1.0]]";
  const std::size_t part = cells("half", 1, {half});
  EXPECT_GT(part, all / 3);
  EXPECT_LT(part, all / 3 * 2);
  const std::size_t few = cells("few", 1, {"output.stride=2"});
  EXPECT_LT(few, all / 3);
  EXPECT_GT(few, all / 6);
  EXPECT_EQ(cells("none", 1, {"output.region=[[0.9, 0.0, 0.0], [1.2, 0.41, 1.0]]"}), 0U);
  EXPECT_GT(cells("none", 0, {"output.region=[[0.9, 0.0, 0.0], [1.2, 0.41, 1.0]]"}), 0U);
}

TEST(LevelsRun, IsPlannedLevelByLevel) {
  const Case c = parse_case(channel, "case.toml");
  const Grid grid = make_grid(c);
  const Units units = make_units(c, grid.spacing);
  const Geometry geometry = build_geometry(c, grid);
  const Plan plan = plan_case({c, units, geometry});
  ASSERT_EQ(plan.levels.size(), 2U);
  const auto solver = make_solver({c, units, geometry});
  std::uint64_t bytes = 0;
  for (std::size_t l = 0; l < 2; ++l) {
    EXPECT_EQ(plan.levels[l].nodes, solver->levels()[l].state->geometry().nodes.fluid_nodes);
    EXPECT_DOUBLE_EQ(plan.levels[l].spacing, 0.01 / (1 << l));
    EXPECT_NEAR(plan.levels[l].tau - 0.5, (1 << l) * (units.tau - 0.5), 1e-14);
    bytes += plan.levels[l].bytes;
  }
  EXPECT_EQ(bytes + plan.other_bytes, plan.total_bytes());
  EXPECT_DOUBLE_EQ(solver->updates_per_step(),
                   static_cast<double>(plan.levels[0].nodes) + 2 * static_cast<double>(plan.levels[1].nodes));
}

/// The message with which a case is refused.
std::string refusal_of(const Case& c, const TemporaryFolder& folder) {
  RunOptions options;
  options.output = folder.path() / "out";
  return error_of(ExitCode::input, [&] { run_case(c, options); });
}

/// A body must lie in one level for its force to be right.
TEST(LevelsRun, WarnsOfBodiesThatInterfacesCross) {
  const auto warnings = [](const std::string& text) {
    const Case c = parse_case(text, "case.toml");
    const Grid grid = make_grid(c);
    const Units units = make_units(c, grid.spacing);
    const Geometry geometry = build_geometry(c, grid);
    std::string all;
    for (const std::string& warning : check_before_run({c, units, geometry})) all += warning + "\n";
    return all;
  };
  EXPECT_EQ(warnings(channel).find("the force on 'cylinder'"), std::string::npos);
  std::string crossed = channel;
  crossed.replace(crossed.find("around = \"cylinder\"\ndistance = 0.04"), 35, "box = [[0.24, 0.1], [0.3, 0.3]]");
  EXPECT_CONTAINS(warnings(crossed), "the force on 'cylinder' will be wrong");
}

/// A windkessel follows the flow through an opening that lies on a finer level, or on two.
TEST(LevelsRun, HasWindkesselsOnFinerLevels) {
  const std::string vessel = R"(
[units]
system = "si"
spacing = 0.01
density = 1.0
viscosity = 1e-2
reference_velocity = 0.2
reference_length = 0.1
lattice_velocity = 0.02
[domain]
dimension = 2
size = [0.8, 0.4]
[[refine]]
level = 1
box = BOX
[[boundary]]
surface = "x_min"
type = "velocity"
speed = 0.2
profile = "parabolic"
ramp = 0.2
[[boundary]]
surface = "x_max"
type = "windkessel"
proximal_resistance = 0.05
distal_resistance = 0.2
compliance = 1.0
[numerics]
format = "fp64"
[run]
time = 4
[monitor]
every = 400
)";
  const TemporaryFolder folder;
  for (const std::string box : {"[[0.5, 0.0], [0.8, 0.4]]", "[[0.0, 0.16], [0.8, 0.32]]"}) {
    std::string text = vessel;
    text.replace(text.find("BOX"), 3, box);
    Session session(parse_case(text, "case.toml"));
    session.advance(4000);
    const std::vector<std::string> names = session.monitor_names();
    const std::vector<double> values = session.monitors();
    const auto value = [&](const std::string& name) {
      for (std::size_t k = 0; k < names.size(); ++k)
        if (names[k].starts_with(name)) return values[k];
      return 0.0;
    };
    EXPECT_NEAR(value("flow_x_max"), -0.08, 0.03 * 0.08) << box;
    EXPECT_NEAR(value("pressure_x_max"), 0.25 * 0.08, 0.05 * 0.25 * 0.08) << box;
  }
}

TEST(LevelsRun, SaysWhichLevelHasNoFluid) {
  const TemporaryFolder folder;
  std::string text = channel;
  text.replace(text.find("radius = 0.05"), 13, "radius = 0.09");
  text.replace(text.find("around = \"cylinder\"\ndistance = 0.04"), 35, "box = [[0.29, 0.19], [0.31, 0.21]]");
  const std::string message = refusal_of(parse_case(text, "case.toml"), folder);
  EXPECT_EQ(message.find("refine: on level 1: "), 0U) << message;
}

TEST(LevelsRun, RefusesSheets) {
  const TemporaryFolder folder;
  const auto corner = [](const char* at) { return std::string("vertex ") + at + "\n"; };
  const auto triangle = [&](const char* a, const char* b, const char* c) {
    return "facet normal 1 0 0\nouter loop\n" + corner(a) + corner(b) + corner(c) + "endloop\nendfacet\n";
  };
  folder.write("plate.stl", "solid plate\n" + triangle("8 4 4", "8 12 4", "8 12 12") +
                                triangle("8 4 4", "8 12 12", "8 4 12") + "endsolid plate\n");
  const auto file = folder.write("case.toml", R"(
[units]
tau = 0.6
[domain]
nodes = [32, 16, 16]
periodic = [true, true, true]
[[geometry.stl]]
file = "plate.stl"
name = "plate"
fluid = "both"
[[refine]]
level = 1
box = [[20, 4, 4], [28, 12, 12]]
[run]
steps = 1
)");
  const std::string message = refusal_of(read_case(file), folder);
  EXPECT_NE(message.find("'plate' is a sheet"), std::string::npos) << message;
}

}  // namespace
}  // namespace fluvia::test
