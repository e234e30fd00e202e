// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "fluvia/geometry/geometry.hpp"
#include "fluvia/geometry/levels/level_map.hpp"

namespace fluvia {

/// Writes `prefix`-x.png, -y.png and -z.png (2D: -z.png alone): the planes through the fluid's centre of mass, with
/// fluid, solid, what is outside of the flow's walls, and the nodes at each opening in colour. `cuts`: first tiles of
/// parts, and the end of the last, whose fluid has a colour for each part; empty: one part. `levels`: those of
/// refinement, which have a colour each where there are no parts, and through whose finest the planes go; null: there
/// is one. Returns the files. Throws Error(resource).
std::vector<std::filesystem::path> write_geometry_slices(const Geometry& geometry, const Grid& grid, bool si,
                                                         const std::filesystem::path& prefix, const std::string& title,
                                                         const std::vector<std::uint64_t>& cuts = {},
                                                         const LevelMap* levels = nullptr);

}  // namespace fluvia
