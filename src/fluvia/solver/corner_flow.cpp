// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/corner_flow.hpp"

#include <algorithm>

namespace fluvia {

std::vector<int> openings_beyond(const Geometry& geometry, const Int3& node, const Int3& offset) {
  const NodeMap& nodes = geometry.nodes;
  std::vector<int> found;
  for (int axis = 0; axis < nodes.dimension; ++axis) {
    const int there = node[axis] + offset[axis];
    if (nodes.periodic[axis] || (there >= 0 && there < nodes.size[axis])) continue;
    Int3 straight{};
    straight[axis] = offset[axis];
    const int face = geometry.surface_of(node, straight);
    if (std::any_of(geometry.openings.begin(), geometry.openings.end(),
                    [&](const Opening& opening) { return opening.surface == face; }))
      found.push_back(face);
  }
  return found;
}

void add_corner_flow(const Geometry& geometry, const CutLink& link, const Int3& c, double rate,
                     std::vector<CornerFlow>& flows) {
  const Int3 node = geometry.nodes.node_position(geometry.nodes.tiles[link.tile], link.bit);
  const std::vector<int> openings = openings_beyond(geometry, node, {-c[0], -c[1], -c[2]});
  for (const int opening : openings) {
    const double share = rate / static_cast<double>(openings.size());
    const auto same = std::find_if(flows.begin(), flows.end(), [&](const CornerFlow& flow) {
      return flow.opening == opening && flow.wall == link.surface;
    });
    if (same != flows.end())
      same->rate += share;
    else
      flows.push_back({static_cast<std::uint16_t>(opening), link.surface, share});
  }
}

double corner_flow(std::span<const CornerFlow> flows, int surface, std::span<const core::SurfaceState> surfaces) {
  double sum = 0;
  for (const CornerFlow& flow : flows)
    if (flow.opening == surface) sum += flow.rate * surfaces[flow.wall].scale;
  return sum;
}

}  // namespace fluvia
