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

/// Seconds that `fluvia plan` counts for the case of a shape and options.
double planned_seconds(const Folder& folder, const std::string& name, const std::string& options) {
  const std::string made_in = (folder / name).string();
  const Outcome made =
      run_fluvia("new --from " FLUVIA_SOURCE_DIR "/cases/data/bend.stl --unit mm " + options + " " + made_in);
  EXPECT_EQ(made.code, 0) << made.text;
  const Outcome plan = run_fluvia("plan " + made_in + "/bend.toml");
  EXPECT_EQ(plan.code, 0) << plan.text;
  return std::stod(behind(plan.text, "time         about "));
}

TEST(NewCommand, FitsTheRunIntoMinutes) {
  const Folder folder;
  const std::string flow = "--flow 20ml/min ";
  const double whole = planned_seconds(folder, "whole", flow);
  const double part = planned_seconds(folder, "part", flow + "--minutes " + std::to_string(whole / 60 / 8));
  // Bandwidth is measured anew, perhaps beside other programs.
  EXPECT_LT(part, whole / 2);
  const Outcome wrong =
      run_fluvia("new --from " FLUVIA_SOURCE_DIR "/cases/data/bend.stl --unit mm --minutes 1 --nodes-across 8 " +
                 (folder / "wrong").string());
  EXPECT_EQ(wrong.code, 2) << wrong.text;
  EXPECT_NE(wrong.text.find("--minutes: chooses the grid"), std::string::npos) << wrong.text;
}

TEST(NewCommand, MakesAFlowThatBeatsBeforeWindkessels) {
  const Folder folder;
  write_text(folder / "q.csv", "t;Q\n0,0;0,05\n0,2;0,25\n0,4;0,05\n0,8;0,05\n");
  const std::string waveform =
      "--waveform " + (folder / "q.csv").string() + " --unit-of-flow ml/s --fluid blood --most-nodes 1e4 --windkessel ";
  EXPECT_GT(planned_seconds(folder, "usual", waveform), 0);
  // The folder after an option that may have values is no value.
  EXPECT_TRUE(std::filesystem::exists(folder / "usual/bend.toml"));
  EXPECT_GT(planned_seconds(folder, "given", waveform + "\"[900 mmHg s/ml, 0.001 ml/mmHg]\""), 0);
  EXPECT_NE(read_text(folder / "given/bend.toml").find("900 mmHg s/ml and 0.001 ml/mmHg"), std::string::npos);
  const Outcome wrong = run_fluvia("new --from " FLUVIA_SOURCE_DIR "/cases/data/bend.stl --unit mm " + waveform +
                                   "900mmHg 1ml/mmHg " + (folder / "wrong").string());
  EXPECT_EQ(wrong.code, 2) << wrong.text;
  EXPECT_NE(
      wrong.text.find("--windkessel: '900mmHg' has the unit 'mmHg', which is not known here; expected a resistance"),
      std::string::npos)
      << wrong.text;
}

}  // namespace
}  // namespace fluvia::test
