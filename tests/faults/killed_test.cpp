// SPDX-License-Identifier: Apache-2.0
// A run that is killed and resumed has the files of one that was not: killed before every operation on files, without
// what was not flushed to the disk, and by signals at random moments while output is written beside the steps; on CPUs
// and on GPUs. Those on a GPU run where there is one.
//
// FLUVIA_FAULTS_ALL tries all operations and more moments (small_run.hpp).
#include <gtest/gtest.h>

#include <chrono>
#include <random>
#include <set>

#include "cuda/support.hpp"
#include "faults/small_run.hpp"

namespace fluvia::test {
namespace {

namespace fs = std::filesystem;

class Killed : public SmallRun, public testing::WithParamInterface<std::string> {
 protected:
  Killed() { device_ = GetParam(); }
  void SetUp() override {
    if (device_ == "cuda") SKIP_WITHOUT_GPU();
  }
  /// The option for a run that goes on from the last checkpoint; empty where there is none, so that it begins anew.
  [[nodiscard]] std::string resume_option() const {
    std::vector<std::string> warnings;
    return find_latest_checkpoint(folder_ / "out", warnings) ? " --resume" : "";
  }
  void expect_files(const std::map<std::string, std::string>& expected) const {
    auto found = files("out");
    for (const auto& [name, bytes] : expected) {
      if (name == "summary.json") continue;  // has times of its own
      EXPECT_EQ(found[name] == bytes, true) << name << " differs from that of the run that was not killed";
    }
  }
  void at_each_operation(const std::string& kind, long few) {
    const long calls = count()["kill"];
    ASSERT_GT(calls, 20);
    const auto expected = files("whole");
    long killed = 0;
    for (const long n : selection(calls, few)) {
      fs::remove_all(folder_ / "out");
      const std::string fault = kind + ":" + std::to_string(n);
      SCOPED_TRACE(fault);
      const Outcome outcome = run("out", fault);
      killed += outcome.code == 128 + 9;
      // Not every run makes the same calls: a state to fall back on is kept where it costs little time, and the driver
      // of a GPU has files of its own.
      ASSERT_TRUE(outcome.code == 128 + 9 || outcome.code == 0) << outcome.text;
      expect_whole_checkpoints(folder_ / "out");
      const Outcome again = outcome.code == 0 ? outcome : run("out", "", resume_option());
      ASSERT_EQ(again.code, 0) << again.text;
      expect_files(expected);
      EXPECT_EQ(files("out").size(), expected.size());
      if (HasFailure() && !everything()) return;
    }
    EXPECT_GT(killed, 10);
    if (everything())
      std::printf("%s on %s: %ld operations, killed at %ld\n", kind.c_str(), device_.c_str(), calls, killed);
  }
};

TEST_P(Killed, AtOperationsOnFiles) {
  at_each_operation("kill", 60);
}

TEST_P(Killed, AtOperationsOnFilesWhilePowerFails) {
  at_each_operation("power", 60);
}

TEST_P(Killed, AtRandomMoments) {
  with_png();  // which takes longer, so that a signal falls into it
  // Long enough that some of it is written at any moment.
  const std::string longer =
      " --set domain.nodes=[48,40,32] --set run.steps=400 --set output.every=20 --set checkpoint.every=40";
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  ASSERT_EQ(run("whole", "", longer).code, 0);
  const double duration = std::chrono::duration<double>(Clock::now() - begin).count();
  const auto expected = files("whole");
  std::mt19937 random(static_cast<unsigned>(part().index));
  std::uniform_real_distribution<double> moment(0, duration);
  const int rounds = everything() ? std::max(1, static_cast<int>(100 / part().of)) : 1;
  int stopped = 0;
  for (int round = 0; round < rounds; ++round)
    for (const std::string signal : {"KILL", "TERM", "INT"}) {
      fs::remove_all(folder_ / "out");
      std::string trace = signal + " after";
      for (int time = 0; time < 2; ++time) {  // what was resumed is killed, too
        const double after = moment(random);
        trace += " " + std::to_string(after) + " s";
        const Outcome outcome =
            run_shell(command("out", longer + resume_option()) + " & pid=$!; sleep " + std::to_string(after) +
                      "; kill -" + signal + " $pid 2>/dev/null; wait $pid; echo \"code $?\"");
        const std::size_t at = outcome.text.rfind("code ");
        ASSERT_NE(at, std::string::npos) << outcome.text;
        const int code = std::stoi(outcome.text.substr(at + 5));
        EXPECT_TRUE((std::set<int>{0, 6, 128 + 2, 128 + 9, 128 + 15}).contains(code)) << trace << "\n" << outcome.text;
        stopped += code != 0;
        expect_whole_checkpoints(folder_ / "out");
        if (code == 0) break;
      }
      SCOPED_TRACE(trace);
      const Outcome again = run("out", "", longer + resume_option());
      ASSERT_EQ(again.code, 0) << again.text;
      auto wanted = expected;
      // One that is asked to stop late leaves a checkpoint in the place of the last but one of the whole run.
      if (signal != "KILL") wanted.erase("checkpoint-000000000360.fluvia");
      expect_files(wanted);
      // A run that is asked to stop leaves its last state as files, too; one that is killed leaves nothing.
      if (signal == "KILL") {
        EXPECT_EQ(files("out").size(), expected.size());
      }
      if (HasFailure() && !everything()) return;
    }
  if (everything()) std::printf("signals on %s: %d runs of %d stopped\n", device_.c_str(), stopped, 6 * rounds);
}

/// Whatever is due at the step of a checkpoint happens once: what walls let through is looked at every 50 steps, while
/// the inflow changes in every one; good states are kept at any step that is looked at.
TEST_P(Killed, AfterStepsAtWhichMuchIsDue) {
  write_text(folder_ / "inflow.csv", "time,speed\n0,0.01\n100,0.03\n300,0.02\n");
  const std::string longer = " --set output.every=300 --set checkpoint.every=300 --set checkpoint.at_end=true --steps ";
  ASSERT_EQ(run("whole", "", longer + "300").code, 0);
  for (const int step : {10, 50, 100, 125, 255}) {
    SCOPED_TRACE(step);
    fs::remove_all(folder_ / "out");
    const Outcome first = run("out", "", longer + std::to_string(step));
    ASSERT_EQ(first.code, 0) << first.text;
    const Outcome again = run("out", "", longer + "300 --resume");
    ASSERT_EQ(again.code, 0) << again.text;
    for (const std::string name : {"checkpoint-000000000300.fluvia", "monitors.csv", "fields-000000300.vtkhdf"})
      EXPECT_TRUE(read_text(folder_ / "out" / name) == read_text(folder_ / "whole" / name)) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(On, Killed, testing::Values("cpu", "cuda"), [](const auto& each) { return each.param; });

}  // namespace
}  // namespace fluvia::test
