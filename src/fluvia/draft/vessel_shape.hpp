// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "fluvia/case/case.hpp"
#include "fluvia/draft/draft.hpp"

namespace fluvia::draft {

/// A hole, flat end or patch of a surface through which fluid may flow; metres.
struct VesselEnd {
  std::string name;  ///< name of a patch; other ends have none yet
  Real3 center{};
  double area = 0;
  bool patch = false;  ///< whether it is a file of its own

  [[nodiscard]] double diameter() const;  ///< diameter of a disc with this area, m
};

/// A hole or plane piece of a surface that is not taken for an opening.
struct LeftOut {
  VesselEnd end;
  std::string why;
};

/// The STL files of a vessel and where it is open.
struct VesselShape {
  std::vector<Case::Stl> files;   ///< wall first, then patches
  std::vector<VesselEnd> ends;    ///< largest first
  std::vector<LeftOut> left_out;  ///< what may have been meant to be one, largest first
  std::vector<double> closed;     ///< areas of the holes in the surface that are no ends, m2
  Real3 lower{}, upper{};         ///< corners of the box around it
};

/// Reads the files; which is the wall follows from the areas, patches are named after their files. Throws Error(usage)
/// without a unit, naming the sizes that each would give, and Error(input) for files that cannot be read or have fewer
/// than two ends.
VesselShape read_vessel(const DraftRequest& request);

/// Edges of the box around STL files in their own unit. Throws Error(input).
Real3 extent_of(const std::vector<std::filesystem::path>& files);
/// A point (m) to a small part of a length (m), in a unit of so many metres and with its name, as --end takes it:
/// "(46, 14, 0.8) mm".
std::string show_in_file(const Real3& point, double unit, double length);
/// Throws Error(usage) if the request does not say in which unit its files are.
void require_unit(const DraftRequest& request);

/// What a flow meets on the way from one end of a vessel to another: where the lumen is narrowest.
struct Throat {
  Real3 center{};               ///< case units
  double diameter = 0;          ///< diameter of the largest sphere that fits in, m
  std::vector<int> downstream;  ///< ends (indices) whose flow passes here
};

/// What a coarse voxelisation of a vessel tells.
struct Lumen {
  double volume = 0;            ///< m3
  double spacing = 0;           ///< spacing with which it was found, m
  std::vector<Throat> throats;  ///< narrowest first; every end but the inlet is downstream of exactly one
  int slice_axis = 2;           ///< axis of the plane that cuts most fluid
  double slice_position = 0;    ///< position of that plane, case units
};

/// Measures the lumen between an inlet and the other ends. `c`: an SI case with the vessel's geometry, whose openings
/// have boundaries; its spacing is chosen here, so that it has no more than `most_nodes` or so. Throws Error(input)
/// where an end is not connected with the inlet.
Lumen measure_lumen(Case c, const VesselShape& shape, int inlet, double most_nodes);

}  // namespace fluvia::draft
