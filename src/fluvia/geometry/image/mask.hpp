// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "fluvia/geometry/map/bitmap.hpp"

namespace fluvia::geometry {

/// Grey values 0..255, row 0 at the top.
struct GreyImage {
  int width = 0, height = 0;
  std::vector<std::uint8_t> pixels;
};

/// Reads a PNG (any colour type; colours become their luminance) or a PGM (P2, P5, 8 or 16 bit; also gzip). Throws
/// Error(input) naming the file; for a PNG with transparent pixels, too, that would look otherwise on white.
GreyImage read_image(const std::filesystem::path& path);

/// Width and height without decoding the pixels.
std::array<int, 2> read_image_size(const std::filesystem::path& path);

/// The mask as a bitmap of width x height x 1 cells: set = fluid. The top row of the image has the largest y.
/// Throws Error(input).
Bitmap read_mask(const Case::Mask& mask, const std::filesystem::path& directory);

}  // namespace fluvia::geometry
