// SPDX-License-Identifier: Apache-2.0
#include "fluvia/model/overhead.hpp"

#include <cmath>

namespace fluvia::model {
namespace {

double whole_power(double base, int exponent) {
  return exponent == 0 ? 1 : base * whole_power(base, exponent - 1);
}

Component solid_nodes_in_tiles(const Inputs& in) {
  return {"solid", 1 / in.tile_porosity - 1, "eq. 20"};
}
Component node_types(const Inputs& in) {
  return {"type", in.node_type_bytes / in.node_memory() / in.tile_porosity, "eq. 21"};
}
/// Bytes of the types of a tile's nodes and of those around it, each read once.
Component node_types_read(const Inputs& in) {
  const double nodes = whole_power(in.tile_edge + 2, in.lattice.dimension);
  return {"type", nodes * in.node_type_bytes / in.tile_traffic(), "eq. 33"};
}
Component full_tiles(const Inputs& in) {
  return {"solid", 1 / in.tile_porosity - 1, "eq. 38"};
}

}  // namespace

Overhead tiles_with_two_copies(const Inputs& in) {
  const double map = in.tile_ratio * in.tile_index_bytes / in.tile_memory();
  const double indices = (in.lattice.populations() - 1) * in.tile_index_bytes / in.tile_traffic();
  return {
      "t2c",
      {solid_nodes_in_tiles(in), node_types(in), {"copy", 1 / in.tile_porosity, "eq. 22"}, {"index", map, "eq. 23"}},
      {node_types_read(in), {"index", indices, "eq. 34"}},
      {full_tiles(in)}};
}

Overhead tiles_with_ghost_buffers(const Inputs& in) {
  const LatticeCounts& l = in.lattice;
  const double buffers = l.buffer_constant() * 2 * in.memory_coefficient / (in.tile_edge * in.tile_porosity);
  const double index_bytes = l.buffer_indices() * in.buffer_index_bytes;
  // The paper prints n_tn / q in eqs 27 and 39; a buffer has n_tn / a values (text before eq. 27), and only that gives
  // its eq. 28 and its Table 5.
  const double buffer_bytes = in.tile_nodes() / in.tile_edge * in.value_bytes;
  const double whole = (l.buffer_indices() - l.corner_reads()) * buffer_bytes;  // eq. 39
  const double corners = l.corner_reads() * in.burst_bytes;                     // eq. 40
  return {"tgb",
          {solid_nodes_in_tiles(in),
           node_types(in),
           {"buffers", buffers, "eq. 28"},
           {"index", index_bytes / in.tile_memory(), "eq. 29"}},
          {node_types_read(in), {"index", index_bytes / in.tile_traffic(), "eq. 36"}},
          {full_tiles(in),
           {"buffers", (whole + corners) / in.tile_traffic() * in.bandwidth_coefficient, "eqs 39, 40, 42"}}};
}

Overhead connectivity_matrix(const Inputs& in) {
  const double bytes = (in.lattice.populations() - 1) * in.node_index_bytes;
  return {"cm",
          {{"copy", 1, "eq. 13"}, {"index", bytes / in.node_memory(), "eq. 13"}},
          {{"index", bytes / in.node_traffic(), "eq. 14"}},
          {}};
}

Overhead connectivity_matrix_in_place(const Inputs& in) {
  const double bytes = (in.lattice.populations() - 1) * in.node_index_bytes;
  return {"cm-aa",
          {{"index", bytes / in.node_memory(), "eq. 13 without the copy"}},
          {{"index", bytes / in.node_traffic() / 2, "half of eq. 14"}},
          {}};
}

Overhead fluid_index_array(const Inputs& in) {
  const double bytes = in.node_index_bytes / in.porosity;
  return {"fia",
          {{"copy", 1, "eq. 15"}, {"index", bytes / in.node_memory(), "eq. 15"}},
          {{"second access", 1, "eq. 16"}, {"index", bytes / in.node_traffic(), "eq. 16"}},
          {}};
}

Overhead fluid_index_array_fused(const Inputs& in) {
  Overhead overhead = fluid_index_array(in);
  overhead.scheme = "fia-fused";
  overhead.bandwidth = {{"index", overhead.bandwidth[1].value, "eq. 16 without the second access"}};
  return overhead;
}

double index_crossing(const Inputs& in) {
  const double matrix = (in.lattice.populations() - 1) * in.node_index_bytes;  // bytes in a step of a fluid node
  return in.node_index_bytes / matrix;
}

Overhead blocks_with_ghost_cells(const Inputs& in) {
  const LatticeCounts& l = in.lattice;
  const double edge = in.ghost_block_edge, nodes = whole_power(edge, l.dimension);
  // Populations that cross the faces of a block, and once more each edge and corner: 6 a ghost cell in a row or column
  // of D2Q9 and 4 in a corner, S4 Fig. 4. Each is read and written.
  double crossings = 0;
  for (int k = 1; k <= l.dimension; ++k)
    for (int j = 1, subsets = k; j <= k; subsets = subsets * (k - j) / (j + 1), ++j)
      crossings += l.with(k) * subsets * whole_power(edge, l.dimension - j);
  const double bytes = crossings * in.value_bytes / nodes;  // ghost cells lie between two blocks and are counted once
  // S4 does not say how walls are known: taken is what the program has, a byte for each node and two numbers for each
  // block.
  const double types = 1, index = 8 / nodes;
  const auto of_memory = [&](double bytes_a_node) { return bytes_a_node / (in.node_memory() * in.porosity); };
  return {"ghost",
          {{"solid", 1 / in.porosity - 1, "section 2.3.3"},
           {"type", of_memory(types), "S4 2.4"},
           {"ghost cells", of_memory(bytes), "S4 Fig. 4"},
           {"index", of_memory(index), "S4 2.5"}},
          {{"ghost cells", 2 * bytes / (in.node_traffic() * in.porosity), "S4 Fig. 4"}},
          {{"solid", 1 / in.porosity - 1, "section 2.3.3"}}};
}

std::vector<Overhead> published_overheads(const Inputs& in) {
  return {tiles_with_two_copies(in),        tiles_with_ghost_buffers(in), connectivity_matrix(in),
          connectivity_matrix_in_place(in), fluid_index_array(in),        fluid_index_array_fused(in),
          blocks_with_ghost_cells(in)};
}

double updates_per_second(const Inputs& in, double bandwidth, double overhead) {
  return bandwidth / (in.node_traffic() * (1 + overhead));
}

double bandwidth_utilisation(const Inputs& in, double updates, double bandwidth) {
  return updates * in.node_traffic() / bandwidth;  // B_case = P B_node over B_GPU
}

}  // namespace fluvia::model
