// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "fluvia/output/canvas.hpp"
#include "fluvia/output/fields.hpp"

namespace fluvia {

/// Draws a slice of the current state: the plane of nodes nearest to slice.position (default: the middle) across
/// slice.axis, in colour, solid in grey, with title, units, time, colour bar and scale bar. Of vectors the magnitude is
/// shown, in 2D the z component of the vorticity; nodes that are not finite are magenta. The colours span the values of
/// the plane; a few extreme ones (above the 99.5% quantile, if that is less than half of them) may lie beyond the bar,
/// which then ends in an arrow. Throws Error(input) for unknown fields, a position outside the box, or a 2D case with
/// an axis other than z.
Canvas draw_slice(const OutputContext& output, const Case::Output::Slice& slice, const std::string& title,
                  const std::vector<Field>& extra = {});

/// The same, written as a PNG file, whole or not at all. Throws Error(resource).
void write_png_slice(const OutputContext& output, const Case::Output::Slice& slice, const std::filesystem::path& path,
                     const std::string& title, const std::vector<Field>& extra = {});

/// Writes `prefix`-x.png, -y.png and -z.png (2D: -z.png alone): the planes through the fluid's centre of mass, with
/// fluid, solid and the nodes at each opening in colour. Returns the files. Throws Error(resource).
std::vector<std::filesystem::path> write_geometry_slices(const Geometry& geometry, const Grid& grid, bool si,
                                                         const std::filesystem::path& prefix, const std::string& title);

}  // namespace fluvia
