// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/geometry/image/files/image_header.hpp"
#include "fluvia/geometry/map/bitmap.hpp"

namespace fluvia::geometry {

/// What is known of an image: the header of its file, or of a raw image what the case says. Reads no voxel. Throws
/// Error(input).
ImageHeader voxel_header(const Case::Voxels& voxels, const std::filesystem::path& directory);

/// The voxels of a case with the shape that the header says, checked. Reads no voxel. Throws Error(input).
Case::Voxels described(const Case::Voxels& voxels, const std::filesystem::path& directory);

/// Reads a voxel image and keeps one bit per voxel of the part that the case uses (image_part.hpp): set = fluid. A
/// voxel is fluid if its value is one of fluid_labels; or less than fluid_below; or greater than fluid_above; with both
/// thresholds, if it lies strictly between them (fluid_above < value < fluid_below) when fluid_above < fluid_below,
/// else outside them. Throws Error(input) naming the file, and the expected and found bytes when its size is wrong.
Bitmap read_voxels(const Case::Voxels& voxels, const std::filesystem::path& directory);

/// True if the case says that voxels of this value are fluid.
bool is_fluid(const Case::Voxels& voxels, double value);

}  // namespace fluvia::geometry
