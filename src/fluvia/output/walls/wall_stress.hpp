// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "fluvia/output/walls/wall_fit.hpp"
#include "fluvia/output/walls/wall_mesh.hpp"
#include "fluvia/solver/blocks/tile_runs.hpp"
#include "fluvia/solver/solver.hpp"

namespace fluvia {

/// Pressure and shear stress at the wall itself, extrapolated from the nodes of the fluid beside it.
///
/// Each component of the viscous stress (viscous_stress.hpp: of the populations, with the local viscosity), and the
/// pressure, is extrapolated to the wall (wall_fit.hpp). Coefficients are worked out once; then only moments of tiles
/// beside walls are read.
class WallStress {
 public:
  WallStress(const Geometry& geometry, const WallMesh& mesh) : WallStress(geometry, mesh, WallFit(geometry)) {}
  WallStress(const Geometry& geometry, const WallMesh& mesh, const WallFit& fit);
  /// Loads on the wall, one for each patch; lattice units.
  [[nodiscard]] std::vector<WallLoad> evaluate(const FlowState& state) const;
  /// Bytes of the coefficients, and, below, what they will be.
  [[nodiscard]] std::uint64_t bytes() const;
  static std::uint64_t planned_bytes(const Geometry& geometry, const WallMesh& mesh);

 private:
  struct Term {
    std::uint32_t node;  ///< index into nodes_
    float factor;
  };
  /// Fits of consecutive patches: nodes, what each of them adds, and how many belong to each patch.
  struct Part {
    std::vector<NodeImage> nodes;
    std::vector<float> factors;
    std::vector<std::uint32_t> counts;
  };
  [[nodiscard]] std::vector<Part> fit_all(const WallFit& fit) const;

  const WallMesh& mesh_;
  std::vector<NodeImage> nodes_;      ///< nodes that are needed, ascending
  std::vector<TileRun> runs_;         ///< tiles that hold these nodes
  std::vector<std::uint64_t> begin_;  ///< [patch], its first term
  std::vector<Term> terms_;
};

}  // namespace fluvia
