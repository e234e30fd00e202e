// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/geometry/map/bitmap.hpp"

namespace fluvia::geometry {

/// Reads a raw voxel image, plain or gzip, and keeps one bit per voxel of the part that the case uses
/// (image_part.hpp): set = fluid. A voxel is fluid if its value is
/// one of fluid_labels; or less than fluid_below; or greater than fluid_above; with both thresholds, if it lies
/// strictly between them (fluid_above < value < fluid_below) when fluid_above < fluid_below, else outside them.
/// Throws Error(input) naming the file, and the expected and found bytes when its size is wrong.
Bitmap read_voxels(const Case::Voxels& voxels, const std::filesystem::path& directory);

/// Checks shape, bits, refine, ... without reading the file. Throws Error(input).
void check_voxels(const Case::Voxels& voxels);

}  // namespace fluvia::geometry
