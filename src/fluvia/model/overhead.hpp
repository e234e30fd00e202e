// SPDX-License-Identifier: Apache-2.0
// The overhead model of S1: T. Tomczak and R. G. Szafran, "Sparse geometries handling in lattice Boltzmann method
// implementation for graphic processors", IEEE Trans. Parallel Distrib. Syst. 29, 1865 (2018), sections 2.2 to 3.1.
// Equation numbers are the paper's. Everything here is arithmetic on the numbers given.
#pragma once
#include <string>
#include <vector>

#include "fluvia/model/lattice_counts.hpp"

namespace fluvia::model {

/// The quantities that the formulas take. Bytes of indices default to the paper's.
struct Inputs {
  LatticeCounts lattice;
  int value_bytes = 8;               ///< s_d, bytes of a stored population
  int node_type_bytes = 2;           ///< s_t, bytes of a node's type
  int tile_index_bytes = 4;          ///< s_ti, bytes of the index of a tile
  int buffer_index_bytes = 4;        ///< s_gbi, bytes of the index of a ghost buffer
  int node_index_bytes = 4;          ///< s_CM_idx and s_FIA_idx, bytes of the index of a node
  int burst_bytes = 32;              ///< s_b, bytes of the shortest transaction of the memory
  int tile_edge = 4;                 ///< a, nodes along an edge of a tile
  double porosity = 1;               ///< phi, eq. 11
  double tile_porosity = 1;          ///< phi_t, eq. 17
  double tile_ratio = 1;             ///< N_tiles / N_ftiles
  double memory_coefficient = 1;     ///< alpha_M
  double bandwidth_coefficient = 1;  ///< alpha_B
  int ghost_block_edge = 8;          ///< nodes along an edge of a block of `ghost`

  /// n_tn, nodes of a tile.
  [[nodiscard]] double tile_nodes() const {
    return lattice.dimension == 2 ? tile_edge * tile_edge : tile_edge * tile_edge * tile_edge;
  }
  [[nodiscard]] double node_memory() const { return lattice.populations() * value_bytes; }           ///< M_node, eq. 9
  [[nodiscard]] double node_traffic() const { return 2 * node_memory(); }                            ///< B_node, eq. 10
  [[nodiscard]] double tile_memory() const { return tile_nodes() * tile_porosity * node_memory(); }  ///< eq. 18
  [[nodiscard]] double tile_traffic() const { return tile_nodes() * tile_porosity * node_traffic(); }  ///< eq. 19
};

/// One term of an overhead: its cause, and where its formula comes from.
struct Component {
  std::string name;    ///< solid, type, copy, index, ...
  double value = 0;    ///< bytes over M_node or B_node of a fluid node
  std::string source;  ///< "eq. 20"
};

/// Memory and traffic of a method over the least, both per fluid node.
struct Overhead {
  std::string scheme;
  std::vector<Component> memory;     ///< terms that sum up to Delta^M
  std::vector<Component> bandwidth;  ///< terms that sum up to Delta^B
  std::vector<Component> bursts;     ///< what memory that moves whole bursts adds to Delta^B at most
  bool reads_solid_nodes = false;    ///< measured fractions of the roofline leave this out

  [[nodiscard]] double memory_overhead() const { return sum(memory); }
  [[nodiscard]] double bandwidth_overhead() const { return sum(bandwidth); }
  [[nodiscard]] double burst_overhead() const { return bandwidth_overhead() + sum(bursts); }

 private:
  static double sum(const std::vector<Component>& components) {
    double total = 0;
    for (const Component& component : components) total += component.value;
    return total;
  }
};

/// Tiles with two copies: eqs 20-24 and 33-35, 41.
Overhead tiles_with_two_copies(const Inputs& in);
/// Tiles with ghost buffers: eqs 20, 21, 28-30 and 33, 36, 37, 39, 40, 42.
Overhead tiles_with_ghost_buffers(const Inputs& in);
/// Connectivity matrix, two copies: eqs 13 and 14. The paper gives no bound for bursts.
Overhead connectivity_matrix(const Inputs& in);
/// Connectivity matrix with one copy in the AA pattern, which needs neighbours in every other step only.
Overhead connectivity_matrix_in_place(const Inputs& in);
/// Fluid index array, two kernels as published: eqs 15 and 16.
Overhead fluid_index_array(const Inputs& in);
/// Fluid index array with streaming and collision in one kernel, as the paper proposes, without the second access.
Overhead fluid_index_array_fused(const Inputs& in);
/// One lattice in blocks with a layer of ghost cells between them and a kernel that fills it, after S4:
/// P. Valero-Lara, "Leveraging the performance of LBM-HPC for large sizes on GPUs using ghost cells" (2016). Ghost
/// cells store whole nodes; the crossing populations of a block are copied once a step.
Overhead blocks_with_ghost_cells(const Inputs& in);

/// The porosity from which on a fluid index array, read once in one kernel, moves fewer bytes than a connectivity
/// matrix: where eq. 16 without its second access meets eq. 14, 1 / (q - 1). The preprint of S1 draws both in its Fig.
/// 2 over the fraction of solid nodes, 0.875 in D2Q9 and 0.944 in D3Q19.
double index_crossing(const Inputs& in);

/// The overheads of all methods above, in this order.
std::vector<Overhead> published_overheads(const Inputs& in);

/// Updates of fluid nodes a second that a bandwidth (bytes read and written a second) allows: B / (B_node (1 + Delta)).
double updates_per_second(const Inputs& in, double bandwidth, double overhead);
/// BU, eq. 43: the fraction of a bandwidth that so many updates a second need at least.
double bandwidth_utilisation(const Inputs& in, double updates_per_second, double bandwidth);

}  // namespace fluvia::model
