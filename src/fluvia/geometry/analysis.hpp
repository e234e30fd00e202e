// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "fluvia/geometry/map/node_map.hpp"

namespace fluvia::geometry {

// In each of these functions a member of a communicator looks at its part of the tiles, and all members get the result
// of all.

/// Fluid nodes with a solid (or outside) neighbour along a link of D3Q19 (2D: D2Q9).
std::uint64_t count_boundary_nodes(const NodeMap& nodes, Communicator& communicator);

/// Counts the cut links of D3Q19 (2D: D2Q9) by the bin that `bin_of` puts them into, 0 .. bins - 1; less than 0: into
/// none. `bin_of` is called concurrently.
std::vector<std::uint64_t> count_cut_links(const NodeMap& nodes, int bins,
                                           const std::function<int(const Int3& node, const Int3& offset)>& bin_of,
                                           Communicator& communicator);

/// For the faces of the box, x_min, x_max, y_min, ..., whether there is fluid beside them.
std::array<bool, 6> find_wet_faces(const NodeMap& nodes, Communicator& communicator);

/// Fluid nodes in runs of fewer than 4 fluid nodes along some axis with solid at both ends. Box faces end a run unless
/// they are periodic or open_faces[face] is set. A run that ends at a plane of symmetry goes on behind it, so that it
/// is twice as long.
struct NarrowPassages {
  std::uint64_t nodes = 0;
  std::vector<Int3> examples;  ///< at most 10, spread over the list of tiles
  /// How many of the nodes are in gaps: between walls that face each other, as below a car, not across the rounding of
  /// one wall.
  std::uint64_t gap_nodes = 0;
  /// Width of the narrowest gap from wall to wall (or its mirror image), nodes; 0: there is none.
  double narrowest = 0;
  Int3 narrowest_node{};  ///< a node in the narrowest gap
};
/// Finds narrow passages. `distance_of`: Geometry::distance_of, or empty for half-way walls. `level_of`, if given: the
/// level of refinement that computes the flow at a node, whose own nodes then count, and say how wide a gap is.
NarrowPassages find_narrow_passages(const NodeMap& nodes, const std::array<bool, 6>& open_faces,
                                    const std::function<double(const Int3& node, const Int3& offset)>& distance_of,
                                    Communicator& communicator,
                                    const std::function<int(const Int3& node)>& level_of = {});

/// Fluid between two walls that face each other, along an axis.
struct Gap {
  int axis = 0;
  Int3 first{}, last{};  ///< its outermost nodes; behind a plane of symmetry it goes on as its mirror image
  double width = 0;      ///< from wall to wall, nodes
};
/// All gaps along axes that are narrower than so many nodes, in the order of tiles. `distance_of`: as above.
std::vector<Gap> find_gaps(const NodeMap& nodes, const std::array<bool, 6>& open_faces,
                           const std::function<double(const Int3& node, const Int3& offset)>& distance_of, double most);

}  // namespace fluvia::geometry
