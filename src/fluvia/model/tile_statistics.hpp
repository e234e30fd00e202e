// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>

#include "fluvia/geometry/map/node_map.hpp"
#include "fluvia/model/lattice_counts.hpp"

namespace fluvia::model {

/// Counts of a geometry under a uniform mesh of tiles that starts at its first node and is extended with solid nodes at
/// the other end (S1, section 3). They do not depend on lattice and format.
struct TileStatistics {
  int dimension = 3;
  int edge = 4;                      ///< a, nodes along a tile's edge
  std::uint64_t nodes = 0;           ///< N_nodes, nodes of the box
  std::uint64_t fluid_nodes = 0;     ///< N_fnodes
  std::uint64_t tiles = 0;           ///< N_tiles
  std::uint64_t occupied_tiles = 0;  ///< N_ftiles, tiles that hold fluid
  /// Occupied neighbours of occupied tiles, in directions with one, two and three components.
  std::array<std::uint64_t, 3> neighbours{};
  /// Ghost buffers that occupied tiles need for one population in each direction with one, two and three components.
  std::array<std::uint64_t, 3> ghost_buffers{};
  /// How many of the ghost buffers are on faces without a tile behind: only an edge's or a corner's values of these are
  /// ever read.
  std::array<std::uint64_t, 3> reduced_buffers{};

  /// n_tn, nodes of a tile.
  [[nodiscard]] double tile_nodes() const { return dimension == 2 ? edge * edge : edge * edge * edge; }
  /// phi, the porosity of eq. 11.
  [[nodiscard]] double porosity() const { return static_cast<double>(fluid_nodes) / static_cast<double>(nodes); }
  /// phi_t, the tile porosity of eq. 17.
  [[nodiscard]] double tile_porosity() const {
    return static_cast<double>(fluid_nodes) / (static_cast<double>(occupied_tiles) * tile_nodes());
  }
  /// The ratio N_tiles / N_ftiles.
  [[nodiscard]] double tile_ratio() const { return static_cast<double>(tiles) / static_cast<double>(occupied_tiles); }
};

/// Counts over a geometry; one bit a tile and a look at 26 bits for each that holds fluid. Neighbours across periodic
/// axes count. Throws Error(input) if `edge` is not in 2 .. 64.
///
/// A population that leaves through k faces has up to k ghost buffers, one a face. A face's buffer is needed if the
/// tile behind it holds fluid. Values on edges and corners may be read from any of the buffers they are written to, so
/// a tile that touches no more than an edge or corner costs one buffer unless one that it can use is there anyway.
TileStatistics measure_tiles(const NodeMap& nodes, int edge);

/// alpha_M, allocated over possible ghost buffers (S1, section 3.1.1.2).
double memory_coefficient(const TileStatistics& tiles, const LatticeCounts& lattice);
/// Fraction of the ghost buffers that could be smaller, since only tiles that touch in an edge or corner need them (S1,
/// section 3.1.1.2: "less than 2%").
double reduced_share(const TileStatistics& tiles, const LatticeCounts& lattice);
/// alpha_B, transferred over possible values of ghost buffers (S1, section 3.1.2.3).
double bandwidth_coefficient(const TileStatistics& tiles, const LatticeCounts& lattice);

}  // namespace fluvia::model
