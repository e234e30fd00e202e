// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "fluvia/base/vector.hpp"
#include "fluvia/geometry/image/voxel_request.hpp"

namespace fluvia {

/// A file with a shape, and what is said about the flow that is to go through or around it. Everything in SI.
struct DraftRequest {
  std::vector<std::filesystem::path> files;  ///< an STL, raw image or mask; or the STL files of a wall and its patches
  std::filesystem::path folder = ".";        ///< where the case will lie; it names files relative to that
  std::optional<double> heat;  ///< bodies: W that it makes, of aluminium; empty: temperatures do not matter
  std::optional<double> spin;  ///< bodies: rad/s about the direction of the wind, right-handed; empty: it rests
  std::string fluid;           ///< one of draft_fluids(); empty: blood in vessels, water, air in tunnels
  // For STL files:
  std::optional<double> unit;                    ///< metres per unit of the file
  std::optional<double> flow_rate, speed, wind;  ///< vessels: one of the first two; a wind: around a body
  std::optional<int> ends;                       ///< vessels: how many openings it has, the largest that are found
  std::vector<Real3> end_points;                 ///< vessels: instead, points near the openings, in the file's unit
  std::string inlet;                             ///< vessels: name or number of the opening; empty: the largest
  std::filesystem::path waveform;                ///< vessels: flow through the inlet over a cycle; empty: it is steady
  std::string unit_of_flow;                      ///< unit of its values, "ml/s", where its header names none
  bool windkessel = false;                       ///< vessels: whether there are vessels behind the outlets
  std::optional<double> resistance, compliance;  ///< of these altogether, Pa s/m3, m3/Pa; none: usual ones
  std::optional<int> cycles;                     ///< cycles of it that are computed, 3 or more; none: enough
  bool age = false;                              ///< vessels: whether the age of the fluid is computed
  std::optional<double> spacing;                 ///< distance of nodes, m ...
  std::optional<int> nodes_across;               ///< ... or nodes across the main path, or along a body
  std::optional<double> most_nodes;              ///< fluid nodes that a spacing which nobody gives may lead to ...
  bool lives = false;                            ///< ... but for those without which the flow would not live
  std::string direction = "x", ground = "none";  ///< tunnels: where the wind blows to; one of tunnel_grounds()
  double clearance = 0;                          ///< tunnels: of the ground below the lowest point of a body, m
  std::optional<double> roughness;               ///< tunnels, no_slip ground: of a logarithmic wind, m
  bool wall_functions = false;                   ///< tunnels: walls have the friction of the law of the wall
  bool wall_files = true;                        ///< whether the run writes the stress on walls; not beside sheets
  int levels = 0;                                ///< of refinement, finer than the coarsest; not of images
  std::string up;                                ///< tunnels: y or z; empty: as the files have it, mostly z
  // For images:
  geometry::VoxelRequest voxels;  ///< of which the first of the files is the file
  std::optional<double> voxel;    ///< edge of a voxel or pixel, m
  bool dark = false;              ///< masks: the dark pixels are the fluid
  std::string axis;               ///< x, y, z: axis along which the flow is driven; empty: the first that percolates
};

/// A commented case that runs as it is.
struct Draft {
  std::string name;                ///< name for the file, without extension
  std::string text;                ///< TOML
  std::vector<std::string> notes;  ///< notes to read before running it, and what was found; whole lines
  /// Nodes across, or along, what the grid follows, and how many are enough to believe the result; 0: it does not tell.
  double across = 0, enough_across = 0;
  std::string across_what;  ///< "the narrowest place of the main path"
};

/// Names of the fluids that a draft knows: water, blood, air.
std::vector<std::string> draft_fluids();

/// Grounds that a body in a wind may stand on: none, free_slip, no_slip, moving.
std::vector<std::string> draft_grounds();

/// Makes a case of a file: an STL without a wind is a vessel, with one a body in a tunnel, several of them several
/// bodies; a raw image or mask is porous. Spacing, time step, ramp, collision, length of the run follow from what the
/// shape is and how the fluid flows; the comments of the case give the reasons. Throws Error(usage) for requests that
/// miss something or contradict each other, Error(input) for files that cannot be read or hold no such flow.
Draft make_draft(const DraftRequest& request);

}  // namespace fluvia
