// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "fluvia/base/vector.hpp"

namespace fluvia {

/// Points that go with the flow, as files and programs have them: case units.
struct PointCloud {
  std::string name;
  double time = 0;
  std::vector<Real3> places;
  std::vector<std::int64_t> ids;    ///< 0, 1, ... in the order in which they appeared
  std::vector<double> ages;         ///< time since then
  std::vector<Real3> velocities;    ///< of the fluid at them; 0 of points that stick
  std::vector<std::uint8_t> stuck;  ///< 1: it sticks to a surface
};

/// Writes them as a VTKHDF file with PolyData (VTK 9.3, ParaView 5.12 and later): a vertex for each point, with arrays
/// `id`, `age`, `velocity`, `stuck`. Throws Error(resource).
void write_point_cloud(const std::filesystem::path& path, const PointCloud& cloud);

}  // namespace fluvia
