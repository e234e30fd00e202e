// SPDX-License-Identifier: Apache-2.0
// Cases that nothing drives, or whose flow cannot leave: said before the first step, and by the verdict.
#include "fluvia/run/checks/drive.hpp"

#include <gtest/gtest.h>

#include "fluvia/run/prepared_flow.hpp"
#include "run/small_cases.hpp"

namespace fluvia::test {
namespace {

using Json = nlohmann::json;
using Settings = std::vector<std::string>;

std::string open_box(const std::string& rest) {
  return R"(
[units]
viscosity = 0.05
[domain]
dimension = 2
nodes = [40, 20]
[run]
steps = 500
[monitor]
every = 20
[numerics]
threads = 1
[output]
vtk = "none"
[checkpoint]
at_end = false
)" + rest;
}

std::string face(const std::string& surface, const std::string& type, const std::string& rest = "") {
  return "[[boundary]]\nsurface = \"" + surface + "\"\ntype = \"" + type + "\"\n" + rest + "\n";
}

std::vector<DriveProblem> problems_of(const std::string& text, const Settings& settings = {}) {
  const Case c = parse_case(text, "case.toml", settings);
  PreparedFlow flow(c, [](const std::string&) {});
  flow.build();
  const Units units = flow.units();
  return find_drive_problems({c, units, flow.take_geometry()});
}

/// The one problem of a case, which the verdict judges, too. `settings`: those that it advises, with which there is
/// none and the fluid moves.
void expect_problem(const std::string& text, const std::string& words, bool fatal, const Settings& settings = {}) {
  SCOPED_TRACE(words);
  const std::vector<DriveProblem> problems = problems_of(text);
  ASSERT_EQ(problems.size(), 1u) << words;
  EXPECT_NE(problems[0].text.find(words), std::string::npos) << problems[0].text;
  EXPECT_EQ(problems[0].fatal, fatal) << problems[0].text;
  const Json results = run_text(text).results;
  const Json drive = finding(results, "drive");
  EXPECT_EQ(drive["judgement"], fatal ? "bad" : "doubtful") << results["verdict"];
  EXPECT_NE(drive["advice"], "");
  EXPECT_EQ(drive["settings"], Json(settings));
  if (settings.empty()) return;
  EXPECT_NE(as_warning(problems[0]).find("--set " + settings[0]), std::string::npos) << as_warning(problems[0]);
  EXPECT_TRUE(problems_of(text, settings).empty());
  const Json mended = run_text(text, settings).results;
  EXPECT_TRUE(finding(mended, "drive").is_null()) << finding(mended, "drive");
  EXPECT_GT(quantity(mended, "max_velocity")["value"].get<double>(), 5e-4);
}

const std::string inlet = face("x_min", "velocity", "velocity = [0.02, 0]");

TEST(Drive, NeedsAWayOut) {
  expect_problem(open_box(inlet), "what 'x_min' prescribes adds 50% of the fluid in 1000 steps", true,
                 {"boundary.x_max.type=pressure"});
  expect_problem(open_box(inlet + face("x_max", "velocity", "velocity = [0.018, 0]")),
                 "what 'x_min', 'x_max' prescribe adds 5% of the fluid in 1000 steps", true,
                 {"boundary.x_max.velocity=[0.02,0]"});
  expect_problem(open_box(inlet + face("x_max", "velocity", "velocity = [0.022, 0]")), "takes away 5%", true,
                 {"boundary.x_max.velocity=[0.02,0]"});
  expect_problem(open_box(face("y_min", "velocity", "speed = -0.01")), "takes away", true,
                 {"boundary.y_max.type=pressure"});
  expect_problem(
      open_box(inlet + face("x_max", "velocity", "speed = -0.01") + face("y_max", "velocity", "speed = -0.0025")),
      "adds", true, {"boundary.x_max.speed=-0.0133333", "boundary.y_max.speed=-0.00333333"});
  // The face opposite is a plane of symmetry: nothing that Fluvia could know would let the fluid out.
  expect_problem(open_box(inlet + face("x_max", "symmetry")), "adds 50%", true);
  EXPECT_TRUE(problems_of(open_box(inlet + face("x_max", "velocity", "velocity = [0.02, 0]"))).empty());
  EXPECT_TRUE(problems_of(open_box(inlet + face("x_max", "pressure"))).empty());
  EXPECT_TRUE(problems_of(open_box(inlet + face("x_max", "non_reflecting"))).empty());
  EXPECT_TRUE(problems_of(open_box(face("x_min", "velocity", "flow_rate = 0.4") +
                                   face("x_max", "velocity", "flow_rate = -0.4")))
                  .empty());
}

/// The pressure of a windkessel lies behind vessels that are not computed: no fluid of the case has it, so that it may
/// be as far from the fluid's as it likes, and it drives a flow, or lets it go on.
TEST(Drive, KnowsThePressureBehindAWindkessel) {
  const auto vessels = [](const std::string& pressure, double resistance) {
    return face("x_max", "windkessel",
                "proximal_resistance = " + std::to_string(resistance / 4) + "\ndistal_resistance = " +
                    std::to_string(resistance) + "\ncompliance = 100\npressure = " + pressure);
  };
  const std::string from = face("x_min", "pressure", "pressure = 0.001");
  EXPECT_TRUE(problems_of(open_box(from + vessels("0", 0.001))).empty());
  const std::vector<DriveProblem> none = problems_of(open_box(face("x_min", "pressure") + vessels("0", 0.001)));
  ASSERT_EQ(none.size(), 1u);
  EXPECT_NE(none[0].text.find("nothing drives the flow"), std::string::npos) << none[0].text;
  // R Q is 2.5 times the pressure of fluid at rest here; the reference is what the windkessel comes to.
  const RunResult run = run_text(open_box(face("x_min", "velocity", "speed = 0.02") + vessels("0", 2)));
  EXPECT_TRUE(finding(run.results, "drive").is_null());
}

TEST(Drive, NeedsAWayThrough) {
  const auto gate = [](double height) {
    return "[[geometry.shape]]\nkind = \"box\"\nname = \"gate\"\ncenter = [20, " + std::to_string(height / 2) +
           "]\nsize = [4, " + std::to_string(height) + "]\n";
  };
  for (const std::string& from : {inlet, face("x_min", "pressure", "pressure = 0.001")}) {
    const std::string way = from + face("x_max", "pressure");
    expect_problem(open_box(way + gate(22)), "no way leads through the fluid from 'x_min' or 'x_max' to any other",
                   true);
    EXPECT_TRUE(problems_of(open_box(way + gate(15))).empty());
  }
}

TEST(Drive, NeedsSomethingThatDrives) {
  const std::string bare = open_box("");
  expect_problem(bare, "nothing drives the flow", false);
  std::string endless = bare;
  endless.replace(endless.find("nodes ="), 0, "periodic = [true, false]\n");
  expect_problem(endless, "nothing drives the flow", false, {"physics.acceleration=[3e-05,0]"});
  expect_problem(open_box(face("x_min", "pressure") + face("x_max", "pressure")), "nothing drives the flow", false,
                 {"boundary.x_min.pressure=0.0012"});
  for (const Settings& driven :
       {Settings{"physics.acceleration=[1e-6,0]"}, Settings{"physics.initial_velocity=[0.01,0]"},
        Settings{"physics.initial_flow=taylor-green", "physics.initial_speed=0.01"},
        Settings{"physics.initial_pressure_formula=0.001*x/lx"}})
    EXPECT_TRUE(problems_of(bare, driven).empty()) << driven[0];
  EXPECT_TRUE(problems_of(open_box(face("y_max", "moving_wall", "velocity = [0.01, 0]"))).empty());
  EXPECT_TRUE(problems_of(open_box(face("x_min", "pressure", "pressure = 0.001") + face("x_max", "pressure"))).empty());
}

/// Openings that hold one pressure fill the fluid with it, and that is all: "inflow = outflow" was bad, "differ by 200%
/// of what passes", since what passes is rounding.
TEST(Drive, IsNoPressureThatAllOpeningsHold) {
  const std::string one = face("x_min", "pressure", "pressure = 1e-4");
  expect_problem(open_box(one), "only 'x_min' holds a pressure, so that the fluid takes that pressure", false,
                 {"boundary.x_max.type=pressure", "boundary.x_max.pressure=-0.0011"});
  expect_problem(open_box(one + face("x_max", "pressure", "pressure = 1e-4")), "the same pressure at 'x_min', 'x_max'",
                 false, {"boundary.x_min.pressure=0.0013"});
  expect_problem(open_box(one + face("y_max", "symmetry") + face("x_max", "non_reflecting", "pressure = 1e-4")),
                 "the same pressure at 'x_min', 'x_max'", false, {"boundary.x_min.pressure=0.0002875"});
  for (const std::string& faces : {one, one + face("x_max", "pressure", "pressure = 1e-4"),
                                   one + face("y_max", "moving_wall", "velocity = [0.02, 0]")}) {
    const Json balance = finding(run_text(open_box(faces), {"run.steps=8000"}).results, "inflow = outflow");
    EXPECT_EQ(balance["judgement"], "good") << balance;
    EXPECT_EQ(balance["found"], "nothing passes the openings");
  }
}

TEST(Drive, OfAForceNeedsFluidThatRunsOn) {
  const Settings periodic = {"domain.periodic=[true,false]", "physics.acceleration=[1e-6,0]"};
  const std::string wall = "[[geometry.shape]]\nkind = \"box\"\ncenter = [20, 10]\nsize = [4, 22]\n";
  const std::vector<DriveProblem> problems = problems_of(open_box(wall), periodic);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].text.find("physics.acceleration drives nothing"), 0u) << problems[0].text;
  EXPECT_TRUE(problems_of(open_box(""), periodic).empty());
  // A fluid that bears its own weight is none of these.
  EXPECT_TRUE(problems_of(open_box(""), {"physics.acceleration=[0,-1e-6]"}).empty());
}

TEST(Drive, IsSaidBeforeTheRun) {
  std::vector<std::string> warnings;
  const Case c = parse_case(open_box(inlet), "case.toml");
  PreparedFlow flow(c, [&](const std::string& warning) { warnings.push_back(warning); });
  flow.build();
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("make an opening one of type 'pressure'"), std::string::npos) << warnings[0];
}

}  // namespace
}  // namespace fluvia::test
