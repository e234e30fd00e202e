// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/case/case.hpp"

namespace fluvia::geometry {

/// The part of an image that a case uses, in cells (voxels or pixels), and along which axes its mirror image follows.
struct ImagePart {
  Int3 from{}, size{};
  Bool3 mirror{};

  /// Cells of the box that part and mirror images fill.
  [[nodiscard]] Int3 box() const;
};

/// Throws Error(input) if the part does not lie in the image.
ImagePart image_part(const Case::Voxels& voxels);
/// `width`, `height`: of the image file in pixels. Along z there is one cell.
ImagePart image_part(const Case::Mask& mask, int width, int height);

}  // namespace fluvia::geometry
