// SPDX-License-Identifier: Apache-2.0
// What `fluvia plan` says of the disk is what a run leaves there.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "nlohmann/json.hpp"
#include "support/program.hpp"

namespace fluvia::test {
namespace {

const std::string flow = R"(title = "disk"
[units]
viscosity = 0.05
[domain]
nodes = [40, 24, 24]
[[geometry.shape]]
name = "ball"
kind = "sphere"
center = [14, 12, 12]
radius = 4
[[boundary]]
surface = "x_min"
type = "velocity"
speed = 0.03
[[boundary]]
surface = "x_max"
type = "non_reflecting"
sponge = 8
[run]
steps = 120
[numerics]
device = "cpu"
[monitor]
every = 2
forces = ["ball"]
openings = true
average_from = 20
[output]
every = 40
compression = 0
fields = ["pressure", "velocity", "average_velocity"]
[[output.slice]]
field = "velocity"
[[output.slice]]
field = "velocity"
axis = "y"
formats = ["png"]
[[output.line]]
name = "axis"
from = [0.5, 12, 12]
to = [39.5, 12, 12]
[checkpoint]
every = 50
)";

/// Bytes of what a run left, by the kinds of `fluvia plan`, and how many files.
std::map<std::string, std::pair<int, double>> kinds_in(const std::filesystem::path& folder) {
  const std::map<std::string, std::string> kinds = {{"fields", "fields"},     {"level-", "levels"},
                                                    {"slice", "pictures"},    {"line", "tables"},
                                                    {"monitors", "monitors"}, {"checkpoint", "checkpoints"}};
  std::map<std::string, std::pair<int, double>> found;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    for (const auto& [start, kind] : kinds)
      if (entry.path().filename().string().starts_with(start)) {
        ++found[kind].first;
        found[kind].second += static_cast<double>(entry.file_size());
      }
  return found;
}

nlohmann::json plan_of(const Folder& folder, const std::string& options = "") {
  const auto json = folder / "plan.json";
  const Outcome outcome =
      run_fluvia("plan " + (folder / "c.toml").string() + " --json " + json.string() + " " + options);
  EXPECT_EQ(outcome.code, 0) << outcome.text;
  EXPECT_NE(outcome.text.find("\ndisk         at most about "), std::string::npos) << outcome.text;
  return nlohmann::json::parse(read_text(json));
}

/// Compares the plan of the case in `folder` with what a run of it leaves.
void expect_what_is_planned(const Folder& folder) {
  const auto disk = plan_of(folder)["disk"];
  const Outcome outcome = run_fluvia("run " + (folder / "c.toml").string() + " --output " + (folder / "out").string());
  ASSERT_EQ(outcome.code, 0) << outcome.text;
  auto found = kinds_in(folder / "out");
  double sum = 0;
  for (const auto& kind : disk["kinds"]) {
    const std::string name = kind["kind"];
    const double bytes = kind["bytes"];
    const int files = kind["files"];
    sum += files * bytes;
    SCOPED_TRACE(name + ": " + kind.dump());
    ASSERT_GT(found[name].first, 0);
    if (name == "checkpoints")
      EXPECT_GE(files, found[name].first);  // besides those to fall back on, which go at the end
    else
      EXPECT_EQ(files, found[name].first);
    const double real = found[name].second / found[name].first;
    const bool exact = name == "fields" || name == "checkpoints";
    EXPECT_LT(real, (exact ? 1.1 : 2.0) * bytes);
    EXPECT_GT(real, (exact ? 0.6 : 0.4) * bytes);
    found.erase(name);
  }
  EXPECT_TRUE(found.empty()) << found.begin()->first << " is not in the plan";
  EXPECT_NEAR(disk["total"].get<double>(), sum, 1);
  EXPECT_GT(disk["free"].get<double>(), 0);
}

TEST(PlanDisk, IsWhatARunLeaves) {
  const Folder folder;
  write_text(folder / "c.toml", flow);
  expect_what_is_planned(folder);
}

/// With the averages of each level, and those of a picture of the finest.
TEST(PlanDisk, IsWhatARunWithLevelsLeaves) {
  const Folder folder;
  std::string text = flow;
  const auto replace = [&](const std::string& what, const std::string& by) {
    text.replace(text.find(what), what.size(), by);
  };
  replace("type = \"non_reflecting\"\nsponge = 8", "type = \"pressure\"\npressure = 0");
  replace("field = \"velocity\"\naxis", "field = \"average_wall_shear_stress\"\naxis");
  replace("steps = 120", "steps = 60");
  replace("every = 2\n", "every = 10\n");
  replace("[run]", "[[refine]]\nlevel = 1\nbox = [[8, 6, 6], [22, 18, 18]]\n[run]");
  write_text(folder / "c.toml", text);
  expect_what_is_planned(folder);
  // A picture of the average of a scalar, which walls say nothing of, can be planned as well.
  replace("average_wall_shear_stress", "average_dye");
  write_text(folder / "c.toml", text + "[[scalar]]\nname = \"dye\"\ndiffusivity = 0.05\n");
  EXPECT_GT(plan_of(folder)["disk"]["total"].get<double>(), 0);
}

TEST(PlanDisk, WarnsWhereTheDiskIsTooSmall) {
  const Folder folder;
  write_text(folder / "c.toml", flow);
  const auto warned = [&](const std::string& options) {
    const std::string all = plan_of(folder, options)["warnings"].dump();
    return all.find("the files of the run may take") != std::string::npos;
  };
  EXPECT_FALSE(warned(""));
  EXPECT_TRUE(warned("--set run.steps=1000000000000 --set output.every=1"));
}

}  // namespace
}  // namespace fluvia::test
