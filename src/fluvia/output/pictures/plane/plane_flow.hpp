// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "fluvia/output/pictures/figure.hpp"

namespace fluvia {

/// The velocity in a plane of cells, x fastest and the lowest row first. Positions are in cells from the lower left
/// corner; the middle of cell (i, j) is (i + 1/2, j + 1/2).
struct PlaneFlow {
  int columns = 0, rows = 0;
  std::vector<std::array<float, 2>> velocity;  ///< 0 where there is no fluid
  std::vector<std::uint8_t> fluid;             ///< 1 where there is fluid, else 0
};

/// Streamlines that keep about `separation` cells from each other, at least half of that, and fill the fluid with it:
/// B. Jobard & W. Lefer, "Creating evenly-spaced streamlines of arbitrary density", 1997. They end at walls, at the
/// plane's edge, where the flow nearly rests, and where they would come too close. The work is bounded: where it would
/// be more than some million steps, lines are missing.
std::vector<Polyline> evenly_spaced_streamlines(const PlaneFlow& flow, double separation);

struct PlaneArrows {
  std::vector<Figure::Arrow> arrows;
  double longest = 0;  ///< speed of the longest arrow, in units of the flow
};
/// Arrows on a square grid of this spacing in cells, as long as the flow is fast, the longest 0.95 spacings.
PlaneArrows make_arrows(const PlaneFlow& flow, double spacing);

}  // namespace fluvia
