// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "fluvia/output/neighbourhood.hpp"
#include "fluvia/output/wall_mesh.hpp"
#include "fluvia/solver/solver.hpp"
#include "fluvia/solver/tile_runs.hpp"

namespace fluvia {

/// What acts on a patch of the wall.
struct WallLoad {
  Real3 shear{};        ///< force of the fluid on the wall per area, along the wall
  double pressure = 0;  ///< gauge
};

/// Pressure and shear stress at the wall itself, extrapolated from the nodes of the fluid beside it.
///
/// Each component of the viscous stress (viscous_stress.hpp: of the populations, with the local eddy viscosity), and
/// the pressure, is fitted by a straight line in x, y and z, by least squares over the fluid nodes within reach of the
/// patch that are connected to its node there, near ones weighing more; its value at the wall is of second order. What
/// nodes do not say (one layer of them in a gap) counts as constant.
///
/// Half-way walls lie up to half a node off a curved surface, an error of first order in the velocity beside them that
/// differs from node to node, so one of order one in its gradient (surface_integrals.hpp). So there nodes with cut
/// links count for nothing as long as there are others.
///
/// Coefficients are worked out once: about 500 bytes a patch. Then only moments of tiles beside walls are
/// read.
class WallStress {
 public:
  WallStress(const Geometry& geometry, const WallMesh& mesh);
  /// In lattice units, one for each patch.
  [[nodiscard]] std::vector<WallLoad> evaluate(const FlowState& state) const;

 private:
  struct Term {
    std::uint32_t node;  ///< index into nodes_
    float factor;
  };
  /// Fits of consecutive patches: canonical nodes, what each of them adds, and how many belong to each patch.
  struct Part {
    std::vector<std::uint64_t> nodes;
    std::vector<float> factors;
    std::vector<std::uint32_t> counts;
  };
  void fit(const NodeMap& nodes, const WallMesh::Patch& patch, Neighbourhood& neighbourhood, Part& part) const;
  [[nodiscard]] std::vector<Part> fit_all(const NodeMap& nodes) const;

  const WallMesh& mesh_;
  double reach_;                      ///< of the fit, nodes
  std::vector<bool> beside_;          ///< by canonical node: has a cut link, walls being half-way; else empty
  std::vector<std::uint64_t> nodes_;  ///< canonical indices of the nodes needed, ascending
  std::vector<TileRun> runs_;         ///< tiles that hold them
  std::vector<std::uint64_t> begin_;  ///< first term of every patch
  std::vector<Term> terms_;
};

}  // namespace fluvia
