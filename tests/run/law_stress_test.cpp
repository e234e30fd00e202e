// SPDX-License-Identifier: Apache-2.0
// The stress at walls whose friction is that of a law is what these walls take from the flow.
#include "fluvia/output/walls/law_stress.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "fluvia/backend/backend.hpp"
#include "fluvia/case/validate.hpp"
#include "fluvia/output/walls/wall_stress.hpp"
#include "fluvia/run/files/wall_output.hpp"
#include "fluvia/solver/links/surface_roles.hpp"
#include "reference/wall_friction.hpp"
#include "support/temporary_folder.hpp"
#include "support/vtp_arrays.hpp"

namespace fluvia::test {
namespace {

constexpr double drive = 7.8e-7;  ///< force on a node
constexpr Int3 size{4, 16, 4};

/// A stream between two walls, one of them rough, as in docs/validation/wall-channel.toml with 8 nodes a half height,
/// but without turbulence. At the walls y+ is 90.
Case channel(double speed, double viscosity = 4e-5) {
  return parse_case(fmt::format(R"case(
[units]
system = "lattice"
viscosity = {}
reference_velocity = 0.05
reference_length = 8
[domain]
dimension = 3
nodes = [{}, {}, {}]
periodic = [true, false, true]
[[boundary]]
surface = "y_min"
type = "wall_function"
[[boundary]]
surface = "y_max"
type = "wall_function"
sand_grain = 2
[numerics]
lattice = "D3Q27"
collision = "cumulant"
format = "fp64"
device = "cpu"
[physics]
acceleration = [{}, 0, 0]
initial_velocity = [{}, 0, 0]
[run]
steps = 1
[monitor]
forces = ["y_min", "y_max"]
average_from = 0
[output]
wall = true
)case",
                                viscosity, size[0], size[1], size[2], drive, speed),
                    "channel.toml");
}

struct Flow {
  Case settings;
  Grid grid = make_grid(settings);
  Units units = make_units(settings, grid.spacing);
  std::unique_ptr<Solver> solver;

  explicit Flow(Case c, int parts = 1) : settings(std::move(c)) {
    const Geometry geometry = build_geometry(settings, grid);
    solver =
        parts == 1 ? make_solver({settings, units, geometry}) : make_domain_solver({settings, units, geometry}, parts);
    solver->initialise([&](const Int3&, double& density, Real3& velocity) {
      density = 1;
      velocity = settings.physics.initial_velocity;
    });
  }
  [[nodiscard]] std::vector<float> array_of_walls(const WallOutput& output, const std::string& name) const {
    const TemporaryFolder folder;
    const auto file = folder.path() / "wall.vtp";
    output.write(*solver, file);
    return array_of(content_of(file), name);
  }
};

/// The mean of a vector's first component over triangles, which are all as large here.
double mean_along_x(const std::vector<float>& vectors) {
  double sum = 0;
  for (std::size_t k = 0; k < vectors.size(); k += 3) sum += vectors[k];
  return 3 * sum / static_cast<double>(vectors.size());
}

/// What the force gives and the fluid does not keep, the walls have taken: the mean stress is the force times the half
/// height less the growth of the momentum. Measured: 0.03% below, where 0.5% is asked for.
TEST(LawStress, OfAChannelFollowsFromItsForce) {
  Flow flow(channel(0.05));
  WallOutput output({*flow.solver, flow.units, flow.grid}, flow.settings);
  flow.solver->step(2);  // before, the wall has no velocity to ask the law with
  constexpr int steps = 400;
  const double before = flow.solver->totals().momentum[0];
  for (int k = 0; k < steps; ++k) {
    output.sample(*flow.solver);  // what the wall takes in the step that follows
    flow.solver->step(1);
  }
  const double half_height = 0.5 * size[1], area = 2.0 * size[0] * size[2];
  const double kept = (flow.solver->totals().momentum[0] - before) / (steps * area);
  const double expected = drive * half_height - kept;
  EXPECT_LT(std::abs(kept), 0.8 * expected);   // the force counts
  EXPECT_GT(std::abs(kept), 0.01 * expected);  // and so does the momentum
  const std::vector<float> mean = flow.array_of_walls(output, "average_wall_shear_stress");
  ASSERT_EQ(mean.size(), 3u * 2 * 2 * size[0] * size[2]);
  EXPECT_NEAR(mean_along_x(mean) / expected, 1, 5e-3);
}

/// Each wall has its own, which is that of the published laws for the velocity one node further from it. The running
/// mean of that velocity follows it in 500 steps, in the first 50 of which it changes by less than a percent.
TEST(LawStress, IsThatOfTheLawOnEachWall) {
  Flow flow(channel(0.05));
  flow.solver->step(50);
  const WallOutput output({*flow.solver, flow.units, flow.grid}, flow.settings);
  const std::vector<float> stress = flow.array_of_walls(output, "wall_shear_stress"),
                           surface = flow.array_of_walls(output, "surface");
  const Geometry& geometry = flow.solver->geometry();
  Moments moments;
  flow.solver->moments(0, geometry.nodes.tiles.size(), false, moments);
  const auto law = [&](int layer, double grain) {
    const auto node = static_cast<std::size_t>(geometry.nodes.node_index({0, layer, 0}));
    const double friction = reference::friction_velocity(moments.velocity[node][0], 1.5, 4e-5, grain);
    return friction * friction;
  };
  const double smooth = law(1, 0), rough = law(size[1] - 2, 2);
  EXPECT_GT(rough, 2 * smooth);
  const int number_of_rough = find_surface(geometry, "y_max");
  for (std::size_t k = 0; k < surface.size(); ++k) {
    const double expected = static_cast<int>(surface[k]) == number_of_rough ? rough : smooth;
    EXPECT_NEAR(stress[3 * k] / expected, 1, 0.02) << k;
    EXPECT_NEAR(stress[3 * k + 1], 0, 1e-3 * expected) << k;
  }
}

/// Parts of the domain keep what is theirs, and the stress is read through all of them.
TEST(LawStress, IsTheSameInParts) {
  Flow whole(channel(0.05)), parted(channel(0.05), 3);
  for (const Flow* flow : {&whole, &parted}) flow->solver->step(20);
  const auto stress = [](const Flow& flow) {
    const WallOutput output({*flow.solver, flow.units, flow.grid}, flow.settings);
    return flow.array_of_walls(output, "wall_shear_stress");
  };
  EXPECT_EQ(stress(whole), stress(parted));
}

/// Below y+ = 5 the wall is that of bounce-back, whose stress the nodes resolve: beside the smooth wall here, not
/// beside the rough one. So it is before the first step, too.
TEST(LawStress, IsThatOfTheNodesWhereTheyResolveIt) {
  for (const int steps : {0, 50}) {
    Flow flow(channel(0.005, 1e-3));
    flow.solver->step(steps);
    const Geometry& geometry = flow.solver->geometry();
    const WallMesh mesh = make_wall_mesh(geometry);
    const std::vector<WallLoad> resolved = WallStress(geometry, mesh).evaluate(*flow.solver);
    std::vector<WallLoad> loads = resolved;
    LawStress({flow.settings, flow.units, geometry}, flow.solver->plan(), mesh).replace(*flow.solver, loads);
    const int rough = find_surface(geometry, "y_max");
    for (std::size_t k = 0; k < loads.size(); ++k) {
      EXPECT_EQ(loads[k].pressure, resolved[k].pressure);
      EXPECT_EQ(loads[k].shear == resolved[k].shear, steps == 0 || mesh.patches[k].surface != rough) << k;
    }
  }
}

}  // namespace
}  // namespace fluvia::test
