// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "fluvia/geometry/problem.hpp"
#include "fluvia/solver/scalars/scalar_method.hpp"

namespace fluvia {

/// What a node is made of, to a scalar; lattice units.
struct ScalarMaterial {
  double diffusivity = 0;
  double capacity = 1;  ///< of a volume, over that of the fluid
};

/// The nodes of a box that are not fluid and in which a scalar spreads. To the flow they are walls.
struct ScalarSolids {
  NodeMap nodes;                         ///< of all solids, as those that a flow would have; none: an empty map
  std::vector<ScalarMaterial> material;  ///< the fluid, then ScalarMethod::solids
  std::vector<std::uint8_t> of_node;     ///< by canonical index in `nodes`, the material

  [[nodiscard]] std::uint64_t count() const { return of_node.size(); }
  /// Canonical index in `nodes` of a node of the box, -1 if no solid is there.
  [[nodiscard]] std::int64_t find(const Int3& node) const { return of_node.empty() ? -1 : nodes.node_index(node); }
};

/// Throws Error(input) if a solid has no node.
ScalarSolids make_scalar_solids(const Problem& problem, const ScalarMethod& scalar);

}  // namespace fluvia
