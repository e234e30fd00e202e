// SPDX-License-Identifier: Apache-2.0
// When a run looks at its flow, what it tells of its progress, and when it ends; with a flow that is given step by
// step.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "fluvia/case/validate.hpp"
#include "fluvia/run/simulation.hpp"
#include "output/fake_solver.hpp"
#include "support/temporary_folder.hpp"

namespace fluvia::test {
namespace {

using Steps = std::set<std::int64_t>;

/// Remembers when it was looked at.
class WatchedSolver : public FakeSolver {
 public:
  using FakeSolver::FakeSolver;
  mutable Steps looks;
  int calls = 0;  ///< of step()
  void step(std::int64_t count) override {
    ++calls;
    FakeSolver::step(count);
  }
  std::function<Totals(std::int64_t)> totals_at = [](std::int64_t) { return Totals{}; };
  using FakeSolver::result;
  [[nodiscard]] Totals result(const FlowTotals&) const override {
    looks.insert(now);
    return totals_at(now);
  }
};

class Schedule : public testing::Test {
 protected:
  Schedule() {
    solver_.fill(3);
    case_.output.vtk = "none";
    case_.output.fields = {};
    case_.checkpoint.every = 0;
    case_.checkpoint.at_end = false;
    case_.run.check_every = 10;
    case_.monitors.every = 7;
    units_.viscosity = 0.1;
    units_.tau = 0.8;
    grid_ = grid_of(solver_);
    options_.output = folder_.path();
    options_.on_progress = [this](const Progress& p) { progress_ = p; };
    options_.on_warning = [this](const std::string& text) { warnings_.push_back(text); };
  }
  RunResult run(std::int64_t end) {
    solver_.looks.clear();
    Simulation simulation(case_, grid_, units_, solver_, solver_, options_);
    return simulation.run(end, {});
  }
  Steps rows() const {
    std::istringstream text(content_of(folder_.path() / "monitors.csv"));
    std::string line;
    std::getline(text, line);
    Steps steps;
    while (std::getline(text, line)) steps.insert(std::stol(line));
    return steps;
  }
  TemporaryFolder folder_;
  WatchedSolver solver_{2, {10, 10, 1}, everywhere};
  Case case_;
  Units units_;
  Grid grid_;
  RunOptions options_;
  Progress progress_;
  std::vector<std::string> warnings_;
};

TEST_F(Schedule, LooksAtTheFlowEarlyAndWhenSomethingIsDue) {
  const RunResult result = run(31);
  EXPECT_EQ(solver_.looks, (Steps{0, 1, 2, 4, 7, 8, 10, 14, 20, 21, 28, 30, 31}));
  EXPECT_EQ(rows(), (Steps{7, 14, 21, 28, 31}));
  EXPECT_EQ(result.steps, 31);
  EXPECT_FALSE(result.steady);
  EXPECT_EQ(result.results["ended_because"], "last step");
  EXPECT_EQ(result.results["last_step"], 31);
  EXPECT_EQ(result.results["planned_last_step"], 31);
}

/// Steps that take no time are done in few pieces.
TEST_F(Schedule, StepsInLongPieces) {
  case_.run.check_every = case_.monitors.every = 100000;
  run(100000);
  EXPECT_LT(solver_.calls, 1000);
}

/// Walls between the nodes have their supply set every 500 steps, whenever else something is due.
TEST_F(Schedule, RegulatesInTime) {
  solver_.shape.distance_of = [](const Int3&, const Int3&) { return 0.5; };
  case_.run.check_every = 300;
  case_.monitors.every = 700;
  run(1700);
  EXPECT_EQ(solver_.looks,
            (Steps{0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 500, 600, 700, 900, 1000, 1200, 1400, 1500, 1700}));
}

TEST_F(Schedule, LooksEarlyAgainWhereItGoesOn) {
  solver_.now = 1000;
  case_.run.check_every = 9;
  case_.monitors.every = 500;
  run(1020);
  // 999 and 1008, 1017 are multiples of 9; 1001, 1002, 1004 and 1008 follow the start.
  EXPECT_EQ(solver_.looks, (Steps{1000, 1001, 1002, 1004, 1008, 1017, 1020}));
}

TEST_F(Schedule, EndsWhereTheFlowIsTooFastOrNoNumber) {
  case_.run.max_mach = 0.5;
  const auto with_speed = [&](double speed, bool finite) {
    solver_.initialise({});
    solver_.totals_at = [=](std::int64_t step) {
      Totals t;
      t.max_speed = step >= 15 ? speed : 0.1;
      t.finite = finite || step < 15;
      return t;
    };
  };
  with_speed(0.4999 / std::sqrt(3.0), true);
  EXPECT_EQ(run(40).steps, 40);
  with_speed(0.5001 / std::sqrt(3.0), true);
  EXPECT_CONTAINS(error_of(ExitCode::unstable, [&] { run(40); }), "unstable at step 20");
  with_speed(0, false);
  EXPECT_CONTAINS(error_of(ExitCode::unstable, [&] { run(40); }), "unstable at step 20");
}

TEST_F(Schedule, TellsHowFarItIs) {
  solver_.totals_at = [](std::int64_t) {
    Totals t;
    t.max_speed = 0.1;
    t.kinetic_energy = 2;
    return t;
  };
  solver_.now = 100;
  const RunResult result = run(140);
  EXPECT_EQ(progress_.step, 140);
  EXPECT_EQ(progress_.last_step, 140);
  EXPECT_EQ(progress_.eta_seconds, 0);
  EXPECT_NEAR(progress_.max_mach, 0.1 * std::sqrt(3.0), 1e-12);
  EXPECT_GT(progress_.seconds, 0);
  EXPECT_NEAR(progress_.mflups, 40 * 100 / progress_.seconds / 1e6, 1e-9 * progress_.mflups);
  EXPECT_EQ(result.results["seconds"], progress_.seconds);
  EXPECT_EQ(result.results["mflups"], progress_.mflups);
}

TEST_F(Schedule, StopsAtASteadyState) {
  case_.run.steady = Case::Run::Steady{"kinetic_energy", 1e-3, 20};
  solver_.totals_at = [](std::int64_t step) {
    Totals t;
    t.kinetic_energy = step < 45 ? 1.0 + static_cast<double>(step) : 46;
    return t;
  };
  // The first look at what does not change any more is at step 50, and the window ends 20 steps later.
  const RunResult result = run(1000);
  EXPECT_TRUE(result.steady);
  EXPECT_EQ(result.steps, 70);
  EXPECT_EQ(result.results["ended_because"], "steady state");
  EXPECT_EQ(result.results["residual"], 0);
}

TEST_F(Schedule, SaysWhichFilesAreGone) {
  case_.output.vtk = "image";
  case_.output.fields = {"pressure"};
  case_.output.every = 10;
  const auto gone = [&](int files) {
    solver_.initialise({});
    solver_.totals_at = [=, this](std::int64_t step) {
      if (step == 81)
        for (int k = 1; k <= files; ++k)
          std::filesystem::remove(folder_.path() / ("fields-0000000" + std::to_string(k) + "0.vtkhdf"));
      return Totals{};
    };
    case_.monitors.every = 81;
    return error_of(ExitCode::resource, [&] { run(85); });
  };
  EXPECT_CONTAINS(gone(1), "1 file of this run was removed or moved while it went on: '");
  EXPECT_EQ(gone(1).find("..."), std::string::npos);
  const std::string five = gone(5), six = gone(6);
  EXPECT_CONTAINS(five, "5 files of this run were removed or moved while it went on: '");
  EXPECT_CONTAINS(five, "fields-000000050.vtkhdf'; the rest is complete");
  EXPECT_CONTAINS(six, "6 files of this run");
  EXPECT_CONTAINS(six, "fields-000000050.vtkhdf', ...; the rest is complete");
}

}  // namespace
}  // namespace fluvia::test
