// SPDX-License-Identifier: Apache-2.0
// Points in flows that are computed: how long they stay, where they leave, and that a run in parts has the same.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "fluvia/run/session.hpp"
#include "fluvia/run/tracers/tracers.hpp"
#include "support/errors.hpp"
#include "support/program.hpp"

namespace fluvia::test {
namespace {

/// A pipe along x with a developed flow from the beginning, lattice units.
std::string pipe(const std::string& tracer) {
  return R"toml(
[units]
system = "lattice"
tau = 0.6
[domain]
nodes = [24, 19, 19]
[walls]
method = "interpolated"
[[geometry.shape]]
kind = "cylinder"
operation = "fluid"
from = [-1, 9.5, 9.5]
to = [25, 9.5, 9.5]
radius = 8.4
[physics]
initial_velocity_formula = ["0.04*max(0, 1 - ((y - 9.5)^2 + (z - 9.5)^2)/8.4^2)", "0", "0"]
[[boundary]]
surface = "x_min"
type = "velocity"
speed = 0.02
profile = "parabolic"
[[boundary]]
surface = "x_max"
type = "pressure"
pressure = 0
[numerics]
device = "cpu"
threads = 1
[run]
steps = 60
[monitor]
every = 10
[[tracer]]
name = "seeds"
)toml" + tracer;
}

/// The middle of the pipe on a finer level, through whose ends points go.
const std::string finer = "[[refine]]\nlevel = 1\nbox = [[8, 0, 0], [16, 19, 19]]\n";

class TracersInPipe : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Tracers, TracersInPipe, ::testing::Values("", finer),
                         [](const auto& info) { return info.param.empty() ? "OneLevel" : "TwoLevels"; });

/// Residence times in a pipe with laminar flow (Levenspiel, Chemical Reaction Engineering, 3rd ed., ch. 15): of what
/// comes in at once the part 1 - t_m^2 / (4 t^2) has left by the time t > t_m / 2.
TEST_P(TracersInPipe, StayAsLongAsLevenspielSays) {
  constexpr double length = 24, radius = 8.4;
  constexpr int count = 6000, start = 600;
  // On levels for a third of the time, with longer ways: what lies between coarser nodes takes long to find.
  const bool is_whole = GetParam().empty();
  const double longest = is_whole ? 3 : 1;
  const std::string tracer =
      fmt::format("from = \"x_min\"\ncount = {}\nstart = {}\nevery = {}\n", count, start, is_whole ? 4 : 12);
  Session session(parse_case(pipe(tracer + GetParam()), "pipe.toml"));
  session.advance(start);
  const std::vector<std::string> names = session.monitor_names();
  const auto flow = std::find(names.begin(), names.end(), "flow_x_min [lattice]") - names.begin();
  const double rate = session.monitors().at(static_cast<std::size_t>(flow));
  const double mean = std::numbers::pi * radius * radius * length / rate;
  session.advance((static_cast<std::int64_t>(longest * mean) / 12 + 1) * 12);
  const DepartedPoints left = session.tracers()->departed("seeds");
  for (const double t : {0.52, 0.55, 0.6, 0.7, 0.85, 1.0, 1.5, 2.0, 3.0}) {
    if (t > longest) break;
    const auto gone = std::count_if(left.ages.begin(), left.ages.end(), [&](double age) { return age <= t * mean; });
    EXPECT_NEAR(static_cast<double>(gone) / count, 1 - 1 / (4 * t * t), 0.015) << t;
  }
  EXPECT_NEAR(*std::min_element(left.ages.begin(), left.ages.end()) / mean, 0.5, 0.01);
  for (const Real3& place : left.places) EXPECT_NEAR(place[0], length, 1e-9);
  EXPECT_EQ(session.tracers()->cloud("seeds").ids.size() + left.ids.size(), static_cast<std::size_t>(count));
}

TEST_P(TracersInPipe, GoOnFromCheckpointsBitByBit) {
  const Folder folder;
  write_text(
      folder / "pipe.toml",
      pipe("from = \"x_min\"\nrate = 23.4\ndiffusivity = 0.002\nstick = [\"wall\"]\nradius = 0.2\n" + GetParam()));
  const std::string file = (folder / "pipe.toml").string();
  const auto run = [&](const std::string& more) {
    const Outcome outcome = run_fluvia("run " + file + " " + more);
    ASSERT_EQ(outcome.code, 0) << outcome.text;
  };
  run("--output " + (folder / "whole").string());
  run("--steps 27 --output " + (folder / "parts").string());
  run("--resume --set numerics.threads=2 --output " + (folder / "parts").string());
  for (const char* name : {"tracers_seeds.csv", "tracers_seeds-000000060.vtkhdf"})
    EXPECT_EQ(read_text(folder / "whole" / name), read_text(folder / "parts" / name)) << name;
  const auto summary = [&](const char* of) {
    return nlohmann::json::parse(read_text(folder / of / "summary.json"))["results"]["tracers"]["seeds"];
  };
  EXPECT_EQ(summary("whole"), summary("parts"));
  EXPECT_EQ(summary("whole")["appeared"], 1404);
  EXPECT_GT(summary("whole")["stuck"]["wall"], 0);
}

TEST(Tracers, SayWhatIsWrong) {
  const auto message = [&](const std::string& tracer) {
    return error_of(ExitCode::input, [&] { Session session(parse_case(pipe(tracer), "pipe.toml")); });
  };
  EXPECT_CONTAINS(message("from = \"wall\"\nrate = 1\n"),
                  "tracer[0].from: 'wall' is no opening, through which points could come in (openings: x_min, x_max)");
  EXPECT_CONTAINS(message("box = [[0, 0, 0], [4, 1, 1]]\nrate = 1\n"),
                  "tracer[0].box: there is no fluid in it, but points appear in fluid only; the box of the flow goes "
                  "from (0, 0, 0) to (24, 19, 19)");
  EXPECT_CONTAINS(message("sphere = { center = [40, 9, 9], radius = 2 }\nrate = 1\n"), "tracer[0].sphere: there is no");
  EXPECT_CONTAINS(message("from = \"x_min\"\nrate = 1\ndiffusivity = 0.1\n"),
                  "tracer[0].diffusivity: '0.1' takes points more than half a node in 4 steps; give at most 0.0104");
  EXPECT_CONTAINS(message("from = \"x_min\"\nrate = 1\nstick = [\"wall\"]\nradius = 0.3\n" + finer),
                  "tracer[0].radius: '0.3' is more than half of the finest spacing, 0.25");
}

}  // namespace
}  // namespace fluvia::test
