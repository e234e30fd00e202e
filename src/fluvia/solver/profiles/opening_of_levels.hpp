// SPDX-License-Identifier: Apache-2.0
// What an opening that several levels of refinement share has on those that a solver does not compute.
#pragma once
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "fluvia/geometry/geometry.hpp"

namespace fluvia {

/// Gathers what levels have of an opening of the coarsest. `levels`: their geometries, the coarsest first.
std::shared_ptr<const OpeningOfLevels> gather_opening(const Opening& coarsest,
                                                      const std::vector<const Geometry*>& levels,
                                                      const std::string& lattice);

/// Calls visit(point, rates) for the links of an opening of a geometry on other levels: where the boundary condition
/// acts, and what velocities of 1 along each axis let in there, in nodes of the geometry.
template <class Visit>
void for_each_rates_elsewhere(const Geometry& geometry, const Opening& opening, const Visit& visit) {
  if (!opening.of_levels) return;
  const double finer = std::exp2(geometry.level), area = std::pow(finer, geometry.nodes.dimension - 1);
  for (const OpeningOfLevels::Link& link : opening.of_levels->links)
    if (link.level != geometry.level) visit(finer * link.point, area * link.rates);
}

/// Calls visit(point, flow) for these links: what a speed of 1 into the fluid lets in.
template <class Visit>
void for_each_link_elsewhere(const Geometry& geometry, const Opening& opening, const Visit& visit) {
  for_each_rates_elsewhere(geometry, opening,
                           [&](const Real3& point, const Real3& rates) { visit(point, -dot(rates, opening.normal)); });
}

}  // namespace fluvia
