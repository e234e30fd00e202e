// SPDX-License-Identifier: Apache-2.0
// Each question has a flow that fails it and one that does not, and whatever is advised leaves a case that is valid.
#include "fluvia/run/findings/verdict.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <fstream>
#include <numbers>

#include "run/small_cases.hpp"

namespace fluvia::test {
namespace {

using Json = nlohmann::json;
using Settings = std::vector<std::string>;

/// The case with the advised settings on top of those it had; it must be valid, and its domain the same.
Case advised(const std::string& text, const Settings& settings, const Json& advice) {
  Settings all = settings;
  for (const Json& setting : advice) all.push_back(setting.get<std::string>());
  const Case c = parse_case(text, "case.toml", all);
  validate(c);
  make_units(c, make_grid(c).spacing);
  return c;
}

/// Runs the case and tries all that the verdict advises.
Json judge(const std::string& text, const Settings& settings = {}) {
  const Json results = run_text(text, settings).results;
  for (const Json& each : results["verdict"]["findings"]) {
    const bool good = each["judgement"] == "good";
    EXPECT_EQ(good, each["advice"] == "" && each["settings"].empty()) << each;
    EXPECT_NO_THROW(advised(text, settings, each["settings"])) << each;
  }
  return results;
}

std::string judgement(const Json& results, const std::string& question) {
  const Json found = finding(results, question);
  return found.is_null() ? "not asked" : found["judgement"].get<std::string>();
}

/// All that one grid can tell is good; it cannot tell its own error.
TEST(Verdict, OfASteadyFlowOnOneGridLeavesTheGridErrorOpen) {
  const RunResult run = run_text(channel);
  const Json& verdict = run.results["verdict"];
  EXPECT_EQ(verdict["verdict"], "trust, grid error unknown") << run.report;
  EXPECT_EQ(verdict["sentence"], fmt::format("verdict: trust, grid error unknown: {} of {} checks are good; next: run "
                                             "it on other grids, too: --refine-check",
                                             verdict["findings"].size() - 1, verdict["findings"].size()));
  EXPECT_GE(verdict["findings"].size(), 6u);
}

TEST(Verdict, SaysWhatIsNotSteadyAndForHowLongToRun) {
  const Settings early = {"run.steps=800"};
  const Json results = judge(channel, early);
  const Json steady = finding(results, "steady");
  EXPECT_EQ(steady["judgement"], "bad") << steady;
  EXPECT_GT(steady["value"].get<double>(), steady["limit"].get<double>());
  EXPECT_NE(steady["found"].get<std::string>().find("kinetic energy still changes"), std::string::npos) << steady;
  const std::string sentence = results["verdict"]["sentence"];
  EXPECT_EQ(sentence.find("verdict: do not trust: not steady yet (kinetic energy still changes "), 0u) << sentence;
  ASSERT_EQ(steady["settings"].size(), 1u);
  EXPECT_NE(sentence.find("next: run longer: --set " + steady["settings"][0].get<std::string>()), std::string::npos)
      << sentence;
  // What is advised suffices, and is not much more than that.
  const Case longer = advised(channel, early, steady["settings"]);
  EXPECT_EQ(judgement(run_text(channel, {"run.steps=" + std::to_string(*longer.run.steps)}).results, "steady"), "good");
  EXPECT_LT(*longer.run.steps, 20000);
}

TEST(Verdict, NamesThePlaceToGoOnFromOnlyIfThereIsOne) {
  const auto next = [](const Settings& settings) {
    return run_text(channel, settings).results["verdict"]["sentence"].get<std::string>();
  };
  EXPECT_EQ(next({"run.steps=800"}).find("--resume"), std::string::npos);
  EXPECT_NE(next({"run.steps=800", "checkpoint.at_end=true"}).find("run longer: --resume --set run.steps="),
            std::string::npos);
}

TEST(Verdict, AsksForTimeWhereTheCaseGivesTime) {
  const Settings settings = {"run.steady.tolerance=0.9", "run.steady.window=100", "monitor.every=2"};
  const std::string timed = [] {
    std::string text = si_duct;
    return text.replace(text.find("steps = 3000"), 12, "time = 0.4");
  }();
  const Json results = judge(timed, settings);
  const Json steady = finding(results, "steady");
  ASSERT_NE(steady["judgement"], "good") << steady;
  const Case longer = advised(timed, settings, steady["settings"]);
  EXPECT_GE(*longer.run.time, 0.49);
  // It had ended since it was steady by what the case says, which must change, too.
  EXPECT_NEAR(longer.run.steady->tolerance, 0.09, 1e-9);
}

TEST(Verdict, SaysIfRowsAreTooFewToTell) {
  const Json results = judge(channel, {"monitor.every=4000"});
  EXPECT_EQ(judgement(results, "steady"), "doubtful");
  EXPECT_EQ(finding(results, "steady")["settings"][0], "monitor.every=40");
  EXPECT_EQ(judgement(judge(channel, {"monitor.every=40"}), "steady"), "good");
  EXPECT_EQ(judgement(judge(channel, {"run.steps=2", "monitor.every=1"}), "steady"), "doubtful");
}

TEST(Verdict, SaysThatARunWasInterrupted) {
  const TemporaryFolder folder;
  const std::atomic<bool> interrupt = true;
  RunOptions options;
  options.output = folder.path();
  options.interrupt = &interrupt;
  const RunResult run = run_case(parse_case(channel, "case.toml"), options);
  ASSERT_TRUE(run.interrupted);
  EXPECT_EQ(judgement(run.results, "complete"), "doubtful");
  EXPECT_NE(run.report.find(fmt::format("interrupted at step {} of 8000", run.steps)), std::string::npos) << run.report;
  EXPECT_NE(run.report.find("go on: --resume\n"), std::string::npos) << run.report;
  const std::string sentence = run.results["verdict"]["sentence"];
  EXPECT_EQ(sentence.find(fmt::format("verdict: interrupted at step {} of 8000: ", run.steps)), 0u) << sentence;
  EXPECT_EQ(judgement(run_text(channel).results, "complete"), "not asked");
}

/// A moving lid that swings: few periods, and many.
TEST(Verdict, SaysIfMeansAreOfTooShortATime) {
  const TemporaryFolder folder;
  const std::string text = swinging_tunnel(folder);
  const Json many = judge(text, {"run.steps=6000", "monitor.every=5"});
  EXPECT_EQ(judgement(many, "statistics"), "good");
  const std::string steady = finding(many, "steady")["found"];
  // The verdict speaks of the forces, which are what the case asks for: what sound does to the pressure of the inlet
  // does not count.
  EXPECT_NE(steady.find("fluctuates about means that do not drift ("), std::string::npos) << steady;
  EXPECT_NE(steady.find(": mean known to 0.0"), std::string::npos) << steady;
  EXPECT_EQ(steady.find("_x_min"), std::string::npos) << steady;
  const Settings few = {"run.steps=3000", "monitor.every=5", "monitor.average_from=2700"};
  const Json results = judge(text, few);
  EXPECT_EQ(judgement(results, "statistics"), "doubtful") << finding(results, "statistics");
  EXPECT_GT(*advised(text, few, finding(results, "statistics")["settings"]).run.steps, 3000);
  EXPECT_EQ(judgement(judge(channel), "statistics"), "not asked");
}

TEST(Verdict, ComparesInflowAndOutflow) {
  EXPECT_EQ(judgement(judge(tunnel), "inflow = outflow"), "good");
  const Json early = judge(tunnel, {"run.steps=160"});
  EXPECT_EQ(judgement(early, "inflow = outflow"), "bad") << finding(early, "inflow = outflow");
  EXPECT_EQ(finding(early, "inflow = outflow")["settings"], finding(early, "steady")["settings"])
      << "one number of steps";
  EXPECT_EQ(judgement(judge(channel), "inflow = outflow"), "not asked");
}

TEST(Verdict, SaysIfTheDensityIsFarFromThatAtRest) {
  EXPECT_EQ(judgement(judge(si_duct), "density"), "good");
  const Settings strong = {"boundary.x_min.pressure=0.1", "run.steps=4000"};
  const Json results = judge(si_duct, strong);
  const Json density = finding(results, "density");
  EXPECT_NE(density["judgement"], "good") << density;
  ASSERT_EQ(judgement(results, "steady"), "good") << finding(results, "steady");
  // What is advised brings it below the limit: it goes like the square of the time step, and the reference pressure in
  // the middle halves it.
  const Case slower = advised(si_duct, strong, density["settings"]);
  EXPECT_NEAR(*slower.units.reference_pressure, 0.05, 0.005);
  const double ratio =
      make_units(slower, 1e-4).time_step / make_units(parse_case(si_duct, "case.toml"), 1e-4).time_step;
  EXPECT_LE(ratio * ratio * density["value"].get<double>() / 2, 1.001 * density["limit"].get<double>());
}

TEST(Verdict, SaysIfTheFlowIsTooFast) {
  const std::string cavity = R"(
[units]
viscosity = 0.02
[domain]
dimension = 2
nodes = [20, 20]
[[boundary]]
surface = "y_max"
type = "moving_wall"
velocity = [0.1, 0]
[run]
steps = 400
[monitor]
every = 5
[output]
vtk = "none"
)";
  EXPECT_EQ(judgement(judge(cavity), "Mach number"), "good");
  EXPECT_EQ(judgement(judge(cavity, {"boundary.y_max.velocity=[0.16,0]"}), "Mach number"), "doubtful");
  EXPECT_EQ(judgement(judge(cavity, {"boundary.y_max.velocity=[0.25,0]"}), "Mach number"), "bad");
  // Fluid that comes to rest: what was fastest counts.
  const Json calming = judge(cavity, {"boundary.y_max.velocity=[0,0]", "physics.initial_velocity=[0.08,0]"});
  EXPECT_GT(finding(calming, "Mach number")["value"].get<double>(), 0.1) << finding(calming, "Mach number");
  // Half a node from the wall: the shear is 0.2 in units of the lid's velocity.
  EXPECT_EQ(judgement(judge(cavity), "y+ of first nodes"), "good");
  const Json coarse = judge(cavity, {"units.viscosity=0.0004", "physics.smagorinsky=0.15"});
  EXPECT_NE(judgement(coarse, "y+ of first nodes"), "good") << finding(coarse, "y+ of first nodes");
  EXPECT_EQ(judgement(coarse, "grid Reynolds number"), "doubtful") << "a model is no resolution";
  EXPECT_EQ(judgement(judge(cavity), "grid Reynolds number"), "good");
  EXPECT_EQ(judgement(judge(cavity, {"units.viscosity=0.0003", "run.steps=100"}), "grid Reynolds number"), "bad");
}

TEST(Verdict, MeasuresDistancesFromWallsByTheViscosityThere) {
  // A power-law fluid between plates: the stress at the wall is 10 * acceleration, the shear rate there 0.01, the
  // viscosity 0.05.
  const std::string plates = R"(
[units]
viscosity = 0.1
[domain]
dimension = 2
nodes = [3, 20]
periodic = [true, false]
[physics]
acceleration = [5e-5, 0.0]
[physics.rheology]
model = "power-law"
consistency = 0.005
flow_index = 0.5
least_viscosity = 0.01
most_viscosity = 1.0
[run]
steps = 12000
[monitor]
every = 100
[output]
vtk = "none"
)";
  const Json walls = finding(judge(plates), "y+ of first nodes");
  EXPECT_NEAR(walls["value"].get<double>(), 0.5 * std::sqrt(5e-4) / 0.05, 0.01) << walls;
}

/// Steps of walls at an angle take more than the law does.
TEST(Verdict, SaysIfALawActsOnWallsAtAnAngle) {
  const Settings thin = {"units.viscosity=1e-5",
                         "physics.smagorinsky=0.1",
                         "numerics.collision=\"cumulant\"",
                         "domain.nodes=[60,60]",
                         "geometry.shape.body.radius=11",
                         "geometry.shape.body.from=[20,30]",
                         "geometry.shape.body.to=[20,30,1]",
                         "run.steps=20"};
  const auto with_law = [](const std::string& surface) {
    return tunnel + "[[boundary]]\nsurface = \"" + surface + "\"\ntype = \"wall_function\"\n";
  };
  const auto walls = [&](const std::string& surface) {
    return finding(judge(with_law(surface), thin), "y+ of first nodes");
  };
  const auto has_angles = [](const Json& of) {
    return of["found"].get<std::string>().find("walls at an angle") != std::string::npos;
  };
  const Json round = walls("body");
  EXPECT_EQ(round["judgement"], "bad");
  EXPECT_TRUE(has_angles(round)) << round;
  EXPECT_FALSE(has_angles(walls("y_min")));
}

TEST(Verdict, SaysIfCoefficientsAreOfAConfinedBody) {
  const Json narrow = judge(tunnel);
  EXPECT_EQ(judgement(narrow, "blockage"), "doubtful");
  EXPECT_NEAR(finding(narrow, "blockage")["value"].get<double>(), 100.0 * 8 / 24, 1e-9);
  EXPECT_NE(finding(narrow, "blockage")["found"].get<std::string>().find("those of a confined body"),
            std::string::npos);
  const Settings wide = {"domain.nodes=[60,200]", "run.steps=200"};
  EXPECT_EQ(judgement(judge(tunnel, wide), "blockage"), "good");
  // Without coefficients nobody takes the force for anything else.
  std::string forces = tunnel;
  forces.erase(forces.find("reference_area = 8\ndrag_axis = [1, 0]\n"), 38);
  EXPECT_EQ(judgement(judge(forces), "blockage"), "not asked");
}

TEST(Verdict, SaysIfTheBodyHasFewNodes) {
  const Json few = judge(tunnel);
  EXPECT_EQ(judgement(few, "body"), "bad");
  EXPECT_EQ(finding(few, "body")["value"], 8);
  const Settings large = {"geometry.shape.body.radius=11", "domain.nodes=[60,60]", "geometry.shape.body.from=[20,30]",
                          "geometry.shape.body.to=[20,30,1]", "run.steps=200"};
  EXPECT_EQ(judgement(judge(tunnel, large), "body"), "good");
}

TEST(Verdict, ComparesReferencesWithBodyAndInflow) {
  const Json right = judge(tunnel);
  EXPECT_EQ(judgement(right, "reference area"), "good");
  EXPECT_EQ(judgement(right, "reference velocity"), "good");
  const Settings wrong = {"monitor.reference_area=0.8", "units.reference_velocity=0.015"};
  const Json results = judge(tunnel, wrong);
  EXPECT_EQ(judgement(results, "reference area"), "bad");
  EXPECT_EQ(judgement(results, "reference velocity"), "doubtful");
  const Case c = advised(tunnel, wrong, finding(results, "reference area")["settings"]);
  EXPECT_NEAR(*c.monitors.reference_area, 8, 1e-9);
  EXPECT_NEAR(*advised(tunnel, wrong, finding(results, "reference velocity")["settings"]).units.reference_velocity,
              0.05, 1e-3);
}

TEST(Verdict, ComparesReferencesInUnitsOfTheCase) {
  const Settings metres = {"units.system=si",
                           "units.spacing=0.5",
                           "units.density=1",
                           "units.viscosity=0.025",
                           "units.lattice_velocity=0.05",
                           "geometry.shape.body.from=[10,6]",
                           "geometry.shape.body.to=[10,6,1]",
                           "geometry.shape.body.radius=2",
                           "monitor.reference_area=4",
                           "run.steps=200"};
  const Json area = finding(judge(tunnel, metres), "reference area");
  EXPECT_EQ(area["judgement"], "good") << area;
  EXPECT_NEAR(area["value"].get<double>(), 1, 1e-9) << area;
}

TEST(Verdict, SaysIfPassagesAreNarrow) {
  EXPECT_EQ(judgement(judge(channel), "passages"), "good");
  EXPECT_EQ(judgement(judge(channel, {"domain.nodes=[12,3]"}), "passages"), "bad");
  const Settings coarse = {"units.spacing=1.5e-4"};  // 8 nodes across
  const Json results = judge(si_duct, coarse);
  EXPECT_EQ(judgement(results, "passages"), "doubtful");
  const Case finer = advised(si_duct, coarse, finding(results, "passages")["settings"]);
  EXPECT_GE(make_grid(finer).size[1], 10);
  EXPECT_EQ(judgement(judge(si_duct), "passages"), "good");
}

TEST(Verdict, SaysIfThePermeabilityIsOfAFlowThatCreeps) {
  const Settings slow = {"monitor.permeability_axis=x", "physics.acceleration=[1e-7,0]", "run.steps=4000"};
  EXPECT_EQ(judgement(judge(channel, slow), "creeping flow"), "good");
  const Settings fast = {"monitor.permeability_axis=x", "physics.acceleration=[2e-4,0]", "run.steps=4000"};
  const Json results = judge(channel, fast);
  EXPECT_EQ(judgement(results, "creeping flow"), "bad");
  const Case c = advised(channel, fast, finding(results, "creeping flow")["settings"]);
  EXPECT_LT(c.physics.acceleration[0], 2e-4 * 0.1 / finding(results, "creeping flow")["value"].get<double>());
  EXPECT_EQ(judgement(judge(channel), "creeping flow"), "not asked");
}

TEST(Verdict, RemembersWhatWasWarnedOf) {
  EXPECT_EQ(judgement(judge(channel, {"run.steps=100"}), "warnings"), "not asked");
  const Json results = judge(channel, {"run.steps=100", "units.viscosity=0.5"});
  EXPECT_EQ(judgement(results, "warnings"), "doubtful");
  EXPECT_EQ(finding(results, "warnings")["value"], 1);
}

/// Another spacing or time step leaves the flow as it is, in metres and seconds, and every way to say it.
TEST(Advice, KeepsTheFlow) {
  const std::string by_nodes = [] {
    std::string text = si_duct;
    return text.replace(text.find("size = [0.003, 0.0012]"), 22, "nodes = [30, 12]");
  }();
  std::string by_speed = si_duct, by_step = si_duct;
  by_speed.replace(by_speed.find("tau = 0.9"), 9, "lattice_velocity = 0.013");
  by_step.replace(by_step.find("tau = 0.9"), 9, "time_step = 1.3e-3");
  for (const std::string& text : {si_duct, by_nodes, by_speed, by_step}) {
    const Settings given = {"monitor.average_from=1000"};
    const Case c = parse_case(text, "case.toml", given);
    const Grid grid = make_grid(c);
    const Units units = make_units(c, grid.spacing);
    const Adviser adviser(c, units, grid, 3000);
    for (const double factor : {1.3, 2.0, 3.7}) {
      const Advice finer = adviser.finer(factor), slower = adviser.slower(factor);
      ASSERT_FALSE(finer.settings.empty());
      ASSERT_FALSE(slower.settings.empty());
      const Case fine = advised(text, given, finer.settings), slow = advised(text, given, slower.settings);
      const Grid fine_grid = make_grid(fine);
      const Units fine_units = make_units(fine, fine_grid.spacing), slow_units = make_units(slow, grid.spacing);
      EXPECT_LE(fine_grid.spacing, 1.001 * grid.spacing / factor);
      EXPECT_GE(fine_grid.spacing, 0.7 * grid.spacing / factor);
      for (int axis = 0; axis < 2; ++axis)
        EXPECT_NEAR(fine_grid.size[axis] * fine_grid.spacing, grid.size[axis] * grid.spacing, 0.6 * fine_grid.spacing);
      EXPECT_NEAR(fine_units.reynolds(), units.reynolds(), 1e-5 * units.reynolds());
      const auto duration = [](const Case& changed, const Units& u) {
        return static_cast<double>(*changed.run.steps) * u.time_step;
      };
      for (const double ratio :
           {duration(fine, fine_units) / duration(c, units), duration(slow, slow_units) / duration(c, units),
            static_cast<double>(*fine.monitors.average_from) * fine_units.time_step / 1000 / units.time_step}) {
        EXPECT_GE(ratio, 0.99);
        EXPECT_LE(ratio, 1.11);  // of the steps two digits are given
      }
      EXPECT_LE(slow_units.mach(), 1.001 * units.mach() / factor);
      EXPECT_NEAR(slow_units.reynolds(), units.reynolds(), 1e-5 * units.reynolds());
    }
  }
}

TEST(Advice, OfLatticeUnitsIsInWords) {
  const Case c = parse_case(channel, "case.toml");
  const Grid grid = make_grid(c);
  const Adviser adviser(c, make_units(c, 1), grid, 8000);
  EXPECT_TRUE(adviser.finer(2).settings.empty());
  EXPECT_NE(adviser.finer(2).text.find("2 times"), std::string::npos);
  EXPECT_TRUE(adviser.slower(2).settings.empty());
  EXPECT_NE(adviser.slower(2).text.find("by 2"), std::string::npos);
}

TEST(Advice, OfImagesIsInWholeNodesOfACell) {
  const std::string image = R"(
[units]
system = "si"
spacing = 1e-5
density = 1000
viscosity = 1e-6
tau = 0.8
[domain]
periodic = [true, false, false]
[geometry.voxels]
file = "rock.raw"
shape = [10, 10, 10]
fluid_labels = [0]
refine = 2
[run]
steps = 1000
)";
  const Case c = parse_case(image, "case.toml");
  const Grid grid = make_grid(c);
  const Adviser adviser(c, make_units(c, grid.spacing), grid, 1000);
  const Case finer = advised(image, {}, adviser.finer(1.3).settings);
  EXPECT_EQ(finer.geometry.voxels->refine, 3);
  EXPECT_NEAR(make_grid(finer).spacing * make_grid(finer).size[0], grid.spacing * grid.size[0], 1e-9);
}

TEST(Advice, OfDigitsEndsWhereThereAreNoMore) {
  const auto settings = [](const std::string& format) {
    const Case c = parse_case(channel, "case.toml", {"numerics.format=" + format});
    return Adviser(c, make_units(c, 1), make_grid(c), 8000).more_digits().settings;
  };
  EXPECT_EQ(settings("fp16c"), Settings{"numerics.format=fp32"});
  EXPECT_EQ(settings("fp32"), Settings{"numerics.format=fp64"});
  EXPECT_TRUE(settings("fp64").empty());
}

}  // namespace
}  // namespace fluvia::test
