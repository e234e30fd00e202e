// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "fluvia/base/vector.hpp"

namespace fluvia {

/// A surface of triangles with values on them.
struct TriangleSurface {
  struct Array {
    std::string name;
    int components = 1;
    std::vector<float> values;  ///< `components` for each triangle
  };
  std::vector<Real3> points;
  std::vector<std::array<std::uint32_t, 3>> triangles;
  std::vector<Array> arrays;
};

/// Writes a VTK PolyData file (XML with raw data appended; ParaView, VTK's vtkXMLPolyDataReader), whole or not at all.
/// `path` should end in ".vtp". The time is stored as field data "TimeValue". Throws Error(resource).
void write_vtp(const TriangleSurface& surface, double time, const std::filesystem::path& path);

}  // namespace fluvia
