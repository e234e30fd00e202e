// SPDX-License-Identifier: Apache-2.0
// Verdicts judge what a case asks for: the Reynolds number of the real flow, forces rather than sound, cycles rather
// than moments of them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <functional>
#include <numbers>

#include "fluvia/base/error.hpp"
#include "fluvia/run/loop/course.hpp"
#include "fluvia/run/loop/cycles.hpp"
#include "fluvia/run/prepared_flow.hpp"
#include "run/small_cases.hpp"

namespace fluvia::test {
namespace {

using Json = nlohmann::json;
using Settings = std::vector<std::string>;

std::string found(const Json& results, const std::string& question) {
  const Json each = finding(results, question);
  return each.is_null() ? "not asked" : each["found"].get<std::string>();
}

std::string judged(const Json& results, const std::string& question) {
  const Json each = finding(results, question);
  return each.is_null() ? "not asked" : each["judgement"].get<std::string>();
}

// ---- Another Reynolds number

TEST(OtherReynolds, IsBadAndMarksWhatDependsOnIt) {
  // 0.05 * 8 / 0.05 = 8 is computed; 8000 is asked.
  const Settings replaced = {"units.reference_length=8", "units.physical_viscosity=5e-5", "run.steps=400"};
  const RunResult run = run_text(tunnel, replaced);
  const Json check = finding(run.results, "Reynolds number");
  EXPECT_EQ(check["judgement"], "bad");
  EXPECT_EQ(check["found"], "8 computed, 8000 asked");
  EXPECT_NEAR(check["value"].get<double>(), 1000, 1e-6);
  EXPECT_EQ(run.results["verdict"]["verdict"], "do not trust");
  for (const char* name : {"C_d_body", "force_body_x", "pressure_drop", "wall_shear_stress_max"})
    EXPECT_EQ(quantity(run.results, name)["at"], "Re = 8, not 8000") << name;
  EXPECT_TRUE(quantity(run.results, "flow_x_min")["at"].is_null()) << "is prescribed";
  EXPECT_NE(run.report.find("-  at Re = 8, not 8000"), std::string::npos) << run.report;
}

TEST(OtherReynolds, IsNotAskedOfTheFluidItself) {
  const Json results = run_text(tunnel, {"run.steps=100"}).results;
  EXPECT_EQ(judged(results, "Reynolds number"), "not asked");
  EXPECT_TRUE(quantity(results, "C_d_body")["at"].is_null());
}

TEST(OtherReynolds, IsJudgedByItsDistance) {
  const auto judgement = [](const char* viscosity) {
    return judged(run_text(tunnel, {"run.steps=40", fmt::format("units.physical_viscosity={}", viscosity)}).results,
                  "Reynolds number");
  };
  EXPECT_EQ(judgement("0.05"), "good");
  EXPECT_EQ(judgement("0.0495"), "good");
  EXPECT_EQ(judgement("0.04"), "doubtful");
  EXPECT_EQ(judgement("0.06"), "doubtful");
  EXPECT_EQ(judgement("0.02"), "bad");
  EXPECT_EQ(judgement("0.5"), "bad");
}

TEST(OtherReynolds, HasNoPartInTheFlowButInYPlus) {
  const Json real = run_text(tunnel, {"run.steps=200"}).results;
  const Json replaced = run_text(tunnel, {"run.steps=200", "units.physical_viscosity=0.0005"}).results;
  EXPECT_EQ(quantity(real, "C_d_body")["value"], quantity(replaced, "C_d_body")["value"]);
  EXPECT_NEAR(finding(replaced, "y+ of first nodes")["value"].get<double>() /
                  finding(real, "y+ of first nodes")["value"].get<double>(),
              100, 1e-4)
      << "stress is kept in single precision";
  EXPECT_EQ(parse_case(tunnel, "case.toml").hash,
            parse_case(tunnel, "case.toml", {"units.physical_viscosity=0.0005"}).hash)
      << "checkpoints stay valid";
}

TEST(OtherReynolds, IsRefusedWhereItMeansNothing) {
  EXPECT_THROW(parse_case(tunnel, "case.toml", {"units.physical_viscosity=0"}), Error);
  const std::string rheology =
      tunnel + "[physics.rheology]\nmodel = \"power-law\"\nconsistency = 0.05\nflow_index = 0.8\n";
  EXPECT_NO_THROW(validate(parse_case(rheology, "case.toml")));
  EXPECT_THROW(validate(parse_case(rheology, "case.toml", {"units.physical_viscosity=0.01"})), Error);
}

// ---- The areas that people refer to

TEST(ReferenceArea, OfAWingIsItsPlanform) {
  std::string text = tunnel;
  const std::string cylinder = "kind = \"cylinder\"\nfrom = [20, 12]\nto = [20, 12, 1]\nradius = 4";
  text.replace(text.find(cylinder), cylinder.size(), "kind = \"box\"\ncenter = [20, 12]\nsize = [16, 3]");
  const auto judgement = [&](const char* area) {
    return run_text(text, {"run.steps=40", fmt::format("monitor.reference_area={}", area)}).results;
  };
  EXPECT_EQ(judged(judgement("16"), "reference area"), "good") << "the chord";
  EXPECT_NE(found(judgement("16"), "reference area").find("16 seen along y: 1 times"), std::string::npos)
      << found(judgement("16"), "reference area");
  EXPECT_EQ(judged(judgement("3"), "reference area"), "good") << "what the flow sees";
  EXPECT_EQ(judged(judgement("100"), "reference area"), "bad");
  EXPECT_EQ(judged(judgement("0.3"), "reference area"), "bad");
}

// ---- Rest

/// A ball in a closed tank under gravity: nothing moves but by rounding, 1e-7 of the speed of sound, and the pressure
/// is that of the height.
TEST(Rest, OfAFluidThatBearsItsWeightIsSteady) {
  const std::string tank = R"(
[units]
viscosity = 0.1
[domain]
nodes = [8, 8, 12]
[[geometry.shape]]
kind = "sphere"
name = "ball"
center = [4, 4, 5]
radius = 2
[physics]
acceleration = [0, 0, -5e-7]
[numerics]
threads = 1
[run]
steps = 4000
[monitor]
every = 40
forces = ["ball", "z_min"]
[[monitor.probe]]
name = "low"
position = [1.5, 1.5, 0.5]
[output]
vtk = "none"
[checkpoint]
at_end = false
)";
  for (const char* gravity : {"-5e-7", "-5e-5"}) {
    const Json results = run_text(tank, {fmt::format("physics.acceleration=[0,0,{}]", gravity)}).results;
    EXPECT_EQ(judged(results, "steady"), "good") << gravity << finding(results, "steady");
    EXPECT_NE(judged(results, "statistics"), "doubtful") << finding(results, "statistics");
  }
}

// ---- What was asked for

/// The pressure between two openings is judged, and not that of one of them: both rise alike here.
TEST(Steady, OfOpeningsIsTheirPressureDrop) {
  const Json results = run_text(si_duct).results;
  const std::string words = found(results, "steady");
  EXPECT_EQ(words.find("pressure_x_m"), std::string::npos) << words;
  const Json drop = quantity(results, "pressure_drop");
  EXPECT_FALSE(drop["error"].is_null());
}

/// Sound between an inlet and an outlet that has hardly died out when the force has.
TEST(Steady, OfABodyIsItsForce) {
  const Json results = run_text(tunnel, {"run.steps=3000", "boundary.x_max.type=non_reflecting"}).results;
  const std::string words = found(results, "steady");
  EXPECT_EQ(words.find("_x_min"), std::string::npos) << words;
  EXPECT_EQ(words.find("_x_max"), std::string::npos) << words;
  EXPECT_EQ(words.find("kinetic energy"), std::string::npos) << words;
}

// ---- Cycles

SignalStatistics signal_of(const std::function<double(double)>& value, int samples) {
  SignalStatistics signal;
  for (int k = 0; k < samples; ++k) signal.add(value(k));
  return signal;
}

constexpr double whole_turn = 2 * std::numbers::pi;

TEST(Cycles, HaveMeanSystoleDiastoleAndChange) {
  const double period = 32.5;  // no whole number of samples
  // The mean is 3, the swing 1; a transient dies out by a half each cycle, 0.1 at the end.
  const int samples = 130;
  const auto decaying = [&](double k) {
    return 3 + std::sin(whole_turn * k / period) + 0.1 * std::pow(0.5, (k - samples + 1) / period);
  };
  const SignalStatistics signal = signal_of(decaying, samples);
  const Course course = judge_cycles(signal, decaying(samples - 1), 4, 10, period);
  ASSERT_TRUE(course.cycle);
  EXPECT_EQ(course.cycle->count, 4);
  EXPECT_NEAR(course.cycle->systole, 4 + 0.15, 0.03);
  EXPECT_NEAR(course.cycle->diastole, 2 + 0.11, 0.03);
  // The largest difference is at the beginning of the last cycle, where 0.2 is left of 0.4.
  EXPECT_NEAR(course.cycle->change, 0.2 / 4, 0.005);
  EXPECT_NEAR(course.cycle->decay, 0.5, 0.02);
  // The limit 3 is still off the mean of the last cycle by 0.144, and the error says so.
  EXPECT_NEAR(course.value, 3 + 0.1 / std::log(2.0), 0.01);
  EXPECT_NEAR(*course.error, course.value - 3, 0.02);
  EXPECT_TRUE(course.is_mean());
}

TEST(Cycles, OfWhatFlowsOutAreTurnedRound) {
  const auto out = [](double k) { return -3 - std::sin(whole_turn * k / 40); };
  const Course course = judge_cycles(signal_of(out, 160), out(159), 4, 1, 40);
  ASSERT_TRUE(course.cycle);
  EXPECT_NEAR(course.cycle->systole, -4, 0.01);
  EXPECT_NEAR(course.cycle->diastole, -2, 0.01);
  EXPECT_NEAR(course.cycle->change, 0, 1e-9);
  EXPECT_NEAR(course.value, -3, 1e-3);
}

/// A cycle of 34493.57 steps has 50.06 rows 689 steps apart, and the last two of them have 100 rows.
TEST(Cycles, AreWholeWhereLessThanARowIsMissing) {
  const double period = 34493.57 / 689;
  const auto beating = [&](double k) { return 3 + std::sin(whole_turn * k / period); };
  const Course whole = judge_cycles(signal_of(beating, 100), beating(99), 4, 689, period);
  ASSERT_TRUE(whole.cycle);
  EXPECT_EQ(whole.cycle->count, 2);
  EXPECT_NEAR(whole.value, 3, 1e-3);
  EXPECT_LT(whole.cycle->change, 1e-3);
  EXPECT_FALSE(judge_cycles(signal_of(beating, 99), beating(98), 4, 689, period).cycle);
}

TEST(Cycles, AreNotThoseOfWhatDoesNotChange) {
  const Course course = judge_cycles(signal_of([](double) { return 2.0; }, 160), 2, 2, 1, 40);
  EXPECT_FALSE(course.cycle);
  EXPECT_EQ(course.kind, Course::Kind::steady);
}

TEST(Cycles, OfAFlowThatIsDrivenInThemAreJudged) {
  const TemporaryFolder folder;
  const std::string text = swinging_tunnel(folder, true);
  const Json results = run_text(text, {"run.steps=3000", "monitor.every=5"}).results;
  EXPECT_EQ(judged(results, "steady"), "good") << finding(results, "steady");
  EXPECT_NE(found(results, "steady").find("30 cycles of 100 steps"), std::string::npos) << found(results, "steady");
  EXPECT_EQ(judged(results, "statistics"), "not asked");
  const Json inflow = quantity(results, "flow_x_min");
  EXPECT_NEAR(inflow["value"].get<double>(), 24 * 0.02, 24 * 2e-5);
  EXPECT_NEAR(inflow["cycle"]["systole"].get<double>(), 24 * 0.03, 24 * 2e-5);
  EXPECT_NEAR(inflow["cycle"]["diastole"].get<double>(), 24 * 0.01, 24 * 2e-5);
  EXPECT_LT(inflow["cycle"]["change"].get<double>(), 1e-3);
  EXPECT_LT(quantity(results, "flow_x_max")["cycle"]["systole"].get<double>(), -24 * 0.025);
  EXPECT_FALSE(quantity(results, "C_d_body")["cycle"].is_null());
  // The window is of whole cycles.
  EXPECT_EQ(results["statistics"]["window"], "last 15 cycles");
}

TEST(Cycles, ThatAreMissingAreCounted) {
  const TemporaryFolder folder;
  const std::string text = swinging_tunnel(folder, true);
  for (const auto& [steps, judgement, missing] :
       {std::tuple("run.steps=60", "bad", ": 2.4 missing"), std::tuple("run.steps=150", "bad", ": 1.5 missing"),
        std::tuple("run.steps=250", "doubtful", ": 0.5 missing")}) {
    const Json results = run_text(text, {steps, "monitor.every=2"}).results;
    EXPECT_EQ(judged(results, "steady"), judgement) << steps;
    EXPECT_NE(found(results, "steady").find(missing), std::string::npos) << found(results, "steady");
    EXPECT_EQ(finding(results, "steady")["settings"][0].get<std::string>().substr(0, 10), "run.steps=") << steps;
  }
  // The first cycles after the start from rest are not alike; what is advised suffices.
  const Json early = run_text(text, {"run.steps=300", "monitor.every=2"}).results;
  const Json steady = finding(early, "steady");
  EXPECT_NE(steady["judgement"], "good") << steady;
  EXPECT_NE(steady["found"].get<std::string>().find("from cycle to cycle"), std::string::npos) << steady;
}

/// Rows once a cycle, or twice, see the same moments of each: the flow looks steady, and is not.
TEST(Cycles, ThatAreSampledAtTheirPeriodAreNotSteady) {
  const TemporaryFolder folder;
  const std::string text = swinging_tunnel(folder, true);
  for (const int every : {20, 50, 100, 200, 300}) {
    const Settings rare = {"run.steps=6000", fmt::format("monitor.every={}", every)};
    const RunResult run = run_text(text, rare);
    EXPECT_EQ(judged(run.results, "steady"), "bad") << every;
    EXPECT_NE(found(run.results, "steady").find(fmt::format("a row of the monitors every {} steps is ", every)),
              std::string::npos)
        << found(run.results, "steady");
    const Json advice = finding(run.results, "steady")["settings"];
    ASSERT_EQ(advice.size(), 1u);
    EXPECT_EQ(advice[0], "monitor.every=2");
    const Case c = parse_case(text, "case.toml", rare);
    const std::vector<std::string> warned = advise_rows_per_cycle(c, make_units(c, 1));
    ASSERT_EQ(warned.size(), 1u) << "before the run, too";
    EXPECT_EQ(warned[0].find("may look so") != std::string::npos, every > 50) << warned[0];
  }
  const Case often = parse_case(text, "case.toml", {"monitor.every=5"});
  EXPECT_TRUE(advise_rows_per_cycle(often, make_units(often, 1)).empty());
}

TEST(Cycles, OfSeveralSeriesAreThoseOfAll) {
  const TemporaryFolder folder;
  const auto write = [&](const std::string& name, const std::string& rows) {
    std::ofstream(folder.path() / name) << "time,value\n" << rows;
    return (folder.path() / name).string();
  };
  const auto period = [&](const std::string& inlet, const std::string& outlet, const char* more = "run.steps=10") {
    std::string text = tunnel;
    text.replace(text.find("speed = 0.05"), 12, "series = \"" + inlet + "\"\nseries_quantity = \"speed\"");
    text.replace(text.find("type = \"pressure\""), 17,
                 "type = \"pressure\"\nseries = \"" + outlet + "\"\nseries_quantity = \"pressure\"");
    return forcing_period(parse_case(text, "case.toml", {more}));
  };
  const std::string ten = write("ten.csv", "0,0.01\n5,0.02\n10,0.01\n");
  const std::string fifteen = write("fifteen.csv", "2,0\n9,1e-3\n17,0\n");
  const std::string odd = write("odd.csv", "0,0\n5,1e-3\n9.8696044,0\n"), level = write("level.csv", "0,0\n7,0\n");
  EXPECT_NEAR(*period(ten, fifteen), 30, 1e-9);
  EXPECT_NEAR(*period(ten, level), 10, 1e-9) << "what does not change has no period";
  EXPECT_FALSE(period(ten, odd)) << "no common one";
  EXPECT_NEAR(*period(ten, fifteen, "boundary.x_min.series_periodic=false"), 15, 1e-9);
  EXPECT_NEAR(*period(ten, fifteen, "boundary.x_min.series_period=15"), 15, 1e-9);
  EXPECT_FALSE(forcing_period(parse_case(tunnel, "case.toml")));
}

/// Bodies that turn evenly, but what is round about its axis, and those whose course repeats.
TEST(Cycles, OfBodiesAreTurnsAndCourses) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "course.csv") << "t,x,y,turn\n1,0,0,0\n2,3,0,0\n4,0,0,0\n";
  const auto period = [&](const std::string& shape, const std::string& motion) {
    return forcing_period(
        parse_case("title = \"t\"\n[units]\nviscosity = 0.1\n[domain]\ndimension = 2\nnodes = [32, 32]\n"
                   "[[geometry.shape]]\nname = \"a\"\n" +
                       shape + "\n[[body]]\nsurface = \"a\"\nmotion = { " + motion + " }\n[run]\nsteps = 10\n",
                   "case.toml"));
  };
  const std::string box = "kind = \"box\"\ncenter = [16, 16]\nsize = [8, 4]";
  const std::string disc = "kind = \"cylinder\"\nfrom = [16, 16]\nradius = 5";
  const std::string turns = "center = [16, 16], angular_velocity = [0, 0, -0.01]";
  EXPECT_NEAR(*period(box, turns), 200 * std::numbers::pi, 1e-9);
  EXPECT_FALSE(period(disc, turns)) << "round about its axis";
  EXPECT_TRUE(period(disc, "center = [16, 17], angular_velocity = [0, 0, 0.01]")) << "off its axis";
  EXPECT_FALSE(period(box, turns + ", velocity = [0.01, 0, 0]")) << "is somewhere else after a turn";
  const std::string course = "center = [16, 16], series = \"" + (folder.path() / "course.csv").string() + "\"";
  EXPECT_NEAR(*period(box, course + ", series_periodic = true"), 3, 1e-12);
  EXPECT_FALSE(period(box, course));
}

/// The last value of a file is often left out, since it is the first of the next cycle.
TEST(Cycles, ThatJumpAreWarnedOf) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "q.csv") << "time,value\n0,0.01\n10,0.02\n20,0.03\n30,0.02\n";
  const auto warnings_of = [&](const std::string& more) {
    std::string text = tunnel;
    text.replace(text.find("speed = 0.05"), 12,
                 "series = \"" + (folder.path() / "q.csv").string() + "\"\nseries_quantity = \"speed\"" + more);
    std::string all;
    const Case c = parse_case(text, "case.toml");
    PreparedFlow(c, [&](const std::string& warning) { all += warning + "\n"; }).build();
    return all;
  };
  const std::string jump = warnings_of("");
  EXPECT_CONTAINS(jump, "is repeated every 30 and jumps from its last value, 0.02, to its first, 0.01");
  EXPECT_CONTAINS(jump, "--set boundary.x_min.series_period=40");
  EXPECT_EQ(warnings_of("\nseries_period = 40").find("jumps"), std::string::npos);
  EXPECT_EQ(warnings_of("\nseries_periodic = false").find("jumps"), std::string::npos);
}

/// The force of half a body across the plane of symmetry that cuts it is taken back by its other half, settles last,
/// and was what "steady" waited for.
TEST(Steady, OfHalfABodyLeavesOutWhatTheOtherHalfTakesBack) {
  std::string half = tunnel;
  for (const auto& [from, to] : {std::pair("[20, 12]", "[20, 0]"), std::pair("[20, 12, 1]", "[20, 0, 1]"),
                                 std::pair("drag_axis = [1, 0]", "drag_axis = [1, 0]\nlift_axis = [0, 1]")})
    half.replace(half.find(from), std::string(from).size(), to);
  for (const char* face : {"y_min", "y_max"})
    half += fmt::format("[[boundary]]\nsurface = \"{}\"\ntype = \"symmetry\"\n", face);
  const Json results = run_text(half, {"run.steps=3000"}).results;
  const std::string steady = found(results, "steady");
  EXPECT_NE(steady.find("_body"), std::string::npos) << steady;
  for (const char* taken_back : {"body_y", "C_l_body", "torque", "C_m"})
    EXPECT_EQ(steady.find(taken_back), std::string::npos) << steady;
  EXPECT_FALSE(quantity(results, "force_body_y").is_null()) << "is still among the results";
}

}  // namespace
}  // namespace fluvia::test
