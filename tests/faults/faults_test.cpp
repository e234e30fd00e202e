// SPDX-License-Identifier: Apache-2.0
// Every call of a small run fails once, and the program is killed at every operation on files. A failure is one
// message and a documented exit code, and leaves whole files only; a killed run that is resumed has the same results.
//
// All calls of a kind are tried where there are few. Of the others a fixed selection is, and all of them with
// FLUVIA_FAULTS_ALL=1 in the environment (hours), or with 3/50 the third of 50 parts of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>

#include "fluvia/base/error.hpp"
#include "fluvia/output/checkpoint.hpp"
#include "support/program.hpp"

namespace fluvia::test {
namespace {

namespace fs = std::filesystem;

/// Files of all kinds, twice each.
const char* const small_case = R"(title = "Faults"
[units]
system = "lattice"
viscosity = 0.02
[domain]
nodes = [12, 10, 8]
[[geometry.shape]]
kind = "sphere"
name = "ball"
center = [6.0, 5.0, 4.0]
radius = 2.0
[[boundary]]
surface = "x_min"
type = "velocity"
series = "inflow.csv"
series_quantity = "speed"
[[boundary]]
surface = "x_max"
type = "pressure"
[numerics]
device = "cpu"
[run]
steps = 20
check_every = 5
[monitor]
every = 5
forces = ["ball"]
average_from = 5
[output]
every = 10
wall = true
fields = ["pressure", "velocity", "average_velocity"]
[[output.slice]]
field = "velocity"
[checkpoint]
every = 10
)";

/// The part of all calls that is tried: of how many, and which, from 0; of 0 where only a selection is.
struct Part {
  long of = 0, index = 0;
};

Part part() {
  const char* text = std::getenv("FLUVIA_FAULTS_ALL");
  Part result;
  if (!text) return result;
  if (std::sscanf(text, "%ld/%ld", &result.index, &result.of) == 2 && result.of > 0)
    return {result.of, result.index - 1};
  return {1, 0};
}

bool everything() {
  return part().of > 0;
}

class Faults : public testing::Test {
 protected:
  Faults() {
    write_text(folder_ / "case.toml", small_case);
    write_text(folder_ / "inflow.csv", "time,speed\n0,0.01\n10,0.03\n30,0.02\n");
  }
  /// Runs with one thread more than the loaded library counts, so that nothing depends on chance.
  [[nodiscard]] Outcome run(const std::string& output, const std::string& fault, const std::string& more = "",
                            int threads = 1) const {
    const std::string set = fault.empty() ? "" : "FLUVIA_FAULT=" + fault + " ";
    const std::string count = " FLUVIA_FAULT_COUNT=" + (folder_ / "counts").string() + " ";
    return run_shell("exec env OMP_NUM_THREADS=" + std::to_string(threads) + count + set +
                     "LD_PRELOAD=" FLUVIA_FAULTS " " FLUVIA_BINARY " run " + (folder_ / "case.toml").string() +
                     " --threads " + std::to_string(threads) + " --output " + (folder_ / output).string() + more);
  }
  /// Calls of each kind in a run without faults.
  std::map<std::string, long> count(int threads = 1) {
    const Outcome whole = run("whole", "", "", threads);
    EXPECT_EQ(whole.code, 0) << whole.text;
    std::map<std::string, long> counts;
    std::istringstream text(read_text(folder_ / "counts"));
    std::string kind;
    for (long number = 0; text >> kind >> number;) counts[kind] = number;
    return counts;
  }
  /// Which of `calls` are tried: all, or about `few` of them.
  static std::vector<long> selection(long calls, long few) {
    std::vector<long> result;
    if (everything()) {
      for (long n = part().index + 1; n <= calls; n += part().of) result.push_back(n);
      return result;
    }
    const long stride = std::max(1L, calls / few);
    // The first calls differ most from each other.
    for (long n = 1; n <= calls; n += n < few / 4 ? 1 : stride) result.push_back(n);
    return result;
  }
  /// All files of a folder but the record, by name.
  [[nodiscard]] std::map<std::string, std::string> files(const std::string& name) const {
    std::map<std::string, std::string> result;
    for (const auto& entry : fs::directory_iterator(folder_ / name))
      if (entry.is_regular_file() && entry.path().filename() != ".fluvia-run")
        result[entry.path().filename().string()] = read_text(entry.path());
    return result;
  }
  void expect_whole_checkpoints(const fs::path& output) const {
    if (!fs::exists(output)) return;
    for (const auto& entry : fs::recursive_directory_iterator(output)) {
      if (entry.path().extension() != ".fluvia") continue;
      EXPECT_NO_THROW(inspect_checkpoint(entry.path())) << entry.path();
    }
  }
  static void expect_nothing_half_written(const fs::path& output) {
    if (!fs::exists(output)) return;
    for (const auto& entry : fs::recursive_directory_iterator(output))
      EXPECT_EQ(entry.path().string().find(".tmp-"), std::string::npos) << entry.path() << " is half-written";
  }
  /// The run has failed with a message and a code that the documentation names, or it did without the call.
  void expect_clean_end(const Outcome& outcome, const std::string& fault, const std::set<int>& codes) {
    SCOPED_TRACE(fault);
    EXPECT_TRUE(codes.contains(outcome.code)) << "code " << outcome.code << "\n" << outcome.text;
    if (outcome.code != 0) {
      std::size_t messages = 0;
      for (std::size_t at = outcome.text.find("fluvia: "); at != std::string::npos;
           at = outcome.text.find("fluvia: ", at + 1))
        ++messages;
      EXPECT_EQ(messages, 1u) << outcome.text;
    }
    expect_nothing_half_written(folder_ / "out");
    expect_whole_checkpoints(folder_ / "out");
  }
  void fail_each(const std::string& kind, long few, const std::set<int>& codes, int threads = 1) {
    const long calls = count(threads)[kind];
    ASSERT_GT(calls, 0);
    long failed = 0, tried = 0;
    for (const std::string later : {"", "+"})
      for (const long n : selection(calls, few)) {
        fs::remove_all(folder_ / "out");
        const std::string fault = kind + ":" + std::to_string(n) + later;
        const Outcome outcome = run("out", fault, "", threads);
        expect_clean_end(outcome, fault, codes);
        ++tried;
        failed += outcome.code != 0;
        if (HasFailure() && !everything()) return;
      }
    if (everything())
      std::printf("%s: %ld calls, %ld faults tried, %ld ended the run\n", kind.c_str(), calls, tried, failed);
    EXPECT_GT(failed, 0) << "no call mattered";
  }
  void kill_each(const std::string& kind, long few) {
    const long calls = count()["kill"];
    ASSERT_GT(calls, 20);
    const auto expected = files("whole");
    for (const long n : selection(calls, few)) {
      fs::remove_all(folder_ / "out");
      const std::string fault = kind + ":" + std::to_string(n);
      SCOPED_TRACE(fault);
      const Outcome killed = run("out", fault);
      ASSERT_EQ(killed.code, 128 + 9) << killed.text;
      expect_whole_checkpoints(folder_ / "out");
      std::vector<std::string> warnings;
      const bool resume = fs::exists(folder_ / "out") && find_latest_checkpoint(folder_ / "out", warnings).has_value();
      const Outcome resumed = run("out", "", resume ? " --resume" : "");
      ASSERT_EQ(resumed.code, 0) << resumed.text;
      auto found = files("out");
      for (const auto& [name, bytes] : expected) {
        if (name == "summary.json") continue;  // has times of its own
        EXPECT_EQ(found[name] == bytes, true) << name << " differs from that of the run that was not killed";
      }
      EXPECT_EQ(found.size(), expected.size());
      if (HasFailure() && !everything()) return;
    }
    if (everything()) std::printf("%s: %ld calls\n", kind.c_str(), calls);
  }
  Folder folder_;
};

TEST_F(Faults, Open) {
  fail_each("open", 60, {0, 3, 4});
}
TEST_F(Faults, Write) {
  fail_each("write", 60, {0, 4});
}
TEST_F(Faults, Flush) {
  fail_each("fsync", 60, {0, 4});
}
TEST_F(Faults, Rename) {
  fail_each("rename", 60, {0, 4});
}
TEST_F(Faults, Threads) {
  fail_each("thread", 40, {0, 4}, 3);
}
TEST_F(Faults, ThreadsAreCounted) {
  for (int n = 1; n <= 3; ++n) {
    const Outcome outcome = run("out", "thread:" + std::to_string(n), "", 4);
    EXPECT_EQ(outcome.code, 4) << outcome.text;
    EXPECT_NE(outcome.text.find("only " + std::to_string(n) + " of 4 threads can be started: "), std::string::npos)
        << outcome.text;
  }
}
TEST_F(Faults, Allocation) {
  fail_each("allocate", 100, {0, 3, 4});  // 3: a stream that has no buffer cannot read its file
}
TEST_F(Faults, Killed) {
  kill_each("kill", 60);
}
TEST_F(Faults, PowerLost) {
  kill_each("power", 60);
}

}  // namespace
}  // namespace fluvia::test
