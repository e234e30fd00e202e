// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "fluvia/case/case.hpp"
#include "fluvia/geometry/image/voxel_request.hpp"

namespace fluvia {

/// A file with the shape of a flow domain, and what has to be said of it: the arguments of `fluvia geometry`.
struct GeometrySource {
  std::filesystem::path file;  ///< case (.toml), .stl, .raw (each also .gz), .nrrd, .mhd, .npy, .tif, .png, .pgm, ...
  std::string unit;  ///< STL: unit of the coordinates: one of length_units(); empty: the spacing is in the file's unit
  double spacing = 0;             ///< STL: distance between nodes, metres if there is a unit; 0: as `nodes` says
  int nodes = 128;                ///< STL: nodes along the longest side
  bool outside = false;           ///< STL: the fluid is outside of the surface
  geometry::VoxelRequest voxels;  ///< images: all but the file

  /// The case that the file is or belongs in. Throws Error(usage), also where nothing says which voxels of an image are
  /// fluid, or Error(input). `found`: a line on the labels of an image; stays as it is for all else.
  [[nodiscard]] Case make_case(std::string* found = nullptr) const;
};

}  // namespace fluvia
