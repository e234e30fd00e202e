// SPDX-License-Identifier: Apache-2.0
#include "fluvia/run/mass_balance.hpp"

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
  EXPECT_NE(balance.warning(100).find("gained 102 (1e+02% of it), but openings have let in 0"), std::string::npos)
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

TEST(MassBalance, GoesOnFromACheckpoint) {
  MassBalance whole(10), first(10), second(10);
  for (MassBalance* b : {&whole, &first}) b->add(0, 0, {{1}});
  for (MassBalance* b : {&whole, &first}) b->add(5, 4, {{2}});
  second.restore(first.state());
  for (MassBalance* b : {&whole, &second}) b->add(7, 8, {{3}});
  EXPECT_EQ(whole.state(), second.state());
  EXPECT_TRUE(MassBalance(1).state().empty());
}

}  // namespace
}  // namespace fluvia::test
