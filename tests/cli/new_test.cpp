// SPDX-License-Identifier: Apache-2.0
// What `fluvia new --from` adds to a draft.
#include <gtest/gtest.h>

#include <map>
#include <sstream>

#include "support/program.hpp"

namespace fluvia::test {
namespace {

/// The rest of the line behind some words.
std::string behind(const std::string& text, const std::string& words) {
  const std::size_t at = text.find(words);
  EXPECT_NE(at, std::string::npos) << "no '" << words << "' in:\n" << text;
  return at == std::string::npos ? "" : text.substr(at + words.size(), text.find('\n', at) - at - words.size());
}

TEST(NewCommand, SaysHowLongTheRunTakesAsPlanDoes) {
  const Folder folder;
  const Outcome made = run_fluvia("new --from " FLUVIA_SOURCE_DIR "/cases/data/bend.stl --unit mm --nodes-across 16 " +
                                  (folder / "case").string());
  ASSERT_EQ(made.code, 0) << made.text;
  const std::string file = (folder / "case/bend.toml").string();
  std::istringstream said(behind(read_text(file), "\n# About "));
  double number = 0;
  std::string unit;
  said >> number >> unit;
  const std::map<std::string, double> units = {{"s", 1}, {"minutes", 60}, {"hours", 3600}};
  ASSERT_TRUE(units.contains(unit)) << unit;
  const Outcome plan = run_fluvia("plan " + file);
  ASSERT_EQ(plan.code, 0) << plan.text;
  const double seconds = std::stod(behind(plan.text, "time         about "));
  // The draft and the plan measure the bandwidth, perhaps beside other programs; one says whole seconds.
  EXPECT_LT(number * units.at(unit), 4 * seconds + 2);
  EXPECT_LT(seconds, 4 * number * units.at(unit) + 2);
}

}  // namespace
}  // namespace fluvia::test
