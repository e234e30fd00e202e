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
#include "fluvia/cuda/runtime/device.hpp"
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
void PrintTo(const Beside& value, std::ostream* out) {
  *out << value.name;
}

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
    {"sponges",
     [](bool flat, Case& c) {
       c.domain.periodic = {false, false, true};
       c.boundaries = {boundary("x_min", "velocity"), boundary("x_max", "non_reflecting"),
                       boundary("y_max", "symmetry")};
       c.boundaries[0].speed = 0.02;
       c.boundaries[0].profile = "developed";
       c.boundaries[0].sponge = flat ? 20 : 10;
       c.boundaries[1].sponge = c.boundaries[2].sponge = flat ? 12 : 6;
       c.refine = {finer(flat, 2, {2, 2, 2}, {5, 2.5, 2.5}), finer(flat, 1, {0, 0, 0}, {1, 2, 5})};
     }},
    {"openings between planes of symmetry",
     [](bool flat, Case& c) {
       c.domain.periodic = {false, false, true};
       c.boundaries = {boundary("x_min", "velocity"), boundary("x_max", "pressure"), boundary("y_min", "symmetry"),
                       boundary("y_max", "symmetry")};
       c.boundaries[0].speed = 0.02;
       c.refine = {finer(flat, 1, {0, 0, 1}, {5, 2, 2})};
     }},
    {"sliding walls",
     [](bool flat, Case& c) {
       c.domain.periodic = {true, false, true};
       c.boundaries = {boundary("y_min", "half_slip"), boundary("y_max", "wall_function")};
       c.boundaries[0].values["slip_length"] = 0.8;
       c.refine = {finer(flat, 2, {2, 0, 2}, {3, 0.5, 3}), finer(flat, 1, {1, 4, 1}, {3, 5, 3})};
     }},
    {"sheets",
     [](bool flat, Case& c) {
       const double s = flat ? 8 : 4;
       c.geometry.stl = {fluvia::test::sheets_across_x({{{2.5 * s, 2.3 * s, 2.3 * s}, {2.5 * s, 2.7 * s, 2.7 * s}},
                                                        {{4.75 * s, 0.5 * s, 0.5 * s}, {4.75 * s, 1.9 * s, 1.9 * s}}},
                                                       flat)};
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
    {"scalars",
     [](bool flat, Case& c) {
       c.domain.periodic = {false, false, true};
       c.boundaries = {boundary("x_min", "velocity"), boundary("x_max", "pressure"), boundary("y_min", "wall"),
                       boundary("y_max", "wall"), boundary("ball", "wall")};
       c.boundaries[0].speed = 0.02;
       c.refine = {finer(flat, 2, {0, 2, 2}, {5, 2.5, 2.5}), finer(flat, 1, {2, 0, 0}, {3, 5, 5})};
       add_ball(flat, {1.95, 4, 2.6}, c);
       c.physics.gravity = {0, -1e-3, 0};
       for (const bool acts : {true, false}) {
         Case::Scalar& scalar = c.scalars.emplace_back();
         scalar.name = acts ? "heat" : "age";
         scalar.diffusivity = acts ? 0.04 : 0.02;
         scalar.expansion = acts ? 0.3 : 0;
         if (!acts) scalar.source = "age";
         c.boundaries[0].scalars[scalar.name].value.emplace().number = acts ? 1 : 0;
       }
       c.boundaries[2].scalars["heat"].exchange = 0.03;
       c.boundaries[2].scalars["heat"].ambient.emplace().number = 0.5;
       c.boundaries[3].scalars["heat"].flux.emplace().number = 0.002;
       c.boundaries[3].scalars["age"].value.emplace().number = 2;
       c.boundaries[4].scalars["heat"].value.emplace().number = 2;
     }},
    {"power law",
     [](bool flat, Case& c) {
       c.domain.periodic = {true, false, true};
       add_ball(flat, {1.05, 2.1, 1.9}, c);
       c.physics.rheology.emplace().model = "power-law";
       c.physics.rheology->values = {{"consistency", 0.004}, {"flow_index", 0.7}};
     }},
    {"walls that move across interfaces",
     [](bool flat, Case& c) {
       c.domain.periodic = {true, !flat, false};
       c.refine.push_back(finer(flat, 1, flat ? Real3{2, 4.1, 0} : Real3{2, 2, 4.1}, {4, 5, 5}));
       c.boundaries = {boundary(flat ? "y_max" : "z_max", "moving_wall"), boundary("ball", "moving_wall")};
       c.boundaries[0].velocity = {0.02, 0, 0};
       c.boundaries[1].angular_velocity = {0, 0, 0.01};
       c.boundaries[1].rotation_center = {8, 8, 8};
       add_ball(flat, {2.05, 2.1, 1.9}, c);
     },
     true},
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
  if (!c.geometry.shapes.empty()) c.monitors.forces = {"ball"};
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

/// So that a machine without a GPU sees whether there are such flows.
TEST_P(LevelsOnThisGpu, AreFlowsOnProcessors) {
  for (const bool flat : {true, false}) {
    Flow flow = started(case_beside(GetParam(), flat, "cpu", "compact-pull"), flat);
    flow.solver->step(1);
    EXPECT_TRUE(flow.solver->totals().finite);
  }
}

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
      if (!c.monitors.forces.empty()) {
        const auto ball = std::ranges::find(flow.solver->geometry().surfaces, "ball");
        const int surface = static_cast<int>(ball - flow.solver->geometry().surfaces.begin());
        const fluvia::SurfaceForce force = flow.solver->surface_force(surface, {1, 2, 3});
        const fluvia::SurfaceForce of_processors = on_cpu.solver->surface_force(surface, {1, 2, 3});
        for (int a = 0; a < 3; ++a) {
          EXPECT_NEAR(force.force[a], of_processors.force[a], 1e-9);
          EXPECT_NEAR(force.torque[a], of_processors.torque[a], 1e-8);
        }
      }
      for (std::size_t k = 0; k < c.scalars.size(); ++k) {
        EXPECT_NEAR(flow.solver->scalar_summary(k).content, on_cpu.solver->scalar_summary(k).content, 1e-9);
        for (int s = 0; s < static_cast<int>(flow.solver->geometry().surfaces.size()); ++s)
          EXPECT_NEAR(flow.solver->scalar_passage(k, s).rate, on_cpu.solver->scalar_passage(k, s).rate, 1e-9) << s;
      }
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

/// Parts of all levels on several GPUs, or on one that they share, have the bits of one part: steps one by one, which
/// are queued, and many, which are recorded; sums; and after a restart.
void expect_bits_of_one_gpu(const Beside& beside, const std::vector<std::string>& devices,
                            const std::string& format = "fp64") {
  for (const bool flat : {true, false})
    for (const std::string& scheme : schemes_of(beside)) {
      SCOPED_TRACE(testing::Message() << (flat ? "2D " : "3D ") << scheme);
      const auto on = [&](const std::string& device) {
        Case c = case_beside(beside, flat, device, scheme);
        c.numerics.format = format;
        return c;
      };
      Flow whole = started(on("cuda"), flat);
      whole.solver->step(3);
      const std::vector<std::byte> half_way = saved(*whole.solver);
      whole.solver->step(37);
      const std::vector<std::byte> expected = saved(*whole.solver);
      const fluvia::Totals wanted = whole.solver->totals();
      for (const std::string& device : devices) {
        SCOPED_TRACE(device);
        const Case c = on(device);
        Flow flow = started(c, flat);
        EXPECT_GT(flow.solver->plan().domain.blocks, 1);
        for (int k = 0; k < 3; ++k) flow.solver->step(1);
        EXPECT_TRUE(saved(*flow.solver) == half_way);
        flow.solver->step(37);
        EXPECT_TRUE(saved(*flow.solver) == expected);
        const fluvia::Totals totals = flow.solver->totals();
        EXPECT_EQ(totals.mass, wanted.mass);
        EXPECT_EQ(totals.kinetic_energy, wanted.kinetic_energy);
        for (int k = 0; k < static_cast<int>(flow.solver->geometry().openings.size()); ++k)
          EXPECT_EQ(flow.solver->opening_flow(k).flow_rate, whole.solver->opening_flow(k).flow_rate) << k;
        Flow again = started(c, flat);
        again.solver->step(1);
        load(*again.solver, half_way);
        again.solver->resume_at(3);
        again.solver->step(37);
        EXPECT_TRUE(saved(*again.solver) == expected) << "resumed";
      }
    }
}

class LevelsInPartsOnGpus : public ::testing::TestWithParam<Beside> {};

TEST_P(LevelsInPartsOnGpus, HaveTheBitsOfOneOnOneGpu) {
  SKIP_WITHOUT_GPU();
  expect_bits_of_one_gpu(GetParam(), {"cuda:0,0", "cuda:0,0,0"});
}

TEST_P(LevelsInPartsOnGpus, HaveTheBitsOfOneOnAllGpus) {
  SKIP_WITHOUT_GPU();
  if (fluvia::cuda::list_devices().size() < 2) GTEST_SKIP() << "this machine has one GPU";
  expect_bits_of_one_gpu(GetParam(), {"cuda:0,1", "cuda:all"});
}
INSTANTIATE_TEST_SUITE_P(Levels, LevelsInPartsOnGpus, ::testing::ValuesIn(all_beside),
                         [](const auto& info) { return fluvia::test::test_name(info.param.name); });

/// Scalars cross as they are computed, whatever the flow beside them is stored in.
TEST(ScalarsBesideSixteenBits, HaveTheBitsOfOneOnOneGpu) {
  SKIP_WITHOUT_GPU();
  const auto scalars = std::ranges::find(all_beside, std::string("scalars"), &Beside::name);
  ASSERT_NE(scalars, std::end(all_beside));
  expect_bits_of_one_gpu(*scalars, {"cuda:0,0"}, "fp16s");
}

/// Hundreds of steps that are queued one by one, in which messages of a step could overtake those of the one before:
/// random bits keep steps from being recorded.
TEST(LevelsOnManyGpus, KeepTheOrderOfManySteps) {
  SKIP_WITHOUT_GPU();
  const auto end_of = [](const std::string& device) {
    Case c = case_of(setup_of("three levels", false), "D3Q19", "recursive-regularized", "compact-pull");
    c.numerics.device = device;
    c.numerics.format = "fp16s";
    c.numerics.rounding = "stochastic";
    Flow flow = started(c, false);
    flow.solver->step(300);
    return saved(*flow.solver);
  };
  const std::vector<std::byte> expected = end_of("cuda");
  EXPECT_TRUE(end_of("cuda:0,0,0") == expected);
  if (fluvia::cuda::list_devices().size() > 1) {
    EXPECT_TRUE(end_of("cuda:all") == expected);
  }
}

/// Levels that exceed what they may take of a GPU are streamed through it, with the bits of those in its memory.
class LevelsInTurnsOnAGpu : public testing::TestWithParam<std::tuple<bool, std::string, std::string>> {};

TEST_P(LevelsInTurnsOnAGpu, HaveTheBitsOfThoseThatStay) {
  SKIP_WITHOUT_GPU();
  const auto& [flat, format, scheme] = GetParam();
  Case c = case_of(setup_of("three levels", flat), flat ? "D2Q9" : "D3Q19", "recursive-regularized", scheme);
  c.domain.nodes = flat ? Int3{256, 2048, 1} : Int3{48, 48, 192};
  c.domain.periodic = {true, false, !flat};
  const Real3 low = flat ? Real3{51.2, 204.8, 1} : Real3{9.6, 9.6, 19.2};
  const Real3 high = flat ? Real3{204.8, 1843.2, 1} : Real3{38.4, 38.4, 172.8};
  c.refine = {region(1, low, high)};
  c.numerics.device = "cuda";
  c.numerics.format = format;
  Flow whole = started(c, flat);
  const fluvia::Plan& fits = whole.solver->plan();
  EXPECT_FALSE(fits.domain.is_streamed());
  const auto populations = static_cast<double>(fits.population_bytes);
  c.numerics.memory_limit = (static_cast<double>(fits.total_bytes()) - 0.3 * populations) / 1048576;
  Flow flow = started(c, flat);
  EXPECT_TRUE(flow.solver->plan().domain.is_streamed());
  whole.solver->step(3);
  flow.solver->step(3);
  EXPECT_TRUE(saved(*flow.solver) == saved(*whole.solver));
  whole.solver->step(40);
  flow.solver->step(40);
  EXPECT_TRUE(saved(*flow.solver) == saved(*whole.solver));
}

INSTANTIATE_TEST_SUITE_P(Levels, LevelsInTurnsOnAGpu,
                         testing::Combine(testing::Bool(), testing::Values("fp64", "fp32", "fp16s"),
                                          testing::Values("compact-pull", "compact-aa", "compact-sliding", "aa")));

/// What passes between levels, as this machine's compiler makes it for GPUs.
TEST(LevelKernels, CompileInAllFormats) {
  SKIP_WITHOUT_NVRTC();
  for (const std::string& format : fluvia::format_names())
    for (const int target : fluvia::test::known_targets()) {
      const fluvia::cuda::CompileRequest request = fluvia::cuda::level_request(format);
      const fluvia::cuda::CompiledKernels compiled = fluvia::cuda::compile(request, target);
      EXPECT_EQ(compiled.kernels.size(), request.kernels.size()) << format;
      EXPECT_EQ(compiled.log, "") << format;
    }
}

}  // namespace
