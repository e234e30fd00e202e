// SPDX-License-Identifier: Apache-2.0
#include "fluvia/geometry/image/image_part.hpp"

#include <fmt/format.h>

#include <cstdint>

#include "fluvia/base/error.hpp"

namespace fluvia::geometry {
namespace {

ImagePart make_block_solver(const std::string& place, const Int3& image, int axes, const std::optional<Int3>& from,
                            const std::optional<Int3>& size, const Bool3& mirror) {
  ImagePart part{{0, 0, 0}, image, mirror};
  for (int axis = 0; axis < axes; ++axis) {
    if (from) part.from[axis] = (*from)[axis];
    part.size[axis] = size ? (*size)[axis] : image[axis] - part.from[axis];
    const std::int64_t end = std::int64_t{part.from[axis]} + part.size[axis];
    if (part.from[axis] >= 0 && part.size[axis] >= 1 && end <= image[axis]) continue;
    throw_input(
        fmt::format("{}: along {} the part from {} to {} is asked for, but the image has 0 to {}; choose "
                    "crop_from and crop_size within it",
                    place, "xyz"[axis], part.from[axis], end, image[axis]));
  }
  return part;
}

}  // namespace

Int3 ImagePart::box() const {
  Int3 cells = size;
  for (int axis = 0; axis < 3; ++axis)
    if (mirror[axis]) cells[axis] *= 2;
  return cells;
}

ImagePart image_part(const Case::Voxels& voxels) {
  // An image of one layer is a 2D case, whose vectors may have two entries.
  const int axes = voxels.shape[2] == 1 ? 2 : 3;
  return make_block_solver("geometry.voxels", voxels.shape, axes, voxels.crop_from, voxels.crop_size, voxels.mirror);
}

ImagePart image_part(const Case::Mask& mask, int width, int height) {
  const Bool3 mirror{mask.mirror[0], mask.mirror[1], false};
  return make_block_solver("geometry.mask", {width, height, 1}, 2, mask.crop_from, mask.crop_size, mirror);
}

}  // namespace fluvia::geometry
