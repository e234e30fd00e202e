// SPDX-License-Identifier: Apache-2.0
// Trials before runs, with measurements that the tests make up: what is tried, what is taken, what is remembered.
#include "fluvia/backend/trial.hpp"

#include <gtest/gtest.h>
#include <omp.h>

#include <cstdlib>
#include <map>

#include "fluvia/backend/backend.hpp"
#include "fluvia/base/machine/control_group.hpp"
#include "fluvia/base/machine/memory.hpp"
#include "fluvia/base/machine/processor.hpp"
#include "fluvia/run/run.hpp"
#include "support/temporary_folder.hpp"

namespace fluvia::test {
namespace {

/// A box with a cylinder across its rows, 558,000 fluid nodes: the plain box and compact storage are about as fast.
const std::string obstacle = R"(
[units]
viscosity = 0.05
[domain]
nodes = [96, 80, 80]
periodic = [true, false, true]
[[geometry.shape]]
kind = "cylinder"
from = [48, 40, 0]
to = [48, 40, 80]
radius = 15
[physics]
acceleration = [1e-5, 0, 0]
[numerics]
device = "cpu"
threads = 2
collision = "bgk"
[output]
vtk = "none"
[run]
steps = 1000000
)";

Case case_with(const std::vector<std::string>& settings = {}) {
  return parse_case(obstacle, "case.toml", settings);
}

struct Prepared {
  explicit Prepared(const Case& c)
      : grid(make_grid(c)), units(make_units(c, grid.spacing)), geometry(build_geometry(c, grid)) {}
  Grid grid;
  Units units;
  Geometry geometry;
};

/// Gives each scheme the speed that a test wants, and notes what was asked for.
struct Speeds {
  std::map<std::string, double> of;
  std::vector<std::string> asked{};

  MeasureCandidate measure() {
    return [this](const TrialCandidate& candidate, double) -> std::optional<double> {
      asked.push_back(candidate.scheme + "/" + std::to_string(candidate.steps_per_pass));
      const auto found = of.find(candidate.scheme);
      return found == of.end() ? std::nullopt : std::optional(found->second);
    };
  }
};

class Trials : public testing::Test {
 protected:
  Trial make(const Case& c, TrialMode mode, Speeds& speeds) {
    speeds.asked.clear();
    return make_trial({c, prepared.units, prepared.geometry}, mode, memory, speeds.measure());
  }
  static std::string taken(const Trial& trial) { return trial.rows.empty() ? "" : trial.rows[trial.chosen].scheme; }
  std::string model() { return plan_case({case_with(), prepared.units, prepared.geometry}).scheme_name(); }
  std::string other() { return model() == "aa" ? "compact-aa" : "aa"; }

  TemporaryFolder folder;
  TrialMemory memory{folder.path()};
  Prepared prepared{case_with()};
};

TEST(TrialRows, KeepTheFirstUnlessAnotherIsClearlyFaster) {
  const auto chosen = [](const std::vector<double>& speeds) {
    std::vector<TrialRow> rows;
    for (const double speed : speeds) rows.push_back({"aa", 1, speed});
    return choose_row(rows);
  };
  EXPECT_EQ(chosen({100}), 0u);
  EXPECT_EQ(chosen({100, 104}), 0u);
  EXPECT_EQ(chosen({100, 106, 120, 119}), 2u);
  EXPECT_EQ(chosen({100, 0, 0}), 0u);
}

TEST(TrialRows, AreMeasuredAgainBeforeAnotherTakesTheFirstPlace) {
  const std::vector<TrialCandidate> candidates = {{"aa", 1, 1}, {"compact-aa", 1, 0.9}, {"pull", 1, 0.8}};
  int calls = 0;
  const auto rows = run_trial(candidates, [&](const TrialCandidate& candidate, double enough) -> std::optional<double> {
    ++calls;
    if (candidate.scheme == "pull") return std::nullopt;
    if (candidate.scheme == "compact-aa") {
      EXPECT_EQ(enough, calls == 2 ? 100 : 0);
      return 150;
    }
    return calls == 1 ? 100 : 160;  // something took time at first
  });
  EXPECT_EQ(calls, 5);
  EXPECT_EQ(rows[0].mflups, 160);
  EXPECT_EQ(rows[2].mflups, 0);
  EXPECT_EQ(choose_row(rows), 0u);
}

TEST(TrialRows, MustBeFasterBothTimes) {
  const std::vector<TrialCandidate> candidates = {{"aa", 1, 1}, {"compact-aa", 1, 0.9}, {"pull", 1, 0.8}};
  std::map<std::string, std::vector<double>> speeds = {
      {"aa", {100, 100}}, {"compact-aa", {130, 90}}, {"pull", {120, 115}}};
  std::map<std::string, std::size_t> calls;
  const auto measure = [&](const TrialCandidate& candidate, double) -> std::optional<double> {
    return speeds.at(candidate.scheme).at(calls[candidate.scheme]++);
  };
  const auto rows = run_trial(candidates, measure);
  EXPECT_EQ(choose_row(rows), 2u);
  EXPECT_EQ(rows[1].mflups, 90);
  EXPECT_EQ(rows[2].mflups, 115);
  calls.clear();
  speeds["pull"] = {104, 1};
  EXPECT_EQ(choose_row(run_trial(candidates, measure)), 0u);
  EXPECT_EQ(calls["pull"], 1u);
}

TEST(TrialRows, AreNoneOfATrialThatWasStopped) {
  const std::vector<TrialCandidate> candidates = {{"aa", 1, 1}, {"compact-aa", 1, 0.9}};
  for (int most = 0; most < 4; ++most) {
    int calls = 0;
    const auto rows = run_trial(
        candidates,
        [&](const TrialCandidate& candidate, double) {
          return ++calls > 0 ? std::optional(candidate.fraction == 0.9 ? 200.0 : 100.0) : std::nullopt;
        },
        [&] { return calls == most; });
    EXPECT_TRUE(rows.empty()) << most;
  }
}

TEST(UsableProcessors, AreThoseOfTheQuota) {
  EXPECT_EQ(processors_of_quota("400000 100000"), 4);
  EXPECT_EQ(processors_of_quota("150000 100000\n"), 1.5);
  for (const char* text : {"max 100000", "", "x", "100000", "100000 0", "-1 100000"})
    EXPECT_FALSE(processors_of_quota(text)) << text;
  EXPECT_GT(usable_processors(2), 0);
  EXPECT_LE(usable_processors(2), 2);
}

TEST(MemoryLeft, IsWhatALimitLeaves) {
  EXPECT_EQ(memory_left(100, 30, 0), 70u);
  EXPECT_EQ(memory_left(100, 90, 60), 70u) << "files that were read once give way";
  EXPECT_EQ(memory_left(100, 100, 0), 0u);
  EXPECT_EQ(memory_left(100, 120, 10), 0u) << "a limit that was lowered";
  EXPECT_EQ(memory_left(100, 20, 50), 100u);
}

TEST(ControlGroups, EndWithTheRoot) {
  ASSERT_FALSE(control_groups().empty());
  EXPECT_EQ(control_groups().back(), "/sys/fs/cgroup");
}

TEST(ProcessorTime, TellsWhetherOthersUsedTheProcessors) {
  const ProcessorTime mine{10, 19}, others{10, 12}, none{};
  EXPECT_FALSE(mine.is_shared(2));
  EXPECT_TRUE(others.is_shared(2));
  EXPECT_FALSE(others.is_shared(1));
  EXPECT_FALSE(others.is_shared(0)) << "a GPU's";
  EXPECT_FALSE(none.is_shared(2));
}

TEST_F(Trials, DecideForAnotherSchemeThanTheModel) {
  const Case c = case_with();
  Speeds speeds{{{model(), 100}, {other(), 130}}};
  const Trial trial = make(c, TrialMode::allowed, speeds);
  EXPECT_EQ(speeds.asked.front(), model() + "/1");
  EXPECT_EQ(taken(trial), other());
  EXPECT_CONTAINS(trial.reason, "scheme " + other() + ": faster than the model's choice in a trial of ");
  EXPECT_CONTAINS(trial.reason, model() + " 100, " + other() + " 130 MFLUPS");
  const Plan plan = plan_case({c, prepared.units, prepared.geometry}, trial);
  EXPECT_EQ(plan.scheme_name(), other());
  EXPECT_EQ(plan.steps_per_pass, 1);
  EXPECT_EQ(plan.reason, trial.reason);
  EXPECT_EQ(plan.tried_mflups(), 130);
  const auto solver = make_solver({c, prepared.units, prepared.geometry}, trial);
  EXPECT_EQ(solver->plan().scheme_name(), other());
  EXPECT_EQ(solver->plan().reason, trial.reason);
}

TEST_F(Trials, KeepWhatTheModelSaysWhereNothingIsClearlyFaster) {
  Speeds speeds{{{model(), 100}, {other(), 103}}};
  const Trial trial = make(case_with(), TrialMode::allowed, speeds);
  EXPECT_EQ(taken(trial), model());
  EXPECT_CONTAINS(trial.reason, "none was clearly faster");
}

TEST_F(Trials, AreRemembered) {
  const Case c = case_with();
  Speeds speeds{{{model(), 100}, {other(), 130}}};
  make(c, TrialMode::allowed, speeds);
  for (const TrialMode mode : {TrialMode::allowed, TrialMode::remembered}) {
    const Trial again = make(c, mode, speeds);
    EXPECT_TRUE(speeds.asked.empty());
    EXPECT_EQ(taken(again), other());
    EXPECT_CONTAINS(again.reason, " in a trial of 20");
    EXPECT_CONTAINS(again.note, "remembered in '" + folder.path().string());
  }
  // What was found is taken for short runs, too.
  EXPECT_EQ(taken(make(case_with({"run.steps=10"}), TrialMode::allowed, speeds)), other());
  EXPECT_TRUE(speeds.asked.empty());
  // Until they are made anew.
  speeds.of[model()] = 200;
  EXPECT_EQ(taken(make(c, TrialMode::anew, speeds)), model());
  EXPECT_FALSE(speeds.asked.empty());
  EXPECT_EQ(taken(make(c, TrialMode::allowed, speeds)), model());
  EXPECT_TRUE(speeds.asked.empty());
}

/// What another machine, or a case of another shape, found says nothing; nor does a damaged file.
TEST_F(Trials, AreMadeAnewForWhatMayDiffer) {
  Speeds speeds{{{"aa", 100}, {"compact-aa", 130}}};
  make(case_with(), TrialMode::allowed, speeds);
  for (const char* setting : {"numerics.threads=1", "numerics.format=fp64", "numerics.lattice=D3Q27",
                              "numerics.collision=trt", "physics.smagorinsky=0.1", "physics.acceleration=[0, 0, 0]"}) {
    SCOPED_TRACE(setting);
    const Case c = case_with({setting});
    make(c, TrialMode::remembered, speeds);
    EXPECT_TRUE(speeds.asked.empty());
    const Trial trial = make(c, TrialMode::allowed, speeds);
    EXPECT_FALSE(speeds.asked.empty()) << trial.note;
  }
  for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
    folder.write(entry.path().filename().string(), "spoiled");
  make(case_with(), TrialMode::allowed, speeds);
  EXPECT_FALSE(speeds.asked.empty());
  make(case_with(), TrialMode::allowed, speeds);
  EXPECT_TRUE(speeds.asked.empty());
}

TEST_F(Trials, AreLeftOutWhereTheyDoNotPay) {
  Speeds speeds{{{"aa", 100}, {"compact-aa", 130}}};
  const auto note = [&](const std::vector<std::string>& settings, TrialMode mode = TrialMode::allowed) {
    const Case c = case_with(settings);
    const Prepared other(c);
    speeds.asked.clear();
    const Trial trial = make_trial({c, other.units, other.geometry}, mode, memory, speeds.measure());
    EXPECT_TRUE(trial.rows.empty());
    EXPECT_TRUE(speeds.asked.empty());
    return trial.note;
  };
  EXPECT_EQ(note({"run.steps=100"}), "none: the run is too short to gain by it");
  EXPECT_EQ(note({"domain.nodes=[96, 80, 60]"}), "");
  EXPECT_CONTAINS(note({"domain.nodes=[96, 80, 60]"}, TrialMode::anew), "fewer than 524288 fluid nodes");
  EXPECT_EQ(note({"numerics.trial=false"}), "");
  EXPECT_EQ(note({"numerics.scheme=aa", "numerics.steps_per_pass=2"}), "");
  EXPECT_EQ(note({"numerics.scheme=t2c"}), "");
  EXPECT_CONTAINS(note({"numerics.scheme=aa"}), "none: nothing else comes near");
  EXPECT_CONTAINS(note({}, TrialMode::remembered), "`fluvia run` tries ");
  EXPECT_EQ(names_in(folder.path()), "");
}

/// Where nothing runs the run itself says why.
TEST_F(Trials, LeaveItToTheModelIfItsChoiceDoesNotRun) {
  Speeds speeds{{{other(), 130}}};
  EXPECT_TRUE(make(case_with(), TrialMode::allowed, speeds).rows.empty());
  EXPECT_EQ(names_in(folder.path()), "");
}

/// With solvers, whatever is fastest here today.
TEST_F(Trials, MeasureWhatTheModelFindsPromising) {
  const Case c = case_with();
  const Trial trial = make_trial({c, prepared.units, prepared.geometry}, TrialMode::anew, memory);
  if (trial.rows.empty()) {
    EXPECT_CONTAINS(trial.note, "none: others used the processors");
    EXPECT_EQ(names_in(folder.path()), "");
    GTEST_SKIP() << trial.note;
  }
  ASSERT_EQ(trial.rows.size(), 2u);
  EXPECT_EQ(trial.rows[0].scheme, model());
  EXPECT_EQ(trial.rows[1].scheme, other());
  for (const TrialRow& row : trial.rows) EXPECT_GT(row.mflups, 0);
  EXPECT_NE(names_in(folder.path()), "");
}

/// Whatever a trial decides, the flow is the same to the last bit, and goes on with another scheme as it would have.
TEST_F(Trials, ChangeNoBitOfARun) {
  const auto run = [&](const std::string& name, const std::vector<std::string>& more, bool resume = false) {
    std::vector<std::string> settings = {"run.steps=18", "monitor.every=4", "checkpoint.every=6"};
    settings.insert(settings.end(), more.begin(), more.end());
    RunOptions options;
    options.output = folder.path() / name;
    options.resume = resume;
    std::string said;
    options.on_message = [&](const std::string& text) { said += text + "\n"; };
    run_case(case_with(settings), options);
    return said;
  };
  ::setenv("FLUVIA_CACHE_DIR", (folder.path() / "cache").c_str(), 1);
  EXPECT_CONTAINS(run("without", {"numerics.trial=false"}), " " + model() + " fp32");
  Speeds speeds{{{model(), 100}, {other(), 130}}};
  make_trial({case_with(), prepared.units, prepared.geometry}, TrialMode::allowed, TrialMemory(), speeds.measure());
  const std::string said = run("with", {"run.steps=12"});
  EXPECT_CONTAINS(said, " " + other() + " fp32");
  EXPECT_CONTAINS(said, "scheme " + other() + ": faster than the model's choice in a trial of 20");
  const auto plan_in = [&](const char* name) {
    return nlohmann::json::parse(content_of(folder.path() / name / "summary.json"))["plan"];
  };
  EXPECT_EQ(plan_in("with")["scheme"], other());
  EXPECT_EQ(plan_in("with")["trial"][0]["scheme"], model());
  EXPECT_EQ(plan_in("with")["trial"][1]["mflups"], 130);
  EXPECT_TRUE(plan_in("without")["trial"].empty());
  std::filesystem::remove_all(folder.path() / "cache");
  EXPECT_CONTAINS(run("with", {}, true), " " + model() + " fp32");
  ::unsetenv("FLUVIA_CACHE_DIR");
  for (const char* file : {"checkpoint-000000000018.fluvia", "monitors.csv"}) {  // checkpoints name their scheme
    const std::string expected = content_of(folder.path() / "without" / file);
    EXPECT_FALSE(expected.empty());
    EXPECT_TRUE(content_of(folder.path() / "with" / file) == expected) << file;
  }
}

}  // namespace
}  // namespace fluvia::test
