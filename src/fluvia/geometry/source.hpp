// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "fluvia/case/case.hpp"

namespace fluvia {

/// A file with the shape of a flow domain, and what has to be said of it: the arguments of `fluvia geometry`.
struct GeometrySource {
  std::filesystem::path file;  ///< case (.toml), .stl, .raw (each also .gz), .nrrd, .mhd, .npy, .tif, .png, .pgm, ...
  std::string unit;        ///< STL: unit of the coordinates: m, cm, mm, um; empty: the spacing is in the file's unit
  double spacing = 0;      ///< STL: distance between nodes, metres if there is a unit; 0: as `nodes` says
  int nodes = 128;         ///< STL: nodes along the longest side
  std::vector<int> shape;  ///< raw: voxels along x, y, z
  int bits = 8;            ///< raw: 8 or 16
  std::vector<int> fluid_labels = {0};  ///< raw: labels of fluid voxels
  bool outside = false;                 ///< STL: the fluid is outside of the surface

  /// The case that the file is or belongs in. Throws Error(usage) or Error(input).
  [[nodiscard]] Case make_case() const;
};

}  // namespace fluvia
