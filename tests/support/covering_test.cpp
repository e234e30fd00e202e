// SPDX-License-Identifier: Apache-2.0
#include "support/covering.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

namespace fluvia::test {
namespace {

/// Sets a variable of the environment, and what it was before at the end.
class WithVariable {
 public:
  WithVariable(const char* name, const char* value) : name_(name) {
    if (const char* const before = std::getenv(name)) before_ = before, was_set_ = true;
    value == nullptr ? ::unsetenv(name) : ::setenv(name, value, 1);
  }
  ~WithVariable() { was_set_ ? ::setenv(name_, before_.c_str(), 1) : ::unsetenv(name_); }
  WithVariable(const WithVariable&) = delete;
  WithVariable& operator=(const WithVariable&) = delete;

 private:
  const char* name_;
  std::string before_;
  bool was_set_ = false;
};

constexpr std::array<std::size_t, 5> counts = {5, 3, 9, 1, 7};

/// As those of the registries: two values that exclude each other, one that needs another, three that do not meet.
bool is_allowed(const Row<5>& row) {
  const bool excluded = row[0] == 2 && row[2] % 2 == 1, missing = row[4] == 6 && row[1] != 1,
             three = row[0] == 0 && row[1] == 0 && row[2] == 0;
  return !excluded && !missing && !three;
}

/// Both factors and both values of each pair that occurs.
std::set<std::array<std::size_t, 4>> pairs_of(const std::vector<Row<5>>& rows) {
  std::set<std::array<std::size_t, 4>> pairs;
  for (const Row<5>& row : rows)
    for (std::size_t a = 0; a < row.size(); ++a)
      for (std::size_t b = a + 1; b < row.size(); ++b) pairs.insert({a, b, row[a], row[b]});
  return pairs;
}

TEST(Covering, HasEveryPairThatIsAllowedAndNothingElse) {
  const std::vector<Row<5>> all = product(counts, is_allowed);
  for (const std::uint64_t seed : {0, 1, 2, 3, 20, 12345}) {
    const std::vector<Row<5>> rows = cover_pairs(counts, all, seed);
    EXPECT_EQ(pairs_of(rows), pairs_of(all)) << "seed " << seed;
    EXPECT_TRUE(std::all_of(rows.begin(), rows.end(), is_allowed));
    EXPECT_TRUE(std::includes(all.begin(), all.end(), rows.begin(), rows.end()));
    // No fewer than the two largest factors have pairs, and few more.
    EXPECT_GE(rows.size(), 9U * 7);
    EXPECT_LE(rows.size(), 9U * 7 * 5 / 4) << "seed " << seed;
  }
}

TEST(Covering, OfTheProductHasEveryRowOnce) {
  const std::vector<Row<5>> all = product(counts, [](const Row<5>&) { return true; });
  EXPECT_EQ(all.size(), 5U * 3 * 9 * 1 * 7);
  EXPECT_EQ(std::set<Row<5>>(all.begin(), all.end()).size(), all.size());
  const std::vector<Row<5>> some = product(counts, is_allowed);
  EXPECT_EQ(some.size(), static_cast<std::size_t>(std::count_if(all.begin(), all.end(), is_allowed)));
}

TEST(Covering, IsTheSameForASeedAndAnotherForOthers) {
  const std::vector<Row<5>> all = product(counts, is_allowed);
  EXPECT_EQ(cover_pairs(counts, all, 7), cover_pairs(counts, all, 7));
  EXPECT_NE(cover_pairs(counts, all, 7), cover_pairs(counts, all, 8));
}

TEST(Covering, TakesValuesBySeedOrWhole) {
  const std::vector<std::string> lattices = {"D2Q9", "D3Q19", "D3Q27"}, formats = {"fp64", "fp32", "fp16s"};
  const std::vector<int> tiles = {0, 4, 8};
  const auto fits = [](const std::string& lattice, const std::string& format, int tile) {
    return lattice != "D2Q9" || format != "fp64" || tile == 0;
  };
  const auto draw = [&](const char* seed, const char* full) {
    const WithVariable with_seed("FLUVIA_SEED", seed), with_full("FLUVIA_FULL", full);
    return covering(fits, lattices, formats, tiles);
  };
  EXPECT_EQ(draw("5", "1").size(), 25U);
  EXPECT_EQ(draw(nullptr, nullptr), draw("0", "0"));
  EXPECT_NE(draw("5", nullptr), draw("6", nullptr));
  for (const auto& [lattice, format, tile] : draw("5", nullptr)) EXPECT_TRUE(fits(lattice, format, tile));
  EXPECT_LT(draw("5", nullptr).size(), 14U);
  testing::internal::CaptureStdout();
  const std::size_t drawn = draw("5", nullptr).size();
  EXPECT_EQ(testing::internal::GetCapturedStdout(),
            "drawn: " + std::to_string(drawn) + " of 25 combinations, FLUVIA_SEED=5\n");
}

/// A list that became empty, or a condition that nothing meets, must not look like a test that passed.
TEST(Covering, OfNothingIsAnError) {
  const std::vector<int> some = {1, 2}, none;
  EXPECT_THROW((void)covering(all_allowed, some, none), std::invalid_argument);
  EXPECT_THROW((void)covering([](int, int) { return false; }, some, some), std::invalid_argument);
}

}  // namespace
}  // namespace fluvia::test
