// SPDX-License-Identifier: Apache-2.0
// Runs of cases with levels from the text of the case to files: results, restarts, what `fluvia plan` says.
#include "fluvia/run/run.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "fluvia/backend/backend.hpp"
#include "fluvia/case/case.hpp"
#include "fluvia/initial/vtkhdf_file.hpp"
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
                           "level-1-000000600.vtkhdf", "level-1-000000400.vtkhdf", "levels-000000600.vtkhdf"})
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

/// The permeability of a slit with a cylinder in it, between two pressures or driven by a force: a level around the
/// cylinder, or along the outlet too, takes off most of the error of the coarse grid, 3.5%.
TEST(LevelsRun, MeasuresThePermeability) {
  const auto permeability = [](const std::string& drive, const std::string& refine, int fine) {
    const TemporaryFolder folder;
    RunOptions options;
    options.output = folder.path() / "out";
    const std::string text = fmt::format(
        "[units]\nsystem = \"lattice\"\nviscosity = 0.1\n[domain]\ndimension = 2\nnodes = [{}, {}]\n{}"
        "[[geometry.shape]]\nkind = \"sphere\"\noperation = \"solid\"\ncenter = [{}, {}]\nradius = {}\n"
        "[run]\nsteps = {}\n[monitor]\npermeability_axis = \"x\"\n[output]\nvtk = \"none\"\n[numerics]\n"
        "device = \"cpu\"\nformat = \"fp64\"\ncollision = \"trt\"\n{}",
        48 * fine, 20 * fine, drive, 24 * fine, 10 * fine, 4.2 * fine, 3000 * fine * fine, refine);
    const RunResult result = run_case(parse_case(text, "case.toml"), options);
    for (const Quantity& q : result.quantities)
      if (q.name == "permeability") return q.value / (fine * fine);
    return 0.0;
  };
  const std::string pressures =
      "[[boundary]]\nsurface = \"x_min\"\ntype = \"pressure\"\npressure = 1e-4\n"
      "[[boundary]]\nsurface = \"x_max\"\ntype = \"pressure\"\npressure = 0\n";
  const std::string force = "periodic = [true, false]\n[physics]\nacceleration = [1e-6, 0]\n";
  const auto levels = [](const std::string& box) { return "[[refine]]\nlevel = 1\nbox = " + box + "\n"; };
  for (const std::string& drive : {pressures, force}) {
    SCOPED_TRACE(drive);
    const double fine = permeability(drive, "", 2), coarse = permeability(drive, "", 1);
    EXPECT_GT(coarse, 1.02 * fine);
    EXPECT_NEAR(permeability(drive, levels("[[16, 0], [32, 20]]"), 1), fine, 0.01 * fine);
  }
  const double fine = permeability(pressures, "", 2);
  EXPECT_NEAR(permeability(pressures, levels("[[16, 0], [48, 20]]"), 1), fine, 0.01 * fine);
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

/// A closed box as a file.
std::string box_file(const Real3& lower, const Real3& upper) {
  const auto corner = [&](int k) {
    return fmt::format("vertex {} {} {}\n", (k & 1 ? upper : lower)[0], (k & 2 ? upper : lower)[1],
                       (k & 4 ? upper : lower)[2]);
  };
  std::string text = "solid plate\n";
  for (const auto& [a, b, c, d] :
       {std::array{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}})
    for (const auto& [p, q, r] : {std::array{a, b, c}, {a, c, d}})
      text += "facet normal 0 0 0\nouter loop\n" + corner(p) + corner(q) + corner(r) + "endloop\nendfacet\n";
  return text + "endsolid plate\n";
}

/// Past a plate between periodic faces, which a force drives.
const char* const past_a_plate = R"(
[units]
tau = 0.6
[domain]
dimension = 2
nodes = [48, 32]
periodic = [true, true]
[[geometry.stl]]
file = "plate.stl"
name = "plate"
fluid = "outside"
[[refine]]
level = 1
REGION
[physics]
acceleration = [2e-5, 0]
[numerics]
collision = "mrt"
[run]
steps = 6000
)";

/// A sheet may be on any level, but not where it ends.
TEST(LevelsRun, SheetsKeepAwayFromInterfaces) {
  const TemporaryFolder folder;
  folder.write("plate.stl", box_file({15.9, 9.4, -1}, {16.1, 22.7, 2}));
  const auto with = [&](const std::string& region) {
    std::string text = past_a_plate;
    text.replace(text.find("REGION"), 6, region);
    return read_case(folder.write("case.toml", text));
  };
  for (const char* const region : {"box = [[16, 8, 0], [32, 16, 1]]", "box = [[8, 8, 0], [16, 24, 1]]"}) {
    const std::string message = refusal_of(with(region), folder);
    EXPECT_NE(message.find("'plate', a sheet with fluid on both sides, comes too near"), std::string::npos) << message;
  }
  for (const char* const region : {"around = \"plate\"\ndistance = 3", "box = [[32, 8, 0], [40, 24, 1]]"})
    EXPECT_NO_THROW(Session{with(region)}) << region;
}

/// A plate without a node of the coarsest level in it is a solid on the finer one, and the flow past it is that of the
/// finer grid everywhere.
TEST(LevelsRun, ThinSolidsAreThoseOfTheirLevel) {
  const TemporaryFolder folder;
  const auto energy_of = [&](const std::string& text, int steps = 6000) {
    Session session(read_case(folder.write("case.toml", text)));
    session.advance(steps);
    const std::vector<std::string> names = session.monitor_names();
    const auto found = std::find_if(names.begin(), names.end(),
                                    [](const std::string& name) { return name.starts_with("kinetic_energy"); });
    return session.monitors().at(static_cast<std::size_t>(found - names.begin()));
  };
  const auto replaced = [](std::string text, const std::vector<std::pair<std::string, std::string>>& changes) {
    for (const auto& [from, to] : changes) text.replace(text.find(from), from.size(), to);
    return text;
  };
  const std::string coarse = replaced(past_a_plate, {{"[[refine]]\nlevel = 1\nREGION\n", ""}});
  folder.write("plate.stl", box_file({31.4, 18.8, -1}, {32.6, 45.4, 2}));
  const double fine =
      0.25 *
      energy_of(replaced(coarse, {{"tau = 0.6", "tau = 0.7"}, {"[48, 32]", "[96, 64]"}, {"[2e-5, 0]", "[1e-5, 0]"}}),
                12000);
  folder.write("plate.stl", box_file({15.7, 9.4, -1}, {16.3, 22.7, 2}));
  const double levels = energy_of(replaced(past_a_plate, {{"REGION", "around = \"plate\"\ndistance = 4"}}));
  EXPECT_NEAR(levels / fine, 1, 0.02);
  EXPECT_GT(std::abs(energy_of(coarse) / fine - 1), 2 * std::abs(levels / fine - 1));
}

}  // namespace
}  // namespace fluvia::test
