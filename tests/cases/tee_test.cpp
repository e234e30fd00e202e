// SPDX-License-Identifier: Apache-2.0
// A tee of two closed tubes that overlap, in one STL file: its branch gets what it gets in a tee of shapes.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "geometry/test_support.hpp"
#include "support/program.hpp"

namespace fluvia::test {
namespace {

const char* const conditions = R"(
[units]
viscosity = 0.1
[numerics]
device = "cpu"
[run]
steps = 2500
[monitor]
every = 50
[output]
vtk = "none"
[checkpoint]
at_end = false
[[boundary]]
surface = "IN"
type = "velocity"
profile = "developed"
speed = 0.01
[[boundary]]
surface = "OUT"
type = "pressure"
[[boundary]]
surface = "BRANCH"
type = "pressure"
)";

const char* const tubes = R"(
[[geometry.stl]]
file = "tubes.stl"
[[opening]]
name = "in"
center = [0, 0, 0]
[[opening]]
name = "out"
center = [28, 0, 0]
[[opening]]
name = "branch"
center = [14, 20, 0]
)";

const char* const shapes = R"(
[domain]
nodes = [28, 28, 14]
origin = [0, -8, -7]
[[geometry.shape]]
kind = "box"
center = [14, 6, 0]
size = [32, 32, 18]
[[geometry.shape]]
kind = "cylinder"
operation = "fluid"
from = [-1, 0, 0]
to = [29, 0, 0]
radius = 6
[[geometry.shape]]
kind = "cylinder"
operation = "fluid"
from = [14, 0, 0]
to = [14, 21, 0]
radius = 4
)";

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  return text.replace(text.find(what), what.size(), by);
}

/// Part of the flow that leaves by the branch.
double branch_share(const std::string& geometry, const std::array<std::string, 3>& openings, const Folder& folder,
                    std::string& log) {
  std::string text = replaced(conditions, "IN", openings[0]);
  text = replaced(replaced(text, "OUT", openings[1]), "BRANCH", openings[2]) + geometry;
  write_text(folder / "case.toml", text);
  const Outcome outcome =
      run_fluvia("run " + (folder / "case.toml").string() + " --output " + (folder / openings[0]).string());
  EXPECT_EQ(outcome.code, 0) << outcome.text;
  log = outcome.text;
  const auto monitors = nlohmann::json::parse(read_text(folder / openings[0] / "summary.json"))["results"]["monitors"];
  const double in = monitors["flow_" + openings[0] + " [lattice]"],
               out = monitors["flow_" + openings[2] + " [lattice]"];
  return -out / in;
}

TEST(Tee, OfTubesThatOverlapIsOneOfShapes) {
  const Folder folder;
  geometry::TriangleSoup soup = tube_soup(0, 28, {0, 0, 0}, 6, true, true, true);
  for (auto& triangle : tube_soup(0, 20, {0, 0, 0}, 4, true, true, true)) {
    for (Real3& p : triangle) p = {14 + p[1], p[0], p[2]};  // along y
    soup.push_back(triangle);
  }
  write_text(folder / "tubes.stl", binary_stl(soup));
  std::string log;
  const double reference = branch_share(shapes, {"x_min", "x_max", "y_max"}, folder, log);
  EXPECT_GT(reference, 0.05);
  const double found = branch_share(tubes, {"in", "out", "branch"}, folder, log);
  EXPECT_NEAR(found, reference, 0.02 * reference);
  EXPECT_NE(log.find("2 closed surfaces overlap"), std::string::npos) << log;
}

}  // namespace
}  // namespace fluvia::test
