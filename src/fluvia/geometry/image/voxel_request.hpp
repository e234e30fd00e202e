// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "fluvia/geometry/image/labels.hpp"

namespace fluvia::geometry {

/// What a command line says of an image of voxels.
struct VoxelRequest {
  std::filesystem::path file;
  std::vector<int> shape;  ///< along x, y, z; this and the next four: of images without a header
  int bits = 8;
  std::string type = "auto", endian = "little", order = "x-fastest";
  std::vector<int> labels;             ///< of the fluid's voxels; empty: not said
  std::optional<double> below, above;  ///< or thresholds

  /// Whether anything says which voxels are fluid.
  [[nodiscard]] bool says_fluid() const { return !labels.empty() || below || above; }
};

/// The voxels of a case as they are asked for; where nothing is said, 0 would be fluid, which check_labels() judges.
/// Throws Error(usage) where a raw image lacks its shape, or options contradict what the header of `file` says.
Case::Voxels requested_voxels(const VoxelRequest& request);

/// An image of which it is known what is fluid.
struct JudgedVoxels {
  Case::Voxels voxels;
  LabelCounts labels;
};

/// The requested voxels with their shape, once their labels are counted. Throws Error(usage) rather than guess which
/// are fluid (check_labels()), and like count_labels().
JudgedVoxels judge_voxels(const VoxelRequest& request);

}  // namespace fluvia::geometry
