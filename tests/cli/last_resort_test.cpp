// SPDX-License-Identifier: Apache-2.0
// One message and one code where libraries crash for want of memory, however many threads do and wherever they are
// then.
#include "fluvia/cli/terminal/last_resort.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <latch>
#include <thread>
#include <vector>

#include "fluvia/base/library_calls.hpp"
#include "support/sanitizers.hpp"

namespace fluvia::test {
namespace {

/// So many threads crash at the same moment.
[[noreturn]] void crash(int threads, int signal) {
  cli::install_last_resort();
  std::latch ready(threads);
  std::vector<std::jthread> pool;
  for (int k = 0; k < threads; ++k)
    pool.emplace_back([&] {
      ready.arrive_and_wait();
      std::raise(signal);
    });
  pool.clear();
  std::_Exit(0);
}

class LastResort : public testing::Test {
 protected:
  void SetUp() override {
    SKIP_UNDER_SANITIZERS("sanitizers report crashes themselves");
    GTEST_FLAG_SET(death_test_style, "threadsafe");
  }
};

TEST_F(LastResort, ACrashOfALibraryIsOneMessage) {
  const auto in_a_library = [](int threads) {
    const LibraryCalls calls("Test");
    crash(threads, SIGSEGV);
  };
  EXPECT_EXIT(in_a_library(1), testing::ExitedWithCode(4), "^fluvia: the Test library failed, [^\n]*\n$");
  for (int trial = 0; trial < 20; ++trial)
    EXPECT_EXIT(in_a_library(8), testing::ExitedWithCode(4), "^fluvia: the Test library failed, [^\n]*\n$");
}
TEST_F(LastResort, ALibraryThatGotNoMemoryIsSuspectedLater) {
  const auto later = [](int signal) {
    LibraryCalls::suspect("Test");
    crash(1, signal);
  };
  for (const int signal : {SIGSEGV, SIGBUS, SIGABRT})
    EXPECT_EXIT(later(signal), testing::ExitedWithCode(4), "^fluvia: the Test library failed, [^\n]*\n$");
}
TEST_F(LastResort, OwnCrashesStayWhatTheyAre) {
  EXPECT_EXIT(crash(1, SIGSEGV), testing::KilledBySignal(SIGSEGV), "^$");
}

}  // namespace
}  // namespace fluvia::test
