// SPDX-License-Identifier: Apache-2.0
// What trials leave on disk: found again by the same key only, whole or not at all, whatever else is there.
#include "fluvia/backend/trial_memory.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "fluvia/base/cache_folder.hpp"
#include "support/temporary_folder.hpp"

namespace fluvia::test {
namespace {

const std::vector<TrialCandidate> candidates = {{"aa", 4, 1.3}, {"compact-aa", 1, 1.0}};
const RememberedTrial found = {"2026-11-26", {{"aa", 4, 431.5}, {"compact-aa", 1, 500.25}}};

TEST(TrialMemory, FindsWhatItKept) {
  const TemporaryFolder folder;
  const TrialMemory memory(folder.path() / "below");
  EXPECT_FALSE(memory.find("a machine", candidates));
  EXPECT_EQ(memory.keep("a machine", found), "");
  const auto again = TrialMemory(folder.path() / "below").find("a machine", candidates);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->date, "2026-11-26");
  ASSERT_EQ(again->rows.size(), 2u);
  EXPECT_EQ(again->rows[0].scheme, "aa");
  EXPECT_EQ(again->rows[0].steps_per_pass, 4);
  EXPECT_EQ(again->rows[1].mflups, 500.25);
  EXPECT_FALSE(memory.find("another machine", candidates));
  EXPECT_FALSE(memory.find("a machine", {candidates[1], candidates[0]}));
  EXPECT_FALSE(memory.find("a machine", {candidates[0]}));
  EXPECT_EQ(names_in(folder.path() / "below"), memory.file_of("a machine").filename().string());
}

/// Each is a file that somebody, or some accident, left where a trial's should be.
TEST(TrialMemory, TakesDamagedAndForeignFilesForNone) {
  const TemporaryFolder folder;
  const TrialMemory memory(folder.path());
  const std::filesystem::path file = memory.file_of("a machine");
  ASSERT_EQ(memory.keep("a machine", found), "");
  const std::string good = content_of(file);
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
  };
  const std::vector<std::string> contents = {"",
                                             "not json",
                                             "[]",
                                             "{}",
                                             std::string("\0\0\0\0", 4),
                                             std::string(100000, '['),
                                             std::string(1 << 20, ' ') + good,
                                             good.substr(0, good.size() / 2),
                                             with("a machine", "b machine"),
                                             with("\"aa\"", "\"ab\""),
                                             with("\"aa\"", "7"),
                                             with("\"steps_per_pass\": 4", "\"steps_per_pass\": 5"),
                                             with("431.5", "-1"),
                                             with("431.5", "0"),
                                             with("431.5", "1e300"),
                                             with("431.5", "null"),
                                             with("2026-11-26", "\\u001b[31m...."),
                                             with("rows", "lines")};
  for (const std::string& content : contents) {
    SCOPED_TRACE(content.substr(0, 200));
    folder.write(file.filename().string(), content);
    EXPECT_FALSE(memory.find("a machine", candidates));
    EXPECT_EQ(memory.keep("a machine", found), "");
    EXPECT_EQ(content_of(file), good);
  }
  std::filesystem::remove(file);
  std::filesystem::create_directory(file);
  EXPECT_FALSE(memory.find("a machine", candidates));
  EXPECT_CONTAINS(memory.keep("a machine", found), "cannot be written to; let FLUVIA_CACHE_DIR");
}

TEST(TrialMemory, GoesWithoutAFolder) {
  const TrialMemory none{std::filesystem::path()};
  EXPECT_FALSE(none.find("a machine", candidates));
  EXPECT_CONTAINS(none.keep("a machine", found), "FLUVIA_CACHE_DIR");
  const TemporaryFolder folder;
  folder.write("file", "text");
  EXPECT_CONTAINS(TrialMemory(folder.path() / "file/trials").keep("a machine", found), "file/trials");
}

/// Readers see one record or the other, never half of one.
TEST(TrialMemory, IsSharedByManyWriters) {
  const TemporaryFolder folder;
  std::atomic<int> broken = 0, seen = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      const TrialMemory memory(folder.path());
      RememberedTrial own = found;
      own.rows[0].mflups = own.rows[1].mflups = 100 + t;
      for (int k = 0; k < 25; ++k) {
        if (!memory.keep("a machine", own).empty()) ++broken;
        const auto read = memory.find("a machine", candidates);
        if (!read || read->rows[0].mflups != read->rows[1].mflups) ++broken;
        if (read) ++seen;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(broken, 0);
  EXPECT_EQ(seen, 100);
  EXPECT_EQ(names_in(folder.path()), TrialMemory(folder.path()).file_of("a machine").filename().string());
}

/// Kinds have folders of their own where the user names none.
TEST(CacheFolder, FollowsTheEnvironment) {
  ::setenv("HOME", "/h", 1);
  ::unsetenv("FLUVIA_CACHE_DIR");
  ::unsetenv("XDG_CACHE_HOME");
  EXPECT_EQ(TrialMemory::default_folder(), "/h/.cache/fluvia/trials");
  ::setenv("XDG_CACHE_HOME", "/x", 1);
  EXPECT_EQ(cache_folder("trials"), "/x/fluvia/trials");
  ::setenv("FLUVIA_CACHE_DIR", "/f", 1);
  EXPECT_EQ(cache_folder("trials"), "/f");
}

}  // namespace
}  // namespace fluvia::test
