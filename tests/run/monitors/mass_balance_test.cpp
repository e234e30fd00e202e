// SPDX-License-Identifier: Apache-2.0
#include "fluvia/run/monitors/mass_balance.hpp"

#include <gtest/gtest.h>

namespace fluvia::test {
namespace {

TEST(MassBalance, IntegratesTheRows) {
  MassBalance balance(100);
  balance.add(0, 2, {{1}, {-1}});
  balance.add(10, 7, {{2}, {-1}});
  balance.add(10, 50, {{9}, {9}});  // the same row again
  balance.add(30, 27, {{2}, {-1}});
  EXPECT_DOUBLE_EQ(balance.gained(), 25);
  EXPECT_DOUBLE_EQ(balance.let_in(), 0.5 * 10 * 1 + 20 * 1);
  EXPECT_DOUBLE_EQ(balance.passed(), 0.5 * 10 * (1 + 1.5) + 20 * 1.5);
  EXPECT_TRUE(balance.holds());
}

TEST(MassBalance, MissesMass) {
  MassBalance balance(100);
  balance.add(0, 0, {{1}, {-1}});
  balance.add(10000, 99, {{1}, {-1}});
  EXPECT_TRUE(balance.holds()) << "just below 1% of what passed";
  balance.add(10001, 102, {{1}, {-1}});
  EXPECT_FALSE(balance.holds());
  EXPECT_NE(
      balance.warning(100).find("since step 0 the fluid has gained 102 (1e+02% of it), but openings have let in 0"),
      std::string::npos)
      << balance.warning(100);
}

TEST(MassBalance, ClosedBoxesKeepTheirs) {
  MassBalance balance(1000);
  balance.add(0, 0.5, {});
  balance.add(1000, -0.4, {});
  EXPECT_TRUE(balance.holds());
  balance.add(2000, -0.6, {});
  EXPECT_FALSE(balance.holds());
}

TEST(MassBalance, ForgetsASuddenStart) {
  MassBalance balance(100);
  balance.add(0, 0, {{1}, {-1}});
  balance.add(100, -40, {{1}, {-1}});
  EXPECT_FALSE(balance.holds());
  EXPECT_EQ(balance.judged_from(), 0);
  balance.add(199, -40, {{1}, {-1}});
  EXPECT_FALSE(balance.holds()) << "not yet twice the steps";
  balance.add(200, -40, {{1}, {-1}});
  EXPECT_EQ(balance.judged_from(), 100);
  EXPECT_TRUE(balance.holds());
  EXPECT_EQ(balance.json()["judged_from"], 100);
  EXPECT_DOUBLE_EQ(balance.missing(), 40) << "that is told all the same";
  balance.add(399, -41.5, {{1}, {-1}});
  EXPECT_TRUE(balance.holds()) << "1.5 of 299 that passed";
  balance.add(401, -43.1, {{1}, {-1}});
  EXPECT_EQ(balance.judged_from(), 200);
  EXPECT_FALSE(balance.holds()) << "3.1 since step 200, of 201 that passed";
  EXPECT_NE(balance.warning(9).find("since step 200 the fluid has lost 3.1 (3.1% of it), but openings have let in 0 "
                                    "(1.5% of what passed through is missing)"),
            std::string::npos)
      << balance.warning(9);
}

TEST(MassBalance, GoesOnFromACheckpoint) {
  MassBalance whole(10), first(10), second(10);
  for (MassBalance* b : {&whole, &first})
    for (const int step : {3, 8, 13, 27}) b->add(step, step - 3, {{1.0 * step}});
  second.restore(first.state());
  EXPECT_EQ(second.judged_from(), first.judged_from());
  for (MassBalance* b : {&whole, &second})
    for (const int step : {30, 70}) b->add(step, 8, {{3}});
  EXPECT_EQ(whole.state(), second.state());
  EXPECT_EQ(whole.judged_from(), second.judged_from());
  // As older checkpoints have it.
  std::vector<double> older = first.state();
  older.resize(7);
  MassBalance third(10);
  third.restore(older);
  EXPECT_EQ(third.judged_from(), 27);
  EXPECT_DOUBLE_EQ(third.passed(), first.passed());
  EXPECT_TRUE(MassBalance(1).state().empty());
}

}  // namespace
}  // namespace fluvia::test
