// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "fluvia/output/fields.hpp"

namespace fluvia {

/// Writes the PNG slices that the case asks for, FOLDER/slice-FIELD-AXIS<suffix>.png (numbered where two share that
/// name). Returns their paths.
std::vector<std::filesystem::path> write_slices(const OutputContext& output, const Case& c,
                                                const std::filesystem::path& folder, const std::string& suffix,
                                                const std::vector<Field>& extra);

}  // namespace fluvia
