// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <vector>

#include "fluvia/case/case.hpp"
#include "fluvia/geometry/geometry.hpp"
#include "fluvia/solver/links/cut_links.hpp"
#include "fluvia/units/units.hpp"

namespace fluvia {

/// Normal speed into the fluid at a point, lattice units from the corner of the box.
using OpeningShape = std::function<double(const Real3& point)>;

/// Normal speed over an opening, relative where prescribes_flux() has it scaled, else in lattice units. Empty if it is
/// the same everywhere, changes its shape in time (changes_shape()), or the surface is no opening (`opening` null).
/// `links`: cut links of all surfaces; `velocities`: those of the lattice; `sticks`: per surface, whether the fluid at
/// it has its velocity. Throws Error(input).
OpeningShape shape_of(const Case& c, const Case::Boundary& b, const Units& units, const Geometry& geometry,
                      const Opening* opening, const std::vector<CutLink>& links, const std::vector<Int3>& velocities,
                      const std::vector<bool>& sticks);

}  // namespace fluvia
