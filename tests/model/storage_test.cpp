// SPDX-License-Identifier: Apache-2.0
// What the model says of Fluvia's own storage against the plans of its backends, which are exact to the byte.
#include "fluvia/model/storage.hpp"

#include <gtest/gtest.h>

#include "fluvia/case/physics/registered_physics.hpp"
#include "fluvia/core/lattice/registry.hpp"
#include "fluvia/cuda/layout/dense_box.hpp"
#include "fluvia/cuda/solver/prepared_case.hpp"
#include "fluvia/cuda/solver/storage_counts.hpp"
#include "fluvia/solver/links/cut_links.hpp"
#include "fluvia/solver/published/index_map_arrays.hpp"
#include "reference/scenes.hpp"

namespace fluvia::model {
namespace {

/// Calls visit(scene, lattice, geometry) for every scene and lattice.
template <class Visit>
void for_each_domain(Visit&& visit) {
  core::for_each_type(core::Lattices{}, [&]<class Lattice>(Lattice) {
    for (const scene::Scene& s : scene::all_scenes(Lattice::D)) {
      SCOPED_TRACE(std::string(Lattice::name) + ' ' + s.name);
      visit(s, std::string(Lattice::name), scene::make_geometry(s));
    }
  });
}

Inputs inputs(const std::string& lattice) {
  Inputs in;
  in.lattice = lattice_counts(lattice);
  in.value_bytes = 4;
  return in;
}

/// Bytes of all fluid nodes.
double bytes_of(const Overhead& overhead, const Inputs& in, const NodeMap& nodes) {
  return static_cast<double>(nodes.fluid_nodes) * in.node_memory() * (1 + overhead.memory_overhead());
}

scene::Options options(const std::string& lattice, const std::string& scheme, const std::string& device) {
  reference::Physics physics;
  physics.lattice = lattice;
  physics.collision = lattice == "D3Q13" ? "mrt" : "bgk";  // the only one it has
  return {physics, scheme, "fp32", 1, device};
}

TEST(Storage, OfTheCpuIsWhatItsPlanSays) {
  for_each_domain([](const scene::Scene& s, const std::string& lattice, const Geometry& geometry) {
    const Inputs in = inputs(lattice);
    for (const Overhead& overhead : fluvia_overheads(in, count_storage(geometry.nodes), false)) {
      if (overhead.scheme == "compact-sliding") continue;  // of GPUs
      SCOPED_TRACE(overhead.scheme);
      const Plan plan =
          make_plan({scene::make_case(s, options(lattice, overhead.scheme, "cpu")), scene::make_units(0.6), geometry});
      const auto planned = static_cast<double>(plan.population_bytes + plan.geometry_bytes - geometry.nodes.bytes());
      EXPECT_NEAR(bytes_of(overhead, in, geometry.nodes), planned, 1e-9 * planned);
    }
  });
}

TEST(Storage, OfAGpuIsWhatItsPlanSays) {
  for_each_domain([](const scene::Scene& s, const std::string& lattice, const Geometry& geometry) {
    const Inputs in = inputs(lattice);
    const StorageCounts counts = cuda::count_storage(geometry.nodes, in.lattice, "fp32");
    for (const Overhead& overhead : fluvia_overheads(in, counts, true)) {
      SCOPED_TRACE(overhead.scheme);
      const Case c = scene::make_case(s, options(lattice, overhead.scheme, "cuda"));
      const Plan plan = make_plan({c, scene::make_units(0.6), geometry}, "cuda");
      const cuda::PreparedCase prepared = cuda::prepare_case({c, scene::make_units(0.6), geometry}, plan);
      const double modelled = bytes_of(overhead, in, geometry.nodes);
      // The model knows of no planes of symmetry.
      const std::uint64_t geometry_bytes =
          prepared.geometry_bytes() - prepared.exchanged.bytes(prepared.facts.parities);
      if (prepared.specification.scheme.is_compact()) {
        // All but a table that every domain has once.
        const std::uint64_t margin = sizeof(std::uint16_t) * (geometry.nodes.dimension == 3 ? 6 * 6 * 6 : 10 * 10);
        const auto planned = static_cast<double>(prepared.population_bytes() + geometry_bytes - margin);
        EXPECT_NEAR(modelled, planned, 1e-9 * planned);
      } else {
        // Slots are some nodes apart, and the words of walls are counted by whole tiles.
        const cuda::DenseArrays arrays = cuda::make_dense_arrays(geometry.nodes, facts_of_lattice(lattice).velocities);
        const auto words = static_cast<double>(arrays.words.size() * 4);
        const auto most_words = static_cast<double>(counts.walled_warp_segments * 128);
        const double gap = static_cast<double>(arrays.stride - counts.dense_nodes) * in.node_memory() *
                           prepared.specification.scheme.copies;
        const auto planned = static_cast<double>(prepared.population_bytes() + geometry_bytes);
        EXPECT_LE(words, most_words);
        EXPECT_NEAR(modelled - most_words, planned - words - gap, 1e-9 * planned);
      }
    }
  });
}

TEST(Storage, OfADenseBoxCountsWallsOnlyWhereTheyAre) {
  const auto box =
      NodeMap::build(3, {128, 64, 64}, {false, false, false}, [](const Int3&) { return ~std::uint64_t{0}; });
  const StorageCounts counts = count_storage(box);
  // Rows of four segments; the tiles at the faces are walled: 14 of 16 by 14 of 16 tiles of rows and their two middle
  // segments are not.
  EXPECT_EQ(counts.warp_segments - counts.walled_warp_segments, 14u * 14 * 16 * 2);
  const auto endless =
      NodeMap::build(3, {128, 64, 64}, {true, true, true}, [](const Int3&) { return ~std::uint64_t{0}; });
  EXPECT_EQ(count_storage(endless).walled_warp_segments, 0u);
  // One solid tile, the last of its segment: rows of the tiles around it, in that segment and the next, wherever it is.
  for (const Int3 solid : {Int3{15, 4, 4}, Int3{16, 4, 4}, Int3{15, 0, 15}}) {
    const auto holed = NodeMap::build(3, {128, 64, 64}, {true, true, true}, [&](const Int3& tile) {
      return tile == solid ? std::uint64_t{0} : ~std::uint64_t{0};
    });
    EXPECT_EQ(count_storage(holed).walled_warp_segments, 2u * 9 * 16);
  }
}

TEST(Storage, CountsPlacesOfRowsUpToTheEndOfTheBox) {
  const auto box = NodeMap::build(3, {100, 5, 3}, {false, false, false}, [](const Int3&) { return ~std::uint64_t{0}; });
  EXPECT_EQ(fluid_rows(box).segments, 2u * 15);
  EXPECT_EQ(fluid_rows(box).nodes, 100u * 15);
}

/// A square of fluid in fp64, S4's case: 79.2 bytes a node with blocks of 16, 76.0 with its largest, 32.
TEST(GhostCells, TakeWhatTheProgramTakes) {
  const auto square =
      NodeMap::build(2, {256, 128, 1}, {true, true, false}, [](const Int3&) { return ~std::uint64_t{0}; });
  const Scheme& ghost = parse_scheme("ghost");
  for (const auto& [edge, bytes] : {std::pair{16, 79.16}, {32, 76.04}}) {
    Inputs in = inputs("D2Q9");
    in.value_bytes = 8;
    in.ghost_block_edge = edge;
    const IndexMapCount count = count_index_map(square, ghost, facts_of_lattice("D2Q9").velocities, edge);
    const double program =
        static_cast<double>(8 * count.elements + count.bytes) / static_cast<double>(square.fluid_nodes);
    EXPECT_NEAR(in.node_memory() * (1 + blocks_with_ghost_cells(in).memory_overhead()), program, 1e-9);
    EXPECT_NEAR(program, bytes, 0.005);
  }
}

TEST(GhostCells, AreFilledAsInTheFigure) {
  // Per block of b^d nodes, S4 Fig. 4: 2D: 6 populations for each cell of a row and a column, 4 for a corner's.
  const double b = 32;
  Inputs in = inputs("D2Q9");
  in.ghost_block_edge = 32;
  const Overhead flat = blocks_with_ghost_cells(in);
  EXPECT_NEAR(flat.bandwidth_overhead(), (12 * b + 4) * 2 * 4 / (b * b * in.node_traffic()), 1e-12);
  const double besides = (4 * (12 * b + 4) + b * b + 8) / (b * b * in.node_memory());
  EXPECT_NEAR(flat.memory_overhead(), besides, 1e-12);
  in.porosity = 0.5;  // for each fluid node of a box twice as many nodes, with the same share of ghosts
  EXPECT_NEAR(blocks_with_ghost_cells(in).memory_overhead(), 1 + 2 * besides, 1e-12);
  // 3D, face cells copy 5 (9) populations each way, edge cells 1 (3) from each of four blocks, corners 0 (1) of eight.
  in = inputs("D3Q19");
  EXPECT_NEAR(blocks_with_ghost_cells(in).bandwidth_overhead(),
              (30.0 * 64 + 12 * 8) * 2 * 4 / (512 * in.node_traffic()), 1e-12);
  in = inputs("D3Q27");
  EXPECT_NEAR(blocks_with_ghost_cells(in).bandwidth_overhead(),
              (54.0 * 64 + 36 * 8 + 8) * 2 * 4 / (512 * in.node_traffic()), 1e-12);
}

}  // namespace
}  // namespace fluvia::model
