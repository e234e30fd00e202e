// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>

#include "fluvia/geometry/map/bitmap.hpp"

namespace fluvia::geometry {

/// Layer like that of make_bitmap_layer, but with a smooth surface through the staircase of the cells.
///
/// The surface is where a field is zero: the fraction of fluid around the centre of each cell, less 1/2, and linear
/// along each axis in between. The fraction is weighted by 1 4 6 4 1 along each axis (a Gaussian of variance 1 cell),
/// so that a flat wall stays where it is, and one of radius R moves by about 1/R cells towards its centre of curvature.
/// At the centre of a cell the field has the sign that the cell says, by a little at least: with one node a cell nodes
/// are decided as without smoothing; with more of them, nodes beside the surface change sides.
///
/// Values are worked out from the bits when they are asked for, so this takes no memory but the bitmap's. Around the
/// image its outermost cells go on; along a periodic axis that it fills, the image does.
std::unique_ptr<const Layer> make_smooth_image_layer(Bitmap fluid, const Real3& corner, int refine, const Grid& grid,
                                                     bool extruded);

}  // namespace fluvia::geometry
