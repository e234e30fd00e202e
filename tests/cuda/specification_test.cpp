// SPDX-License-Identifier: Apache-2.0
// Every specialisation compiles, and the step kernels that matter most keep everything in registers. Needs NVRTC, no
// GPU. Compiling the product of all registries for every target would take an hour: with BGK each pair of lattice,
// scheme, format and target is compiled, and each of lattice, collision, equilibrium and format, with schemes and
// targets that take turns.
#include "fluvia/cuda/program/specification.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include "cuda/support.hpp"
#include "fluvia/base/error.hpp"
#include "fluvia/case/physics/registered_physics.hpp"
#include "fluvia/core/collision/registry.hpp"
#include "fluvia/core/equilibrium/registry.hpp"
#include "fluvia/core/lattice/registry.hpp"
#include "fluvia/core/viscosity/registry.hpp"
#include "fluvia/cuda/runtime/compiler/nvrtc_library.hpp"
#include "fluvia/solver/plan/passes.hpp"
#include "reference/combinations.hpp"
#include "support/covering.hpp"
#include "support/specification.hpp"

namespace fluvia::cuda {
namespace {

using core::for_each_type;

Specification specification(const std::string& lattice, const std::string& scheme, const std::string& format,
                            int tile = 0) {
  Specification s = test::specification(lattice, scheme, format, test::collision_for(parse_scheme(scheme), lattice));
  s.tile = tile_edge(s.scheme, lattice[1] - '0', tile);
  return s;
}

constexpr KernelKind of_steps[] = {KernelKind::step, KernelKind::first_step, KernelKind::propagate,
                                   KernelKind::ghost_cells};

/// Compiles kernels, of one parity or of all, prints what they take, returns the bytes that they spill.
std::size_t spilled_bytes(const Specification& s, int target, std::span<const KernelKind> kinds = of_steps,
                          std::optional<int> of_parity = {}) {
  CompileRequest request = compile_request(s, {KernelKind::step, 0});
  request.kernels.clear();
  const int parities = facts_of(s).parities, first = of_parity.value_or(0) % parities;
  request.options = compile_request(s, {kinds.front(), first}).options;
  for (int parity = first; parity < (of_parity ? first + 1 : parities); ++parity)
    for (const KernelKind kind : kinds)
      if (std::string name = kernel_name(s, kind, parity); !name.empty()) request.kernels.push_back(std::move(name));
  const CompiledKernels compiled = compile(request, target);
  std::size_t spilled = 0;
  for (const auto& [name, kernel] : compiled.kernels) {
    if (!kernel.resources) continue;
    const auto& r = *kernel.resources;
    fmt::print("sm_{} {}: {} registers, {} bytes spilled, {} of stack, {} shared\n", target, s.text(), r.registers,
               r.spill_store_bytes, r.stack_bytes, r.shared_bytes);
    spilled += static_cast<std::size_t>(r.spill_store_bytes);
  }
  return spilled;
}

/// The schemes on index maps share all code but the map, so targets share their formats, and one has them in 2D.
bool takes_turn(const std::string& lattice, const std::string& format, int target) {
  return (target == 90 || lattice != "D2Q9") && format == (target == 80 ? "fp16c" : target == 90 ? "fp64" : "fp32");
}

/// Steps that read ahead are kernels of their own, which these schemes have.
bool may_read_ahead(const Specification& s) {
  using enum core::Addressing;
  return s.scheme.addressing == array_of_structures || s.scheme.addressing == structure_of_arrays;
}

/// A step kernel for a target.
struct StepKernel {
  std::string lattice, scheme, format;
  int target = 90, tile = 0;  ///< the edge of its tiles, if not the default
  bool stochastic = false, ahead = false;
};

/// Is compiled for somebody, and has a test: other edges of tiles for one target, random rounding for one a format.
bool is_tested(const StepKernel& k) {
  const Scheme& scheme = parse_scheme(k.scheme);
  if (scheme.half != (k.lattice == "D3Q13")) return false;
  if (!scheme_problem(scheme, k.lattice, test::collision_for(scheme, k.lattice), "quasi-compressible").empty())
    return false;
  const Specification s = specification(k.lattice, k.scheme, k.format);
  if (k.ahead && !may_read_ahead(s)) return false;
  if (k.stochastic && (k.ahead || facts_of(s).storage_bytes != 2 || k.target != (k.format == "fp16s" ? 90 : 80)))
    return false;
  if (k.tile != 0) {
    const std::vector<int> edges = test::more_edges(scheme, k.lattice[1] - '0');
    return std::find(edges.begin(), edges.end(), k.tile) != edges.end() && k.target == 90 &&
           (k.format == "fp32" || k.format == "fp64") && !k.stochastic && !k.ahead;
  }
  return !scheme.uses_index_map() || takes_turn(k.lattice, k.format, k.target);
}

/// Each pair of lattice, scheme, format, target, ... of all step kernels, one draw for all tests.
std::vector<StepKernel> drawn_step_kernels() {
  std::vector<std::string> schemes = gpu_scheme_names();
  for (const std::string& half : half_scheme_names("cuda")) schemes.push_back(half);
  std::vector<int> tiles = {0};
  for (const core::Scheme& scheme : core::schemes)
    for (const int dimension : {2, 3})
      for (const int edge : test::more_edges(scheme, dimension))
        if (std::find(tiles.begin(), tiles.end(), edge) == tiles.end()) tiles.push_back(edge);
  const std::vector<int> no_and_yes = {0, 1};
  std::vector<StepKernel> kernels;
  const auto allowed = [](const std::string& scheme, const std::string& lattice, const std::string& format, int target,
                          int tile, int stochastic, int ahead) {
    return is_tested({lattice, scheme, format, target, tile, stochastic != 0, ahead != 0});
  };
  for (const auto& [scheme, lattice, format, target, tile, stochastic, ahead] :
       test::covering(allowed, schemes, std::vector<std::string>{"D2Q9", "D3Q19", "D3Q13"}, format_names(),
                      std::vector<int>{80, 90, 100}, tiles, no_and_yes, no_and_yes))
    kernels.push_back({lattice, scheme, format, target, tile, stochastic != 0, ahead != 0});
  return kernels;
}

class StepKernels : public testing::TestWithParam<std::string> {};

TEST_P(StepKernels, KeepEverythingInRegisters) {
  SKIP_WITHOUT_NVRTC();
  const std::vector<int> targets = test::known_targets();
  int compiled = 0;
  for (const StepKernel& k : drawn_step_kernels()) {
    if (k.scheme != GetParam() || std::find(targets.begin(), targets.end(), k.target) == targets.end()) continue;
    Specification s = specification(k.lattice, k.scheme, k.format, k.tile);
    s.prefetches_tiles = s.scheme.is_compact();
    s.stochastic = k.stochastic;
    s.reads_ahead = k.ahead;
    EXPECT_EQ(spilled_bytes(s, k.target), 0U) << s.text() << ", sm_" << k.target << (k.ahead ? ", ahead" : "");
    ++compiled;
  }
  EXPECT_GT(compiled, 0);
}

INSTANTIATE_TEST_SUITE_P(All, StepKernels, testing::ValuesIn(gpu_scheme_names()),
                         [](const auto& instance) { return test::test_name(instance.param); });
INSTANTIATE_TEST_SUITE_P(Half, StepKernels, testing::ValuesIn(half_scheme_names("cuda")),
                         [](const auto& instance) { return test::test_name(instance.param); });

/// Moving walls inside of a step, where a step has them.
TEST(Specification, StepsThatCompleteBoundariesStayInRegisters) {
  SKIP_WITHOUT_NVRTC();
  const auto with_walls = [](const std::string& scheme, const char* lattice, const char* format) {
    Specification s = specification(lattice, scheme, format);
    s.conditions = conditions_like_walls;
    return s;
  };
  const auto allowed = [&](const std::string& scheme, const char* lattice, const char* format, int, int ahead) {
    const Specification s = with_walls(scheme, lattice, format);
    return completes_in_step(s) && (ahead == 0 || may_read_ahead(s));
  };
  for (const auto& [scheme, lattice, format, target, ahead] : test::covering(
           allowed, gpu_scheme_names(), std::vector<const char*>{"D2Q9", "D3Q19"},
           std::vector<const char*>{"fp32", "fp16s", "fp64"}, test::known_targets(), std::vector<int>{0, 1})) {
    Specification s = with_walls(scheme, lattice, format);
    s.reads_ahead = ahead != 0;
    EXPECT_EQ(spilled_bytes(s, target), 0U) << s.text() << ", sm_" << target << (ahead != 0 ? ", ahead" : "");
  }
}

/// Names of lattice, collision and equilibrium that work together.
using PhysicsNames = std::array<std::string, 3>;

std::vector<PhysicsNames> combined_physics() {
  std::vector<PhysicsNames> result;
  for_each_type(core::Lattices{}, [&]<class Lattice>(Lattice) {
    for_each_type(core::Collisions{}, [&]<class Collision>(Collision) {
      for_each_type(core::Equilibria{}, [&]<class Equilibrium>(Equilibrium) {
        if constexpr (core::combines<Lattice, Collision, Equilibrium>)
          result.push_back({Lattice::name, Collision::name, Equilibrium::name});
      });
    });
  });
  return result;
}

/// Each pair of lattice, collision, equilibrium and format; what else a step is made of takes turns.
TEST(Specification, EveryPhysicsCompiles) {
  SKIP_WITHOUT_NVRTC();
  const std::vector<int> targets = test::known_targets();
  const std::vector<std::string> schemes = gpu_scheme_names(), models = rheology_names();
  const std::vector<PhysicsNames> combined = combined_physics();
  const auto allowed = [&](const std::string& lattice, const std::string& collision, const std::string& equilibrium,
                           const std::string&) {
    return std::find(combined.begin(), combined.end(), PhysicsNames{lattice, collision, equilibrium}) != combined.end();
  };
  std::size_t k = 0;
  for (const auto& [lattice, collision, equilibrium, format] :
       test::covering(allowed, lattice_names(), collision_names(), equilibrium_names(), format_names())) {
    const auto suits = [&](const std::string& scheme) {
      return scheme_problem(parse_scheme(scheme), lattice, collision, equilibrium).empty() &&
             force_problem(parse_scheme(scheme), collision, k % 3 == 1, k % 2 == 1 || k % 4 == 2).empty();
    };
    std::size_t turn = k;
    while (!suits(schemes[turn % schemes.size()])) ++turn;
    Specification s = specification(lattice, schemes[turn % schemes.size()], format);
    s.collision = collision;
    s.equilibrium = equilibrium;
    if (k % 2 == 1) s.viscosity = core::Smagorinsky::facts.name;
    if (k % 4 == 2 && viscosity_problem(models[k / 4 % models.size()], lattice).empty())
      s.viscosity = models[k / 4 % models.size()];
    s.force = k % 3 == 1;
    s.own_forces = s.force && k % 2 == 0;
    s.cut_tiles = s.scheme.is_compact() && k % 5 == 1;
    s.stochastic = facts_of(s).storage_bytes == 2 && k % 2 == 0;
    EXPECT_NO_THROW((void)compile(compile_request(s, {KernelKind::step, 0}), targets[k % targets.size()])) << s.text();
    ++k;
  }
}

/// Walls between the nodes need no more registers than there are: schemes, formats, targets and parities take turns.
TEST(Specification, WallsBetweenNodesStayInRegisters) {
  SKIP_WITHOUT_NVRTC();
  const std::vector<int> targets = test::known_targets();
  std::vector<std::string> schemes = gpu_scheme_names();
  // Single steps of passes are those of pull, or passes, which Passes.KeepEverythingInRegisters looks at.
  std::erase_if(schemes, [](const std::string& name) { return parse_scheme(name).is_fused(); });
  constexpr const char* formats[] = {"fp32", "fp16s", "fp64"};
  std::size_t turn = 0;
  for (std::size_t k = 0; k < schemes.size(); ++k)
    for (std::size_t format = 0; format < 3; ++format) {
      if (parse_scheme(schemes[k]).uses_index_map() && format != k % 3) continue;
      Specification s = specification("D3Q19", schemes[k], formats[format]);
      s.walls = ++turn % 3 == 0 ? core::WallRule::viscosity_independent : core::WallRule::interpolated;
      s.collision = "trt";
      s.force = turn % 2 == 0;
      // Blocks as large as tiles of 8^3 have 128 registers at most, which such walls with a force exceed by a few in
      // fp64.
      const bool is_high = block_threads(s) >= 512 && s.force && s.format == std::string("fp64");
      // Blocks of tiles as published have 80 registers in 16 bits, which these walls exceed by one on one target.
      const bool is_tiled = parse_scheme(schemes[k]).uses_index_map() && s.format == std::string("fp16s");
      const std::size_t most = is_high ? 64 : is_tiled ? 4 : 0;
      EXPECT_LE(spilled_bytes(s, targets[(k + format) % targets.size()], of_steps, static_cast<int>(turn)), most)
          << s.text();
    }
}

/// Scalars beside a flow need no more registers than there are, driven or not: schemes, formats and targets take turns.
TEST(Specification, ScalarsStayInRegisters) {
  SKIP_WITHOUT_NVRTC();
  const std::vector<int> targets = test::known_targets();
  constexpr KernelKind of_scalars[] = {
      KernelKind::step,        KernelKind::step_solids,  KernelKind::complete_scalars, KernelKind::scalar_values,
      KernelKind::sum_scalars, KernelKind::pack_scalars, KernelKind::unpack_scalars,   KernelKind::join_scalars};
  std::size_t turn = 0;
  for (const char* const scheme :
       {"pull", "aa", "esoteric-pull", "compact-pull", "compact-aa", "compact-sliding", "fused"})
    for (const char* const format : {"fp32", "fp64"}) {
      Specification s = specification("D3Q19", scheme, format);
      s.scalars = {"D3Q7"};
      EXPECT_EQ(kernel_name(s, KernelKind::step_solids, 0), "");
      s.solids = true;
      s.force = s.scalars_act = ++turn % 2 == 0;
      EXPECT_EQ(spilled_bytes(s, targets[turn % targets.size()], of_scalars), 0U) << s.text();
    }
}

/// What bodies that move do beside a step needs no more registers than there are: lattices, formats and targets take
/// turns.
TEST(Specification, BodiesStayInRegisters) {
  SKIP_WITHOUT_NVRTC();
  const std::vector<int> targets = test::known_targets();
  constexpr KernelKind of_bodies[] = {KernelKind::meet_bodies, KernelKind::return_from_bodies, KernelKind::rest_covered,
                                      KernelKind::look_beside_uncovered, KernelKind::refill_uncovered};
  constexpr const char* lattices[] = {"D3Q19", "D2Q9", "D3Q27"};
  std::size_t turn = 0;
  for (const std::string& scheme : gpu_scheme_names()) {
    if (!exchanges_populations(parse_scheme(scheme))) continue;
    Specification s = specification(lattices[turn % 3], scheme, turn % 2 == 0 ? "fp64" : "fp32");
    EXPECT_EQ(kernel_name(s, KernelKind::meet_bodies, 0), "");
    s.bodies = true;
    EXPECT_EQ(spilled_bytes(s, targets[turn % targets.size()], of_bodies, static_cast<int>(turn)), 0U) << s.text();
    ++turn;
  }
}

/// What looks for their links does so, too, in blocks of 64 and 1024 threads, whose products and sums are rounded one
/// by one, as on the host.
TEST(Specification, SearchesForLinksOfBodiesStayInRegisters) {
  SKIP_WITHOUT_NVRTC();
  const std::vector<int> targets = test::known_targets();
  constexpr KernelKind of_searches[] = {KernelKind::find_body_nodes, KernelKind::number_body_links,
                                        KernelKind::list_body_links};
  std::size_t turn = 0;
  for (const char* const lattice : {"D3Q19", "D2Q9", "D3Q27", "D3Q15"})
    for (const char* const format : {"fp32", "fp64"}) {
      Specification s = specification(lattice, "aa", format);
      s.bodies = true;
      EXPECT_EQ(kernel_name(s, KernelKind::find_body_nodes, 0), "") << "the host finds them";
      s.finds_links = true;
      EXPECT_EQ(compile_request(s, {KernelKind::list_body_links, 0}).options, std::vector<std::string>{"--fmad=false"});
      EXPECT_EQ(spilled_bytes(s, targets[turn++ % targets.size()], of_searches, 0), 0U) << s.text();
    }
}

/// What packs and unpacks messages leaves room for the blocks of a step.
TEST(Specification, MessagesStayInRegisters) {
  SKIP_WITHOUT_NVRTC();
  const std::vector<int> targets = test::known_targets();
  constexpr KernelKind of_messages[] = {KernelKind::list_halo_populations, KernelKind::pack_messages,
                                        KernelKind::unpack_messages};
  std::size_t turn = 0;
  for (const std::string& scheme : gpu_scheme_names())
    if (is_splittable(parse_scheme(scheme))) {
      const Specification s = specification("D3Q19", scheme, format_names()[turn % format_names().size()]);
      EXPECT_EQ(spilled_bytes(s, targets[turn++ % targets.size()], of_messages), 0U) << s.text();
    }
}

/// Each condition alone, as cases have them: lattices, schemes, formats and targets take turns.
TEST(Specification, EveryConditionCompiles) {
  SKIP_WITHOUT_NVRTC();
  const std::vector<int> targets = test::known_targets();
  const std::vector<std::string> schemes = gpu_scheme_names(), formats = format_names();
  const std::string lattices[] = {"D3Q19", "D2Q9", "D3Q27", "D3Q15"};
  for (std::size_t k = 0; k <= core::Boundaries::size; ++k) {
    const int kind = static_cast<int>(k);
    const std::string &scheme = schemes[k % schemes.size()], &lattice = lattices[k % 4];
    const std::string& format = formats[k % formats.size()];
    const std::string collision = test::collision_for(parse_scheme(scheme), lattice);
    Specification s = specification(lattice, scheme, format);
    s.conditions = kind == core::Boundaries::size ? core::sponges : 1u << core::boundary_rule(kind);
    s.force = s.own_forces = k % 2 == 1;
    for (const KernelKind of : {KernelKind::complete_boundaries, KernelKind::sum_tiles, KernelKind::sum_links})
      EXPECT_NO_THROW((void)compile(compile_request(s, {of, 0}), targets[k % targets.size()])) << s.text();
  }
}

TEST(Specification, OnlyKernelsThatApplyConditionsDependOnThem) {
  const Specification walls = specification("D3Q19", "aa", "fp32");
  Specification openings = walls;
  openings.conditions = 1u << core::boundary_rule(1) | core::sponges;
  EXPECT_EQ(walls.text(), "D3Q19, bgk, quasi-compressible, aa, fp32");
  EXPECT_CONTAINS(openings.text(), ", fp32, ");
  EXPECT_CONTAINS(openings.text(), ", sponge");
  for (const KernelKind same : {KernelKind::step, KernelKind::save_direction, KernelKind::place_equilibrium})
    EXPECT_EQ(compile_request(walls, {same, 0}).source, compile_request(openings, {same, 0}).source);
  for (const KernelKind other : {KernelKind::complete_boundaries, KernelKind::moments, KernelKind::sum_links})
    EXPECT_NE(compile_request(walls, {other, 0}).source, compile_request(openings, {other, 0}).source);
}

TEST(Specification, RefusesNamesThatAreNotRegistered) {
  Specification s = specification("D3Q19", "pull", "fp32");
  s.lattice = "D3Q7";
  EXPECT_CONTAINS(test::error_of(ExitCode::internal, [&] { (void)facts_of(s); }), "D3Q7");
}

}  // namespace
}  // namespace fluvia::cuda
