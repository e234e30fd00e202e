// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "fluvia/output/point_values.hpp"
#include "fluvia/output/walls/wall_values.hpp"

/// Lines and planes through a flow, anywhere and in any direction.
namespace fluvia {

/// Points of a line from end to end: `line.points` of them, or about one a node.
std::vector<Real3> points_of(const Case::Line& line, const Grid& grid);

/// Points of a plane in the fluid, one on each square of a node's width (2D: on each such length of a line): of the
/// part around its centre that hangs together, or of all of it in the box; within `plane.radius`, if that is given.
/// Across an axis of the box these are the middles of nodes beside each other.
std::vector<Real3> points_of(const Case::Plane& plane, const Grid& grid, const NodeMap& nodes);

/// The fluid of a plane between the squares of its points and a wall that lies elsewhere (strip_at_wall()).
struct PlaneStrip {
  WallPlace place;  ///< where the wall is
  double area;      ///< nodes; negative where the squares reach behind the wall
};
/// All strips of a plane; none where walls are half-way.
std::vector<PlaneStrip> strips_of(const Case::Plane& plane, const Grid& grid, const Geometry& geometry);

/// Throws Error(input), starting with `place`, if no point of the line or the plane is in the fluid: for a plane of
/// connected points, at its centre.
void check_section(const Case::Line& line, const Grid& grid, const NodeMap& nodes, const std::string& place);
void check_section(const Case::Plane& plane, const Grid& grid, const NodeMap& nodes, const std::string& place);

/// Of a flow with levels of refinement, points are as near to each other as nodes of the finest level that the line or
/// plane touches, and values are those of the finest nodes.
///
/// Writes FOLDER/line-NAME<suffix>.csv and plane-NAME<suffix>.csv: position and fields of each point, in the units of
/// the case; lines also the distance from their beginning, and points on walls that they meet (LineValues). Returns
/// their paths.
std::vector<std::filesystem::path> write_sections(const OutputContext& output, const Case::Output& wanted,
                                                  const WallVelocities& velocities, const std::filesystem::path& folder,
                                                  const std::string& suffix, const std::vector<Field>& extra);

}  // namespace fluvia
