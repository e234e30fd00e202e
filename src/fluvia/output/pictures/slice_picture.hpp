// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "fluvia/output/fields.hpp"
#include "fluvia/output/pictures/figure.hpp"

namespace fluvia {

/// A slice of the current state: the plane of nodes nearest to slice.position (default: the middle) across slice.axis,
/// in colour, with title, units, time, colour bar and scale bar; solid and what is outside of the flow's walls in
/// greys. Of vectors the magnitude is shown, or a component; in 2D the z component of the vorticity. Signed quantities
/// (components, that vorticity, the gauge pressure unless all of it is far from 0) have colours that diverge from 0, a
/// pressure from the reference pressure, as far up as down. Nodes that are not finite are magenta. The colours span the
/// values of the plane; a few extreme ones (above the 99.5% quantile, if that is less than half of them) may lie beyond
/// the bar, which then ends in an arrow. slice.arrows and slice.streamlines draw the velocity in the plane over it, of
/// averages the average one. Throws Error(input) for unknown fields, a position outside the box, or a 2D case with an
/// axis other than z.
Figure slice_figure(const OutputContext& output, const Case::Output::Slice& slice, const std::string& title,
                    const std::vector<Field>& extra = {});

/// Writes slice_figure() as `stem` + ".png" and in whatever other formats slice.formats names, each file whole or not
/// at all. Returns the files. Throws Error(resource).
std::vector<std::filesystem::path> write_slice(const OutputContext& output, const Case::Output::Slice& slice,
                                               const std::filesystem::path& stem, const std::string& title,
                                               const std::vector<Field>& extra = {});

}  // namespace fluvia
