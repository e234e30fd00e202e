// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/case/case.hpp"

namespace fluvia::geometry {

/// The part of an image that a case uses, in cells (voxels or pixels), and along which axes its mirror image follows.
struct ImagePart {
  Int3 from{}, size{};
  Bool3 mirror{};

  /// Size in cells of the box that the part and its mirror images fill.
  [[nodiscard]] Int3 box() const;
};

/// The part of a voxel image that a case uses. Throws Error(input) if it does not lie in the image.
ImagePart image_part(const Case::Voxels& voxels);
/// The part of a mask that a case uses. `width`, `height`: size of the image file in pixels. Along z there is one cell.
ImagePart image_part(const Case::Mask& mask, int width, int height);

}  // namespace fluvia::geometry
