// SPDX-License-Identifier: Apache-2.0
// A closed domain keeps its mass, also where walls lie between the nodes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "fluvia/run/loop/mass_keeper.hpp"
#include "fluvia/run/run.hpp"
#include "output/fake_solver.hpp"
#include "support/temporary_folder.hpp"

namespace {

/// Circular Couette flow between a cylinder that spins and one at rest, 8 nodes apart.
std::string couette(const std::string& run) {
  return R"([units]
tau = 0.55
[domain]
dimension = 2
nodes = [40, 40]
origin = [-20, -20]
[numerics]
device = "cpu"
[walls]
method = "interpolated"
[output]
vtk = "none"
[monitor]
every = 100
[[geometry.shape]]
kind = "sphere"
operation = "fluid"
center = [0.1, 0.2]
radius = 18
[[geometry.shape]]
name = "inner"
kind = "sphere"
center = [0.1, 0.2]
radius = 10
[[boundary]]
surface = "inner"
type = "moving_wall"
angular_velocity = [0, 0, 0.008]
rotation_center = [0.1, 0.2]
[run]
)" + run;
}

nlohmann::json results_of(const std::string& text, const std::filesystem::path& folder, bool resume = false) {
  const fluvia::Case c = fluvia::parse_case(text, "case.toml");
  fluvia::RunOptions options;
  options.output = folder;
  options.resume = resume;
  return fluvia::run_case(c, options).results["monitors"];
}

/// By themselves these walls gain 10^-6 of the mean density a step. Given back over 500 steps at a time, what is left
/// is how much that rate changes in 500 steps: nothing once the flow is steady, and fp32 rounds to 10^-7.
TEST(MassKeeper, GivesBackWhatWallsBetweenNodesTake) {
  const fluvia::test::TemporaryFolder folder;
  const auto m = results_of(couette("steps = 6000\n"), folder.path());
  const double nodes = 3.14159 * (18 * 18 - 10 * 10);
  EXPECT_LT(std::abs(m["mass_deviation [lattice]"].get<double>()) / nodes, 2e-6) << m;
  EXPECT_GT(m["kinetic_energy [lattice]"].get<double>(), 0.1) << "the flow moves";
}

/// A solver whose mass and openings are known, with walls that give what they are asked for in multiples of 2^-20.
class LeakySolver : public fluvia::test::FakeSolver {
 public:
  explicit LeakySolver(std::size_t openings) : FakeSolver(2, {8, 8, 1}, fluvia::test::everywhere) {
    shape.distance_of = [](const fluvia::Int3&, const fluvia::Int3&) { return 0.5; };
    shape.openings.resize(openings);
    inflow.resize(openings);
  }
  double mass = 0;
  bool finite = true;
  std::vector<double> inflow;
  std::vector<double> asked;  ///< of the walls, in each call
  using FakeSolver::result;
  [[nodiscard]] fluvia::Totals result(const fluvia::FlowTotals&) const override {
    fluvia::Totals totals;
    totals.mass = mass;
    totals.finite = finite;
    return totals;
  }
  [[nodiscard]] fluvia::OpeningFlow result(const fluvia::FlowThroughOpening& what) const override {
    return {inflow[static_cast<std::size_t>(what.opening)], 0};
  }
  double apply(const fluvia::FlowChange& change) override {
    asked.push_back(std::get<fluvia::WallMass>(change).mass);
    return rounded(asked.back());
  }
  static double rounded(double supply) { return std::round(supply * 1048576) / 1048576; }
};

TEST(MassKeeper, GivesAClosedDomainWhatItLosesAndLost) {
  LeakySolver solver(0);
  solver.mass = 10;
  fluvia::MassKeeper keeper(solver);
  EXPECT_EQ(keeper.interval(), 500);
  keeper.begin(solver);
  keeper.advance(solver);
  EXPECT_EQ(solver.asked, std::vector<double>{0}) << "nothing is known before the first step";
  solver.now = 500;
  solver.mass = 9.5;
  keeper.advance(solver);  // 0.5 in 500 steps, which will be lost again and is missing
  ASSERT_EQ(solver.asked.size(), 2u);
  EXPECT_NEAR(solver.asked[1], 0.5 / 500 + 0.5 / 500, 1e-12);
  solver.now = 1000;
  solver.finite = false;
  keeper.advance(solver);
  EXPECT_EQ(solver.asked.size(), 2u) << "no number tells what is missing";
  solver.finite = true;
  solver.mass = 9.7;
  keeper.advance(solver);
  ASSERT_EQ(solver.asked.size(), 3u);
  EXPECT_NEAR(solver.asked[2], LeakySolver::rounded(solver.asked[1]) - 0.2 / 500 + 0.3 / 500, 1e-12);
}

/// The flow at a multiple of 50 steps: walls lose 0.003 in each step, whatever they are given, and from step 500 on
/// 0.01 more. What comes in is the sum of the rates by the trapezoidal rule.
void flow_at(int sample, LeakySolver& solver) {
  const auto rates = [](int k) { return std::vector<double>{0.5 + 0.01 * k, -0.4 + 0.002 * k * k}; };
  solver.now = 50 * sample;
  solver.inflow = rates(sample);
  solver.mass = 3 - 0.003 * 50 * sample - 0.01 * 50 * std::max(0, sample - 10);
  for (int k = 1; k <= sample; ++k)
    for (const int end : {k - 1, k}) solver.mass += 50 * (rates(end)[0] + rates(end)[1]) / 2;
}

TEST(MassKeeper, TellsLeaksFromWhatComesThroughOpenings) {
  LeakySolver solver(2), later(2);
  fluvia::MassKeeper keeper(solver), other(later);
  EXPECT_EQ(keeper.interval(), 50);
  for (int sample = 0; sample <= 30; ++sample) {
    flow_at(sample, solver);
    if (sample == 0) keeper.begin(solver);
    keeper.advance(solver);
    if (sample == 17) other.restore(keeper.state());
  }
  ASSERT_EQ(solver.asked.size(), 4u) << "at the beginning and after ten samples each";
  const double given = LeakySolver::rounded(solver.asked[1]);
  EXPECT_NEAR(solver.asked[1], 0.003, 1e-9);
  EXPECT_NEAR(solver.asked[2], given + 0.013, 1e-9);
  EXPECT_NEAR(solver.asked[3], LeakySolver::rounded(solver.asked[2]) + 0.013, 1e-9);
  // One that goes on from the seventeenth sample does the same.
  later.mass = -100;
  other.begin(later);
  for (int sample = 18; sample <= 30; ++sample) {
    flow_at(sample, later);
    other.advance(later);
  }
  EXPECT_EQ(later.asked, (std::vector<double>{given, solver.asked[2], solver.asked[3]}));
}

TEST(MassKeeper, TakesNothingFromAStateThatIsNone) {
  LeakySolver solver(0);
  solver.mass = 10;
  fluvia::MassKeeper keeper(solver);
  keeper.restore({});
  keeper.restore({1, 2, 3, 4, 5, 6});
  keeper.begin(solver);
  const std::vector<double> state = keeper.state();
  EXPECT_EQ(state, (std::vector<double>{10, 10, 0, 0, 0, 0, 1}));
}

TEST(MassKeeper, HasNothingToDoWhereNoWallLiesBetweenNodes) {
  LeakySolver solver(0);
  solver.shape.distance_of = nullptr;
  EXPECT_EQ(fluvia::MassKeeper(solver).interval(), 0);
}

TEST(MassKeeper, GoesOnFromACheckpoint) {
  const fluvia::test::TemporaryFolder whole, pieces;
  const auto once = results_of(couette("steps = 1700\n"), whole.path());
  results_of(couette("steps = 700\n"), pieces.path());
  EXPECT_EQ(results_of(couette("steps = 1700\n"), pieces.path(), true), once);
}

}  // namespace
