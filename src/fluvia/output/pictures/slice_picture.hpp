// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "fluvia/output/fields.hpp"
#include "fluvia/output/pictures/color_range.hpp"
#include "fluvia/output/walls/wall_values.hpp"

namespace fluvia {

/// What a slice is drawn with beside the flow.
struct SliceSurroundings {
  WallVelocity velocity_of;                    ///< velocity of walls; none: they rest
  std::optional<ValueRange>* range = nullptr;  ///< range of the picture before in a series; becomes that of this one
};

/// Smallest stride with which a plane across an axis fits into a picture.
int slice_stride(const Grid& grid, int axis);

/// A slice of the current state: the plane of nodes nearest to slice.position (default: the middle) across slice.axis,
/// in colour, with title, units, time, colour bar and scale bar; solid and what is outside of the flow's walls in
/// greys. Of vectors the magnitude is shown, or a component; in 2D the z component of the vorticity.
///
/// Where walls are interpolated the picture ends at them, and what lies between nodes is interpolated, too
/// (draw_plane()). Half-way walls lie between nodes, which are squares then, as they are in planes of which not all
/// nodes have a pixel. Nodes that are not finite are magenta.
///
/// Colours of signed quantities (components, that vorticity, the gauge pressure) diverge from 0, a pressure's from the
/// reference pressure, if there are values on both sides of it (bar_of()). They span slice.range, or the values of
/// the plane (set_range()) and of the picture before it (next_range()). slice.arrows and slice.streamlines draw the
/// velocity in the plane over it, of averages the average one. Throws Error(input) for unknown fields, a position
/// outside the box, or a 2D case with an axis other than z.
Figure slice_figure(const OutputContext& output, const Case::Output::Slice& slice, const std::string& title,
                    const std::vector<Field>& extra = {}, const SliceSurroundings& around = {});

/// Writes slice_figure() as `stem` + ".png" and in whatever other formats slice.formats names, each file whole or not
/// at all. Returns the files. Throws Error(resource).
std::vector<std::filesystem::path> write_slice(const OutputContext& output, const Case::Output::Slice& slice,
                                               const std::filesystem::path& stem, const std::string& title,
                                               const std::vector<Field>& extra = {},
                                               const SliceSurroundings& around = {});

}  // namespace fluvia
