// SPDX-License-Identifier: Apache-2.0
// The kernels of every scheme, run on the host, against the CPU's solver: what machines without a GPU can show.
#include <gtest/gtest.h>

#include <numeric>
#include <utility>

#include "cuda/emulation/compare.hpp"
#include "support/covering.hpp"
#include "support/temporary_folder.hpp"

namespace {

using namespace fluvia::cuda::kernels;
namespace core = fluvia::core;
using emulation::compare;
using emulation::number_of;
using emulation::Spec;

/// Scheme number k with tiles of an edge, if it has any.
template <class Lattice, int k, int edge, class Format>
void compare_scenes(const std::vector<scene::Scene>& scenes, double tolerance) {
  for (const scene::Scene& s : scenes) {
    // Boxes that end inside of a tile along a periodic axis have kernels of their own.
    const fluvia::Int3 shape = fluvia::tile_shape(Lattice::D);
    bool cut = false;
    for (int axis = 0; axis < Lattice::D; ++axis) cut = cut || (s.periodic[axis] && s.size[axis] % shape[axis] != 0);
    constexpr bool compact = core::schemes[k].is_compact();
    if (cut && compact)
      compare<Spec<Lattice, k, edge, Format, compact>>(s, tolerance);
    else
      compare<Spec<Lattice, k, edge, Format, false>>(s, tolerance);
    if (testing::Test::HasFatalFailure()) return;
  }
}

template <class Lattice, int k, class Format>
void compare_all_scenes(double tolerance) {
  compare_scenes<Lattice, k, 0, Format>(core::schemes[k].half ? scene::half_scenes() : scene::all_scenes(Lattice::D),
                                        tolerance);
}

/// Walls between the nodes: index maps find them alike in two and three dimensions.
template <class Lattice, int k, int edge>
void compare_walls(double tolerance) {
  using Format = core::Fp64;
  if constexpr (Lattice::D == 2)
    compare<Spec<Lattice, k, edge, Format, false, false, core::WallRule::interpolated>>(
        scene::between_nodes(scene::channel({37, 21, 1}), false), tolerance);
  else if constexpr (!core::schemes[k].uses_index_map() || core::schemes[k].half)
    compare<Spec<Lattice, k, edge, Format, false, false, core::WallRule::viscosity_independent>>(
        scene::between_nodes(scene::cavity({13, 7, 9}), true), tolerance);
}

/// The emulated kernels and the reference compute in double; they differ in which products and sums are fused.
constexpr double round_off = 1e-14;

/// A scheme's number, and which of its edges of tiles.
using SchemeEdge = std::pair<int, int>;

/// Which of all_scenes() a scheme is compared on: each pair of scheme, scene and number of dimensions.
std::vector<scene::Scene> drawn_scenes(const SchemeEdge& wanted, int dimension) {
  static const auto drawn = [] {
    std::vector<SchemeEdge> all;
    for (int k = 0; k < core::schemes.size(); ++k)
      for (int edge = 0; edge < 3; ++edge) all.emplace_back(k, edge);
    std::vector<std::size_t> numbers(scene::all_scenes(2).size());
    std::iota(numbers.begin(), numbers.end(), std::size_t{0});
    const auto is_there = [](const SchemeEdge& of, std::size_t, int in) {
      const core::Scheme& scheme = core::schemes[of.first];
      return scheme.cuda && !scheme.half && (of.second == 0 || scheme.edges(in)[of.second] != 0);
    };
    return fluvia::test::covering(is_there, all, numbers, std::vector<int>{2, 3});
  }();
  const std::vector<scene::Scene> all = scene::all_scenes(dimension);
  std::vector<scene::Scene> scenes;
  for (const auto& [of, number, in] : drawn)
    if (of == wanted && in == dimension) scenes.push_back(all[number]);
  return scenes;
}

template <class Lattice, int k>
void compare_all_edges() {
  constexpr const int* edges = core::schemes[k].edges(Lattice::D);
  constexpr bool thirteen = std::is_same_v<Lattice, core::D3Q13>;
  if constexpr (core::schemes[k].cuda && (thirteen || !core::schemes[k].half)) {
    const auto scenes = [](int edge) {
      return core::schemes[k].half ? scene::half_scenes()
             : thirteen            ? scene::all_scenes(Lattice::D)
                                   : drawn_scenes({k, edge}, Lattice::D);
    };
    compare_scenes<Lattice, k, edges[0], core::Fp64>(scenes(0), round_off);
    if constexpr (edges[1] != 0) compare_scenes<Lattice, k, edges[1], core::Fp64>(scenes(1), round_off);
    if constexpr (edges[2] != 0) compare_scenes<Lattice, k, edges[2], core::Fp64>(scenes(2), round_off);
    compare_walls<Lattice, k, edges[0]>(round_off);
  }
}

template <class Lattice>
void compare_all_schemes() {
  [&]<int... k>(std::integer_sequence<int, k...>) {
    (compare_all_edges<Lattice, k>(), ...);
  }
  (std::make_integer_sequence<int, static_cast<int>(std::size(core::schemes))>());
}

TEST(EmulatedKernels, AgreeWithTheCpuInTwoDimensions) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  compare_all_schemes<core::D2Q9>();
}

TEST(EmulatedKernels, AgreeWithTheCpuInThreeDimensions) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  compare_all_schemes<core::D3Q19>();
}

/// Sheets, beside which GPUs take single steps, with each storage. Their lists are those of planes of symmetry.
template <class Lattice>
void compare_sheets() {
  std::vector<scene::Scene> scenes = scene::sheet_scenes(Lattice::D);
  std::erase_if(scenes, [](const scene::Scene& s) { return s.distance_of != nullptr; });
  [&]<int... k>(std::integer_sequence<int, k...>) {
    const auto with = [&]<int number>(std::integral_constant<int, number>) {
      if constexpr (core::schemes[number].cuda && !core::schemes[number].half && !core::schemes[number].is_fused())
        compare_scenes<Lattice, number, core::schemes[number].edges(Lattice::D)[0], core::Fp64>(scenes, round_off);
    };
    (with(std::integral_constant<int, k>{}), ...);
  }
  (std::make_integer_sequence<int, static_cast<int>(std::size(core::schemes))>());
}

TEST(EmulatedKernels, AgreeWithTheCpuBesideSheets) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  compare_sheets<core::D2Q9>();
  compare_sheets<core::D3Q19>();
}

/// Outlets of a fluid so thin that they take some of its stress (OutflowStress), with each storage and in passes.
template <class Lattice, int k>
void compare_thin_outflow() {
  const scene::Scene stream = scene::channel(Lattice::D == 2 ? fluvia::Int3{37, 21, 1} : fluvia::Int3{13, 7, 9});
  for (const scene::Scene& s : {stream, scene::quiet(stream, 0)})
    compare<Spec<Lattice, k, core::schemes[k].edges(Lattice::D)[0], core::Fp64, false>>(s, round_off, 0.502);
}

TEST(EmulatedKernels, AgreeWithTheCpuWhereThinFluidLeaves) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  compare_thin_outflow<core::D2Q9, number_of("fused")>();
  compare_thin_outflow<core::D2Q9, number_of("compact-pull")>();
  compare_thin_outflow<core::D3Q19, number_of("pull")>();
  compare_thin_outflow<core::D3Q19, number_of("compact-aa")>();
}

/// Inlets that have other speeds at each step, given to both by the same sums.
TEST(EmulatedKernels, AgreeWithTheCpuWhereAProfileChangesItsShape) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  const fluvia::test::TemporaryFolder folder;
  const fluvia::Int3 size = {37, 21, 1};
  for (const scene::Scene& s :
       {scene::pulsating_channel(size, folder.path() / "flow.csv"), scene::turbulent_channel(size)}) {
    compare<Spec<core::D2Q9, number_of("pull"), 0, core::Fp64, false>>(s, round_off);
    compare<Spec<core::D2Q9, number_of("esoteric-pull"), 0, core::Fp64, false>>(s, round_off);
    compare<Spec<core::D2Q9, number_of("compact-aa"), 0, core::Fp64, false>>(s, round_off);
  }
}

/// Few directions are stored, and neighbouring tiles that no direction reaches are left out.
TEST(EmulatedKernels, AgreeWithTheCpuOnThirteenVelocities) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  compare_all_edges<core::D3Q13, number_of("esoteric-pull")>();
  compare_all_edges<core::D3Q13, number_of("compact-sliding")>();
  compare_all_edges<core::D3Q13, number_of("fcc")>();
  compare_all_edges<core::D3Q13, number_of("fcc-shared")>();
  compare_all_edges<core::D3Q13, number_of("fcc-aa")>();
}

/// Tiles in the middle of large fluid regions have ways of their own through the kernels.
template <class Lattice, int k, class Format>
void compare_large_box(double tolerance) {
  const scene::Scene box = scene::channel(Lattice::D == 3 ? fluvia::Int3{38, 17, 18} : fluvia::Int3{75, 44, 1});
  compare<Spec<Lattice, k, 0, Format, false>>(box, tolerance);
}

/// Five steps that each round to 10 bits below populations of 0.05, where the GPU rounds a boundary's once more.
TEST(EmulatedKernels, AgreeWithTheCpuInHalfPrecision) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  constexpr int pull = number_of("pull"), aa = number_of("aa"), esoteric_pull = number_of("esoteric-pull"),
                compact_pull = number_of("compact-pull"), compact_aa = number_of("compact-aa"),
                sliding = number_of("compact-sliding");
  compare_all_scenes<core::D2Q9, pull, core::Fp16S>(5e-4);
  compare_all_scenes<core::D2Q9, aa, core::Fp16S>(5e-4);
  compare_all_scenes<core::D2Q9, esoteric_pull, core::Fp16C>(1e-3);
  compare_all_scenes<core::D2Q9, compact_aa, core::Fp16S>(5e-4);
  compare_all_scenes<core::D2Q9, number_of("soa-push"), core::Fp16S>(5e-4);
  compare_all_scenes<core::D2Q9, number_of("soa-aa"), core::Fp16S>(5e-4);
  compare_all_scenes<core::D3Q19, sliding, core::Fp16S>(5e-4);
  compare_large_box<core::D2Q9, sliding, core::Fp16S>(5e-4);
  compare_large_box<core::D3Q19, compact_pull, core::Fp16S>(5e-4);
  compare_large_box<core::D3Q19, compact_aa, core::Fp16S>(5e-4);
  compare_large_box<core::D3Q19, aa, core::Fp16S>(5e-4);
}

/// Every addressing, and every way through its kernels; a unit a step instead of half of one.
template <class Lattice, class Format, int k, int edge = 0>
void compare_rounded() {
  constexpr bool flat = Lattice::D == 2, compact = core::schemes[k].is_compact();
  scene::Scene closed = core::schemes[k].half
                            ? scene::half_scenes()[0]
                            : scene::channel(flat ? fluvia::Int3{75, 44, 1} : fluvia::Int3{38, 17, 18});
  compare<Spec<Lattice, k, edge, Format, false, true>>(closed, 1e-3);
  closed.conditions.clear();
  compare<Spec<Lattice, k, edge, Format, false, true>>(closed, 1e-3);
  if constexpr (compact) {
    scene::Scene porous = scene::porous(flat ? fluvia::Int3{37, 21, 1} : fluvia::Int3{19, 9, 13});
    porous.conditions.clear();
    compare<Spec<Lattice, k, edge, Format, true, true>>(porous, 1e-3);
  }
}

TEST(EmulatedKernels, RoundByTheRandomBitsOfTheCpu) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  compare_rounded<core::D2Q9, core::Fp16S, number_of("pull")>();
  compare_rounded<core::D2Q9, core::Fp16C, number_of("aa")>();
  compare_rounded<core::D2Q9, core::Fp16S, number_of("compact-aa")>();
  compare_rounded<core::D2Q9, core::Fp16C, number_of("compact-sliding")>();
  compare_rounded<core::D2Q9, core::Fp16S, number_of("soa-pull")>();
  compare_rounded<core::D2Q9, core::Fp16S, number_of("soa-aa")>();
  compare_rounded<core::D2Q9, core::Fp16S, number_of("t2c"), 8>();
  compare_rounded<core::D2Q9, core::Fp16S, number_of("tgb"), 16>();
  compare_rounded<core::D2Q9, core::Fp16S, number_of("cm")>();
  compare_rounded<core::D2Q9, core::Fp16S, number_of("fia")>();
  compare_rounded<core::D3Q13, core::Fp16S, number_of("fcc-shared")>();
  compare_rounded<core::D3Q19, core::Fp16C, number_of("esoteric-pull")>();
  compare_rounded<core::D3Q19, core::Fp16S, number_of("compact-pull")>();
}

}  // namespace
