// SPDX-License-Identifier: Apache-2.0
// What people are told of the defects of surfaces from files.
#pragma once
#include <string>
#include <vector>

#include "fluvia/geometry/geometry.hpp"
#include "fluvia/geometry/mesh/mesh.hpp"
#include "fluvia/geometry/mesh/parts/overlaps.hpp"

namespace fluvia::geometry {

inline constexpr std::size_t defect_positions_shown = 20;

/// Holes that were closed without a name of their own; they become warnings or an error.
struct ClosedHoles {
  std::vector<GeometryReport::Hole> unnamed;
  std::size_t tiny = 0, covered = 0;
};

/// Throws Error(input) for unnamed holes unless the case allows defects; warns of what was closed.
void report_closed(const std::string& files, bool fluid_inside, bool allow_defects, const MeshDefects& defects,
                   const ClosedHoles& closed, GeometryReport& report);
void report_edges(const Grid& grid, const std::vector<Real3>& edges, GeometryReport& report);
/// Warns of closed parts that were taken for holes in others although they face the same way.
void report_nested(const Grid& grid, const std::string& files, const std::vector<MeshPart>& parts,
                   const std::vector<std::uint32_t>& nested, GeometryReport& report);
void report_overlaps(const Grid& grid, const std::string& files, const Overlaps& overlaps, GeometryReport& report);

}  // namespace fluvia::geometry
