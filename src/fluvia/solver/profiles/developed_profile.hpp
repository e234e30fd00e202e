// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <complex>
#include <functional>
#include <vector>

#include "fluvia/geometry/geometry.hpp"
#include "fluvia/solver/links/cut_links.hpp"

namespace fluvia {

/// The speed of fully developed flow through an opening of any shape, up to a factor: the solution of
///   div grad u = -1,  u = 0 on the rim,
/// on the opening's own nodes (faces of the box) or, for openings at an angle, on a grid of nodes in its plane. Fluid
/// that meets a face of the box at rest or moving sticks there; where it does not stick, u does not change across.
/// `links`: the cut links of all surfaces. `sticks`: per surface. The function takes points in lattice units from the
/// corner of the box. Throws Error(input) if the opening has no nodes of its own.
std::function<double(const Real3& point)> developed_profile(const Geometry& geometry, const Opening& opening,
                                                            const std::vector<CutLink>& links,
                                                            const std::vector<Int3>& velocities,
                                                            const std::vector<bool>& sticks);

/// The profile of one harmonic of a flow that pulsates: the complex amplitude of the speed, up to a factor, solves
///   i rate u - div grad u = 1,  u = 0 on the rim,
/// with `rate` the angular frequency over the kinematic viscosity, per square of a node. J. R. Womersley, J. Physiol.
/// 127 (1955) 553, for any cross-section.
std::function<std::complex<double>(const Real3& point)> pulsating_profile(const Geometry& geometry,
                                                                          const Opening& opening,
                                                                          const std::vector<CutLink>& links,
                                                                          const std::vector<Int3>& velocities,
                                                                          const std::vector<bool>& sticks, double rate);

}  // namespace fluvia
