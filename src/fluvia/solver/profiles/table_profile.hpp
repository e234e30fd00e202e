// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <functional>
#include <vector>

#include "fluvia/case/case.hpp"
#include "fluvia/geometry/geometry.hpp"

namespace fluvia {

/// Normal speed over an opening from a CSV file of points and speeds (x,y,z,speed; 2D: x,y,speed), case units: in
/// between a plane through the nearest points, fitted with weights that fall with the distance, so that a linear
/// profile is exact; at most their range beyond what those points have, and not on zero's other side. The function
/// takes points in lattice units from the corner of the box and gives case units. `spacing`: case units per node.
/// Throws Error(input) naming the file.
std::function<double(const Real3& point)> table_profile(const std::filesystem::path& file, const Geometry& geometry,
                                                        const Opening& opening, double spacing);

/// Speeds over an opening at two or more increasing times.
struct TableOverTime {
  std::vector<double> times;                                      ///< case units
  std::vector<std::function<double(const Real3& point)>> speeds;  ///< functions as table_profile() returns them
};

/// True if the header of a table is `t,x,y,z,speed` (2D: `t,x,y,speed`). Throws Error(input) for other headers that
/// begin with a time.
bool has_time_column(const std::filesystem::path& file, int dimension);

/// How many times a table over time has.
std::size_t count_times(const std::filesystem::path& file, int dimension);

/// Reads a table over time. The points of a time stand together, and every time has the same points in the same order,
/// so that a file that was cut off is refused. Throws Error(input) naming the file and line.
TableOverTime table_over_time(const std::filesystem::path& file, const Geometry& geometry, const Opening& opening,
                              double spacing);

/// Where the table of a boundary lies.
std::filesystem::path profile_file(const Case& c, const Case::Boundary& b);

}  // namespace fluvia
