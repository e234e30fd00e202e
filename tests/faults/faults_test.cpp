// SPDX-License-Identifier: Apache-2.0
// Every call of a small run fails once. A failure is one message and a documented exit code, and leaves whole files
// only.
//
// All calls of a kind are tried where there are few. Of the others a fixed selection is, a third of it once more with
// all later calls failing, too. FLUVIA_FAULTS_ALL=1 in the environment tries everything (hours), 3/50 the third of 50
// parts of it.
#include <gtest/gtest.h>

#include <cstdio>
#include <set>

#include "faults/small_run.hpp"

namespace fluvia::test {
namespace {

namespace fs = std::filesystem;

class Faults : public SmallRun {
 protected:
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
      for (const long n : selection(calls, later.empty() ? few : few / 3)) {
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
  with_png();
  fail_each("allocate", 100, {0, 3, 4});  // 3: a stream that has no buffer cannot read its file
}
/// Then Cairo draws letters of its own, by other calls.
TEST_F(Faults, AllocationWithoutFonts) {
  with_png();
  write_text(folder_ / "fonts.conf",
             "<fontconfig><cachedir>" + (folder_ / "cache").string() + "</cachedir></fontconfig>");
  const std::string settings = (folder_ / "fonts.conf").string();
  setenv("FONTCONFIG_FILE", settings.c_str(), 1);
  EXPECT_NE(run("plain", "").text.find("no fonts are installed"), std::string::npos);
  fail_each("allocate", 40, {0, 3, 4});
  unsetenv("FONTCONFIG_FILE");
}

}  // namespace
}  // namespace fluvia::test
