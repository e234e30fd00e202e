// SPDX-License-Identifier: Apache-2.0
// "Trust" means right: no flow with a known answer is called trustworthy and farther off than it prints.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cctype>
#include <cmath>

#include "fluvia/base/error.hpp"
#include "fluvia/run/run.hpp"
#include "honesty/cases.hpp"
#include "support/temporary_folder.hpp"

namespace fluvia::test {
namespace {

/// What a reader is told, and whether it is right.
struct Outcome {
  bool trusted = false, right = false, refused = false;
  std::string words{};
};

Outcome judge(const HonestCase& row) {
  const TemporaryFolder folder;
  RunOptions options;
  options.output = folder.path();
  options.refine_check = row.grids;
  Outcome outcome;
  try {
    const RunResult run = run_case(parse_case(row.text, row.name + ".toml", row.settings), options);
    const std::string verdict = run.results["verdict"]["verdict"];
    outcome.trusted = verdict == "trust";
    for (const Quantity& q : run.quantities) {
      if (q.name != row.result) continue;
      const double printed = q.error.value_or(0) + q.grid_error.value_or(0);
      // The last digit of published values, and of sums in single precision.
      outcome.right = std::abs(q.value - row.exact) <= printed + 1e-3 * std::abs(row.exact);
      outcome.words =
          fmt::format("{} = {:.6g} ± {:.2g}, right is {:.6g}: {}", q.name, q.value, printed, row.exact, verdict);
    }
    if (outcome.words.empty()) ADD_FAILURE() << row.name << " has no result " << row.result << "\n" << run.report;
  } catch (const Error& error) {
    if (error.code() == ExitCode::internal) throw;
    outcome.refused = true;
    outcome.words = error.what();
  }
  return outcome;
}

/// The table of docs/verdict.md: printed by a run of all.
class Count : public testing::Environment {
 public:
  int trusted_right = 0, trusted_wrong = 0, other_right = 0, other_wrong = 0, refused = 0;
  void TearDown() override {
    fmt::print(
        "trust and right {}, not trust and right {}, not trust and wrong {}, refused or diverged {}, trust and "
        "wrong {}\n",
        trusted_right, other_right, other_wrong, refused, trusted_wrong);
  }
};

Count& count() {
  static auto* const environment = static_cast<Count*>(testing::AddGlobalTestEnvironment(new Count));
  return *environment;
}

[[maybe_unused]] const Count& counted = count();  // before any test runs

class Honesty : public testing::TestWithParam<HonestCase> {};

TEST_P(Honesty, NeverTrustsWhatIsWrong) {
  const HonestCase& row = GetParam();
  const Outcome outcome = judge(row);
  Count& c = count();
  ++(outcome.refused   ? c.refused
     : outcome.trusted ? (outcome.right ? c.trusted_right : c.trusted_wrong)
                       : (outcome.right ? c.other_right : c.other_wrong));
  RecordProperty("outcome", outcome.words);
  fmt::print("{}: {}\n", row.name, outcome.words);
  const bool wrong_trust = outcome.trusted && !outcome.right;
  EXPECT_FALSE(wrong_trust) << outcome.words;
  if (row.grids) {
    EXPECT_EQ(outcome.words.find("grid error unknown"), std::string::npos) << outcome.words;
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, Honesty, testing::ValuesIn(honest_cases()),
                         [](const testing::TestParamInfo<HonestCase>& info) {
                           std::string name = info.param.name;
                           for (char& ch : name)
                             if (std::isalnum(static_cast<unsigned char>(ch)) == 0) ch = '_';
                           return name;
                         });

}  // namespace
}  // namespace fluvia::test
