// SPDX-License-Identifier: Apache-2.0
// What boundaries prescribe may rise from zero.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numbers>
#include <sstream>
#include <string>
#include <vector>

#include "support/program.hpp"

namespace fluvia::test {
namespace {

const char* const channel = R"([units]
viscosity = 0.05
[domain]
dimension = 2
nodes = [24, 10]
[[boundary]]
surface = "x_min"
type = "velocity"
speed = 0.02
profile = "parabolic"
ramp = 40
[[boundary]]
surface = "x_max"
type = "pressure"
[run]
steps = 60
[monitor]
every = 5
[output]
vtk = "none"
)";

/// A column of monitors.csv by step; the name without unit.
std::map<int, double> column(const std::filesystem::path& file, const std::string& name) {
  std::istringstream lines(read_text(file));
  std::string line, cell;
  std::getline(lines, line);
  std::istringstream header(line);
  int wanted = -1;
  for (int k = 0; std::getline(header, cell, ','); ++k)
    if (cell.starts_with(name)) wanted = k;
  std::map<int, double> values;
  if (wanted < 0) ADD_FAILURE() << "no column " << name << " in " << line;
  while (wanted >= 0 && std::getline(lines, line)) {
    std::istringstream cells(line);
    for (int k = 0; std::getline(cells, cell, ','); ++k)
      if (k == wanted) values[std::stoi(line)] = std::stod(cell);
  }
  return values;
}

TEST(Ramp, TheInflowRisesAsHalfACosineAndStays) {
  const Folder folder;
  write_text(folder / "case.toml", channel);
  const std::string run = "run " + (folder / "case.toml").string() + " --output ";
  const Outcome outcome = run_fluvia(run + (folder / "out").string());
  ASSERT_EQ(outcome.code, 0) << outcome.text;
  const auto rate = column(folder / "out" / "monitors.csv", "flow_x_min");
  ASSERT_GE(rate.size(), 12U);
  for (const auto& [step, value] : rate) {
    // Openings show the values of the step that led here.
    const double time = step - 1, ramp = time >= 40 ? 1 : 0.5 * (1 - std::cos(std::numbers::pi * time / 40));
    if (step > 0) {
      EXPECT_NEAR(std::abs(value), 0.2 * ramp, 2e-6) << step;
    }
  }
}

TEST(Ramp, ResumesWhereItWas) {
  const Folder folder;
  write_text(folder / "case.toml", channel);
  const std::string run = "run " + (folder / "case.toml").string() + " --output ";
  ASSERT_EQ(run_fluvia(run + (folder / "whole").string()).code, 0);
  for (const char* stop : {"17", "45"}) {
    const std::string part = (folder / stop).string();
    ASSERT_EQ(run_fluvia(run + part + " --steps " + stop).code, 0);
    const Outcome resumed = run_fluvia(run + part + " --resume");
    ASSERT_EQ(resumed.code, 0) << resumed.text;
    const auto whole = column(folder / "whole" / "monitors.csv", "kinetic_energy");
    const auto joined = column(std::filesystem::path(part) / "monitors.csv", "kinetic_energy");
    for (const int step : {20, 40, 60}) EXPECT_EQ(joined.at(step), whole.at(step)) << stop << ' ' << step;
  }
}

/// Also where it ends within a pass of several steps, and an outlet follows a series meanwhile.
TEST(Ramp, IsThatOfSingleStepsInPasses) {
  const Folder folder;
  write_text(folder / "case.toml",
             std::string(channel) + "[[boundary]]\nsurface = \"y_max\"\ntype = \"pressure\"\n" +
                 "series = \"pressure.csv\"\nseries_quantity = \"pressure\"\nseries_scale = 1e-3\n");
  write_text(folder / "pressure.csv", "0,0\n0.3,1\n5,-2\n7,1\n20,3\n30,0\n");
  const std::string run =
      "run " + (folder / "case.toml").string() + " --set numerics.scheme=aa --set checkpoint.every=13";
  std::vector<std::string> rows, checkpoints;
  for (const char* steps : {"1", "3", "7"}) {
    const std::string output = (folder / steps).string();
    const Outcome outcome = run_fluvia(run + " --set numerics.steps_per_pass=" + steps + " --output " + output);
    ASSERT_EQ(outcome.code, 0) << outcome.text;
    rows.push_back(read_text(output + "/monitors.csv"));
    checkpoints.push_back(read_text(output + "/checkpoint-000000000060.fluvia"));
    EXPECT_EQ(rows.back(), rows.front()) << steps;
    EXPECT_TRUE(checkpoints.back() == checkpoints.front()) << steps;
  }
  const auto flow = column(folder / "1" / "monitors.csv", "flow_y_max");
  EXPECT_NE(flow.at(20), flow.at(60));
}

TEST(Ramp, IsForWhatIsPrescribed) {
  const Folder folder;
  std::string text = channel;
  text.replace(text.find("type = \"pressure\""), 17, "type = \"windkessel\"\ndistal_resistance = 1.0\nramp = 3");
  write_text(folder / "case.toml", text);
  const Outcome outcome = run_fluvia("plan " + (folder / "case.toml").string());
  EXPECT_EQ(outcome.code, 3) << outcome.text;
  EXPECT_NE(outcome.text.find("ramp"), std::string::npos) << outcome.text;
}

}  // namespace
}  // namespace fluvia::test
