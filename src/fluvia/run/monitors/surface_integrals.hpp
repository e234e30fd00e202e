// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "fluvia/output/levels/flow_view.hpp"
#include "fluvia/output/node_image.hpp"
#include "fluvia/solver/blocks/tile_runs.hpp"
#include "fluvia/solver/solver.hpp"

namespace fluvia {

/// What pressure and friction contribute to the force of the fluid on a surface, found in two ways, lattice units:
/// methods A and B of Toelke & Krafczyk, Int. J. Comput. Fluid Dyn. 22 (2008) 443, section 6.2.
struct ForceParts {
  /// Method A: the momentum that the links would exchange if the nodes beside the surface had their density but no
  /// velocity.
  Real3 exchanged_pressure{};
  /// Method B: integrals of pressure and of the viscous stress, each extrapolated along the links to where these are
  /// cut.
  Real3 pressure{}, viscous{};
};

/// Integrates over the links that a surface cuts. Link i stands for the area 6 w_i c_i: summed over the links through a
/// plane of any direction that is the plane's own area vector, because the lattice is isotropic to second order. So
/// neither normals nor the exact surface are needed, and it works with whatever made the geometry. Faces of the box
/// that meet share links as they share forces (solver/links/shared_links.hpp). Uses nothing but the solver's moments,
/// only of tiles beside the surface; of a half lattice those of the stored nodes, whose links stand for twice the area.
///
/// The pressure is extrapolated from the two nodes next to the cut. The stress leaves out the first: half-way walls lie
/// up to half a node off a curved surface, an error in the velocity there that is of first order and differs from node
/// to node, so one of order one in its gradient. (Drag of a sphere: with the first node friction stays 13% too small at
/// any resolution, without it 2.5% at 15 nodes across, 1.6% at 30; docs/sphere-in-pipe.md.)
///
/// With levels of refinement each takes the links of nodes that it computes, with what it sees of the flow behind them.
class SurfaceIntegrals {
 public:
  /// Prepares the integrals for surfaces given by their index in Geometry::surfaces.
  SurfaceIntegrals(const Solver& solver, const std::vector<int>& surfaces);
  /// The force parts at the current time, one for each of the surfaces.
  [[nodiscard]] std::vector<ForceParts> evaluate() const;

 private:
  /// Nodes x, x + c_i, x + 2 c_i of a cut link, beyond planes of symmetry their images; where there is no fluid, the
  /// last node that is fluid.
  static constexpr int depth = 3;
  struct Link {
    std::uint32_t surface;                   ///< index into the list of surfaces
    std::array<std::uint32_t, depth> nodes;  ///< indices into nodes_
    std::uint8_t direction, faces;           ///< direction of the link; number of faces that share it
  };
  struct State {
    double pressure = 0;
    std::array<double, 6> stress{};  ///< viscous stress
  };

  /// The links of a flow, or of one of its levels.
  struct Part {
    std::optional<FlowView> view{};  ///< of its level; none: the flow itself
    std::vector<Real3> areas{};      ///< [link], 6 w_i c_i, in lattice units of the coarsest level
    std::vector<NodeImage> nodes{};  ///< nodes that are needed, ascending
    std::vector<TileRun> runs{};     ///< tiles that hold these nodes
    std::vector<Link> links{};
  };
  /// Fills in the links of nodes of a map; null: of all.
  void add_links(const std::vector<int>& surfaces, const NodeMap* own, Part& part) const;
  [[nodiscard]] const FlowState& state_of(const Part& part) const;
  [[nodiscard]] std::vector<State> load_states(const Part& part) const;

  const Solver& solver_;
  std::size_t surface_count_;
  std::deque<Part> parts_;
};

}  // namespace fluvia
