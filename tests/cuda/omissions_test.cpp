// SPDX-License-Identifier: Apache-2.0
// Steps of tiles and of boxes that do without something, for measurements (core/scheme/omission.hpp), run on the host.
#include "fluvia/solver/plan/omissions.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "cuda/emulation/emulated.hpp"
#include "cuda/support.hpp"
#include "fluvia/cuda/program/specification.hpp"
#include "support/errors.hpp"

namespace {

namespace core = fluvia::core;
namespace cuda = fluvia::cuda;
using emulation::number_of;

template <class Base, core::Uint32 set>
struct Without : Base {
  static constexpr core::Uint32 omissions = set;
};
template <class Base>
struct InRows : Without<Base, core::omits_layout> {
  using Indices = typename Base::Indices::template In<core::Order::by_slot>;
  using StepIndices = Indices;
};

constexpr int tgb = number_of("tgb"), t2c = number_of("t2c"), soa_aa = number_of("soa-aa");
using Flat = emulation::Spec<core::D2Q9, tgb, 8, core::Fp64, false>;
using Cube = emulation::Spec<core::D3Q19, t2c, 4, core::Fp64, false>;

using Box = emulation::Spec<core::D2Q9, soa_aa, 0, core::Fp64, false>;

using Populations = std::vector<std::vector<double>>;

/// Populations that tell places and directions apart, and what some steps make of them.
template <class Spec>
Populations stepped(const scene::Scene& s, int steps) {
  reference::Physics physics;
  physics.lattice = Spec::Lattice::name;
  physics.collision = Spec::Collision::name;
  physics.equilibrium = Spec::Equilibrium::name;
  emulation::Emulated<Spec> gpu(s, {physics, Spec::scheme.name, Spec::Format::name, 1, "cuda", Spec::tile, 0, "auto"});
  Populations f(Spec::Lattice::Q, std::vector<double>(scene::make_geometry(s).nodes.fluid_nodes));
  for (std::size_t i = 0; i < f.size(); ++i) {
    for (std::size_t n = 0; n < f[i].size(); ++n) f[i][n] = 1e-3 * static_cast<double>((7 * n + 31 * i) % 97) / 97;
    gpu.exchange(static_cast<int>(i), f[i], true);
  }
  for (int k = 0; k < steps; ++k) gpu.step();
  for (std::size_t i = 0; i < f.size(); ++i) gpu.exchange(static_cast<int>(i), f[i], false);
  return f;
}

scene::Scene box(int across) {
  return scene::closed_box({across, 8, 1});
}
/// Tiles that are cut by walls, and some that hold none.
const scene::Scene porous_plane = scene::porous({37, 21, 1}), porous_space = scene::porous({19, 9, 13});

TEST(Omissions, KeepTheFlowWhereTheySaySo) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  EXPECT_EQ((stepped<Without<Flat, core::omits_sharing>>(porous_plane, 3)), stepped<Flat>(porous_plane, 3));
  EXPECT_EQ(stepped<InRows<Cube>>(porous_space, 3), stepped<Cube>(porous_space, 3));
  EXPECT_EQ((stepped<Without<Flat, core::omits_staging>>(porous_plane, 3)), stepped<Flat>(porous_plane, 3));
  EXPECT_EQ((stepped<Without<Box, core::omits_marks>>(porous_plane, 3)), stepped<Box>(porous_plane, 3));
  EXPECT_EQ((stepped<Without<Box, core::omits_haste>>(porous_plane, 3)), stepped<Box>(porous_plane, 3));
}

TEST(Omissions, LeaveTilesAloneWithoutGhosts) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  using Alone = Without<Flat, core::omits_ghosts>;
  EXPECT_EQ(stepped<Alone>(box(8), 3), stepped<Flat>(box(8), 3)) << "walls all around, as between tiles";
  EXPECT_NE(stepped<Alone>(box(16), 3), stepped<Flat>(box(16), 3));
}

/// Streaming with walls that bounce back puts every number somewhere else.
TEST(Omissions, MovePopulationsOnlyWithoutCollision) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  const auto sorted = [](const Populations& f) {
    std::vector<double> all;
    for (const auto& of_direction : f) all.insert(all.end(), of_direction.begin(), of_direction.end());
    std::sort(all.begin(), all.end());
    return all;
  };
  using Moving = Without<Flat, core::omits_collision>;
  const Populations before = stepped<Flat>(box(16), 0), after = stepped<Moving>(box(16), 3);
  EXPECT_NE(before, after);
  EXPECT_EQ(sorted(before), sorted(after));
}

/// Threads that run ahead find what another tile has left, or nothing yet; they touch populations all the same.
TEST(Omissions, StayInTheStorageWithoutBarriers) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  for (const scene::Scene& s : {porous_plane, box(8)})  // the first leaves sites that the second does not have
    EXPECT_FALSE((stepped<Without<Flat, core::omits_barriers>>(s, 2)).empty());
}

cuda::Specification specification_without(const char* scheme, const char* omitted) {
  cuda::Specification s;
  s.lattice = std::string(scheme) == "t2c" ? "D3Q19" : "D2Q9";
  s.collision = "bgk";
  s.equilibrium = "incompressible";
  s.format = "fp64";
  s.scheme = fluvia::parse_scheme(scheme);
  if (s.scheme.addressing == core::Addressing::tiles) s.tile = s.lattice == "D2Q9" ? 16 : 4;
  s.reads_ahead = s.scheme.addressing == core::Addressing::structure_of_arrays;
  s.omissions = fluvia::parse_omissions(omitted, s.scheme);
  return s;
}

TEST(Omissions, ChangeStepsAlone) {
  const cuda::KernelChoice step{cuda::KernelKind::step, 0}, moments{cuda::KernelKind::moments, 0};
  const auto source = [](const char* scheme, const char* omitted, const cuda::KernelChoice& choice) {
    return cuda::compile_request(specification_without(scheme, omitted), choice).source;
  };
  EXPECT_NE(source("tgb", "barriers+ghosts", step), source("tgb", "", step));
  EXPECT_EQ(source("tgb", "barriers+ghosts", moments), source("tgb", "", moments));
  EXPECT_NE(source("t2c", "layout", moments), source("t2c", "", moments)) << "all must find populations";
  EXPECT_NE(specification_without("tgb", "barriers+ghosts").text().find("without barriers, without ghosts"),
            std::string::npos);
}

TEST(Omissions, AreThoseOfTheScheme) {
  EXPECT_EQ(fluvia::parse_omissions("", fluvia::parse_scheme("pull")), 0U);
  EXPECT_TRUE(fluvia::keeps_flow(fluvia::parse_omissions("sharing+layout", fluvia::parse_scheme("t2c"))));
  EXPECT_FALSE(fluvia::keeps_flow(fluvia::parse_omissions("sharing+barriers", fluvia::parse_scheme("t2c"))));
  for (const auto& [scheme, omitted, words] : {std::tuple{"pull", "barriers", "t2c, tgb"},
                                               {"ghost", "barriers", "t2c, tgb"},
                                               {"fcc-shared", "marks", "t2c, tgb"},
                                               {"fcc", "haste", "they can do without marks"},
                                               {"soa-push", "barriers", "they can do without marks, haste"},
                                               {"t2c", "ghosts", "barriers, collision, sharing, layout"},
                                               {"tgb", "barriers+layout", "barriers, ghosts, collision, sharing"}})
    EXPECT_CONTAINS(fluvia::test::error_of(fluvia::ExitCode::input,
                                           [&, scheme = scheme, omitted = omitted] {
                                             fluvia::parse_omissions(omitted, fluvia::parse_scheme(scheme));
                                           }),
                    words);
}

TEST(Omissions, Compile) {
  SKIP_WITHOUT_NVRTC();
  for (const auto& [scheme, omitted] : {std::pair{"tgb", "barriers+collision"},
                                        {"tgb", "barriers+ghosts"},
                                        {"tgb", "ghosts"},
                                        {"tgb", "sharing"},
                                        {"tgb", "staging"},
                                        {"t2c", "barriers"},
                                        {"t2c", "sharing"},
                                        {"t2c", "layout"},
                                        {"soa-push", "marks"},
                                        {"soa-aa", "marks"},
                                        {"soa-aa", "haste"}}) {
    const auto request = cuda::compile_request(specification_without(scheme, omitted), {cuda::KernelKind::step, 0});
    EXPECT_EQ(cuda::compile(request, fluvia::test::known_targets().back()).log, "") << scheme << ' ' << omitted;
  }
}

}  // namespace
