// SPDX-License-Identifier: Apache-2.0
// Levels of refinement on the GPU of this machine, if it has one, against those on its processors: all that cases may
// have besides levels, with every scheme that has them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "cuda/support.hpp"
#include "fluvia/core/scheme/registry.hpp"
#include "fluvia/cuda/solver/level_transfer.hpp"
#include "fluvia/solver/plan/scheme.hpp"
#include "levels/arrangements.hpp"

namespace {

using namespace levels_test;

Case::Boundary boundary(const char* surface, const char* type) {
  Case::Boundary b;
  b.surface = surface;
  b.type = type;
  return b;
}

/// Tiles of the coarsest level that lie in a finer one.
Case::Refine finer(bool flat, int level, const Real3& lower, const Real3& upper) {
  const double s = flat ? 8 : 4;
  return region(level, {s * lower[0], s * lower[1], flat ? 0 : s * lower[2]},
                {s * upper[0], s * upper[1], flat ? 1 : s * upper[2]});
}

void add_ball(bool flat, const Real3& tiles, Case& c) {
  const double s = flat ? 8 : 4;
  Case::Shape ball;
  ball.name = "ball";
  ball.kind = flat ? "cylinder" : "sphere";
  ball.center = {s * tiles[0], s * tiles[1], flat ? 0 : s * tiles[2]};
  ball.from = {ball.center[0], ball.center[1], -1};
  ball.to = {ball.center[0], ball.center[1], 2};
  ball.radius = 0.3 * s;
  c.geometry.shapes = {ball};
}

/// What a case has besides levels.
struct Beside {
  const char* name;
  void (*add)(bool flat, Case& c);
  bool with_all_schemes = false;  ///< else with the best two, since each has its own kernels to compile
};

const Beside all_beside[] = {
    {"walls",
     [](bool flat, Case& c) {
       c.domain.periodic = {true, false, true};
       add_ball(flat, {1.05, 2.1, 1.9}, c);
     }},
    {"curved walls",
     [](bool flat, Case& c) {
       c.walls.method = "auto";
       add_ball(flat, {2, 2.05, 1.95}, c);
     }},
    {"planes of symmetry",
     [](bool flat, Case& c) {
       c.domain.periodic = {false, false, true};
       c.boundaries = {boundary("x_min", "symmetry"), boundary("y_min", "symmetry")};
       c.refine = {finer(flat, 2, {0, 0, 0}, {1, 1, 1})};
       add_ball(flat, {2.05, 0, 0.6}, c);
     },
     true},
    {"openings",
     [](bool flat, Case& c) {
       c.domain.periodic = {false, false, true};
       c.boundaries = {boundary("x_min", "velocity"), boundary("x_max", "pressure")};
       c.boundaries[0].speed = 0.02;
       c.boundaries[0].profile = "parabolic";
       c.refine = {finer(flat, 2, {0, 2, 2}, {5, 2.5, 2.5})};
     },
     true},
    {"openings between planes of symmetry",
     [](bool flat, Case& c) {
       c.domain.periodic = {false, false, true};
       c.boundaries = {boundary("x_min", "velocity"), boundary("x_max", "pressure"), boundary("y_min", "symmetry"),
                       boundary("y_max", "symmetry")};
       c.boundaries[0].speed = 0.02;
       c.refine = {finer(flat, 1, {0, 0, 1}, {5, 2, 2})};
     }},
    {"forces of single nodes",
     [](bool flat, Case& c) {
       c.physics.acceleration_formula = {"1e-4*sin(0.7*y)", "2e-4*cos(0.5*x)", flat ? "0" : "1e-4*sin(0.6*x)"};
     }},
    {"Carreau-Yasuda",
     [](bool, Case& c) {
       c.physics.rheology.emplace().model = "carreau-yasuda";
       c.physics.rheology->values = {{"zero_shear_viscosity", 0.03},
                                     {"infinite_shear_viscosity", 0.01},
                                     {"relaxation_time", 80},
                                     {"yasuda_exponent", 2},
                                     {"power_index", 0.4}};
     }},
    {"power law",
     [](bool flat, Case& c) {
       c.domain.periodic = {true, false, true};
       add_ball(flat, {1.05, 2.1, 1.9}, c);
       c.physics.rheology.emplace().model = "power-law";
       c.physics.rheology->values = {{"consistency", 0.004}, {"flow_index", 0.7}};
     }},
    {"a lid", [](bool flat, Case& c) {
       c.domain.periodic = {true, !flat, flat};
       c.refine = {finer(flat, 1, flat ? Real3{0, 4.1, 0} : Real3{0, 0, 4.1}, {5, 5, 5})};
       c.boundaries = {boundary(flat ? "y_max" : "z_max", "moving_wall")};
       c.boundaries[0].velocity = {0.02, 0, 0};
     }}};

Case case_beside(const Beside& beside, bool flat, const std::string& device, const std::string& scheme) {
  Case c = case_of(setup_of("three levels", flat), flat ? "D2Q9" : "D3Q19", "recursive-regularized", scheme);
  c.numerics.device = device;
  beside.add(flat, c);
  return c;
}

/// The largest difference of numbers in fp64.
double difference(const std::vector<std::byte>& one, const std::vector<std::byte>& other) {
  EXPECT_EQ(one.size(), other.size());
  double largest = 0;
  for (std::size_t k = 0; k + sizeof(double) <= std::min(one.size(), other.size()); k += sizeof(double)) {
    double a = 0, b = 0;
    std::memcpy(&a, &one[k], sizeof(a));
    std::memcpy(&b, &other[k], sizeof(b));
    const double apart = std::abs(a - b);
    if (!(apart <= largest)) largest = apart;  // also what is no number
  }
  return largest;
}

std::vector<std::string> schemes_of(const Beside& beside) {
  if (!beside.with_all_schemes) return {"compact-pull", "compact-sliding"};
  std::vector<std::string> names;
  for (const fluvia::core::Scheme& scheme : fluvia::core::schemes)
    if (scheme.cuda && !scheme.half && !scheme.is_fused() && fluvia::is_splittable(scheme))
      names.emplace_back(scheme.name);
  return names;
}

class LevelsOnThisGpu : public ::testing::TestWithParam<Beside> {};

/// Steps one by one, which are queued, and many, which are recorded; and after a restart.
TEST_P(LevelsOnThisGpu, AreThoseOfProcessors) {
  SKIP_WITHOUT_GPU();
  const Beside& beside = GetParam();
  for (const bool flat : {true, false}) {
    Flow on_cpu = started(case_beside(beside, flat, "cpu", "compact-pull"), flat);
    on_cpu.solver->step(3);
    const std::vector<std::byte> expected_half_way = saved(*on_cpu.solver);
    on_cpu.solver->step(37);
    const std::vector<std::byte> expected = saved(*on_cpu.solver);
    std::vector<std::byte> first_half_way, first;
    int count = 0;
    for (const std::string& scheme : schemes_of(beside)) {
      SCOPED_TRACE(testing::Message() << (flat ? "2D " : "3D ") << scheme);
      ++count;
      const Case c = case_beside(beside, flat, "cuda", scheme);
      Flow flow = started(c, flat);
      for (int k = 0; k < 3; ++k) flow.solver->step(1);
      const std::vector<std::byte> half_way = saved(*flow.solver);
      EXPECT_LT(difference(half_way, expected_half_way), 1e-13);
      flow.solver->step(37);
      const std::vector<std::byte> end = saved(*flow.solver);
      EXPECT_LT(difference(end, expected), 1e-12);
      if (first.empty()) {
        first_half_way = half_way;
        first = end;
      }
      EXPECT_TRUE(half_way == first_half_way) << "other schemes have other bits";
      EXPECT_TRUE(end == first) << "other schemes have other bits";
      const fluvia::Totals totals = flow.solver->totals(), of_cpu = on_cpu.solver->totals();
      EXPECT_NEAR(totals.mass, of_cpu.mass, 1e-9);
      EXPECT_NEAR(totals.kinetic_energy, of_cpu.kinetic_energy, 1e-9);
      for (int k = 0; k < static_cast<int>(flow.solver->geometry().openings.size()); ++k)
        EXPECT_NEAR(flow.solver->opening_flow(k).flow_rate, on_cpu.solver->opening_flow(k).flow_rate, 1e-9) << k;
      Flow again = started(c, flat);
      again.solver->step(count % 2);  // in either parity
      load(*again.solver, first_half_way);
      again.solver->resume_at(3);
      again.solver->step(37);
      EXPECT_TRUE(saved(*again.solver) == first) << "resumed";
    }
    EXPECT_GT(count, 1);
  }
}
INSTANTIATE_TEST_SUITE_P(Levels, LevelsOnThisGpu, ::testing::ValuesIn(all_beside),
                         [](const auto& info) { return fluvia::test::test_name(info.param.name); });

/// What passes between levels, as this machine's compiler makes it for GPUs.
TEST(LevelKernels, CompileInAllFormats) {
  SKIP_WITHOUT_NVRTC();
  for (const std::string& format : fluvia::format_names())
    for (const int target : fluvia::test::known_targets()) {
      const fluvia::cuda::CompiledKernels compiled = fluvia::cuda::compile(fluvia::cuda::level_request(format), target);
      EXPECT_EQ(compiled.kernels.size(), 3U) << format;
      EXPECT_EQ(compiled.log, "") << format;
    }
}

}  // namespace
