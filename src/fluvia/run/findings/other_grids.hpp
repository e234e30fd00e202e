// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "fluvia/geometry/geometry.hpp"
#include "fluvia/units/units.hpp"

namespace fluvia {

/// A case on another grid.
struct OtherGrid {
  double factor = 1;    ///< spacing over that of the case
  double mismatch = 0;  ///< relative difference of the lengths of its box, all axes together
  Case c;
};

/// What the choice of other grids depends on.
struct GridWish {
  double mach = 0;     ///< largest Mach number of the flow on the grid of the case
  double updates = 0;  ///< updates of fluid nodes that the run took on that grid
};

struct OtherGrids {
  std::vector<OtherGrid> grids;  ///< at most two
  std::string reason;            ///< why there are fewer than two
};

/// The flow of a case on two other grids: of about 1.5 and 2.25 times the spacing where these still resolve the box and
/// the flow stays slow against sound, else on finer ones that do not take much longer.
///
/// Scaling is diffusive: the time step goes with the square of the spacing, so that tau stays and the Mach number goes
/// with the spacing. The error of compressibility, Ma^2, then goes with the square of the spacing like that of the
/// grid, and walls lie where tau puts them on every grid: one limit for all of it Everything else that a case says is
/// in its own units and stays; numbers of steps stand for the same times. A case in lattice units becomes one in SI
/// units with nodes of 1 m and steps of 1 s, which leaves its numbers as they are. Boxes keep their lengths: factors
/// are such that these are whole numbers of nodes, or nearly. An image has whole nodes along its cells.
OtherGrids other_grids(const Case& c, const GridWish& wish);

}  // namespace fluvia
