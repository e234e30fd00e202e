// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/geometry/geometry.hpp"

namespace fluvia {

/// A node stands for its square or cube, which ends half-way to its neighbours; where the wall cuts a link along an
/// axis elsewhere, there is a strip of fluid between (negative: of wall). This is its width, in parts of a node, as it
/// counts in sums over nodes in a cross-section across the axis `across`, or in the whole fluid if that is -1.
///
/// A sum over rows along one axis of (wall - half-way) is a whole area or volume where walls lie across that axis, and
/// misses what lies along it. So each link counts by the square of its part of the wall's normal in the section; the
/// squares add up to 1. The area of a circle of 8 nodes radius is so known to 0.015%, by the mean of rows along both
/// axes to 0.3% and by nodes alone to 1%; of a rectangle it is exact but for its corners, where that mean has half of
/// the strips.
///
/// The result comes in steps of 1/256, as walls are kept, so that digits in which a mesh and its mirror image differ do
/// not matter. `step` is a unit step to a node that is not fluid. Geometry::distance_of and normal_of must be set.
double strip_at_wall(const Geometry& geometry, const Int3& node, const Int3& step, int across);

}  // namespace fluvia
