// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "fluvia/solver/links/boundary_setup.hpp"
#include "fluvia/solver/links/surface_roles.hpp"

namespace fluvia {

/// Nodes in the sponges of a case in these tiles, by opening, in canonical order: in front of openings, but not those
/// whose links they cut.
std::vector<BoundarySetup::SpongeNode> sponge_nodes(const SurfaceRoles& roles, const Problem& problem,
                                                    const std::vector<Int3>& velocities, const TileRange& tiles);

}  // namespace fluvia
