// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <utility>
#include <vector>

#include "fluvia/solver/links/cut_links.hpp"

namespace fluvia {

/// The links of a list that no sheet crosses between two nodes of fluid. Walls of sheets are half-way, also where those
/// of solids with the same name are interpolated.
inline std::vector<CutLink> without_sheets(const NodeMap& nodes, const std::vector<Int3>& velocities,
                                           std::vector<CutLink> links) {
  if (!nodes.barred) return links;
  std::erase_if(links, [&](const CutLink& link) {
    const Int3& c = velocities[link.direction];
    return nodes.barring_surface(nodes.node_position(nodes.tiles[link.tile], link.bit), {-c[0], -c[1], -c[2]}) >= 0;
  });
  return links;
}

}  // namespace fluvia
