// SPDX-License-Identifier: Apache-2.0
// Time averages of fields, and the window over which a quantity has to be steady.
#include "fluvia/run/files/averages.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "fluvia/run/loop/steady_state.hpp"
#include "output/fake_solver.hpp"
#include "support/temporary_folder.hpp"

namespace fluvia::test {
namespace {

/// Each sample differs in time, node and component.
struct Sampled {
  Sampled() : solver(3, {9, 6, 5}, [](const Int3& node) { return node[0] != 3; }) {
    grid.dimension = 3;
    grid.size = {9, 6, 5};
    units.si = true;
    units.spacing = 0.5;
    units.time_step = 0.25;
    solver.velocity = [this](const Int3& p) { return Real3{time * p[0], time * time * p[1], -time - p[2]}; };
    solver.density = [this](const Int3& p) { return 1 + 0.01 * time * p[1]; };
  }
  [[nodiscard]] OutputContext context() const { return {solver, units, grid}; }
  double time = 0;
  FakeSolver solver;
  Units units;
  Grid grid;
};

/// Means of time and time^2 over the samples at 1, 2, 4, 5.
constexpr double mean = 3, mean_of_squares = 11.5;

void expect_averages(const Averages& averages, Sampled& flow) {
  const std::vector<Field> fields = averages.fields();
  ASSERT_EQ(fields.size(), 2u);
  EXPECT_EQ(fields[0].name, "average_velocity");
  EXPECT_EQ(fields[0].components, 3);
  EXPECT_EQ(fields[0].unit, "m/s");
  EXPECT_EQ(fields[1].name, "average_pressure");
  FieldEvaluator evaluator(flow.context(), make_sampling(flow.grid, 1, {}), fields);
  std::size_t samples = 0;
  for (const auto& slab : evaluator.slabs()) {
    evaluator.load(slab);
    std::vector<float> velocity, pressure;
    evaluator.evaluate(0, velocity);
    evaluator.evaluate(1, pressure);
    for (std::size_t k = 0; k < evaluator.samples().size(); ++k, ++samples) {
      const Int3 p = evaluator.samples()[k].node;
      const double metres_per_second = 2;  // 0.5 / 0.25, and 1 Pa is 1 kg/m3 times 4 m2/s2
      EXPECT_FLOAT_EQ(velocity[3 * k], static_cast<float>(metres_per_second * mean * p[0]));
      EXPECT_FLOAT_EQ(velocity[3 * k + 1], static_cast<float>(metres_per_second * mean_of_squares * p[1]));
      EXPECT_FLOAT_EQ(velocity[3 * k + 2], static_cast<float>(metres_per_second * (-mean - p[2])));
      EXPECT_NEAR(pressure[k], 4.0 / 3 * 0.01 * mean * p[1], 1e-6);
    }
  }
  EXPECT_EQ(samples, flow.solver.shape.nodes.fluid_nodes);
}

void sample(Averages& averages, Sampled& flow, const std::vector<double>& times) {
  for (const double time : times) {
    flow.time = time;
    averages.sample(flow.solver);
  }
}

const std::vector<std::string> requested = {"velocity", "pressure"};

TEST(Averages, AreMeansOfEachComponentAtEachNode) {
  Sampled flow;
  Averages averages(requested, flow.context());
  sample(averages, flow, {1, 2, 4, 5});
  expect_averages(averages, flow);
}

TEST(Averages, GoOnFromWhatWasSaved) {
  Sampled flow;
  Averages first(requested, flow.context()), second(requested, flow.context());
  sample(first, flow, {1, 2});
  MonitorState state;
  first.save(state);
  second.restore(state);
  sample(second, flow, {4, 5});
  expect_averages(second, flow);
}

TEST(Averages, RefuseSumsOfOtherFields) {
  Sampled flow;
  Averages first({"velocity"}, flow.context()), second(requested, flow.context());
  sample(first, flow, {1});
  MonitorState state;
  first.save(state);
  EXPECT_CONTAINS(error_of(ExitCode::input, [&] { second.restore(state); }),
                  "no sums for output field 'average_pressure'");
  EXPECT_TRUE(Averages({}, flow.context()).empty());
}

TEST(Averages, AreThereFromTheFirstSampleOn) {
  Sampled flow;
  Averages first(requested, flow.context()), second(requested, flow.context());
  EXPECT_FALSE(first.sampled());
  sample(first, flow, {1});
  EXPECT_TRUE(first.sampled());
  MonitorState state;
  first.save(state);
  second.restore(state);
  EXPECT_TRUE(second.sampled());
}

TEST(Averages, AreOfFieldsAndSlicesOnceEach) {
  Case::Output output;
  output.fields = {"average_velocity", "velocity", "average_pressure"};
  output.slices = {
      {"average_velocity", 0, {}, 0, 0, {}}, {"pressure", 0, {}, 0, 0, {}}, {"average_density", 1, {}, 0, 0, {}}};
  EXPECT_EQ(output.averaged_fields(), (std::vector<std::string>{"velocity", "pressure", "density"}));
  const Case::Output before = output.without_averages();
  EXPECT_EQ(before.fields, std::vector<std::string>{"velocity"});
  ASSERT_EQ(before.slices.size(), 1u);
  EXPECT_EQ(before.slices[0].field, "pressure");
  EXPECT_EQ(before.vtk, "auto");
  output.fields = {"average_velocity"};
  EXPECT_EQ(output.without_averages().vtk, "none");
  output.fields = {};
  output.slices = {
      {"average_vorticity_z", 0, {}, 0, 0, {}}, {"average_pressure", 0, {}, 0, 0, {}}, {"density", 1, {}, 0, 0, {}}};
  EXPECT_EQ(output.averaged_fields(), (std::vector<std::string>{"vorticity", "pressure"}));
  output.slices[1].arrows = 10;
  output.slices[2].streamlines = 10;
  EXPECT_EQ(output.averaged_fields(), (std::vector<std::string>{"vorticity", "pressure", "velocity"}));
}

TEST(SteadyState, LooksAtAWholeWindowAndNothingBefore) {
  SteadyState steady(0, 100);
  steady.add(0, 5);
  for (std::int64_t step = 10; step < 100; step += 10) {
    steady.add(step, 2);
    EXPECT_FALSE(std::isfinite(steady.residual())) << step;
  }
  steady.add(100, 2);
  EXPECT_DOUBLE_EQ(steady.residual(), 1.5) << "(5 - 2)/2: the value a window ago counts";
  EXPECT_FALSE(steady.reached());
  steady.add(110, 2);
  EXPECT_EQ(steady.residual(), 0) << "the one before it does not";
  EXPECT_TRUE(steady.reached()) << "a tolerance is reached by what equals it";
  steady.add(120, -4);
  EXPECT_DOUBLE_EQ(steady.residual(), 1.5) << "by the size of the latest value, whatever its sign";
}

TEST(SteadyState, GoesOnFromWhatWasSaved) {
  SteadyState first(1e-3, 100), second(1e-3, 100);
  for (std::int64_t step = 0; step <= 130; step += 10) first.add(step, 1 + 0.01 * static_cast<double>(step));
  second.restore(first.state());
  EXPECT_EQ(second.residual(), first.residual());
  for (std::int64_t step = 140; step < 300; step += 10) {
    first.add(step, 3);
    second.add(step, 3);
    EXPECT_EQ(second.residual(), first.residual()) << step;
  }
  EXPECT_TRUE(second.reached());
}

}  // namespace
}  // namespace fluvia::test
