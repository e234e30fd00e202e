// SPDX-License-Identifier: Apache-2.0
// Where nodes lie on a GPU, without one: the index maps that kernels use, against the map of nodes itself.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>

#include "fluvia/core/lattice/registry.hpp"
#include "fluvia/core/scheme/registry.hpp"
#include "fluvia/cuda/kernels/halo.hpp"
#include "fluvia/cuda/kernels/tile_neighbours.hpp"
#include "fluvia/cuda/layout/dense_box.hpp"
#include "fluvia/cuda/layout/slide/sliding_moments.hpp"
#include "fluvia/cuda/layout/sliding_passes.hpp"
#include "fluvia/cuda/layout/sliding_tiles.hpp"
#include "reference/scenes.hpp"

namespace {

using fluvia::Int3;
using fluvia::NodeMap;
namespace cuda = fluvia::cuda;
namespace kernels = fluvia::cuda::kernels;

/// Calls visit(lattice, nodes) for every lattice and scene, periodic boxes that end inside of a tile among them.
template <class Visit>
void for_each_map(Visit&& visit) {
  fluvia::core::for_each_type(fluvia::core::Lattices{}, [&]<class Lattice>(Lattice lattice) {
    for (const scene::Scene& s : scene::all_scenes(Lattice::D)) {
      SCOPED_TRACE(testing::Message() << Lattice::name << ' ' << s.name);
      visit(lattice, scene::make_geometry(s).nodes);
    }
  });
}

template <class Lattice>
cuda::CompactArrays compact_layout(Lattice, const NodeMap& nodes, bool folded) {
  return cuda::make_compact_arrays(nodes, Lattice::Q, kernels::tile_neighbour_bits<Lattice>(), folded);
}

/// Tile and bit of the neighbour of a node as kernels find them; none if there is no fluid.
template <class Lattice>
std::pair<std::uint32_t, int> neighbour(const cuda::CompactArrays& layout, std::uint32_t tile, int bit, const Int3& c) {
  using Halo = kernels::Halo<Lattice::D>;
  const std::uint32_t flags = layout.records[tile].flags;
  unsigned first = 0, last = 0;
  for (int axis = 0; axis < Lattice::D; ++axis) {
    first |= (flags & kernels::tile_at_first(axis)) != 0 ? 1u << axis : 0u;
    last |= (flags & kernels::tile_at_last(axis)) != 0 ? 1u << axis : 0u;
  }
  const int place = Halo::index_of(bit) + Halo::distance(c[0], c[1], c[2]);
  const int entry = layout.cut_tiles ? Halo::entry(place, first, last, layout.tiles.last_local) : layout.halo[place];
  std::uint32_t there = tile;
  if (const std::uint32_t k = entry & 31; k != 13) {
    constexpr std::uint32_t reached = kernels::tile_neighbour_bits<Lattice>();
    EXPECT_TRUE(reached >> k & 1u);
    there = layout.neighbours[tile * std::popcount(reached) + std::popcount(reached & ((1u << k) - 1))];
  }
  if (there == kernels::none || (layout.records[there].mask >> (entry >> 5) & 1u) == 0) return {kernels::none, 0};
  return {there, entry >> 5};
}

TEST(CompactLayout, LeadsToTheNeighboursOfTheNodeMap) {
  for_each_map([]<class Lattice>(Lattice lattice, const NodeMap& nodes) {
    for (const bool folded : {false, true}) {
      const cuda::CompactArrays layout = compact_layout(lattice, nodes, folded);
      for (std::uint32_t t = 0; t < nodes.tiles.size(); ++t)
        for (std::uint64_t rest = nodes.tiles[t].mask; rest != 0; rest &= rest - 1)
          for (const auto& c : Lattice::c) {
            const int bit = std::countr_zero(rest);
            Int3 there = nodes.node_position(nodes.tiles[t], bit);
            for (int axis = 0; axis < 3; ++axis) there[axis] += c[axis];
            std::uint32_t tile = kernels::none;
            int there_bit = 0;
            if (nodes.wrap(there) && nodes.is_fluid(there)) {
              const Int3 shape = fluvia::tile_shape(nodes.dimension);
              const Int3 position = {there[0] / shape[0], there[1] / shape[1], there[2] / shape[2]};
              tile = layout.storage_index_of(nodes.directory[nodes.directory_index(position)]);
              there_bit =
                  fluvia::tile_bit(nodes.dimension, {there[0] % shape[0], there[1] % shape[1], there[2] % shape[2]});
            }
            const auto found = neighbour<Lattice>(layout, layout.storage_index_of(t), bit, {c[0], c[1], c[2]});
            ASSERT_EQ(found, std::pair(tile, there_bit)) << "tile " << t << " bit " << bit;
          }
    }
  });
}

TEST(CompactLayout, StoresEveryFluidNodeOnceAndFullTilesAligned) {
  for_each_map([]<class Lattice>(Lattice lattice, const NodeMap& nodes) {
    const cuda::CompactArrays layout = compact_layout(lattice, nodes, true);
    std::uint64_t next = 0, count = 0;
    for (const kernels::Tile& tile : layout.records) {
      const auto fluid = static_cast<unsigned>(std::popcount(tile.mask));
      EXPECT_EQ(tile.flags & kernels::tile_count_bits, fluid);
      if (fluid == kernels::nodes_per_tile && next % kernels::full_tile_alignment != 0)
        next += kernels::full_tile_alignment - next % kernels::full_tile_alignment;
      EXPECT_EQ(tile.base, next);
      next += fluid;
      count += fluid;
    }
    EXPECT_EQ(count, nodes.fluid_nodes);
    EXPECT_GE(layout.elements, next * Lattice::Q);
    EXPECT_LT(layout.elements, (next + kernels::full_tile_alignment) * Lattice::Q);
  });
}

TEST(CompactLayout, InnerTilesHaveFullTilesAroundThem) {
  std::size_t inner_tiles = 0;
  const auto check = [&]<class Lattice>(Lattice lattice, const NodeMap& nodes) {
    const cuda::CompactArrays layout = compact_layout(lattice, nodes, false);
    const std::size_t per_tile = layout.neighbours.size() / layout.records.size();
    const auto is_full = [&](std::uint32_t t) { return t != kernels::none && ~layout.records[t].mask == 0; };
    for (std::uint32_t t = 0; t < layout.records.size(); ++t) {
      bool inner = is_full(t);
      for (std::size_t k = 0; k < per_tile; ++k) inner = inner && is_full(layout.neighbours[t * per_tile + k]);
      EXPECT_EQ((layout.records[t].flags & kernels::tile_is_inner) != 0, inner) << "tile " << t;
      inner_tiles += inner ? 1 : 0;
    }
  };
  for_each_map(check);
  check(fluvia::core::D3Q19{}, scene::make_geometry(scene::channel({38, 26, 18})).nodes);
  EXPECT_GT(inner_tiles, 0U);
}

/// The proof of slide.hpp: when a tile is written, every tile that reads what it overwrites is at least two chunks
/// behind it in the order of the sweep, which goes through tiles begin to beyond - 1.
void check_slide(const cuda::CompactArrays& layout, const cuda::SlidePlan& plan, std::uint32_t begin,
                 std::uint32_t beyond) {
  const std::size_t per_tile = layout.neighbours.size() / layout.records.size();
  const auto end = [&](std::uint32_t t) {
    return layout.records[t].base + (layout.records[t].flags & kernels::tile_count_bits);
  };
  // Sweep upwards: read at base + shift, written at base. Downwards: the mirror image.
  for (const bool upwards : {true, false})
    for (std::uint32_t writer = begin; writer < beyond; ++writer) {
      const std::uint64_t first = layout.records[writer].base + (upwards ? 0 : plan.shift),
                          last = end(writer) + (upwards ? 0 : plan.shift);
      const auto overwrites = [&](std::uint32_t t) {
        const std::uint64_t from = layout.records[t].base + (upwards ? plan.shift : 0),
                            to = end(t) + (upwards ? plan.shift : 0);
        return from < last && first < to;
      };
      const auto chunk = [&](std::uint32_t t) {
        return (upwards ? t - begin : beyond - 1 - t) / plan.block_tiles >> plan.chunk_log2;
      };
      for (std::uint32_t reader = begin; reader < beyond; ++reader) {
        if (reader == writer) continue;  // reads before it writes
        bool reads = overwrites(reader);
        for (std::size_t k = 0; k < per_tile; ++k) {
          const std::uint32_t t = layout.neighbours[reader * per_tile + k];
          reads = reads || (t != kernels::none && overwrites(t));
        }
        if (!reads) continue;
        ASSERT_GE(chunk(writer), chunk(reader) + 2) << "tile " << writer << " overwrites what " << reader << " reads";
      }
    }
}

/// Checks sweeps through all tiles, and through those of a part between others.
void check_slide(const cuda::CompactArrays& layout, const cuda::SlidePlan& plan) {
  const auto count = static_cast<std::uint32_t>(layout.records.size());
  check_slide(layout, plan, 0, count);
  check_slide(layout, plan, count / 7, count - count / 5);
}

TEST(SlidePlan, NothingIsOverwrittenBeforeItIsRead) {
  constexpr int least = 4;  // small chunks, so that small maps have several
  for_each_map([]<class Lattice>(Lattice lattice, const NodeMap& nodes) {
    const cuda::CompactArrays layout = compact_layout(lattice, nodes, nodes.periodic[nodes.dimension - 1]);
    for (const std::uint32_t groups : {1U, 4U}) {
      check_slide(layout, cuda::plan_slide(layout, groups, least));
      check_slide(layout, cuda::plan_slide(layout, groups));
    }
  });
  // Many chunks.
  const NodeMap nodes = scene::make_geometry(scene::porous({22, 30, 90})).nodes;
  const cuda::CompactArrays layout = compact_layout(fluvia::core::D3Q19{}, nodes, true);
  for (const std::uint32_t groups : {1U, 4U}) {
    const cuda::SlidePlan plan = cuda::plan_slide(layout, groups, least);
    EXPECT_LT(plan.shift, nodes.fluid_nodes);
    check_slide(layout, plan);
  }
}

/// The layout of a scheme that takes passes on one copy.
std::unique_ptr<cuda::Layout> sliding_layout(const NodeMap& nodes, cuda::Specification& s, unsigned least_blocks) {
  if (s.scheme.keeps_moments())
    return std::make_unique<cuda::SlidingMomentLayout>(nodes, s, cuda::TileRoles{}, least_blocks);
  return std::make_unique<cuda::SlidingPassLayout>(nodes, s, cuda::TileRoles{}, least_blocks);
}

/// Boxes of this size, whose parts of the march are what a launch says.
void check_sliding_passes(const fluvia::Scheme& scheme, const Int3& size, int dimension, bool periodic,
                          unsigned least_blocks) {
  SCOPED_TRACE(testing::Message() << scheme.name << ' ' << size[0] << ' ' << size[1] << ' ' << size[2] << ' '
                                  << periodic);
  scene::Scene s = scene::open_box(size);
  s.periodic = {false, false, false};
  s.periodic[dimension - 1] = periodic;
  const NodeMap nodes = scene::make_geometry(s).nodes;
  cuda::Specification specification;
  specification.lattice = dimension == 3 ? "D3Q19" : "D2Q9";
  specification.collision = scheme.keeps_moments() ? "regularized" : "bgk";
  specification.format = "fp32";
  specification.scheme = scheme;
  specification.steps_per_pass = dimension == 3 ? 2 : 4;
  specification.pass = {.width = 8, .depth = dimension == 3 ? 4 : 1, .blocks = 1, .planes = 6};
  const auto layout = sliding_layout(nodes, specification, least_blocks);
  cuda::Program program;
  layout->append_pass({}, cuda::StepShare::all, program);
  ASSERT_EQ(program.size(), 1U);
  const cuda::Dimensions& blocks = program[0].shape.blocks;
  const auto sliding = program[0].more.as<kernels::SlidingPassArguments>();
  EXPECT_TRUE(blocks.x * blocks.y * sliding.parts >= least_blocks);
  const auto box = scheme.keeps_moments() ? program[0].geometry.as<kernels::MomentBox>().nodes
                                          : program[0].geometry.as<kernels::DenseBox>();
  const std::int64_t plane = std::int64_t{box.pitch} * (dimension == 3 ? box.size[1] : 1),
                     planes = nodes.size[dimension - 1], part = sliding.pass.planes,
                     steps = specification.steps_per_pass,
                     numbers = scheme.keeps_moments() ? cuda::facts_of(specification).numbers : 1,
                     shift = static_cast<std::int64_t>(layout->extent().second) / numbers;
  EXPECT_EQ(shift % kernels::moment_group, 0) << "groups take the places of groups";
  for (const std::int64_t direction : {-1, 1})  // upwards it is written below
    for (std::int64_t k = 0; k < blocks.z; ++k)
      for (std::int64_t other = 0; other < blocks.z; ++other) {
        const auto chunk = [&](std::int64_t p) { return (direction < 0 ? p : blocks.z - 1 - p) / sliding.parts; };
        if (chunk(other) + 2 <= chunk(k)) continue;  // has been read
        const std::int64_t first = k * part * plane + direction * shift,
                           end = std::min((k + 1) * part, planes) * plane + direction * shift;
        for (std::int64_t p = other * part - steps; p < std::min((other + 1) * part, planes) + steps; ++p) {
          const std::int64_t read = (p + planes) % planes * plane;
          // Across an end that is not periodic nothing that is read is used.
          if (!periodic && (p < 0 || p >= planes)) continue;
          ASSERT_TRUE(read + plane <= first || read >= end) << "part " << k << " overwrites what " << other << " reads";
        }
      }
}

TEST(SlidingPasses, OverwriteNothingBeforeItIsRead) {
  for (const fluvia::Scheme& scheme : fluvia::core::schemes) {
    if (!scheme.is_fused() || !scheme.steps_in_order()) continue;
    for (const unsigned least : {1U, 7U, 100U})
      for (const bool periodic : {false, true}) {
        check_sliding_passes(scheme, {37, 17, 61}, 3, periodic, least);
        check_sliding_passes(scheme, {9, 5, 7}, 3, periodic, least);
        check_sliding_passes(scheme, {61, 83, 1}, 2, periodic, least);
      }
  }
}

TEST(DenseLayout, MarksExactlyTheCutLinks) {
  for_each_map([]<class Lattice>(Lattice, const NodeMap& nodes) {
    std::vector<Int3> velocities;
    for (const auto& c : Lattice::c) velocities.push_back({c[0], c[1], c[2]});
    const cuda::DenseArrays layout = cuda::make_dense_arrays(nodes, velocities);
    for (int z = 0; z < nodes.size[2]; ++z)
      for (int y = 0; y < nodes.size[1]; ++y)
        for (int x = 0; x < nodes.size[0]; ++x) {
          const std::uint32_t block =
              layout.segments[(y + static_cast<std::size_t>(nodes.size[1]) * z) * layout.box.row_words +
                              x / kernels::segment_nodes];
          const std::uint32_t word =
              block == kernels::none
                  ? 0
                  : layout.words[static_cast<std::size_t>(block) * kernels::segment_nodes + x % kernels::segment_nodes];
          std::uint32_t expected = 0;
          if (!nodes.is_fluid({x, y, z})) {
            expected = kernels::not_fluid_bit;
          } else {
            for (std::size_t i = 1; i < velocities.size(); ++i) {
              Int3 there = {x - velocities[i][0], y - velocities[i][1], z - velocities[i][2]};
              if (!nodes.wrap(there) || !nodes.is_fluid(there)) expected |= 1u << i;
            }
          }
          ASSERT_EQ(word, expected) << x << ' ' << y << ' ' << z;
        }
  });
}

}  // namespace
