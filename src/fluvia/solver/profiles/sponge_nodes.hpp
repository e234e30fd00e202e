// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "fluvia/solver/links/boundary_setup.hpp"
#include "fluvia/solver/links/surface_roles.hpp"

namespace fluvia {

/// A layer that damps, before an opening or a plane of symmetry.
struct SpongeLayer {
  int surface = 0;
  Real3 at{}, normal{};              ///< a point of its end, lattice units; unit, out of the fluid
  double depth = 0;                  ///< nodes
  const Opening* opening = nullptr;  ///< null: the end is a plane of symmetry
};
/// The layers of a case, those of openings first.
std::vector<SpongeLayer> sponge_layers(const SurfaceRoles& roles, const Problem& problem);

/// Nodes in the sponges of a case in these tiles, layer by layer, in canonical order: in front of openings, but not
/// those whose links they cut, and of planes of symmetry.
std::vector<BoundarySetup::SpongeNode> sponge_nodes(const SurfaceRoles& roles, const Problem& problem,
                                                    const std::vector<Int3>& velocities, const TileRange& tiles);

}  // namespace fluvia
