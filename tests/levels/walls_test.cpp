// SPDX-License-Identifier: Apache-2.0
// What is measured and drawn of walls that interfaces cross: forces after a restart, their parts by integrals,
// averages.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "fluvia/output/levels/flow_view.hpp"
#include "fluvia/run/files/picture_averages.hpp"
#include "fluvia/run/files/pictures.hpp"
#include "fluvia/run/monitors/surface_integrals.hpp"
#include "levels/arrangements.hpp"
#include "support/errors.hpp"

namespace {

using namespace levels_test;
using fluvia::operator+;

constexpr int ball = 7;

/// Before the next step, too, a flow from a checkpoint has the forces that it had.
TEST(LevelsWalls, HaveTheSameForcesAfterARestart) {
  for (const bool flat : {true, false}) {
    Case c = case_of(setup_of("solid", flat), flat ? "D2Q9" : "D3Q19", "regularized", "compact-pull");
    c.monitors.forces = {"ball", "x_min"};
    c.domain.periodic[0] = false;
    Flow flow = started(c, flat), again = started(c, flat);
    flow.solver->step(3);
    const std::vector<std::byte> bits = saved(*flow.solver);
    again.solver->step(1);
    load(*again.solver, bits);
    again.solver->resume_at(3);
    for (int steps = 0; steps < 2; ++steps) {
      for (const int surface : {ball, 0}) {
        const fluvia::SurfaceForce expected = flow.solver->surface_force(surface, {3, 4, 5}),
                                   force = again.solver->surface_force(surface, {3, 4, 5});
        EXPECT_EQ(force.force, expected.force) << flat << surface << steps;
        EXPECT_EQ(force.torque, expected.torque) << flat << surface << steps;
      }
      EXPECT_TRUE(saved(*again.solver) == saved(*flow.solver)) << flat << steps;
      flow.solver->step(1);
      again.solver->step(1);
    }
  }
}

/// Friction at the walls of a channel that interfaces cross takes what drives the flow, and the forces on a body there
/// are those that the links exchange, half a step of the surface aside.
TEST(LevelsWalls, HaveForcePartsOverAllLevels) {
  Case c = case_of(setup_of("solid", true), "D2Q9", "recursive-regularized", "compact-pull");
  c.units.tau = 0.8;
  c.physics.acceleration = {1e-6, 0, 0};
  c.monitors.forces = {"ball", "y_min", "y_max"};
  c.refine = {region(1, {8, 0, 0}, {24, 32, 1})};
  c.geometry.shapes[0].radius = 3.2;
  const Flow flow(c);
  flow.solver->step(6000);
  const fluvia::SurfaceIntegrals integrals(*flow.solver, {ball, 2, 3});
  const std::vector<fluvia::ForceParts> parts = integrals.evaluate();
  double volume = 0;
  for (const fluvia::FlowLevel& level : flow.solver->levels())
    volume += std::pow(level.units.spacing, 2) * static_cast<double>(level.state->geometry().nodes.fluid_nodes);
  const Real3 of_body = parts[0].pressure + parts[0].viscous, of_links = flow.solver->surface_force(ball, {}).force;
  EXPECT_NEAR(of_body[0], of_links[0], 0.002 * of_links[0]);
  EXPECT_NEAR(of_body[0] + parts[1].viscous[0] + parts[2].viscous[0], 1e-6 * volume, 0.004 * 1e-6 * volume);
}

/// The mean of two pictures of the wall stress, at the nodes of the finest level that they show, also over a
/// checkpoint.
TEST(LevelsWalls, HaveAveragesInPictures) {
  for (const bool flat : {true, false}) {
    const Arrangement setup = setup_of("solid", flat);
    const Case c = case_of(setup, flat ? "D2Q9" : "D3Q19", "regularized", "compact-pull");
    Flow flow = started(c, flat);
    const fluvia::OutputContext output{*flow.solver, flow.units, flow.grid};
    std::vector<Case::Output::Slice> slices(2);
    slices[0].field = "wall_shear_stress";
    slices[1].field = "average_wall_shear_stress";
    for (Case::Output::Slice& slice : slices) slice.axis = 2, slice.position = flat ? 0.5 : setup.center[2];
    fluvia::PictureAverages averages(slices, output), restored(slices, output);
    const auto values = [&](const std::vector<fluvia::Field>& fields) {
      const auto view = fluvia::view_of_picture(output, slices[1]);
      return values_at(view->state().geometry().nodes, view->output(), fields.front());
    };
    const auto now = [&] { return values({fluvia::find_field("wall_shear_stress", flow.units)}); };
    EXPECT_TRUE(averages.fields(1).empty());
    flow.solver->step(3);
    const std::vector<double> first = now();
    averages.sample();
    fluvia::MonitorState state;
    averages.save(state);
    restored.restore(state);
    flow.solver->step(5);
    const std::vector<double> second = now();
    EXPECT_TRUE(averages.fields(0).empty());
    for (fluvia::PictureAverages* const of : {&averages, &restored}) {
      of->sample();
      const std::vector<double> mean = values(of->fields(1));
      ASSERT_EQ(mean.size(), first.size());
      double largest = 0;
      for (std::size_t k = 0; k < mean.size(); ++k) {
        largest = std::max(largest, std::abs(second[k] - first[k]));
        ASSERT_NEAR(mean[k], 0.5 * (first[k] + second[k]), 1e-6 * (std::abs(first[k]) + std::abs(second[k]))) << flat;
      }
      EXPECT_GT(largest, 0);
    }
  }
}

}  // namespace
