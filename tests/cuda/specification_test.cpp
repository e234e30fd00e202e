// SPDX-License-Identifier: Apache-2.0
// Every specialisation compiles, and the step kernels that matter most keep everything in registers. Needs NVRTC, no
// GPU. Compiling the product of all registries for every target would take an hour: every scheme and format is compiled
// with BGK for every target, and every physics once, with schemes, formats and targets that take turns.
#include "fluvia/cuda/program/specification.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <span>

#include "cuda/support.hpp"
#include "fluvia/base/error.hpp"
#include "fluvia/core/collision/registry.hpp"
#include "fluvia/core/equilibrium/registry.hpp"
#include "fluvia/core/lattice/registry.hpp"
#include "fluvia/core/viscosity/registry.hpp"
#include "fluvia/cuda/runtime/nvrtc_library.hpp"
#include "fluvia/solver/passes.hpp"
#include "reference/combinations.hpp"

namespace fluvia::cuda {
namespace {

using core::for_each_type;

Specification specification(const std::string& lattice, const std::string& scheme, const std::string& format,
                            int tile = 0) {
  Specification s;
  s.lattice = lattice;
  s.collision = lattice == "D3Q13" ? "mrt" : "bgk";
  s.equilibrium = "quasi-compressible";
  s.format = format;
  s.scheme = parse_scheme(scheme);
  s.tile = tile_edge(s.scheme, lattice[1] - '0', tile);
  return s;
}

constexpr KernelKind of_steps[] = {KernelKind::step, KernelKind::propagate, KernelKind::ghost_cells};

/// Compiles kernels, prints what they take, returns the bytes that they spill.
std::size_t spilled_bytes(const Specification& s, int target, std::span<const KernelKind> kinds = of_steps) {
  CompileRequest request = compile_request(s, {KernelKind::step, 0});
  request.kernels.clear();
  for (int parity = 0; parity < facts_of(s).parities; ++parity)
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

/// The schemes on sites share all code but the index map, so targets share their formats, and one has them in 2D.
bool takes_turn(const std::string& lattice, const std::string& format, int target) {
  return (target == 90 || lattice != "D2Q9") && format == (target == 80 ? "fp16c" : target == 90 ? "fp64" : "fp32");
}

/// Bytes that kernels of steps that read ahead spill, where a scheme's may read ahead; else 0.
std::size_t spilled_bytes_ahead(Specification s, int target) {
  using enum core::Addressing;
  if (s.scheme.addressing != array_of_structures && s.scheme.addressing != structure_of_arrays) return 0;
  s.reads_ahead = true;
  return spilled_bytes(s, target);
}

class StepKernels : public testing::TestWithParam<std::tuple<std::string, std::string, int>> {};

TEST_P(StepKernels, KeepEverythingInRegisters) {
  SKIP_WITHOUT_NVRTC();
  const auto& [lattice, scheme, target] = GetParam();
  const std::vector<int> targets = test::known_targets();
  if (std::find(targets.begin(), targets.end(), target) == targets.end())
    GTEST_SKIP() << "this NVRTC does not know sm_" << target;
  const Scheme& facts = parse_scheme(scheme);
  for (const std::string& format : format_names())
    if (!facts.has_sites() || takes_turn(lattice, format, target)) {
      Specification s = specification(lattice, scheme, format);
      s.prefetches_tiles = facts.is_compact();
      EXPECT_EQ(spilled_bytes(s, target), 0U) << format;
      EXPECT_EQ(spilled_bytes_ahead(s, target), 0U) << format << ", ahead";
      s.stochastic = facts_of(s).storage_bytes == 2 && target == (format == "fp16s" ? 90 : 80);
      if (s.stochastic) {
        EXPECT_EQ(spilled_bytes(s, target), 0U) << format << ", stochastic";
      }
    }
  for (const int edge : target == 90 ? test::more_edges(facts, lattice[1] - '0') : std::vector<int>())
    for (const char* format : {"fp32", "fp64"})
      EXPECT_EQ(spilled_bytes(specification(lattice, scheme, format, edge), target), 0U) << "tiles of " << edge;
}

/// Moving walls inside of a step, where a step has them.
TEST(Specification, StepsThatCompleteBoundariesStayInRegisters) {
  SKIP_WITHOUT_NVRTC();
  const std::vector<int> targets = test::known_targets();
  std::size_t turn = 0;
  for (const std::string& scheme : gpu_scheme_names())
    for (const char* lattice : {"D2Q9", "D3Q19"})
      for (const char* format : {"fp32", "fp16s", "fp64"}) {
        Specification s = specification(lattice, scheme, format);
        s.conditions = conditions_like_walls;
        if (completes_in_step(s)) {
          EXPECT_EQ(spilled_bytes_ahead(s, targets[turn % targets.size()]), 0U) << s.text() << ", ahead";
          EXPECT_EQ(spilled_bytes(s, targets[turn++ % targets.size()]), 0U) << s.text();
        }
      }
  EXPECT_GT(turn, 0U);
}

INSTANTIATE_TEST_SUITE_P(All, StepKernels,
                         testing::Combine(testing::Values("D2Q9", "D3Q19"), testing::ValuesIn(gpu_scheme_names()),
                                          testing::Values(80, 90, 100)),
                         [](const auto& instance) {
                           return test::test_name(std::get<0>(instance.param) + "_" + std::get<1>(instance.param) +
                                                  "_sm_" + std::to_string(std::get<2>(instance.param)));
                         });

INSTANTIATE_TEST_SUITE_P(Half, StepKernels,
                         testing::Combine(testing::Values("D3Q13"), testing::ValuesIn(half_scheme_names("cuda")),
                                          testing::Values(80, 90, 100)),
                         [](const auto& instance) {
                           return test::test_name(std::get<1>(instance.param) + "_sm_" +
                                                  std::to_string(std::get<2>(instance.param)));
                         });

/// An index map that has no row of its own takes that of all, wherever it stands among the addressings.
TEST(KernelRows, AreFoundByWhatASchemeIs) {
  core::Scheme scheme = {.name = "new", .streaming = "pull", .addressing = static_cast<core::Addressing>(99)};
  EXPECT_EQ(kernels_of(scheme).storage, StorageKind::sites);
  EXPECT_EQ(kernels_of(scheme).resident.usual, 1024);
  scheme.stepping = core::Stepping::apart;
  EXPECT_EQ(kernels_of(scheme).storage, StorageKind::two_kernels);
  scheme.stepping = core::Stepping::rows;
  EXPECT_THROW((void)kernels_of(scheme), Error);
  scheme.addressing = core::Addressing::matrix;
  scheme.stepping = core::Stepping::single;
  EXPECT_EQ(kernels_of(scheme).resident.usual, 768);
  scheme.addressing = core::Addressing::dense;
  scheme.stepping = core::Stepping::apart;
  EXPECT_THROW((void)kernels_of(scheme), Error) << "the box is no index map";
}

TEST(Specification, EveryPhysicsCompiles) {
  SKIP_WITHOUT_NVRTC();
  const std::vector<int> targets = test::known_targets();
  const std::vector<std::string> schemes = gpu_scheme_names(), formats = format_names();
  std::size_t k = 0;
  for_each_type(core::Lattices{}, [&]<class Lattice>(Lattice) {
    for_each_type(core::Collisions{}, [&]<class Collision>(Collision) {
      for_each_type(core::Equilibria{}, [&]<class Equilibrium>(Equilibrium) {
        if constexpr (core::combines<Lattice, Collision, Equilibrium>) {
          Specification s = specification(Lattice::name, schemes[k % schemes.size()], formats[k / 3 % formats.size()]);
          s.collision = Collision::name;
          s.equilibrium = Equilibrium::name;
          if (k % 2 == 1) s.viscosity = core::Smagorinsky::facts.name;
          if (core::Isotropy<Lattice>::isotropic && k % 4 == 2) {
            const std::vector<std::string> models = rheology_names();
            s.viscosity = models[k / 4 % models.size()];
          }
          s.force = k % 3 == 1;
          s.cut_tiles = s.scheme.is_compact() && k % 5 == 1;
          s.stochastic = facts_of(s).storage_bytes == 2 && k % 2 == 0;
          EXPECT_NO_THROW((void)spilled_bytes(s, targets[k % targets.size()])) << s.text();
          ++k;
        }
      });
    });
  });
}

/// Walls between the nodes need no more registers than there are: schemes, formats and targets take turns.
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
      if (parse_scheme(schemes[k]).has_sites() && format != k % 3) continue;
      Specification s = specification("D3Q19", schemes[k], formats[format]);
      s.walls = ++turn % 3 == 0 ? core::WallRule::viscosity_independent : core::WallRule::interpolated;
      s.collision = "trt";
      s.force = turn % 2 == 0;
      // Blocks as large as tiles of 8^3 have 128 registers at most, which such walls with a force exceed by a few in
      // fp64.
      const std::size_t most = block_threads(s) >= 512 && s.force && s.format == std::string("fp64") ? 64 : 0;
      EXPECT_LE(spilled_bytes(s, targets[(k + format) % targets.size()]), most) << s.text();
    }
}

/// What packs and unpacks messages leaves room for the blocks of a step.
TEST(Specification, MessagesStayInRegisters) {
  SKIP_WITHOUT_NVRTC();
  const std::vector<int> targets = test::known_targets();
  constexpr KernelKind of_messages[] = {KernelKind::list_crossings, KernelKind::pack_messages,
                                        KernelKind::unpack_messages};
  std::size_t turn = 0;
  for (const std::string& scheme : gpu_scheme_names())
    if (!parse_scheme(scheme).has_sites()) {
      const Specification s = specification("D3Q19", scheme, format_names()[turn % format_names().size()]);
      EXPECT_EQ(spilled_bytes(s, targets[turn++ % targets.size()], of_messages), 0U) << s.text();
    }
}

/// Each condition alone, as cases have them: lattices, schemes, formats and targets take turns.
TEST(Specification, EveryConditionCompiles) {
  SKIP_WITHOUT_NVRTC();
  const std::vector<int> targets = test::known_targets();
  const std::vector<std::string> schemes = gpu_scheme_names(), formats = format_names();
  const char* const lattices[] = {"D3Q19", "D2Q9", "D3Q27", "D3Q15"};
  for (std::size_t k = 0; k <= core::Boundaries::size; ++k) {
    const int kind = static_cast<int>(k);
    Specification s = specification(lattices[k % 4], schemes[k % schemes.size()], formats[k % formats.size()]);
    s.conditions = kind == core::Boundaries::size ? core::sponges : 1u << core::boundary_rule(kind);
    for (const KernelKind of : {KernelKind::complete_boundaries, KernelKind::sum_tiles})
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
