// SPDX-License-Identifier: Apache-2.0
// What a run that diverged says to do about it has been done.
#include "fluvia/run/divergence/remedies.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <sstream>

#include "fluvia/base/text.hpp"
#include "fluvia/geometry/geometry.hpp"
#include "fluvia/run/run.hpp"
#include "support/temporary_folder.hpp"

namespace fluvia::test {
namespace {

const std::string cavity = R"(
[units]
system = "lattice"
viscosity = 1e-5
[domain]
dimension = 2
nodes = [24, 20]
[[boundary]]
surface = "y_max"
type = "moving_wall"
velocity = [0.1, 0.0]
[physics]
initial_velocity = [0.2, 0.0]
[numerics]
device = "cpu"
collision = "bgk"
[run]
steps = 100000
check_every = 10
)";

const std::string si_cavity = R"(
[units]
system = "si"
spacing = 0.001
density = 1000.0
viscosity = 1e-6
time_step = 0.0005
[domain]
dimension = 2
nodes = [24, 20]
[[boundary]]
surface = "y_max"
type = "moving_wall"
velocity = [0.6, 0.0]
[[geometry.shape]]
kind = "cylinder"
from = [0.012, 0.008]
radius = 0.004
[numerics]
device = "cpu"
format = "fp16s"
collision = "trt"
[run]
steps = 100000
)";

std::string message_of(const std::string& text, const std::filesystem::path& folder, double seconds,
                       const std::vector<std::string>& settings = {}) {
  const Case c = parse_case(text, "case.toml", settings);
  RunOptions options;
  options.output = folder;
  options.try_seconds = seconds;
  return error_of(ExitCode::unstable, [&] { run_case(c, options); });
}

/// The settings after "--set" in the line that says what was tried, and the step that it names.
std::vector<std::string> settings_in(const std::string& message, std::string& step) {
  std::istringstream words(message.substr(message.find("tried: with ")));
  std::vector<std::string> settings;
  for (std::string word; words >> word;) {
    if (word == "--set" && words >> word) settings.push_back(word);
    if (word == "step" && words >> step) break;
  }
  return settings;
}

TEST(Remedies, AreWhatTheirSettingsSay) {
  for (const std::string& text : {cavity, si_cavity}) {
    const Case c = parse_case(text, "case.toml");
    const std::vector<Remedy> remedies = possible_remedies(c, make_units(c, make_grid(c).spacing));
    EXPECT_GE(remedies.size(), 3u);
    std::set<std::vector<std::string>> different;
    for (const Remedy& remedy : remedies) {
      EXPECT_EQ(case_hash(parse_case(text, "case.toml", remedy.settings)), case_hash(remedy.changed))
          << join(remedy.settings);
      EXPECT_NE(case_hash(remedy.changed), case_hash(c));
      EXPECT_TRUE(different.insert(remedy.settings).second) << join(remedy.settings);
    }
  }
}

TEST(Remedies, OfShorterStepsTakeMoreOfThem) {
  for (const std::string units :
       {"time_step = 0.0005", "lattice_velocity = 0.3\nreference_velocity = 0.6", "tau = 0.5015"}) {
    std::string text = si_cavity;
    text.replace(text.find("time_step = 0.0005"), 18, units);
    const Case c = parse_case(text, "case.toml");
    const double step = make_units(c, 0.001).time_step;
    int shorter = 0;
    for (const Remedy& remedy : possible_remedies(c, make_units(c, 0.001))) {
      EXPECT_NEAR(make_units(remedy.changed, 0.001).time_step * remedy.steps_ratio, step, 1e-9 * step) << units;
      shorter += remedy.steps_ratio > 1;
    }
    EXPECT_EQ(shorter, 3) << units;
  }
}

TEST(Remedies, TheOneThatIsNamedSurvives) {
  for (const std::string& text : {cavity, si_cavity}) {
    const TemporaryFolder folder;
    const std::string message = message_of(text, folder.path() / "a", 60);
    EXPECT_CONTAINS(message, "tried: with --set ");
    std::string step;
    std::vector<std::string> settings = settings_in(message, step);
    ASSERT_FALSE(settings.empty()) << message;
    settings.push_back("run.steps=" + step);
    RunOptions options;
    options.output = folder.path() / "b";
    EXPECT_EQ(run_case(parse_case(text, "case.toml", settings), options).steps, std::stol(step)) << message;
    // Longer than the flow lived without.
    EXPECT_GE(std::stol(step), std::stol(message.substr(message.find("at step ") + 8)) + 100);
  }
}

TEST(Remedies, NoneIsNamedThatDoesNotHelp) {
  const TemporaryFolder folder;
  const std::string message = message_of(cavity, folder.path(), 60, {"physics.initial_velocity=[0.3,0.1]"});
  EXPECT_CONTAINS(message, "no change of settings that keeps it from diverging was found; it diverged as well with");
  EXPECT_CONTAINS(message, "--set numerics.collision=mrt --set physics.smagorinsky=0.1");
}

TEST(Remedies, AreBoundedInTimeAndCanBeSwitchedOff) {
  const TemporaryFolder folder;
  const std::string off = message_of(cavity, folder.path() / "off", 0);
  EXPECT_EQ(off.find("tried"), std::string::npos) << off;
  EXPECT_CONTAINS(message_of(cavity, folder.path() / "short", 1e-9), "other settings were not tried, which would take");
}

TEST(Remedies, LeaveNoFilesAndStopWhenInterrupted) {
  const TemporaryFolder folder;
  message_of(cavity, folder.path() / "off", 0);
  message_of(cavity, folder.path() / "on", 60);
  EXPECT_EQ(names_in(folder.path() / "on"), names_in(folder.path() / "off"));
  const std::atomic<bool> interrupt = true;
  const std::string message = try_remedies(parse_case(cavity, "case.toml"), Divergence("", 40, 1e-6), 60, &interrupt);
  EXPECT_CONTAINS(message, "no change of settings was found");
}

}  // namespace
}  // namespace fluvia::test
