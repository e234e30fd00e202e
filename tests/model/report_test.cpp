// SPDX-License-Identifier: Apache-2.0
#include "fluvia/model/report.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace fluvia::model {
namespace {

ReportRow method(const char* name, double bytes, double moved, double bursts, double measured) {
  ReportRow row;
  row.overhead.scheme = name;
  row.overhead.memory = {{"copy", bytes / 100 - 1, ""}};
  row.overhead.bandwidth = {{"index", moved, ""}};
  if (bursts > 0) row.overhead.bursts = {{"run ends", bursts, ""}};
  row.bytes_per_node = bytes;
  row.measured_mflups = measured;
  return row;
}

TEST(Report, NamesTheLeastAndTheFastestWhereverTheyStand) {
  Report report;
  report.rows = {method("slow", 250, 0.5, 0.6, 10), method("least", 120, 0.4, 0.3, 30),
                 method("fast", 200, 0.2, 0.1, 20)};
  for (int turn = 0; turn < 3; ++turn) {
    std::rotate(report.rows.begin(), report.rows.begin() + 1, report.rows.end());
    const std::string text = verdict(report);
    EXPECT_NE(text.find("Least memory: least takes 1.200 times the minimum"), std::string::npos) << text;
    EXPECT_NE(text.find("Fastest by bandwidth: fast moves at most 1.300 times"), std::string::npos) << text;
  }
}

/// What a method's overhead mostly is.
TEST(Report, NamesTheLargestPartOfAnOverhead) {
  ReportRow row = method("only", 200, 0.1, 0.2, 1);
  row.overhead.memory = {{"solid", 0.1, ""}, {"copy", 0.7, ""}, {"index", 0.2, ""}};
  Report report;
  report.rows = {row};
  const std::string text = verdict(report);
  const std::size_t memory = text.find("the second copy"), traffic = text.find("bursts at the ends of runs");
  EXPECT_NE(memory, std::string::npos) << text;
  EXPECT_NE(traffic, std::string::npos) << text;
  EXPECT_LT(memory, traffic) << text;
  for (const char* smaller : {"solid nodes", "indices"}) EXPECT_EQ(text.find(smaller), std::string::npos) << text;
}

/// Methods without a bound are not compared with those that have one; of equals the smaller is named.
TEST(Report, PrefersBoundsAndOfEqualsTheSmaller) {
  Report report;
  report.rows = {method("unbounded", 300, 0.01, 0, 1), method("large", 200, 0.2, 0.1, 2),
                 method("small", 150, 0.1, 0.2, 3)};
  for (int turn = 0; turn < 3; ++turn) {
    std::rotate(report.rows.begin(), report.rows.begin() + 1, report.rows.end());
    const std::string text = verdict(report);
    EXPECT_NE(text.find("Fastest by bandwidth: small moves at most 1.300 times"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace fluvia::model
