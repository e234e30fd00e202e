// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/geometry/generate/shapes.hpp"

namespace fluvia::geometry {

/// A network in lattice units: a vessel from the inlet branches `generations` times into two, narrow channels with
/// links between neighbours cross the middle, and as many branchings join them again towards the outlet. Where a vessel
/// branches, the cubes of the widths of its branches add up to its own (C. D. Murray, PNAS 12, 207 (1926)). Positions
/// of branchings, the bends of the channels and their links are random.
struct NetworkMeasures {
  int generations = 0;
  double width = 0;   ///< width of the narrow channels
  double height = 0;  ///< height of the whole network
  double length = 0;  ///< length of the whole network along x
  double stem = 0;    ///< length from the inlet to the first branching
  double tree = 0;    ///< length from the inlet to the narrow channels

  /// Width of vessels after so many branchings, nodes.
  [[nodiscard]] double width_of(int generation) const;
  /// How far, across and along x, a branch goes until the next branching, nodes.
  [[nodiscard]] double rise_of(int generation) const;
  [[nodiscard]] double length_of(int generation) const;
};

/// Measures of the network that a case asks for. Throws Error(input).
NetworkMeasures measure_network(const Case::Generator& generator, double spacing);

/// Distance to the vessels of a network in the middle of the box. In 3D they are round, and their axes lie in the
/// middle plane of z.
SignedDistance network_distance(const Case::Generator& generator, const NetworkMeasures& measures, const Grid& grid);

}  // namespace fluvia::geometry
