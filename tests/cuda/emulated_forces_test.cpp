// SPDX-License-Identifier: Apache-2.0
// Body forces of single nodes in the kernels of every scheme (docs/decisions/0056), against the CPU's solver, which
// follows the reference.
#include <gtest/gtest.h>

#include "cuda/emulation/compare.hpp"

namespace {

namespace core = fluvia::core;
using emulation::number_of;
using emulation::Spec;
using emulation::WithOwnForces;

constexpr double round_off = 1e-14;

template <class Lattice, int k, core::WallRule rule, bool cut = false>
void compare_forces_of_nodes(const scene::Scene& s) {
  if (testing::Test::HasFatalFailure()) return;
  constexpr int edge = core::schemes[k].edges(Lattice::D)[0];
  emulation::compare<WithOwnForces<Spec<Lattice, k, edge, core::Fp64, cut, false, rule>>>(s, round_off);
}

/// Openings, and walls between the nodes, which know what was before the kick.
TEST(EmulatedKernels, KickNodesWithForcesOfTheirOwnInEveryScheme) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  const std::vector<scene::Scene> scenes = scene::own_force_scenes(2);
  [&]<int... k>(std::integer_sequence<int, k...>) {
    const auto with = [&]<int number>(std::integral_constant<int, number>) {
      if constexpr (core::schemes[number].cuda && !core::schemes[number].half)
        compare_forces_of_nodes<core::D2Q9, number, core::WallRule::interpolated>(scenes.back());
    };
    (with(std::integral_constant<int, k>{}), ...);
  }
  (std::make_integer_sequence<int, static_cast<int>(std::size(core::schemes))>());
}

/// Tiles in the middle of the fluid, whose walls nobody looks for, and boxes that end inside of a tile.
TEST(EmulatedKernels, KickNodesWithForcesOfTheirOwnInTheMiddleOfTheFluid) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  const scene::Scene box = scene::with_own_forces(scene::channel({38, 17, 18}));
  constexpr core::WallRule half_way = core::WallRule::half_way;
  compare_forces_of_nodes<core::D3Q19, number_of("pull"), half_way>(box);
  compare_forces_of_nodes<core::D3Q19, number_of("compact-aa"), half_way>(box);
  compare_forces_of_nodes<core::D3Q19, number_of("compact-sliding"), half_way>(box);
  compare_forces_of_nodes<core::D3Q19, number_of("fused"), half_way>(box);
  compare_forces_of_nodes<core::D3Q19, number_of("moments"), half_way>(box);
  compare_forces_of_nodes<core::D3Q19, number_of("compact-pull"), core::WallRule::viscosity_independent, true>(
      scene::own_force_scenes(3)[2]);
  using HalfPrecision = WithOwnForces<Spec<core::D3Q19, number_of("compact-aa"), 0, core::Fp16S, false>>;
  emulation::compare<HalfPrecision>(box, 5e-4);
}

}  // namespace
