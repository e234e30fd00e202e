// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "fluvia/geometry/image/voxel_request.hpp"

namespace fluvia::cli {

/// Adds the options that say how the voxels of an image without a header lie in its file, and returns them.
std::vector<CLI::Option*> add_raw_options(CLI::App& command, geometry::VoxelRequest& request);

/// Adds the options that say which voxels of an image are fluid, and returns them. `labels`: names of the first, with
/// --pore among them, which messages propose.
std::vector<CLI::Option*> add_fluid_options(CLI::App& command, geometry::VoxelRequest& request,
                                            const std::string& labels = "--labels,--pore");

/// Arguments in which "--labels 1 2 FILE" is "--labels=1,2 FILE": labels end where what follows is no whole number.
std::vector<std::string> with_labels_joined(std::vector<std::string> arguments);

}  // namespace fluvia::cli
