// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

namespace fluvia::model {

/// What the overheads of a lattice follow from: how many of its velocities have one, two and three components (S1,
/// section 3.1.1.2: q_s, q_d, q_t). Lattices with one layer of neighbours only.
struct LatticeCounts {
  std::string name;
  int dimension = 3;
  int single = 0, twofold = 0, threefold = 0;  ///< q_s, q_d, q_t

  /// q, the number of populations of a node.
  [[nodiscard]] int populations() const { return 1 + single + twofold + threefold; }
  /// Number of velocities with `components` components.
  [[nodiscard]] int with(int components) const {
    return components == 1 ? single : components == 2 ? twofold : threefold;
  }
  /// Number of ghost buffers that a tile writes: q_s + 2 q_d + 3 q_t, one for each population and face that it leaves
  /// through.
  [[nodiscard]] int written_buffers() const { return single + 2 * twofold + 3 * threefold; }
  /// Number of ghost buffers that a tile reads, from each tile that a population may come from: q_s + 3 q_d + 7 q_t.
  [[nodiscard]] int read_buffers() const { return single + 3 * twofold + 7 * threefold; }
  /// C_gb, the constant of eq. 28.
  [[nodiscard]] double buffer_constant() const { return static_cast<double>(written_buffers()) / populations(); }
  /// C_gbi of eq. 29, the number of indices of ghost buffers of a tile.
  [[nodiscard]] int buffer_indices() const { return written_buffers() + read_buffers(); }
  /// q_c of eq. 39, the number of buffers of which only a corner's value is read.
  [[nodiscard]] int corner_reads() const { return dimension == 2 ? twofold : threefold; }
  /// Number of tiles that the velocities reach from a tile.
  [[nodiscard]] int neighbouring_tiles() const {
    if (dimension == 2) return twofold > 0 ? 8 : 4;
    return threefold > 0 ? 26 : twofold > 0 ? 18 : 6;
  }
};

/// The counts of every registered lattice.
const std::vector<LatticeCounts>& lattice_counts();
/// The counts of a registered lattice. Throws Error(input) with the list of names.
const LatticeCounts& lattice_counts(const std::string& name);

}  // namespace fluvia::model
