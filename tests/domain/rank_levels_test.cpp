// SPDX-License-Identifier: Apache-2.0
// `mpirun -n N fluvia run` of flows on levels of refinement and around bodies: the same files from any number of ranks.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cuda/support.hpp"
#include "domain/rank_runs.hpp"

namespace fluvia::test {
namespace {

/// A body on the finest of three levels, in turbulence, beside openings, a plane of symmetry and a wall that moves.
const char* const levels_around_a_ball = R"([units]
viscosity = 0.02
[domain]
nodes = [40, 40, 24]
[[geometry.shape]]
name = "ball"
kind = "sphere"
center = [18, 20, 0]
radius = 3.1
[[refine]]
level = 2
around = "ball"
distance = 0.5
[[boundary]]
surface = "x_min"
type = "velocity"
velocity = [0.04, 0.0, 0.0]
turbulence = { intensity = 0.3, length = 5 }
[[boundary]]
surface = "x_max"
type = "pressure"
[[boundary]]
surface = "y_max"
type = "moving_wall"
velocity = [0.03, 0.0, 0.01]
[[boundary]]
surface = "z_min"
type = "symmetry"
[monitor]
forces = ["ball"]
every = 3
average_from = 4
[[monitor.probe]]
name = "behind"
position = [24.2, 20.3, 1.1]
[output]
wall = true
fields = ["velocity", "average_velocity", "vorticity"]
[[output.slice]]
field = "velocity"
axis = "y"
[run]
steps = 20
)";

/// A warm wall with finer strips along it and a cold one without, an age beside the temperature.
const char* const levels_of_heat = R"([units]
viscosity = 0.03
[domain]
dimension = 2
nodes = [48, 40]
[physics]
gravity = [0.0, -1e-3]
[[refine]]
level = 2
box = [[0.0, 0.0], [9.0, 40.0]]
[[scalar]]
name = "temperature"
prandtl = 0.7
expansion = 0.1
[[scalar]]
name = "age"
diffusivity = 0.02
source = "age"
[[boundary]]
surface = "x_min"
type = "wall"
scalars = { temperature = { value = 0.5 }, age = { value = 0.0 } }
[[boundary]]
surface = "x_max"
type = "wall"
scalars = { temperature = { value = '-0.5*cos(0.02*t)' } }
[monitor]
average_from = 4
[output]
fields = ["temperature", "average_temperature"]
[run]
steps = 20
)";

/// A bar that turns and a heavy ball that falls, both on the finest of two levels.
const char* const levels_around_bodies = R"([units]
viscosity = 0.04
[domain]
nodes = [36, 28, 32]
[physics]
gravity = [0, 0, -1e-4]
[[geometry.shape]]
name = "bar"
kind = "box"
center = [12.1, 14.2, 16.3]
size = [7, 2, 3]
[[geometry.shape]]
name = "ball"
kind = "sphere"
center = [22.1, 14.2, 18.3]
radius = 2.6
[[body]]
surface = "bar"
motion = { center = [12.1, 14.2, 16.3], angular_velocity = [0, 0, 0.02] }
[[body]]
surface = "ball"
free = { density = 2.0 }
[[refine]]
level = 1
box = [[5, 8, 9], [29, 20, 23]]
[monitor]
forces = ["ball"]
every = 3
[output]
wall = true
fields = ["velocity", "pressure"]
[[output.slice]]
field = "velocity"
axis = "z"
[run]
steps = 20
)";

void expect_files_of_one_of_levels(const std::string& device, const std::vector<std::string>& cases) {
  const Folder folder;
  write_text(folder / "ball.toml", levels_around_a_ball);
  write_text(folder / "heat.toml", levels_of_heat);
  write_text(folder / "bodies.toml", levels_around_bodies);
  for (const std::string& name : cases) {
    const std::string file = name == "levels" ? shipped(name) : (folder / (name + ".toml")).string();
    SCOPED_TRACE(file);
    const std::string arguments = "run " + file + often + " --device " + device + " --output ";
    const auto output = [&](const std::string& what) { return folder / (name + what); };
    ASSERT_EQ(run_on(1, arguments + output("1").string() + " --steps 20").code, 0);
    const Outcome o = run_on(3, arguments + output("3").string() + " --steps 20");
    ASSERT_EQ(o.code, 0) << o.text;
    expect_same_files(output("1"), output("3"));
    ASSERT_EQ(run_on(2, arguments + output("12").string() + " --steps 9").code, 0);
    const Outcome resumed = run_on(4, arguments + output("12").string() + " --steps 15 --resume");
    ASSERT_EQ(resumed.code, 0) << resumed.text;
    ASSERT_EQ(run_on(1, arguments + output("12").string() + " --steps 20 --resume").code, 0);
    EXPECT_TRUE(results(output("1"))["checkpoint-000000000020.fluvia"] ==
                results(output("12"))["checkpoint-000000000020.fluvia"]);
    EXPECT_TRUE(results(output("1"))["monitors.csv"] == results(output("12"))["monitors.csv"]);
  }
}

TEST_F(Ranks, GiveTheFilesOfOneOfLevels) {
  expect_files_of_one_of_levels("cpu", {"ball", "levels", "heat", "bodies"});
}

/// All ranks find that a body has left the box, in the middle of a run, which is said once.
TEST_F(Ranks, SayOnceThatABodyLeaves) {
  const Folder folder;
  write_text(folder / "thrown.toml", R"([units]
viscosity = 0.04
[domain]
nodes = [24, 24, 40]
[[geometry.shape]]
name = "ball"
kind = "sphere"
center = [12, 12, 20]
radius = 4
[[body]]
surface = "ball"
free = { mass = 1e9, velocity = [0, 0, 0.1] }
[run]
steps = 400
)");
  const std::string arguments = "run " + (folder / "thrown.toml").string() + " --device cpu --output ";
  const Outcome one = run_on(1, arguments + (folder / "1").string());
  const Outcome several = run_on(3, arguments + (folder / "3").string());
  EXPECT_EQ(several.code, one.code) << several.text;
  for (const std::string& text : {one.text, several.text})
    EXPECT_EQ(count_of(text, "leaves the box along z"), 1) << text;
}

/// Ranks have a GPU each if there are as many, else they share those that there are.
TEST_F(Ranks, GiveTheFilesOfOneOfLevelsOnGpus) {
  SKIP_WITHOUT_GPU();
  expect_files_of_one_of_levels("cuda", {"ball", "levels"});
}

TEST_F(Ranks, SayHowLevelsAreShared) {
  const Folder folder;
  write_text(folder / "ball.toml", levels_around_a_ball);
  const Outcome o = run_on(2, "plan " + (folder / "ball.toml").string());
  ASSERT_EQ(o.code, 0) << o.text;
  EXPECT_EQ(count_of(o.text, "nodes in a part, the largest"), 3) << o.text;
  EXPECT_EQ(count_of(o.text, "updates of nodes in a step of the coarsest level"), 1) << o.text;
}

}  // namespace
}  // namespace fluvia::test
