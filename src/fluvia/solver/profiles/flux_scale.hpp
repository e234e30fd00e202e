// SPDX-License-Identifier: Apache-2.0
// Factors that make relative profiles let in what the case prescribes, to round-off.
#pragma once
#include <vector>

#include "fluvia/solver/links/boundary_setup.hpp"
#include "fluvia/solver/links/surface_roles.hpp"

namespace fluvia {

/// Factor on the velocities of an opening that makes their discrete flux what the case prescribes. `share`: the part
/// of the opening's flux that comes in here; others do on other levels of refinement, where all of it may. `corners`:
/// what other surfaces let in through it (CornerFlow). Throws Error(input) where the opening lets nothing in.
double flux_scale(const Case::Boundary& b, const Units& units, const Geometry& geometry, int surface, double flux,
                  double share, double corners = 0);

/// flux_scale() of each surface; 1 where the case prescribes no flux. Also scales what openings let in through each
/// other's corners (BoundarySetup::corners). `flux` of its own links, `share` and `guess`, of each surface.
std::vector<double> flux_scales(const Units& units, const Geometry& geometry, const SurfaceRoles& roles,
                                const std::vector<double>& flux, const std::vector<double>& share,
                                const std::vector<double>& guess, BoundarySetup& setup);

}  // namespace fluvia
