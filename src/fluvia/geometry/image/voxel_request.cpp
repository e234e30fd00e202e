// SPDX-License-Identifier: Apache-2.0
#include "fluvia/geometry/image/voxel_request.hpp"

#include <fmt/format.h>

#include "fluvia/base/error.hpp"
#include "fluvia/geometry/image/files/image_file.hpp"

namespace fluvia::geometry {

Case::Voxels requested_voxels(const VoxelRequest& request) {
  const std::string file = request.file.string();
  const Case::Voxels defaults;
  if (image_format(request.file) == nullptr) {
    if (request.shape.size() != 3)
      throw Error(ExitCode::usage,
                  fmt::format("{}: does not say how many voxels lie along x, y and z; add --shape NX NY NZ", file));
    if (request.type != defaults.type && request.bits != defaults.bits)
      throw Error(ExitCode::usage, "--type, --bits: give one of them");
  } else if (request.bits != defaults.bits || request.type != defaults.type || request.endian != defaults.endian ||
             request.order != defaults.order) {
    throw Error(ExitCode::usage,
                "--bits, --type, --endian and --order are for raw images; the header of " + file + " says them");
  }
  Case::Voxels voxels;
  voxels.file = std::filesystem::absolute(request.file);
  if (request.shape.size() == 3) voxels.shape = {request.shape[0], request.shape[1], request.shape[2]};
  voxels.bits = request.bits;
  voxels.type = request.type;
  voxels.endian = request.endian;
  voxels.order = request.order;
  voxels.fluid_below = request.below;
  voxels.fluid_above = request.above;
  if (!request.labels.empty()) voxels.fluid_labels = request.labels;
  if (!request.says_fluid()) voxels.fluid_labels = std::vector<int>{0};
  return voxels;
}

JudgedVoxels judge_voxels(const VoxelRequest& request) {
  JudgedVoxels judged{described(requested_voxels(request), {}), {}};
  judged.labels = count_labels(judged.voxels, {});
  check_labels(judged.voxels, judged.labels, !request.labels.empty());
  return judged;
}

}  // namespace fluvia::geometry
