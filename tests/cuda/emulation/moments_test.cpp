// SPDX-License-Identifier: Apache-2.0
// Passes over moments instead of populations, run on the host, and what the compiler makes of them.
#include <fmt/format.h>

#include <tuple>

#include "cuda/emulation/compare_passes.hpp"
#include "cuda/support.hpp"
#include "fluvia/case/physics/registered_physics.hpp"
#include "fluvia/core/viscosity/registry.hpp"
#include "fluvia/cuda/program/pass_rows.hpp"
#include "fluvia/solver/plan/passes.hpp"
#include "support/covering.hpp"
#include "support/specification.hpp"

namespace {

namespace core = fluvia::core;
using emulation::compare_passes_in;
using emulation::compare_passes_of;
using emulation::Emulated;
using emulation::number_of;
using emulation::Spec;
using emulation::WithCollision;
using emulation::WithSteps;

/// The two copies that others which keep moments have the bits of.
constexpr int two_copies = number_of("moments");

/// Calls body(std::integral_constant<int, k>) for the numbers of all other schemes that keep moments.
template <class Body>
void for_each_other(const Body& body) {
  [&]<int... k>(std::integer_sequence<int, k...>) {
    const auto visit = [&]<int number>(std::integral_constant<int, number> scheme) {
      if constexpr (core::schemes[number].keeps_moments() && number != two_copies) body(scheme);
    };
    (visit(std::integral_constant<int, k>{}), ...);
  }
  (std::make_integer_sequence<int, core::schemes.size()>());
}

/// Passes over moments instead of populations. Populations begin as no regularised collision leaves them, so that a
/// single step comes first.
template <class Lattice, class Format, int steps, class Collision = core::Regularized>
void compare_moments(double tolerance) {
  using Passes = WithCollision<WithSteps<Spec<Lattice, two_copies, 0, Format, false>, steps>, Collision>;
  compare_passes_of<Passes, WithCollision<Spec<Lattice, number_of("pull"), 0, Format, false>, Collision>>(tolerance, 1);
  compare_passes_of<Passes>(0, 1);
  for_each_other([]<int k>(std::integral_constant<int, k>) {
    compare_passes_of<WithCollision<WithSteps<Spec<Lattice, k, 0, Format, false>, steps>, Collision>, Passes>(0, 1);
  });
}

/// Populations that are rebuilt differ in their last digits; the largest here are some tenths. The halo of a tile has
/// as many columns as a pass has steps, so that three are the most in boxes of three nodes along an axis.
TEST(EmulatedKernels, TakePassesOverMoments) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  compare_moments<core::D2Q9, core::Fp64, 1>(1e-14);
  compare_moments<core::D2Q9, core::Fp64, 3>(1e-14);
  compare_moments<core::D2Q9, core::Fp32, 3>(5e-6);
  compare_moments<core::D3Q15, core::Fp64, 2>(1e-14);
  compare_moments<core::D3Q19, core::Fp64, 1>(1e-14);
  compare_moments<core::D3Q19, core::Fp64, 2>(1e-14);
  compare_moments<core::D3Q27, core::Fp32, 2>(5e-6);
  compare_moments<core::D2Q9, core::Fp64, 3, core::RecursiveRegularized>(1e-14);
  compare_moments<core::D3Q19, core::Fp64, 2, core::RecursiveRegularized>(1e-14);
  compare_moments<core::D3Q27, core::Fp64, 1, core::RecursiveRegularized>(1e-14);
}

/// What walls between the nodes return is no function of moments and kept beside them: after passes of any length it is
/// what it is over populations.
template <class Lattice, class Format, int steps, core::WallRule rule, class Collision = core::Regularized>
void compare_walls(double tolerance) {
  const std::vector<scene::Scene> scenes = {
      scene::between_nodes(scene::channel(Lattice::D == 3 ? fluvia::Int3{13, 7, 9} : fluvia::Int3{37, 21, 1}),
                           rule == core::WallRule::viscosity_independent),
      scene::between_nodes(scene::cavity(Lattice::D == 3 ? fluvia::Int3{13, 7, 9} : fluvia::Int3{37, 21, 1}),
                           rule == core::WallRule::viscosity_independent)};
  using Passes = WithCollision<WithSteps<Spec<Lattice, two_copies, 0, Format, false, false, rule>, steps>, Collision>;
  compare_passes_in<Passes, WithCollision<Spec<Lattice, number_of("pull"), 0, Format, false, false, rule>, Collision>>(
      scenes, tolerance, 1);
  compare_passes_in<Passes>(scenes, 0, 1);
  for_each_other([&]<int k>(std::integral_constant<int, k>) {
    using Other = WithCollision<WithSteps<Spec<Lattice, k, 0, Format, false, false, rule>, steps>, Collision>;
    compare_passes_in<Other, Passes>(scenes, 0, 1);
  });
}

TEST(EmulatedKernels, KeepWhatWallsReturnBesideMoments) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  compare_walls<core::D2Q9, core::Fp64, 3, core::WallRule::interpolated>(1e-14);
  compare_walls<core::D2Q9, core::Fp32, 1, core::WallRule::viscosity_independent>(5e-6);
  compare_walls<core::D3Q19, core::Fp64, 2, core::WallRule::interpolated>(1e-14);
  compare_walls<core::D3Q19, core::Fp16S, 2, core::WallRule::interpolated>(2e-3);
  compare_walls<core::D3Q27, core::Fp64, 1, core::WallRule::viscosity_independent, core::RecursiveRegularized>(1e-14);
}

/// Moments of 16 bits have the same bits wherever passes end, since what a stage passes on is what memory would keep;
/// and are those of populations in fp32 to some hundred units of 4e-6, and 11 digits that are saved.
template <class Lattice, class Format, int steps, class Collision = core::Regularized>
void compare_moments_of_16_bits() {
  using Passes = WithCollision<WithSteps<Spec<Lattice, two_copies, 0, Format, false, true>, steps>, Collision>;
  compare_passes_of<Passes>(0, 1);
  for_each_other([]<int k>(std::integral_constant<int, k>) {
    compare_passes_of<WithCollision<WithSteps<Spec<Lattice, k, 0, Format, false, true>, steps>, Collision>, Passes>(0,
                                                                                                                    1);
  });
  compare_passes_of<Passes, WithCollision<Spec<Lattice, number_of("pull"), 0, core::Fp32, false>, Collision>>(4e-4, 1);
}

TEST(EmulatedKernels, TakePassesOverMomentsOf16Bits) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  compare_moments_of_16_bits<core::D2Q9, core::Fp16S, 1>();
  compare_moments_of_16_bits<core::D2Q9, core::Fp16C, 3>();
  compare_moments_of_16_bits<core::D3Q15, core::Fp16S, 2>();
  compare_moments_of_16_bits<core::D3Q19, core::Fp16C, 2>();
  compare_moments_of_16_bits<core::D3Q19, core::Fp16S, 2, core::RecursiveRegularized>();
  compare_moments_of_16_bits<core::D3Q27, core::Fp16S, 1>();
}

/// Populations may be placed again after any number of steps and passes: what follows is what it is of a new flow.
template <class Lattice, int k>
void begin_again(const scene::Scene& s) {
  using OfScheme = Spec<Lattice, k, 0, core::Fp64, false, false, core::WallRule::half_way>;
  SCOPED_TRACE(testing::Message() << s.name << ' ' << Lattice::name << ' ' << OfScheme::scheme.name);
  reference::Physics physics;
  physics.lattice = Lattice::name;
  physics.collision = OfScheme::Collision::name;
  const auto start = scene::make_solver(s, {physics, "pull", "fp64", 1, "cpu"});
  const fluvia::NodeMap& nodes = start->geometry().nodes;
  std::vector<double> values(nodes.fluid_nodes), expected(nodes.fluid_nodes);
  const auto begin = [&](Emulated<OfScheme>& flow) {
    for (int i = 0; i < Lattice::Q; ++i) {
      start->save({fluvia::flow_populations, i, 0, nodes.tiles.size()}, std::as_writable_bytes(std::span(values)));
      flow.exchange(i, values, true);
    }
    flow.step();
    flow.pass();
    flow.pass();
    flow.step();
  };
  Emulated<OfScheme> once(s, {physics, OfScheme::scheme.name, "fp64", 1, "cuda"});
  begin(once);
  for (const int passes : {0, 1, 2}) {
    SCOPED_TRACE(testing::Message() << passes << " passes before");
    Emulated<OfScheme> again(s, {physics, OfScheme::scheme.name, "fp64", 1, "cuda"});
    again.step();
    for (int pass = 0; pass < passes; ++pass) again.pass();
    begin(again);
    for (int i = 0; i < Lattice::Q; ++i) {
      again.exchange(i, values, false);
      once.exchange(i, expected, false);
      ASSERT_EQ(values, expected) << "direction " << i;
    }
  }
}

TEST(EmulatedKernels, BeginAgainOverMoments) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  const scene::Scene flat = scene::porous({37, 61, 1}), box = scene::cavity({13, 7, 19});
  begin_again<core::D2Q9, two_copies>(flat);
  begin_again<core::D3Q27, two_copies>(box);
  for_each_other([&]<int k>(std::integral_constant<int, k>) {
    begin_again<core::D2Q9, k>(flat);
    begin_again<core::D3Q27, k>(box);
  });
}

/// Moments of 16 bits on a GPU.
scene::Options sixteen_bits(const std::string& lattice, int steps_per_pass) {
  scene::Options o;
  o.physics.lattice = lattice;
  o.physics.collision = "regularized";
  o.scheme = "moments";
  o.format = "fp16s";
  o.device = "cuda";
  o.rounding = "stochastic";
  o.steps_per_pass = steps_per_pass;
  return o;
}

/// 41 steps: one, two recorded graphs and some more; one by one; and by passes of two.
TEST(CudaMoments, OfSixteenBitsAreTheSameHoweverStepsAreQueued) {
  SKIP_WITHOUT_GPU();
  for (const scene::Scene& s : {scene::porous({67, 45, 1}), scene::channel({38, 17, 18})}) {
    SCOPED_TRACE(s.name);
    const std::string lattice = s.dimension == 2 ? "D2Q9" : "D3Q19";
    const int directions = s.dimension == 2 ? 9 : 19;
    const auto recorded = scene::make_solver(s, sixteen_bits(lattice, 1));
    recorded->step(41);
    const std::vector<std::byte> expected = scene::save(*recorded, directions, 2);
    const auto single = scene::make_solver(s, sixteen_bits(lattice, 1));
    for (int k = 0; k < 41; ++k) single->step(1);
    EXPECT_TRUE(scene::save(*single, directions, 2) == expected) << "one by one";
    const auto passes = scene::make_solver(s, sixteen_bits(lattice, 2));
    passes->step(41);
    EXPECT_TRUE(scene::save(*passes, directions, 2) == expected) << "by passes of two";
  }
}

/// The first step takes populations as they were placed; from then on the mass is the same to the last bit.
TEST(CudaMoments, OfSixteenBitsKeepTheMass) {
  SKIP_WITHOUT_GPU();
  for (const fluvia::Int3& size : {fluvia::Int3{67, 45, 1}, fluvia::Int3{38, 17, 18}}) {
    const scene::Scene s = scene::base_scene("box", size, {true, true, size[2] > 1});
    const auto solver = scene::make_solver(s, sixteen_bits(size[2] == 1 ? "D2Q9" : "D3Q19", 0));
    const auto mass = [&] {
      fluvia::Moments moments;
      solver->moments(0, solver->geometry().nodes.tiles.size(), false, moments);
      double sum = 0;
      for (const double density : moments.density) sum += density - 1;  // whole multiples of a unit: exact
      return sum;
    };
    solver->step(1);
    const double begin = mass();
    solver->step(2000);
    EXPECT_EQ(mass(), begin);
  }
}

/// What a pass over moments has beside its collision.
struct Beside {
  std::string collision;
  bool wide = false;  ///< force, eddies and conditions
  core::WallRule walls = core::WallRule::half_way;
};

/// Passes over moments keep everything in registers, of as many steps as are taken, beside conditions and with large
/// eddies.
TEST(Passes, OverMomentsKeepEverythingInRegisters) {
  SKIP_WITHOUT_NVRTC();
  std::vector<std::string> schemes;
  for (const core::Scheme& scheme : core::schemes)
    if (scheme.keeps_moments()) schemes.emplace_back(scheme.name);
  const core::ConditionSet opening =
      1u << core::boundary_rule(core::detail::index_of<core::PressureOpening>(core::Boundaries{}));
  const std::vector<Beside> besides = {{"regularized"},
                                       {"regularized", true},
                                       {"regularized", false, core::WallRule::interpolated},
                                       {"recursive-regularized"}};
  const auto allowed = [&](const std::string& scheme, const std::string& lattice, const std::string&,
                           const Beside& beside) {
    return fluvia::collision_problem(beside.collision, lattice).empty() &&
           fluvia::scheme_problem(fluvia::parse_scheme(scheme), lattice, beside.collision, "quasi-compressible")
               .empty();
  };
  for (const auto& [scheme, lattice, format, beside] : fluvia::test::covering(
           allowed, schemes, fluvia::lattice_names(), std::vector<std::string>{"fp32", "fp64", "fp16s"}, besides)) {
    fluvia::cuda::Specification s = fluvia::test::specification(lattice, scheme, format, beside.collision);
    s.steps_per_pass = lattice == "D2Q9" ? 4 : lattice == "D3Q27" || format == "fp16s" ? 1 : 2;
    s.stochastic = format == "fp16s";
    s.force = beside.wide;
    s.walls = beside.walls;
    if (beside.wide) {
      s.conditions = fluvia::conditions_like_walls | opening;
      s.viscosity = core::Smagorinsky::facts.name;
    }
    s.pass = fluvia::cuda::pass_row(s);
    const auto kind = s.steps_per_pass > 1 ? fluvia::cuda::KernelKind::pass : fluvia::cuda::KernelKind::step;
    for (const auto& [name, kernel] : fluvia::cuda::compile(fluvia::cuda::compile_request(s, {kind, 0}), 90).kernels) {
      ASSERT_TRUE(kernel.resources) << name;
      fmt::print("{}: {} registers, {} bytes spilled\n", s.text(), kernel.resources->registers,
                 kernel.resources->spill_store_bytes);
      EXPECT_LE(kernel.resources->spill_store_bytes, 16u) << s.text();  // openings in fp64, D2Q9
    }
  }
}

}  // namespace
