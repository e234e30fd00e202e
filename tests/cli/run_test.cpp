// SPDX-License-Identifier: Apache-2.0
// The command line as users meet it: templates run, runs stop and resume exactly, instability is explained.
#include <gtest/gtest.h>
#include <signal.h>

#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "fluvia/case/templates.hpp"
#include "fluvia/output/checkpoint/checkpoint.hpp"
#include "support/program.hpp"

namespace fluvia::test {
namespace {

const char* const small_cavity = R"(title = "Small cavity"
[units]
system = "lattice"
viscosity = 0.02
reference_velocity = 0.1
reference_length = 24
[domain]
dimension = 2
nodes = [24, 20]
[[boundary]]
surface = "y_max"
type = "moving_wall"
velocity = [0.1, 0.0]
[run]
steps = 40
check_every = 10
[monitor]
every = 10
)";

/// What OpenMP is told counts for all of a run: also where initial fields are evaluated by each thread.
TEST(Threads, AreAsManyAsTheEnvironmentSays) {
  const Folder folder;
  write_text(folder / "case.toml", small_cavity);
  for (const char* threads : {"1", "3"}) {
    const std::string out = (folder / threads).string();
    const Outcome run =
        run_shell("OMP_NUM_THREADS=" + std::string(threads) + " " FLUVIA_BINARY " run " +
                  (folder / "case.toml").string() + " --output " + out +
                  " --set 'physics.initial_velocity_formula=[\"0.01*sin(y)\",\"0\"]' --set checkpoint.at_end=false");
    ASSERT_EQ(run.code, 0) << run.text;
    const auto summary = nlohmann::json::parse(read_text(folder / threads / "summary.json"));
    EXPECT_LE(summary["plan"]["threads"], std::stoi(threads));
  }
  EXPECT_EQ(read_text(folder / "1" / "monitors.csv"), read_text(folder / "3" / "monitors.csv"));
}

class Templates : public testing::TestWithParam<std::string> {};

TEST_P(Templates, AreWrittenPlannedAndRun) {
  const Folder folder;
  const Outcome written = run_fluvia("new " + GetParam() + " " + folder.string());
  ASSERT_EQ(written.code, 0) << written.text;
  const std::string file = (folder / (GetParam() + ".toml")).string();
  const Outcome plan = run_fluvia("plan " + file);
  EXPECT_EQ(plan.code, 0) << plan.text;
  EXPECT_NE(plan.text.find("memory"), std::string::npos) << plan.text;
  const Outcome run = run_fluvia("run " + file + " --steps 20 --output " + (folder / "out").string());
  ASSERT_EQ(run.code, 0) << run.text;
  const auto summary = nlohmann::json::parse(read_text(folder / "out" / "summary.json"));
  EXPECT_EQ(summary["results"]["ended_because"], "last step");
  for (const auto& name : summary["files"])
    EXPECT_TRUE(std::filesystem::exists(folder / "out" / name.get<std::string>())) << name;
  const Outcome again = run_fluvia("new " + GetParam() + " " + folder.string());
  EXPECT_EQ(again.code, 2) << "existing files must not be overwritten";
}

INSTANTIATE_TEST_SUITE_P(All, Templates, testing::ValuesIn(template_names()), [](const auto& instance) {
  std::string name = instance.param;
  for (char& ch : name)
    if (ch == '-') ch = '_';
  return name;
});

/// Numbers of each row of a monitor file by the text of their step.
std::map<std::string, std::vector<double>> monitor_rows(const std::string& text) {
  std::map<std::string, std::vector<double>> rows;
  std::istringstream lines(text);
  std::string line, cell;
  std::getline(lines, line);  // header
  while (std::getline(lines, line)) {
    std::istringstream cells(line);
    std::vector<double> numbers;
    while (std::getline(cells, cell, ',')) numbers.push_back(std::stod(cell));
    if (!numbers.empty()) rows[line.substr(0, line.find(','))] = numbers;
  }
  return rows;
}

TEST(Run, ResumedWithAnotherSchemeAndThreadCountEqualsUninterrupted) {
  const Folder folder;
  write_text(folder / "case.toml", small_cavity);
  const std::string file = (folder / "case.toml").string();
  ASSERT_EQ(run_fluvia("run " + file + " --output " + (folder / "whole").string()).code, 0);
  for (const char* scheme : {"aa", "pull", "esoteric-pull", "compact-aa", "compact-pull"}) {
    const std::string part = (folder / scheme).string();
    ASSERT_EQ(
        run_fluvia("run " + file + " --steps 13 --threads 2 --set numerics.scheme=esoteric-pull --output " + part).code,
        0);
    const Outcome resumed =
        run_fluvia("run " + file + " --resume --threads 1 --set numerics.scheme=" + scheme + " --output " + part);
    ASSERT_EQ(resumed.code, 0) << resumed.text;
    // The stop at step 13 left a row of its own, which belongs to the first run only.
    const auto whole = monitor_rows(read_text(folder / "whole" / "monitors.csv"));
    const auto joined = monitor_rows(read_text(std::filesystem::path(part) / "monitors.csv"));
    for (const char* step : {"20", "30", "40"}) {
      ASSERT_TRUE(whole.contains(step) && joined.contains(step)) << scheme << " " << step;
      // Populations are the same bit for bit (tests/solver); sums over them follow the scheme's order of nodes and
      // differ in the last bits: a few thousand nodes of 1e-16 each.
      ASSERT_EQ(whole.at(step).size(), joined.at(step).size());
      for (std::size_t k = 0; k < whole.at(step).size(); ++k)
        EXPECT_NEAR(joined.at(step)[k], whole.at(step)[k], 1e-13) << scheme << " step " << step << " column " << k;
    }
  }
}

/// The last lines are what the summary says.
TEST(RunReport, EndsWithTheVerdict) {
  const Folder folder;
  const std::string probe = "\n[[monitor.probe]]\nname = \"near\"\nposition = [4.5, 4.5]\n";
  write_text(folder / "case.toml", small_cavity + probe);
  const std::string run = "run " + (folder / "case.toml").string() + " --output " + (folder / "out").string();
  const Outcome outcome = run_fluvia(run + " --set monitor.every=1 --steps 60");
  ASSERT_EQ(outcome.code, 0) << outcome.text;
  const auto summary = nlohmann::json::parse(read_text(folder / "out" / "summary.json"));
  const std::string sentence = summary["results"]["verdict"]["sentence"];
  const std::size_t at = outcome.text.find("\n" + sentence + "\n");
  ASSERT_NE(at, std::string::npos) << outcome.text << sentence;
  EXPECT_EQ(at + sentence.size() + 2, outcome.text.size()) << "nothing follows it";
  EXPECT_EQ(sentence.find("verdict: do not trust: not steady yet ("), 0u) << sentence;
  EXPECT_NE(outcome.text.find("\nresults (±"), std::string::npos);
  EXPECT_NE(outcome.text.find("\nchecks:\n"), std::string::npos);
  EXPECT_NE(outcome.text.find("\n  near_u "), std::string::npos) << outcome.text;
  // What it advises is taken.
  const std::string next = sentence.substr(sentence.find("--resume"));
  const Outcome again = run_fluvia(run + " --set monitor.every=1 " + next);
  EXPECT_EQ(again.code, 0) << again.text;
  EXPECT_NE(again.text.find("resuming at step 60"), std::string::npos) << again.text;
}

TEST(SweepCommand, PrintsATableAndSaysWhatWentWrong) {
  const Folder folder;
  write_text(folder / "case.toml", small_cavity);
  const std::string sweep = "sweep " + (folder / "case.toml").string() + " --output " + (folder / "out").string() +
                            " --vary units.viscosity=0.02,0.04";
  const Outcome whole = run_fluvia(sweep + " --columns kinetic_energy,\"max_mach [-]\"");
  EXPECT_EQ(whole.code, 0) << whole.text;
  EXPECT_NE(whole.text.find("run 2 of 2: viscosity=0.04"), std::string::npos) << whole.text;
  EXPECT_NE(
      whole.text.find("units.viscosity      ended  step  kinetic_energy [lattice]  max_mach [-]          verdict\n"),
      std::string::npos)
      << whole.text;
  EXPECT_NE(whole.text.find("           0.04  last step    40  "), std::string::npos) << whole.text;
  const auto summary = nlohmann::json::parse(read_text(folder / "out" / "viscosity=0.04" / "summary.json"));
  EXPECT_EQ(summary["command"], (nlohmann::json{"fluvia", "sweep", (folder / "case.toml").string(), "--vary",
                                                "units.viscosity=0.02,0.04", "--output", (folder / "out").string()}));
  const Outcome again = run_fluvia(sweep);
  EXPECT_EQ(again.code, 0) << again.text;
  EXPECT_EQ(again.text.find("run 1 of 2"), std::string::npos) << again.text;
  const Outcome wrong = run_fluvia(sweep + " --columns kinetic");
  EXPECT_EQ(wrong.code, 2) << wrong.text;
  EXPECT_NE(wrong.text.find("no run has a monitor 'kinetic'; there are "), std::string::npos) << wrong.text;
  const Outcome refused = run_fluvia("sweep " + (folder / "case.toml").string() + " --output " +
                                     (folder / "out").string() + " --vary units.viscosity=1e-9,0.02");
  EXPECT_EQ(refused.code, 3) << refused.text;
  EXPECT_NE(refused.text.find("viscosity=1e-9: refused: "), std::string::npos) << refused.text;
  EXPECT_NE(refused.text.find("           0.02  last step    40"), std::string::npos) << refused.text;
}

TEST(Plan, TellsHowManyStepsTheRunTakes) {
  const Folder folder;
  std::string text = small_cavity;
  write_text(folder / "case.toml", text);
  const std::string plan = "plan " + (folder / "case.toml").string() + " --set run.steps=123";
  EXPECT_NE(run_fluvia(plan).text.find(" s for 123 steps at "), std::string::npos);
  text.replace(text.find("steps = 40"), 10, "time = 70.0");
  write_text(folder / "case.toml", text);
  const Outcome timed = run_fluvia("plan " + (folder / "case.toml").string());
  EXPECT_NE(timed.text.find(" s for 70 steps at "), std::string::npos) << timed.text;
  // Its speed is that share of the bandwidth which it says.
  double bytes = 0, bandwidth = 0, mflups = 0, share = 0;
  const auto scan = [&](const char* start, const char* format, double& a, double& b) {
    const std::size_t at = timed.text.find(start);
    return at != std::string::npos && std::sscanf(timed.text.c_str() + at, format, &a, &b) == 2;
  };
  ASSERT_TRUE(scan("traffic", "traffic %lf bytes per fluid node and step; copy bandwidth %lf GB/s", bytes, bandwidth));
  ASSERT_TRUE(scan("steps at", "steps at %lf MFLUPS (%lf%%", mflups, share));
  EXPECT_NEAR(mflups * bytes / (1e3 * bandwidth), share / 100, 0.011) << timed.text;  // whole percents, GB/s to a digit
}

/// D3Q13 relaxes normal and shear stresses at rates of their own; of others there is one rate to tell.
TEST(Plan, TellsTwoRatesOfStressesOfD3Q13Only) {
  const Folder folder;
  write_text(folder / "case.toml",
             "[units]\ntau = 0.8\n[domain]\nnodes = [12, 10, 8]\n[numerics]\ndevice = \"cpu\"\n[run]\nsteps = 4\n");
  const std::string plan = "plan " + (folder / "case.toml").string();
  const std::string two = "rates of normal and shear stresses ";
  const Outcome one = run_fluvia(plan);
  EXPECT_EQ(one.code, 0) << one.text;
  EXPECT_EQ(one.text.find(two), std::string::npos) << one.text;
  const Outcome both = run_fluvia(plan + " --set numerics.lattice=D3Q13 --set numerics.collision=mrt");
  EXPECT_EQ(both.code, 0) << both.text;
  EXPECT_NE(both.text.find(two), std::string::npos) << both.text;
}

TEST(Run, ResumedKeepsTheMonitorRowOfItsCheckpoint) {
  const Folder folder;
  write_text(folder / "case.toml", small_cavity);
  const std::string run = "run " + (folder / "case.toml").string() + " --threads 1 --output ";
  const std::string whole = (folder / "whole").string(), part = (folder / "part").string();
  ASSERT_EQ(run_fluvia(run + whole).code, 0);
  ASSERT_EQ(run_fluvia(run + part + " --steps 20").code, 0);
  ASSERT_EQ(run_fluvia(run + part + " --resume").code, 0);
  EXPECT_EQ(read_text(folder / "part" / "monitors.csv"), read_text(folder / "whole" / "monitors.csv"));
}

/// The profile follows from the time, so nothing of it is in checkpoints; 13 steps end within a period of 17.
TEST(Run, ResumedWithinAPeriodEqualsUninterrupted) {
  const Folder folder;
  write_text(folder / "flow.csv", "0,0.02\n4,0.05\n5,0.01\n17,0.02\n");
  write_text(folder / "case.toml",
             "[units]\nviscosity = 0.02\n[domain]\ndimension = 2\nnodes = [20, 12]\n[[boundary]]\nsurface = "
             "\"x_min\"\ntype = \"velocity\"\nprofile = \"womersley\"\nseries = \"flow.csv\"\nseries_quantity = "
             "\"speed\"\n[[boundary]]\nsurface = \"x_max\"\ntype = \"pressure\"\n[run]\nsteps = 31\n[monitor]\nevery = "
             "13\n[checkpoint]\nat_end = true\n");
  const std::string run = "run " + (folder / "case.toml").string() + " --threads 1 --output ";
  const std::string whole = (folder / "whole").string(), part = (folder / "part").string();
  const Outcome plan = run_fluvia("plan " + (folder / "case.toml").string());
  EXPECT_NE(plan.text.find("x_min: womersley, Womersley number 25.8"), std::string::npos) << plan.text;
  ASSERT_EQ(run_fluvia(run + whole).code, 0);
  ASSERT_EQ(run_fluvia(run + part + " --steps 13").code, 0);
  ASSERT_EQ(run_fluvia(run + part + " --resume").code, 0);
  for (const char* file : {"monitors.csv", "checkpoint-000000000031.fluvia"})
    EXPECT_TRUE(read_text(folder / "part" / file) == read_text(folder / "whole" / file)) << file;
}

TEST(Run, InterruptWritesCheckpointAndSaysHowToResume) {
  const Folder folder;
  write_text(folder / "case.toml", small_cavity);
  for (const char* signal_name : {"INT", "TERM"}) {
    const std::string out = (folder / signal_name).string();
    // The monitor file appears when time stepping begins.
    const std::string command = FLUVIA_BINARY " run " + (folder / "case.toml").string() +
                                " --steps 2000000000 --output " + out + " & pid=$!; while [ ! -s " + out +
                                "/monitors.csv ]; do sleep 0.1; done; sleep 0.3; kill -" + signal_name +
                                " $pid; wait $pid";
    const Outcome stopped = run_shell(command);
    EXPECT_EQ(stopped.code, 6) << stopped.text;
    EXPECT_NE(stopped.text.find("--resume"), std::string::npos) << stopped.text;
    std::vector<std::string> warnings;
    const auto latest = find_latest_checkpoint(out, warnings);
    ASSERT_TRUE(latest.has_value());
    const auto step = inspect_checkpoint(*latest).step;
    EXPECT_GT(step, 0);
    const Outcome resumed = run_fluvia("run " + (folder / "case.toml").string() + " --resume --steps " +
                                       std::to_string(step + 20) + " --output " + out);
    EXPECT_EQ(resumed.code, 0) << resumed.text;
  }
}

TEST(Run, InstabilityIsExplainedAndTheLastGoodStateKept) {
  const Folder folder;
  write_text(folder / "case.toml", small_cavity);
  const std::string out = (folder / "out").string();
  const Outcome unstable =
      run_fluvia("run " + (folder / "case.toml").string() +
                 " --steps 100000 --set units.viscosity=1e-5 --set physics.initial_velocity=[0.2,0.0] "
                 "--set numerics.collision=bgk --output " +
                 out);
  EXPECT_EQ(unstable.code, 5) << unstable.text;
  for (const char* part :
       {"unstable at step", "node (", "likely cause: tau", "\"bgk\"", "last good state", "tried: with --set "})
    EXPECT_NE(unstable.text.find(part), std::string::npos) << part << "\n" << unstable.text;
  std::vector<std::string> warnings;
  EXPECT_TRUE(find_latest_checkpoint(out, warnings).has_value());
  // The folder says so, too.
  const nlohmann::json summary = nlohmann::json::parse(read_text(folder / "out" / "summary.json"));
  const nlohmann::json& results = summary["results"];
  EXPECT_EQ(results["ended_because"], "diverged");
  EXPECT_EQ(results["planned_last_step"], 100000);
  EXPECT_GT(results["last_step"], summary["run"]["step"]) << "the state is the last good one";
  EXPECT_EQ(results["verdict"]["verdict"], "do not trust");
  EXPECT_NE(std::string(results["verdict"]["sentence"]).find("unstable at step"), std::string::npos);
  const std::string advice = results["verdict"]["findings"][0]["advice"];
  EXPECT_TRUE(advice.starts_with("tried: with --set ")) << advice;
  EXPECT_NE(advice.find("; tau = "), std::string::npos) << advice;
  EXPECT_FALSE(summary["files"].empty());
}

TEST(Run, InstabilityBeforeTheFirstCheckKeepsTheInitialState) {
  const Folder folder;
  write_text(folder / "case.toml", small_cavity);
  const std::string out = (folder / "out").string();
  const std::string run = "run " + (folder / "case.toml").string() + " --output " + out +
                          " --set units.viscosity=1e-6 --set physics.initial_velocity=[0.3,0.1] ";
  const Outcome unstable = run_fluvia(run +
                                      "--steps 100000 --set run.check_every=50000 --set monitor.every=50000 "
                                      "--set numerics.collision=bgk --set physics.initial_pressure=0.1");
  EXPECT_EQ(unstable.code, 5) << unstable.text;
  for (const char* part :
       {"no good state was reached before; the initial state is in", "last-good-000000000000.fluvia"})
    EXPECT_NE(unstable.text.find(part), std::string::npos) << part << "\n" << unstable.text;
  const std::size_t at = unstable.text.find("unstable at step ");
  ASSERT_NE(at, std::string::npos) << unstable.text;
  EXPECT_LT(std::stol(unstable.text.substr(at + 17)), 10000) << "long before the first regular look";
  EXPECT_EQ(inspect_checkpoint(folder / "out" / "last-good-000000000000.fluvia").step, 0);
}

TEST(Run, ADensityBelowZeroIsADivergence) {
  const Folder folder;
  // Fluid that is drawn apart: no speed beyond the limit, but nothing left in the middle.
  write_text(folder / "case.toml",
             "[units]\nviscosity = 0.5\n[domain]\ndimension = 2\nnodes = [40, 4]\nperiodic = [false, true]\n"
             "[[boundary]]\nsurface = \"x_min\"\ntype = \"velocity\"\nspeed = -0.3\n"
             "[[boundary]]\nsurface = \"x_max\"\ntype = \"velocity\"\nspeed = -0.3\n"
             "[numerics]\ndevice = \"cpu\"\nequilibrium = \"incompressible\"\n[run]\nsteps = 5000\nmax_mach = 1.7\n");
  const Outcome outcome =
      run_fluvia("run " + (folder / "case.toml").string() + " --output " + (folder / "out").string());
  EXPECT_EQ(outcome.code, 5) << outcome.text;
  EXPECT_NE(outcome.text.find("times that at rest, is not above 0"), std::string::npos) << outcome.text;
  EXPECT_NE(outcome.text.find("the initial state is in"), std::string::npos) << outcome.text;
}

TEST(Run, StopsAtSteadyState) {
  const Folder folder;
  write_text(folder / "case.toml", std::string(small_cavity) + "[run.steady]\ntolerance = 1e-4\nwindow = 100\n");
  const Outcome outcome =
      run_fluvia("run " + (folder / "case.toml").string() + " --steps 100000 --output " + (folder / "out").string());
  EXPECT_EQ(outcome.code, 0) << outcome.text;
  EXPECT_NE(outcome.text.find("steady state"), std::string::npos) << outcome.text;
}

TEST(Run, AveragesAreWrittenOnceThereAreSome) {
  const Folder folder;
  write_text(folder / "case.toml", std::string(small_cavity) + R"(average_from = 25
[output]
every = 10
fields = ["average_pressure"]
[[output.slice]]
field = "average_pressure"
axis = "z"
arrows = 5
)");
  const std::string run = "run " + (folder / "case.toml").string() + " --output " + (folder / "out").string();
  const Outcome outcome = run_fluvia(run);
  ASSERT_EQ(outcome.code, 0) << outcome.text;
  for (const char* step : {"000000010", "000000020", "000000030", "000000040"}) {
    const bool averaged = step >= std::string("000000025");
    EXPECT_EQ(std::filesystem::exists(folder / "out" / (std::string("fields-") + step + ".vtkhdf")), averaged) << step;
    EXPECT_EQ(std::filesystem::exists(folder / "out" / (std::string("slice-average_pressure-z-") + step + ".png")),
              averaged)
        << step;
  }
  EXPECT_EQ(outcome.text.find("there are no averages"), std::string::npos) << outcome.text;
  const Outcome early = run_fluvia(run + " --set run.steady.tolerance=1 --set run.steady.window=10");
  EXPECT_EQ(early.code, 0) << early.text;
  EXPECT_NE(early.text.find("there are no averages: the run ended at step 20, before the first sample from step 25 on"),
            std::string::npos)
      << early.text;
}

TEST(Geometry, ReportsCaseWithPictures) {
  const Folder folder;
  ASSERT_EQ(run_fluvia("new aneurysm " + folder.string()).code, 0);
  const Outcome report =
      run_fluvia("geometry " + (folder / "aneurysm.toml").string() + " --parts 3 --png " + (folder / "g").string());
  EXPECT_EQ(report.code, 0) << report.text;
  const std::size_t parts = report.text.find("parts:\n  0    ");
  ASSERT_NE(parts, std::string::npos) << report.text;
  EXPECT_NE(report.text.find("\n  2    ", parts), std::string::npos);
  EXPECT_EQ(report.text.find("\n  3    ", parts), std::string::npos);
  for (const char* axis : {"x", "y", "z"})
    EXPECT_TRUE(std::filesystem::exists(folder / (std::string("g-") + axis + ".png")));
  EXPECT_EQ(report.text.find("no fonts"), std::string::npos) << report.text;
}

TEST(Geometry, PicturesNeedNoFonts) {
  const Folder folder;
  write_text(folder / "fonts.conf",
             "<?xml version=\"1.0\"?><!DOCTYPE fontconfig SYSTEM \"fonts.dtd\"><fontconfig><dir>" +
                 (folder / "none").string() + "</dir><cachedir>" + (folder / "cache").string() +
                 "</cachedir></fontconfig>\n");
  write_text(folder / "case.toml", small_cavity);
  const Outcome report =
      run_shell("FONTCONFIG_FILE=" + (folder / "fonts.conf").string() + " " FLUVIA_BINARY " geometry " +
                (folder / "case.toml").string() + " --png " + (folder / "g").string());
  EXPECT_EQ(report.code, 0) << report.text;
  EXPECT_NE(report.text.find("warning: no fonts are installed"), std::string::npos) << report.text;
  EXPECT_TRUE(std::filesystem::exists(folder / "g-z.png"));
}

TEST(Info, ListsWhatIsRegistered) {
  const Outcome info = run_fluvia("info");
  EXPECT_EQ(info.code, 0);
  for (const char* name : {"D2Q9", "D3Q27", "regularized", "esoteric-pull", "compact-aa", "fp16c", "free_slip"})
    EXPECT_NE(info.text.find(name), std::string::npos) << name;
}

}  // namespace
}  // namespace fluvia::test
