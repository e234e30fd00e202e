// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "fluvia/output/fields.hpp"
#include "fluvia/output/levels/flow_view.hpp"
#include "fluvia/output/pictures/slice_picture.hpp"

namespace fluvia {

/// What a picture of a flow with levels of refinement is drawn of: as the finest level sees it that is in the plane and
/// fits into a picture. None where that is the flow as it is.
std::optional<FlowView> view_of_picture(const OutputContext& output, const Case::Output::Slice& slice);

/// Fields of a picture at nodes of its view in place of those that the flow has, by the number of the slice.
using FieldsOfPicture = std::function<std::vector<Field>(std::size_t slice)>;

/// Writes slices, FOLDER/slice-FIELD-AXIS<suffix>.png, .svg, .pdf (numbered where two have that name). `ranges`: those
/// of the pictures before, by slice-FIELD-AXIS, become those of these. Returns their paths.
std::vector<std::filesystem::path> write_slices(const OutputContext& output,
                                                const std::vector<Case::Output::Slice>& slices,
                                                const std::string& title, const std::filesystem::path& folder,
                                                const std::string& suffix, const std::vector<Field>& extra,
                                                const FieldsOfPicture& own, const WallVelocities& velocities,
                                                SeriesRanges& ranges);

}  // namespace fluvia
