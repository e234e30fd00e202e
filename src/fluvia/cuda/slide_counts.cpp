// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cuda/slide_counts.hpp"

#include "fluvia/cuda/layout.hpp"

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

}  // namespace

void count_slide(const NodeMap& nodes, const model::LatticeCounts& lattice, int value_bytes,
                 model::StorageCounts& counts) {
  const bool folded = nodes.periodic[nodes.dimension - 1];
  const CompactLayout layout = make_compact_layout(nodes, lattice.populations(), neighbour_bits(lattice), folded);
  const SlidePlan plan = plan_slide(layout, slide_block_tiles(value_bytes));
  counts.slide_nodes = plan.shift;
  counts.slide_counter_bytes = counter_bytes(plan, nodes.tiles.size());
}

}  // namespace fluvia::cuda
