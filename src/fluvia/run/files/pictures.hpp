// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "fluvia/output/fields.hpp"
#include "fluvia/output/pictures/slice_picture.hpp"

namespace fluvia {

/// Writes slices, FOLDER/slice-FIELD-AXIS<suffix>.png, .svg, .pdf (numbered where two have that name). `ranges`: those
/// of the pictures before, by slice-FIELD-AXIS, become those of these. Of a flow with levels of refinement each is as
/// the finest level sees it that is in the plane and fits into a picture. Returns their paths.
std::vector<std::filesystem::path> write_slices(const OutputContext& output,
                                                const std::vector<Case::Output::Slice>& slices,
                                                const std::string& title, const std::filesystem::path& folder,
                                                const std::string& suffix, const std::vector<Field>& extra,
                                                const WallVelocities& velocities, SeriesRanges& ranges);

}  // namespace fluvia
