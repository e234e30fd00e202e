// SPDX-License-Identifier: Apache-2.0
// Passes of several steps, run on the host, against single steps: the same bits.
#include "fluvia/solver/plan/passes.hpp"

#include <fmt/format.h>

#include "cuda/emulation/compare_passes.hpp"
#include "cuda/support.hpp"
#include "fluvia/case/physics/registered_physics.hpp"
#include "fluvia/core/viscosity/registry.hpp"
#include "fluvia/cuda/program/pass_rows.hpp"
#include "support/specification.hpp"
#include "support/temporary_folder.hpp"

namespace {

namespace core = fluvia::core;
using emulation::compare_passes_of;
using emulation::Emulated;
using emulation::number_of;
using emulation::Spec;
using emulation::WithSteps;

/// The same bits.
template <class Lattice, class Format, int steps = 0>
void compare_passes() {
  const auto compare = []<int k>(std::integral_constant<int, k>) {
    using Base = Spec<Lattice, k, 0, Format, false>;
    compare_passes_of<WithSteps<Base, (steps > 0 ? steps : Base::steps)>>(0, 0);
  };
  compare(std::integral_constant<int, number_of("fused")>{});
  compare(std::integral_constant<int, number_of("fused-sliding")>{});
}

TEST(EmulatedKernels, TakeSeveralStepsInAPass) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  compare_passes<core::D2Q9, core::Fp64>();
  compare_passes<core::D2Q9, core::Fp32>();
  compare_passes<core::D2Q9, core::Fp32, 3>();
  compare_passes<core::D3Q13, core::Fp64>();
  compare_passes<core::D3Q15, core::Fp64>();
  compare_passes<core::D3Q19, core::Fp32>();
  compare_passes<core::D3Q27, core::Fp64>();
}

/// Values of 16 bits are rounded when they leave the pass, by the random bits of its last step.
template <class Lattice, class Format>
void compare_rounding() {
  constexpr int k = number_of("fused");
  using Rounded = Spec<Lattice, k, 0, Format, false, true>;
  using Exact = Spec<Lattice, k, 0, core::Fp32, false>;
  const scene::Scene s = scene::open_box(Lattice::D == 3 ? fluvia::Int3{19, 9, 13} : fluvia::Int3{37, 21, 1});
  reference::Physics physics;
  physics.lattice = Lattice::name;
  physics.collision = Rounded::Collision::name;
  Emulated<Rounded> rounded(s, {physics, "fused", Format::name, 1, "cuda", 0, 0, "stochastic"});
  Emulated<Exact> exact(s, {physics, "fused", "fp32", 1, "cuda"});
  const auto start = scene::make_solver(s, {physics, "pull", Format::name, 1, "cpu", 0, 0, "stochastic"});
  const fluvia::NodeMap& nodes = start->geometry().nodes;
  std::vector<core::Uint16> stored(nodes.fluid_nodes);
  std::vector<float> values(nodes.fluid_nodes);
  for (int i = 0; i < Lattice::Q; ++i) {
    start->save({fluvia::flow_populations, i, 0, nodes.tiles.size()}, std::as_writable_bytes(std::span(stored)));
    std::transform(stored.begin(), stored.end(), values.begin(), [](core::Uint16 x) { return Format::decode(x); });
    rounded.exchange(i, stored, true);
    exact.exchange(i, values, true);
  }
  rounded.pass();
  for (int step = 0; step < Rounded::steps; ++step) exact.step();
  const core::StepKey key = core::step_key(Rounded::steps - 1);
  for (int i = 0; i < Lattice::Q; ++i) {
    rounded.exchange(i, stored, false);
    exact.exchange(i, values, false);
    std::size_t n = 0;
    for (const fluvia::NodeMap::Tile& tile : nodes.tiles)
      for (std::uint64_t bits = tile.mask; bits != 0; bits &= bits - 1, ++n) {
        fluvia::Int3 from = nodes.node_position(tile, std::countr_zero(bits));  // where it was rounded
        for (int axis = 0; axis < Lattice::D; ++axis)
          from[axis] = (from[axis] - Lattice::c[i][axis] + nodes.size[axis]) % nodes.size[axis];
        const auto index = static_cast<core::Uint32>(from[0] + nodes.size[0] * (from[1] + nodes.size[1] * from[2]));
        const core::Uint32 random =
            core::direction_bits<Format::random_bits>(core::node_bits(index, key), core::direction_multiplier(i));
        ASSERT_EQ(stored[n], Format::truncate(Format::dither(values[n], random))) << "direction " << i << " node " << n;
      }
  }
}

TEST(EmulatedKernels, RoundOncePerPass) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  compare_rounding<core::D2Q9, core::Fp16S>();
  compare_rounding<core::D3Q19, core::Fp16C>();
}

/// Every number of steps that a lattice and format allows has tiles, which fit into the shared memory of an H100.
TEST(Passes, HaveTilesThatFit) {
  constexpr std::size_t most = 227 * 1024, most_threads = 1024;
  core::for_each_type(core::Lattices{}, [&]<class Lattice>(Lattice) {
    core::for_each_type(core::Formats{}, [&]<class Format>(Format) {
      fluvia::cuda::Specification s;
      s.lattice = Lattice::name;
      s.format = Format::name;
      for (const auto& [scheme, collision] : {std::pair{"fused", "bgk"},
                                              {"fused", "trt"},
                                              {"moments", "regularized"},
                                              {"moments-sliding", "regularized"}})
        for (const core::ConditionSet conditions : {core::ConditionSet{0}, core::all_conditions}) {
          s.scheme = fluvia::parse_scheme(scheme);
          if (!fluvia::scheme_problem(s.scheme, s.lattice, collision, "quasi-compressible").empty()) continue;
          const int first = s.scheme.keeps_moments() ? 1 : 2;
          for (s.steps_per_pass = first; s.steps_per_pass <= s.scheme.most_steps_on_gpu(Lattice::D);
               ++s.steps_per_pass) {
            s.collision = collision;
            s.conditions = conditions;
            s.pass = fluvia::cuda::pass_row(s);
            const fluvia::cuda::kernels::PassTile tile = fluvia::cuda::pass_tile(s, s.steps_per_pass);
            EXPECT_LE(fluvia::cuda::pass_shared_bytes(s) * static_cast<std::size_t>(s.pass.blocks), most) << s.text();
            EXPECT_LE(static_cast<std::size_t>(tile.threads()), most_threads) << s.text();
          }
        }
    });
  });
}

/// Beside planes of symmetry passes have kernels of their own.
TEST(Passes, CompileBesidePlanesOfSymmetry) {
  SKIP_WITHOUT_NVRTC();
  std::size_t turn = 0;
  for (const std::string& lattice : fluvia::lattice_names()) {
    fluvia::cuda::Specification s =
        fluvia::test::specification(lattice, turn++ % 2 == 0 ? "fused" : "fused-sliding", "fp32",
                                    fluvia::collision_problem("bgk", lattice).empty() ? "bgk" : "mrt");
    s.steps_per_pass = lattice == "D2Q9" ? 4 : 2;
    s.mirrors = true;
    s.pass = fluvia::cuda::pass_row(s);
    const auto request = fluvia::cuda::compile_request(s, {fluvia::cuda::KernelKind::pass, 0});
    EXPECT_NE(request.source.find("mirrors = true"), std::string::npos);
    for (const auto& [name, kernel] : fluvia::cuda::compile(request, 90).kernels) {
      ASSERT_TRUE(kernel.resources) << name;
      RecordProperty(s.text(), static_cast<int>(kernel.resources->spill_store_bytes));
    }
  }
}

/// What spills goes to the second cache, since shared memory leaves the first none: passes of a few spilled registers
/// took four times as long.
TEST(Passes, KeepEverythingInRegisters) {
  SKIP_WITHOUT_NVRTC();
  constexpr int target = 90;
  constexpr std::size_t most_spilled = 4;  // a number that stays the same: loaded once a round
  for (const std::string& lattice : fluvia::lattice_names())
    for (const char* collision : {"bgk", "trt"})
      for (const char* format : {"fp32", "fp16s"}) {
        if (!fluvia::collision_problem(collision, lattice).empty()) continue;
        fluvia::cuda::Specification s = fluvia::test::specification(
            lattice, format == std::string("fp32") ? "fused-sliding" : "fused", format, collision);
        s.conditions = 0;  // and with walls that move: passes have one kernel for both
        s.steps_per_pass = lattice == "D2Q9" ? 4 : 2;
        s.pass = fluvia::cuda::pass_row(s);
        const auto compiled =
            fluvia::cuda::compile(fluvia::cuda::compile_request(s, {fluvia::cuda::KernelKind::pass, 0}), target);
        for (const auto& [name, kernel] : compiled.kernels) {
          ASSERT_TRUE(kernel.resources) << name;
          EXPECT_LE(kernel.resources->spill_store_bytes, most_spilled) << s.text();
        }
      }
}

/// Passes keep everything in registers beside each condition that looks at all populations of a node, and beside all of
/// them: few nodes have one, but what spills, spills for all. Openings took half the speed of the whole box so. Those
/// that model friction take single steps.
TEST(Passes, KeepEverythingInRegistersBesideEveryCondition) {
  SKIP_WITHOUT_NVRTC();
  constexpr int target = 90;
  const auto check = [&](const std::string& lattice, const char* format, fluvia::core::ConditionSet conditions,
                         std::size_t most_spilled = 4) {
    fluvia::cuda::Specification s = fluvia::test::specification(lattice, "fused", format, "trt");
    s.stochastic = format == std::string("fp16s");
    s.conditions = fluvia::conditions_like_walls | conditions;
    s.steps_per_pass = lattice == "D2Q9" ? 4 : 2;
    s.pass = fluvia::cuda::pass_row(s);
    const auto compiled =
        fluvia::cuda::compile(fluvia::cuda::compile_request(s, {fluvia::cuda::KernelKind::pass, 0}), target);
    for (const auto& [name, kernel] : compiled.kernels) {
      ASSERT_TRUE(kernel.resources) << name;
      EXPECT_LE(kernel.resources->spill_store_bytes, most_spilled) << s.text();
    }
  };
  fluvia::core::ConditionSet looking = 0;
  for (int kind = 0; kind < fluvia::core::Boundaries::size; ++kind)
    if (fluvia::core::boundary_facts(kind).acts && !fluvia::core::boundary_facts(kind).models_friction)
      looking |= (1u << fluvia::core::boundary_rule(kind)) & ~fluvia::conditions_like_walls;
  for (fluvia::core::ConditionSet rest = looking; rest != 0; rest &= rest - 1) {
    const fluvia::core::ConditionSet one = rest & ~(rest - 1);
    check("D3Q19", "fp32", one);
  }
  check("D2Q9", "fp32", looking);
  // With all conditions at once, beside the random numbers of 16 bits, twelve numbers a thread do not fit; three where
  // openings keep the stress of thin fluid that leaves. It were nine before CollisionParameters had the viscosity.
  check("D3Q19", "fp16s", looking, 48);
  check("D3Q27", "fp32", looking);
}

class CudaPasses : public testing::TestWithParam<std::tuple<std::string, std::string>> {
 protected:
  /// Populations, and what conditions keep, after so many steps, and one, and twice as many.
  static std::pair<std::vector<std::byte>, std::vector<double>> run(const scene::Scene& s, const std::string& scheme,
                                                                    int steps_per_pass, int steps) {
    const auto& [lattice, format] = GetParam();
    scene::Options o;
    o.physics.lattice = lattice;
    o.physics.collision = fluvia::test::collision_for(fluvia::parse_scheme(scheme), lattice, "trt");
    o.device = "cuda";
    o.format = format;
    o.scheme = scheme;
    o.steps_per_pass = steps_per_pass;
    const auto solver = scene::make_solver(s, o);
    EXPECT_TRUE(steps_per_pass == 0 || solver->plan().steps_per_pass == steps_per_pass);
    for (const int part : {steps, 1, 2 * steps}) scene::advance(*solver, s, part);
    return {scene::save(*solver, std::stoi(lattice.substr(3)), scene::bytes_of(format)), scene::save_kept(*solver)};
  }
  /// Schemes and numbers of steps in a pass, with what has their bits in single steps.
  struct Pass {
    std::string scheme;
    int steps;
    std::string single;
  };
  static std::vector<Pass> passes(int dimension, const std::vector<std::string>& over_populations) {
    std::vector<Pass> all;
    for (const std::string& scheme : over_populations)
      for (int steps = 2; steps <= fluvia::parse_scheme(scheme).most_steps_on_gpu(dimension); ++steps)
        all.push_back({scheme, steps, "pull"});
    for (const fluvia::Scheme& scheme : core::schemes)
      if (scheme.keeps_moments() && !fluvia::test::collision_for(scheme, std::get<0>(GetParam())).empty())
        for (int steps = 2; steps <= scheme.most_steps_on_gpu(dimension); ++steps)
          all.push_back({scheme.name, steps, "moments"});
    return all;
  }
  /// What single steps give.
  static auto singly(const scene::Scene& s, const std::string& scheme, int steps) {
    return run(s, scheme, scheme == "pull" ? 0 : 1, steps);
  }
};

/// All numbers of steps, with some left over; boxes of several tiles, of sizes that divide nothing.
TEST_P(CudaPasses, HaveTheBitsOfSingleSteps) {
  SKIP_WITHOUT_GPU();
  const bool flat = std::get<0>(GetParam())[1] == '2';
  const std::vector<scene::Scene> scenes =
      flat ? std::vector{scene::channel({517, 1043, 1}), scene::porous({601, 531, 1})}
           : std::vector{scene::channel({67, 43, 101}), scene::cavity({69, 31, 70}), scene::porous({65, 29, 33})};
  for (const scene::Scene& s : scenes)
    for (const auto& [scheme, steps, single] : passes(s.dimension, {"fused", "fused-sliding"})) {
      SCOPED_TRACE(testing::Message() << s.name << ' ' << scheme << ' ' << steps << " steps");
      ASSERT_TRUE(run(s, scheme, steps, 2 * steps + 1) == singly(s, single, 2 * steps + 1));
    }
}

/// Conditions that keep something, and others in every step, with tiles that end beyond the box.
TEST_P(CudaPasses, RememberAndChangeAsSingleStepsDo) {
  SKIP_WITHOUT_GPU();
  const bool flat = std::get<0>(GetParam())[1] == '2';
  const fluvia::Int3 size = flat ? fluvia::Int3{517, 243, 1} : fluvia::Int3{67, 43, 51};
  const fluvia::test::TemporaryFolder folder;
  std::vector<scene::Scene> scenes = {scene::quiet(scene::channel(size), 0), scene::quiet(scene::channel(size), 20),
                                      scene::changing(scene::quiet(scene::channel(size), 20)),
                                      scene::changing(scene::cavity(size)), scene::slippery(size)};
  if (std::get<0>(GetParam()) != "D3Q13")  // which has no profiles that change their shape
    for (const scene::Scene& s :
         {scene::pulsating_channel(size, folder.path() / "flow.csv"), scene::turbulent_channel(size)})
      scenes.push_back(scene::quiet(s, 20));
  for (const scene::Scene& s : scenes)
    for (const auto& [scheme, steps, single] : passes(s.dimension, {"fused"})) {
      SCOPED_TRACE(testing::Message() << s.name << ' ' << scheme << ' ' << steps << " steps");
      ASSERT_TRUE(run(s, scheme, steps, 16 * steps + 1) == singly(s, single, 16 * steps + 1));
    }
}

/// Recorded passes and what is left over; walls anywhere; an axis of one node around which a pass comes.
TEST_P(CudaPasses, HaveTheBitsOfManySingleSteps) {
  SKIP_WITHOUT_GPU();
  const bool flat = std::get<0>(GetParam())[1] == '2';
  const std::vector<scene::Scene> scenes =
      flat ? std::vector{scene::cavity({67, 45, 1}), scene::open_box({33, 1, 1}), scene::open_box({2, 37, 1})}
           : std::vector{scene::cavity({21, 17, 9}), scene::open_box({33, 1, 5}), scene::slippery({2, 9, 3})};
  for (const scene::Scene& s : scenes) {
    SCOPED_TRACE(s.name);
    const auto expected = run(s, "pull", 0, 75);
    for (const char* scheme : {"fused", "fused-sliding"}) EXPECT_TRUE(run(s, scheme, 0, 75) == expected) << scheme;
  }
  if (std::get<0>(GetParam()) == "D3Q13") return;  // has no walls between the nodes
  const scene::Scene walls = scene::wall_scenes(flat ? 2 : 3)[1];
  EXPECT_TRUE(run(walls, "fused", 0, 9) == run(walls, "pull", 0, 9)) << walls.name;
}

INSTANTIATE_TEST_SUITE_P(All, CudaPasses,
                         testing::Combine(testing::ValuesIn(fluvia::lattice_names()), testing::Values("fp64", "fp32")),
                         [](const auto& instance) {
                           return std::get<0>(instance.param) + "_" + std::get<1>(instance.param);
                         });

}  // namespace
