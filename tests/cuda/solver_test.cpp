// SPDX-License-Identifier: Apache-2.0
// The solver on a GPU against the reference solver, the CPU and itself. Kernels are compiled per combination, so that
// the product of all registries would take hours: every physics runs with one scheme and format, which vary, and every
// scheme and format with one physics per lattice.
#include <algorithm>
#include <cmath>
#include <tuple>

#include "cuda/support.hpp"
#include "fluvia/backend/backend.hpp"
#include "fluvia/case/physics/registered_physics.hpp"
#include "fluvia/core/collision/registry.hpp"
#include "fluvia/core/format/registry.hpp"
#include "fluvia/core/lattice/registry.hpp"
#include "fluvia/solver/plan/scheme.hpp"
#include "reference/combinations.hpp"
#include "reference/scenes.hpp"
#include "support/specification.hpp"

namespace {

using fluvia::format_names;
using fluvia::core::for_each_type;
using fluvia::test::test_name;
using scene::Combination;
using scene::combinations;
using scene::Scene;

std::vector<std::byte> run(const Scene& s, const Combination& c, const std::string& scheme, const std::string& format,
                           const std::string& device, int steps, int tile = 0) {
  const auto solver = scene::make_solver(s, {c.physics, scheme, format, 1, device, tile});
  solver->step(steps);
  return scene::save(*solver, c.directions, scene::bytes_of(format));
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = a.size() == b.size() ? 0 : 1e300;
  for (std::size_t k = 0; k < std::min(a.size(), b.size()); ++k)
    largest = std::isfinite(a[k]) ? std::max(largest, std::abs(a[k] - b[k])) : 1e300;
  return largest;
}

/// CPU and GPU differ in which products and sums they fuse: a few units in the last place of deviations of order 0.03,
/// and, where that tips a rounding to 16 bits, one step of the format a time step.
double tolerance_of(const std::string& format, int steps) {
  if (format == "fp64") return 1e-14;
  if (format == "fp32") return 1e-7;
  return steps * 0.03 * std::ldexp(1.0, format == "fp16c" ? -11 : -10) + 1e-7;
}

/// Moments are sums of all populations of a node, which are rounded once more than these.
double tolerance_of(const std::string& scheme, const std::string& format, int steps) {
  return tolerance_of(format, steps) * (fluvia::parse_scheme(scheme).keeps_moments() ? 10 : 1);
}
bool suits(const Combination& c, const std::string& scheme) {
  const fluvia::Scheme& facts = fluvia::parse_scheme(scheme);
  const bool varies = !scene::viscosity_name(c.physics).empty();  // and some scenes have forces
  return fluvia::scheme_problem(facts, c.physics.lattice, c.physics.collision, c.physics.equilibrium).empty() &&
         fluvia::force_problem(facts, c.physics.collision, true, varies).empty();
}

bool is_half(const std::string& scheme) {
  return fluvia::parse_scheme(scheme).half;
}
/// A scheme of the CPU that stores the same nodes.
const char* cpu_scheme_for(const std::string& scheme) {
  return is_half(scheme) ? "fcc" : "pull";
}
std::vector<Scene> scenes_for(const std::string& scheme, int dimension) {
  if (is_half(scheme)) return scene::half_scenes();
  std::vector<Scene> scenes = scene::all_scenes(dimension);
  const fluvia::Scheme& facts = fluvia::parse_scheme(scheme);
  if (facts.stepping != fluvia::core::Stepping::ghost_buffers && !facts.keeps_moments())  // which refuse sheets
    scenes.push_back(scene::sheet_scenes(dimension).front());
  scenes.push_back(scene::own_force_scenes(dimension).back());  // which has walls between the nodes
  return scenes;
}

/// One combination on the GPU against the CPU, on every scene.
void compare_with_cpu(const Combination& c, const std::string& scheme, const std::string& format) {
  int steps = 7;
  for (const Scene& s : scenes_for(scheme, c.dimension)) {
    SCOPED_TRACE(testing::Message() << s.name << ' ' << c.physics.lattice << ' ' << c.physics.collision << ' '
                                    << c.physics.equilibrium << ' ' << scheme << ' ' << format);
    const auto expected = scene::decode(run(s, c, cpu_scheme_for(scheme), format, "cpu", steps), format);
    const auto found = scene::decode(run(s, c, scheme, format, "cuda", steps), format);
    ASSERT_LE(largest_difference(found, expected), tolerance_of(scheme, format, steps));
    steps = 19 - steps;
  }
}

class CudaPhysics : public testing::TestWithParam<std::size_t> {
 public:
  static std::string name(const testing::TestParamInfo<std::size_t>& info) {
    const reference::Physics p = combinations()[info.param].physics;
    return test_name(p.lattice + '_' + p.collision + '_' + p.equilibrium + "_" + scene::viscosity_name(p));
  }
};

TEST_P(CudaPhysics, AgreesWithTheCpu) {
  SKIP_WITHOUT_GPU();
  const std::size_t k = GetParam();
  const Combination c = combinations()[k];
  const std::string format = format_names()[k / 2 % format_names().size()];
  std::vector<std::string> schemes = fluvia::gpu_scheme_names();
  std::erase_if(schemes, [&](const std::string& scheme) { return !suits(c, scheme); });
  compare_with_cpu(c, schemes[k % schemes.size()], format);
}

INSTANTIATE_TEST_SUITE_P(All, CudaPhysics, testing::Range(std::size_t{0}, combinations().size()), CudaPhysics::name);

class CudaFormat : public testing::TestWithParam<std::tuple<std::string, std::string>> {};

TEST_P(CudaFormat, AgreesWithTheCpuOnEveryLattice) {
  SKIP_WITHOUT_GPU();
  const std::string &scheme = std::get<0>(GetParam()), &format = std::get<1>(GetParam());
  if (fluvia::parse_scheme(scheme).uses_index_map() && format != "fp16s")
    GTEST_SKIP() << "schemes on index maps share what formats change, and have the bits of others in fp64 and fp32";
  const bool own_bits = fluvia::parse_scheme(scheme).keeps_moments();
  if (scheme != "pull" && !own_bits && (format == "fp64" || format == "fp32"))
    GTEST_SKIP() << "in fp64 and fp32 all schemes have the bits of pull (CudaSchemeOnLattice)";
  for (const Combination& c : combinations()) {
    if (testing::Test::HasFatalFailure()) return;
    const bool is_wanted = own_bits || c.physics.collision == "trt" || c.physics.lattice == "D3Q13";
    if (is_wanted && suits(c, scheme) && c.physics.equilibrium == "quasi-compressible" &&
        scene::viscosity_name(c.physics).empty())
      compare_with_cpu(c, scheme, format);
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, CudaFormat, testing::Combine(testing::ValuesIn(fluvia::gpu_scheme_names()), testing::ValuesIn(format_names())),
    [](const auto& instance) { return test_name(std::get<0>(instance.param) + '_' + std::get<1>(instance.param)); });

/// Physics of the lattice that every scheme has which keeps populations.
Combination plain_combination(const std::string& lattice) {
  for (const Combination& c : combinations())
    if (c.physics.lattice == lattice && (c.physics.collision == "bgk" || lattice == "D3Q13") &&
        c.physics.equilibrium == "quasi-compressible" && scene::viscosity_name(c.physics).empty())
      return c;
  throw std::logic_error("no combination has the lattice " + lattice);
}

/// Scheme and lattice, one test each: they take long, since all kernels are compiled.
class CudaSchemeOnLattice : public testing::TestWithParam<std::tuple<std::string, std::string>> {};

TEST_P(CudaSchemeOnLattice, HasTheBitsOfEveryOther) {
  SKIP_WITHOUT_GPU();
  const auto& [scheme, lattice] = GetParam();
  if (fluvia::parse_scheme(scheme).keeps_moments()) GTEST_SKIP() << "moments round elsewhere (CudaFormat)";
  const Combination c = plain_combination(lattice);
  for (const char* format : {"fp64", "fp32"})
    for (const Scene& s : scene::all_scenes(c.dimension)) {
      SCOPED_TRACE(testing::Message() << s.name << ' ' << format);
      const std::vector<std::byte> expected = run(s, c, "pull", format, "cuda", 9);
      EXPECT_TRUE(run(s, c, scheme, format, "cuda", 9) == expected);
      for (const int edge : fluvia::test::more_edges(fluvia::parse_scheme(scheme), c.dimension))
        EXPECT_TRUE(run(s, c, scheme, format, "cuda", 9, edge) == expected) << "tiles of " << edge;
    }
}

class CudaScheme : public testing::TestWithParam<std::string> {};

TEST_P(CudaScheme, ContinuesWhatTheCpuBegan) {
  SKIP_WITHOUT_GPU();
  Combination c;
  c.physics.lattice = "D3Q19";
  c.physics.collision = fluvia::test::collision_for(fluvia::parse_scheme(GetParam()), "D3Q19", "trt");
  c.dimension = 3;
  c.directions = 19;
  for (const Scene& s : scene::all_scenes(3)) {
    SCOPED_TRACE(s.name);
    const auto cpu = scene::make_solver(s, {c.physics, "aa", "fp64", 1, "cpu"});
    cpu->step(5);
    const auto gpu = scene::make_solver(s, {c.physics, GetParam(), "fp64", 1, "cuda"});
    const fluvia::NodeMap& nodes = cpu->geometry().nodes;
    std::vector<std::byte> populations(nodes.fluid_nodes * sizeof(double)), again(populations.size());
    for (int i = 0; i < c.directions; ++i) {
      cpu->save({fluvia::flow_populations, i, 0, nodes.tiles.size()}, populations);
      gpu->load({fluvia::flow_populations, i, 0, nodes.tiles.size()}, populations);
    }
    scene::load_kept(*gpu, scene::save_kept(*cpu));
    gpu->resume_at(5);
    for (int i = 0; i < c.directions; ++i) {
      cpu->save({fluvia::flow_populations, i, 0, nodes.tiles.size()}, populations);
      gpu->save({fluvia::flow_populations, i, 0, nodes.tiles.size()}, again);
      ASSERT_TRUE(populations == again) << "direction " << i;
    }
    cpu->step(6);
    gpu->step(6);
    const auto a = scene::decode(scene::save(*cpu, c.directions, 8), "fp64");
    const auto b = scene::decode(scene::save(*gpu, c.directions, 8), "fp64");
    EXPECT_LE(largest_difference(a, b), tolerance_of(GetParam(), "fp64", 6));
  }
}

/// The scenes above are smaller than a chunk of tiles.
TEST(CudaSliding, HasTheBitsOfTwoCopiesOverManyChunks) {
  SKIP_WITHOUT_GPU();
  const Combination c = plain_combination("D2Q9");
  for (const Scene& s : {scene::channel({1501, 3003, 1}), scene::cavity({1600, 2900, 1})})
    for (const char* format : {"fp64", "fp32"}) {
      SCOPED_TRACE(testing::Message() << s.name << ' ' << format);
      const std::vector<std::byte> expected = run(s, c, "compact-pull", format, "cuda", 50);
      EXPECT_TRUE(run(s, c, "compact-sliding", format, "cuda", 50) == expected);
    }
}

/// Everything that is derived from populations: moments, sums, forces, flows.
void compare_measurements(const std::string& lattice, const std::string& scheme) {
  Combination c;
  c.physics.lattice = lattice;
  c.physics.collision = fluvia::test::collision_for(fluvia::parse_scheme(scheme), lattice);
  c.physics.smagorinsky = 0.1;
  c.dimension = lattice[1] - '0';
  for (Scene s : scenes_for(scheme, c.dimension)) {
    SCOPED_TRACE(testing::Message() << s.name << ' ' << lattice);
    const auto mirrors = scene::make_geometry(s).nodes.mirrors;  // on which no force acts
    for (std::size_t k = 0; k < s.surfaces().size(); ++k)
      if (k >= mirrors.size() || !mirrors[k]) s.monitored.push_back(s.surfaces()[k]);
    const auto cpu = scene::make_solver(s, {c.physics, cpu_scheme_for(scheme), "fp64", 1, "cpu"});
    const auto gpu = scene::make_solver(s, {c.physics, scheme, "fp64", 1, "cuda"});
    cpu->step(7);
    gpu->step(7);
    const fluvia::Totals a = cpu->totals(), b = gpu->totals();
    EXPECT_NEAR(a.mass, b.mass, 1e-11);
    EXPECT_NEAR(a.kinetic_energy, b.kinetic_energy, 1e-11);
    EXPECT_NEAR(a.max_speed, b.max_speed, 1e-13);
    EXPECT_EQ(a.finite, b.finite);
    for (int axis = 0; axis < 3; ++axis) EXPECT_NEAR(a.momentum[axis], b.momentum[axis], 1e-11);
    const fluvia::Moments ma = scene::moments(*cpu, true), mb = scene::moments(*gpu, true);
    ASSERT_EQ(ma.density.size(), mb.density.size());
    for (std::size_t n = 0; n < ma.density.size(); ++n) {
      ASSERT_NEAR(ma.density[n], mb.density[n], 1e-13);
      for (int axis = 0; axis < 3; ++axis) ASSERT_NEAR(ma.velocity[n][axis], mb.velocity[n][axis], 1e-13);
      for (int k = 0; k < 6; ++k) ASSERT_NEAR(ma.stress[n][k], mb.stress[n][k], 1e-13);
    }
    for (int surface = 0; surface < static_cast<int>(s.surfaces().size()); ++surface) {
      if (surface < static_cast<int>(mirrors.size()) && mirrors[static_cast<std::size_t>(surface)]) continue;
      const fluvia::SurfaceForce fa = cpu->surface_force(surface, {1.5, 2.5, 3.5}),
                                 fb = gpu->surface_force(surface, {1.5, 2.5, 3.5});
      for (int axis = 0; axis < 3; ++axis) {
        EXPECT_NEAR(fa.force[axis], fb.force[axis], 1e-11) << surface;
        EXPECT_NEAR(fa.torque[axis], fb.torque[axis], 1e-10) << surface;
      }
    }
    for (int opening = 0; opening < static_cast<int>(s.openings.size()); ++opening) {
      const fluvia::OpeningFlow fa = cpu->opening_flow(opening), fb = gpu->opening_flow(opening);
      EXPECT_NEAR(fa.flow_rate, fb.flow_rate, 1e-12);
      EXPECT_NEAR(fa.mean_pressure, fb.mean_pressure, 1e-12);
    }
  }
}

TEST_P(CudaSchemeOnLattice, MeasuresWhatTheCpuMeasures) {
  SKIP_WITHOUT_GPU();
  const auto& [scheme, lattice] = GetParam();
  if (fluvia::test::collision_for(fluvia::parse_scheme(scheme), lattice).empty())
    GTEST_SKIP() << "refused on " << lattice;
  compare_measurements(lattice, scheme);
}

class CudaHalfScheme : public testing::TestWithParam<std::tuple<std::string, std::string>> {};

TEST_P(CudaHalfScheme, AgreesWithTheCpu) {
  SKIP_WITHOUT_GPU();
  const auto& [scheme, format] = GetParam();
  for (const Combination& c : combinations())
    if (c.physics.lattice == "D3Q13" && !testing::Test::HasFatalFailure()) compare_with_cpu(c, scheme, format);
}

TEST_P(CudaHalfScheme, MeasuresWhatTheCpuMeasures) {
  SKIP_WITHOUT_GPU();
  const auto& [scheme, format] = GetParam();
  if (format != "fp64") GTEST_SKIP() << "measurements are compared in fp64";
  compare_measurements("D3Q13", scheme);
}

INSTANTIATE_TEST_SUITE_P(All, CudaHalfScheme,
                         testing::Combine(testing::ValuesIn(fluvia::half_scheme_names("cuda")),
                                          testing::ValuesIn(format_names())),
                         [](const auto& instance) {
                           return test_name(std::get<0>(instance.param) + '_' + std::get<1>(instance.param));
                         });

INSTANTIATE_TEST_SUITE_P(All, CudaSchemeOnLattice,
                         testing::Combine(testing::ValuesIn(fluvia::gpu_scheme_names()),
                                          testing::ValuesIn(fluvia::lattice_names())),
                         [](const auto& instance) {
                           return test_name(std::get<0>(instance.param) + '_' + std::get<1>(instance.param));
                         });
INSTANTIATE_TEST_SUITE_P(All, CudaScheme, testing::ValuesIn(fluvia::gpu_scheme_names()),
                         [](const auto& instance) { return test_name(instance.param); });

}  // namespace
