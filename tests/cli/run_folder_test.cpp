// SPDX-License-Identifier: Apache-2.0
// A run owns its folder: one at a time, old results out of the way, what disappears is made again or missed.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "fluvia/output/checkpoint/checkpoint.hpp"
#include "support/program.hpp"

namespace fluvia::test {
namespace {

namespace fs = std::filesystem;

const char* const cavity = R"(title = "Owned"
[units]
system = "lattice"
viscosity = 0.02
[domain]
dimension = 2
nodes = [24, 20]
[[boundary]]
surface = "y_max"
type = "moving_wall"
velocity = [0.05, 0.0]
[numerics]
device = "cpu"
[run]
steps = 40
check_every = 10
[monitor]
every = 10
[output]
every = 20
[checkpoint]
every = 20
)";

class Owned : public testing::Test {
 protected:
  Owned() { write_text(folder_ / "case.toml", cavity); }
  [[nodiscard]] std::string run(const std::string& more = "") const {
    return "run " + (folder_ / "case.toml").string() + " --threads 1 --output " + out_.string() + " " + more;
  }
  /// Names of files and folders in the output folder.
  [[nodiscard]] std::set<std::string> names(const fs::path& part = {}) const {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(out_ / part)) names.insert(entry.path().filename().string());
    return names;
  }
  [[nodiscard]] nlohmann::json summary() const { return nlohmann::json::parse(read_text(out_ / "summary.json")); }
  /// Starts a run without end in the background, runs `meanwhile` once it steps, then ends it; its code is in `code`.
  /// A run is under way when the file `sign` is there, which no earlier run may have left.
  [[nodiscard]] Outcome during_a_run(const std::string& meanwhile, const std::string& settings = "",
                                     const std::string& sign = "monitors.csv") const {
    return run_shell(FLUVIA_BINARY " " + run("--steps 2000000000 " + settings) + " & pid=$!; while [ ! -s " +
                     (out_ / sign).string() + " ]; do sleep 0.05; done; sleep 0.3; " + meanwhile +
                     "; sleep 0.5; kill -TERM $pid; wait $pid; echo \"code $?\"");
  }
  Folder folder_;
  fs::path out_ = folder_ / "out";
};

TEST_F(Owned, LeavesWhatItListsAndARecord) {
  ASSERT_EQ(run_fluvia(run()).code, 0);
  std::set<std::string> listed = {".fluvia-run", "summary.json"};
  const nlohmann::json told = summary();
  for (const auto& file : told["files"]) listed.insert(file.get<std::string>());
  EXPECT_EQ(names(), listed);
  EXPECT_EQ(told["results"]["last_step"], 40);
}

TEST_F(Owned, LeavesNoStatesToFallBackOnWhereNoCheckpointIsAskedFor) {
  ASSERT_EQ(run_fluvia(run("--set checkpoint.at_end=false --set checkpoint.every=0")).code, 0);
  for (const std::string& name : names()) EXPECT_FALSE(name.ends_with(".fluvia")) << name;
}

TEST_F(Owned, TellsTheStepThatItReached) {
  const Outcome outcome = during_a_run("true");
  EXPECT_NE(outcome.text.find("code 6"), std::string::npos) << outcome.text;
  EXPECT_LT(summary()["results"]["last_step"].get<std::int64_t>(), 2000000000);
  EXPECT_EQ(summary()["results"]["last_step"], summary()["run"]["step"]);
  EXPECT_EQ(summary()["results"]["planned_last_step"], 2000000000);
}

TEST_F(Owned, RefusesASecondRun) {
  const Outcome outcome = during_a_run(FLUVIA_BINARY " " + run() + "; echo \"second $?\"");
  EXPECT_NE(outcome.text.find("belongs to a run that is going on: process "), std::string::npos) << outcome.text;
  EXPECT_NE(outcome.text.find("'Owned'"), std::string::npos) << outcome.text;
  EXPECT_NE(outcome.text.find("second 4"), std::string::npos) << outcome.text;
  EXPECT_NE(outcome.text.find("code 6"), std::string::npos) << outcome.text;
  EXPECT_EQ(run_fluvia(run("--resume --steps 2000000000 --set run.steady={tolerance=1.0,window=1}")).code, 0)
      << "the first has ended";
}

TEST_F(Owned, MovesOldResultsOutOfTheWay) {
  ASSERT_EQ(
      run_fluvia(run("--set output.every=40 '--set=output.slice=[{ formats = [\"pdf\", \"png\", \"svg\"] }]'")).code,
      0);
  write_text(out_ / "notes.txt", "mine");
  const std::string rows = read_text(out_ / "monitors.csv");
  const Outcome second = run_fluvia(run("--steps 15"));
  ASSERT_EQ(second.code, 0) << second.text;
  EXPECT_NE(second.text.find("were moved to"), std::string::npos) << second.text;
  EXPECT_EQ(
      names("previous-1"),
      (std::set<std::string>{"checkpoint-000000000020.fluvia", "checkpoint-000000000040.fluvia",
                             "fields-000000040.vtkhdf", "monitors.csv", "slice-velocity-z-000000040.pdf",
                             "slice-velocity-z-000000040.png", "slice-velocity-z-000000040.svg", "summary.json"}));
  EXPECT_EQ(read_text(out_ / "previous-1" / "monitors.csv"), rows);
  EXPECT_EQ(read_text(out_ / "notes.txt"), "mine");
  EXPECT_FALSE(fs::exists(out_ / "fields-000000040.vtkhdf"));
}

/// Also those of levels of refinement and of tracers, which another case may not have.
TEST_F(Owned, MovesAllKindsOfOldResultsOutOfTheWay) {
  ASSERT_EQ(run_fluvia(run()).code, 0);
  const std::set<std::string> old = {"level-1-000000040.vtkhdf", "levels-000000040.vtkhdf",
                                     "tracers_seeds-000000040.vtkhdf", "tracers_seeds.csv"};
  for (const std::string& name : old) write_text(out_ / name, "old");
  ASSERT_EQ(run_fluvia(run("--resume " + (out_ / "checkpoint-000000000020.fluvia").string())).code, 0);
  for (const std::string& name : old) EXPECT_TRUE(names("previous-1").contains(name)) << name;
  EXPECT_TRUE(names().contains("tracers_seeds.csv")) << "a run that goes on adds its rows";
  EXPECT_FALSE(names().contains("level-1-000000040.vtkhdf"));
  ASSERT_EQ(run_fluvia(run("--steps 15")).code, 0);
  EXPECT_TRUE(names("previous-2").contains("tracers_seeds.csv"));
  EXPECT_FALSE(names().contains("tracers_seeds.csv"));
}

TEST_F(Owned, AKilledRunOverOldResultsDoesNotResumeTheOldOne) {
  ASSERT_EQ(run_fluvia(run()).code, 0);
  const std::string kill = "kill -9 $pid";
  (void)during_a_run(kill, "--set checkpoint.every=0 --set run.check_every=1000000000", "previous-1/monitors.csv");
  const Outcome resumed = run_fluvia(run("--resume"));
  EXPECT_EQ(resumed.code, 3) << resumed.text;
  EXPECT_NE(resumed.text.find("there is no checkpoint"), std::string::npos) << resumed.text;
}

TEST_F(Owned, ResumingAnOlderStepMovesTheLaterOnesAway) {
  ASSERT_EQ(run_fluvia(run()).code, 0);
  const std::string fields = read_text(out_ / "fields-000000040.vtkhdf");
  const Outcome resumed = run_fluvia(run("--resume " + (out_ / "checkpoint-000000000020.fluvia").string()));
  ASSERT_EQ(resumed.code, 0) << resumed.text;
  EXPECT_TRUE(names("previous-1").contains("checkpoint-000000000040.fluvia"));
  EXPECT_TRUE(names("previous-1").contains("monitors.csv"));
  EXPECT_TRUE(names().contains("fields-000000020.vtkhdf"));
  EXPECT_EQ(read_text(out_ / "fields-000000040.vtkhdf"), fields) << "the same flow again";
  std::vector<std::string> warnings;
  EXPECT_EQ(inspect_checkpoint(*find_latest_checkpoint(out_, warnings)).step, 40);
}

/// Killed on its way to the next checkpoint, a run leaves files of later steps, which it makes again.
TEST_F(Owned, ResumingTheNewestCheckpointMovesNothingAway) {
  ASSERT_EQ(run_fluvia(run()).code, 0);
  fs::remove(out_ / "checkpoint-000000000040.fluvia");
  const Outcome resumed = run_fluvia(run("--resume"));
  ASSERT_EQ(resumed.code, 0) << resumed.text;
  EXPECT_EQ(resumed.text.find("moved"), std::string::npos) << resumed.text;
  EXPECT_FALSE(names().contains("previous-1"));
  EXPECT_TRUE(names().contains("checkpoint-000000000040.fluvia"));
}

TEST_F(Owned, ResumingFromElsewhereTakesNoFilesOfAnotherCase) {
  ASSERT_EQ(run_fluvia(run("--steps 20")).code, 0);
  const fs::path start = folder_ / "start.fluvia";
  fs::copy_file(out_ / "checkpoint-000000000020.fluvia", start);
  fs::remove_all(out_);
  ASSERT_EQ(run_fluvia(run("--set units.viscosity=0.03 --steps 30")).code, 0);
  const Outcome resumed = run_fluvia(run("--resume " + start.string()));
  ASSERT_EQ(resumed.code, 0) << resumed.text;
  EXPECT_TRUE(names("previous-1").contains("checkpoint-000000000030.fluvia"));
  EXPECT_NE(resumed.text.find("has no rows of the steps from 0 to 20"), std::string::npos) << resumed.text;
}

TEST_F(Owned, RemovesWhatKilledRunsLeftHalfWritten) {
  fs::create_directories(out_);
  for (const char* name : {"fields-000000020.vtkhdf.tmp-123-4", "checkpoint-000000000020.fluvia.tmp-9-0",
                           "monitors.csv.tmp-1-1", "mine.tmp-1-1", "fields-1.vtkhdf.tmp-x-1"})
    write_text(out_ / name, "half");
  ASSERT_EQ(run_fluvia(run()).code, 0);
  EXPECT_EQ(names().count("mine.tmp-1-1"), 1u);
  EXPECT_EQ(names().count("fields-1.vtkhdf.tmp-x-1"), 1u);
  for (const char* name :
       {"fields-000000020.vtkhdf.tmp-123-4", "checkpoint-000000000020.fluvia.tmp-9-0", "monitors.csv.tmp-1-1"})
    EXPECT_EQ(names().count(name), 0u) << name;
}

TEST_F(Owned, MakesTheMonitorFileAgain) {
  const Outcome outcome = during_a_run("mv " + (out_ / "monitors.csv").string() + " " + (out_ / "moved").string());
  EXPECT_NE(outcome.text.find("made again"), std::string::npos) << outcome.text;
  EXPECT_NE(outcome.text.find("code 6"), std::string::npos) << outcome.text;
  const std::string rows = read_text(out_ / "monitors.csv");
  EXPECT_TRUE(rows.starts_with(read_text(out_ / "moved"))) << "the rows until then";
  EXPECT_GT(rows.size(), read_text(out_ / "moved").size());
}

TEST_F(Owned, MissesFilesThatCannotBeMadeAgain) {
  const Outcome outcome = during_a_run("rm " + (out_ / "fields-000000020.vtkhdf").string());
  EXPECT_NE(outcome.text.find("code 4"), std::string::npos) << outcome.text;
  EXPECT_NE(outcome.text.find("fields-000000020.vtkhdf'; the rest is complete"), std::string::npos) << outcome.text;
  const nlohmann::json told = summary();
  EXPECT_GT(told["files"].size(), 3u);
  for (const auto& file : told["files"]) EXPECT_TRUE(fs::exists(out_ / file.get<std::string>())) << file;
}

TEST_F(Owned, MakesTheFolderAgain) {
  const Outcome outcome =
      during_a_run("mv " + out_.string() + " " + (folder_ / "moved").string(),
                   "--set output.vtk=none --set checkpoint.every=0 --set run.check_every=1000000000");
  EXPECT_NE(outcome.text.find("out' was removed or moved while the run went on, and made again"), std::string::npos)
      << outcome.text;
  EXPECT_NE(outcome.text.find("code 6"), std::string::npos) << outcome.text;
  EXPECT_EQ(names().count("monitors.csv"), 1u);
  EXPECT_EQ(names().count("summary.json"), 1u);
}

TEST_F(Owned, StopsWhereAnotherFileTookTheMonitorsPlace) {
  const std::string file = (out_ / "monitors.csv").string();
  const Outcome outcome = during_a_run("echo other >" + file + ".new; mv " + file + ".new " + file);
  EXPECT_NE(outcome.text.find("code 4"), std::string::npos) << outcome.text;
  EXPECT_NE(outcome.text.find("was replaced by another file"), std::string::npos) << outcome.text;
  EXPECT_EQ(read_text(file), "other\n");
}

TEST_F(Owned, InterruptedAndResumedHasTheFilesOfTheUninterrupted) {
  std::string text = cavity;
  text.insert(text.find("every = 20\n[checkpoint]"), "fields = [\"velocity\", \"average_velocity\"]\n");
  text.insert(text.find("[output]"), "average_from = 1000\n");
  text.replace(text.find("steps = 40"), 10, "steps = 150000");
  write_text(folder_ / "case.toml", text);
  const std::string settings =
      "--set monitor.every=1000 --set run.check_every=1000 --set output.every=50000 "
      "--set checkpoint.every=50000";
  ASSERT_EQ(run_fluvia(run(settings)).code, 0);
  const fs::path whole = folder_ / "whole";
  fs::rename(out_, whole);
  for (const char* signal : {"INT", "TERM", "HUP"}) {
    SCOPED_TRACE(signal);
    Outcome stopped;
    // On a busy machine the run may have ended before the signal comes.
    for (int attempt = 0; attempt < 20 && stopped.text.find("code 6") == std::string::npos; ++attempt) {
      fs::remove_all(out_);
      stopped =
          run_shell(FLUVIA_BINARY " " + run(settings) + " & pid=$!; while [ ! -s " + (out_ / "monitors.csv").string() +
                    " ]; do sleep 0.02; done; kill -" + signal + " $pid; wait $pid; echo \"code $?\"");
    }
    ASSERT_NE(stopped.text.find("code 6"), std::string::npos) << stopped.text;
    const Outcome resumed = run_fluvia(run(settings + " --resume"));
    ASSERT_EQ(resumed.code, 0) << resumed.text;
    for (const auto& entry : fs::directory_iterator(whole)) {
      const std::string name = entry.path().filename().string();
      if (name == "summary.json" || name == ".fluvia-run") continue;  // have times of their own
      EXPECT_TRUE(read_text(entry.path()) == read_text(out_ / name)) << name;
    }
  }
}

TEST_F(Owned, HangingUpLeavesACheckpoint) {
  const Outcome outcome = during_a_run("kill -HUP $pid");
  EXPECT_NE(outcome.text.find("code 6"), std::string::npos) << outcome.text;
  std::vector<std::string> warnings;
  EXPECT_TRUE(find_latest_checkpoint(out_, warnings).has_value());
}

}  // namespace
}  // namespace fluvia::test
