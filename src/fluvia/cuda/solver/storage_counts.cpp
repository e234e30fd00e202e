// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cuda/solver/storage_counts.hpp"

#include "fluvia/cuda/layout/dense_box.hpp"
#include "fluvia/cuda/layout/sliding_tiles.hpp"
#include "fluvia/cuda/program/specification.hpp"

namespace fluvia::cuda {
namespace {

/// Neighbouring tiles of a lattice that may not be among the compiled ones; as kernels::tile_neighbour_bits.
std::uint32_t neighbour_bits(const model::LatticeCounts& lattice) {
  std::uint32_t bits = 0;
  for (int k = 0; k < 27; ++k) {
    const int x = k % 3 - 1, y = k / 3 % 3 - 1, z = k / 9 - 1;
    const int components = (x != 0) + (y != 0) + (z != 0);
    if (components == 0 || (lattice.dimension == 2 && z != 0)) continue;
    if (components <= (lattice.threefold > 0 ? 3 : lattice.twofold > 0 ? 2 : 1)) bits |= 1u << k;
  }
  return bits;
}

/// A sliding case whose blocks are those of any lattice of the dimension.
Specification sliding_case(int dimension, const std::string& format) {
  Specification s;
  s.lattice = dimension == 2 ? "D2Q9" : "D3Q19";
  s.collision = "bgk";
  s.equilibrium = "quasi-compressible";
  s.format = format;
  s.scheme = parse_scheme("compact-sliding");
  return s;
}

}  // namespace

model::StorageCounts count_storage(const NodeMap& nodes, const model::LatticeCounts& lattice,
                                   const std::string& format) {
  model::StorageCounts counts = model::count_storage(nodes);
  const bool folded = nodes.periodic[nodes.dimension - 1];
  const CompactArrays arrays = make_compact_arrays(nodes, lattice.populations(), neighbour_bits(lattice), folded);
  const SlidePlan plan = plan_slide(arrays, tiles_at_a_time(sliding_case(nodes.dimension, format)));
  counts.dense_nodes = static_cast<std::uint64_t>(row_pitch(nodes.size[0])) * nodes.size[1] * nodes.size[2];
  counts.tile_nodes = arrays.elements / static_cast<std::uint64_t>(lattice.populations());
  counts.slide_nodes = plan.shift;
  counts.slide_counter_bytes = sweep_counters(plan, nodes.tiles.size()).bytes();
  return counts;
}

}  // namespace fluvia::cuda
