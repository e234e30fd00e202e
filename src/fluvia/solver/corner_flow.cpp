// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/corner_flow.hpp"

#include <algorithm>

#include "fluvia/solver/shared_links.hpp"
#include "fluvia/solver/surface_roles.hpp"

namespace fluvia {

void add_corner_flow(const Geometry& geometry, const CutLink& link, const Int3& c, double rate,
                     std::vector<CornerFlow>& flows) {
  const Int3 node = geometry.nodes.node_position(geometry.nodes.tiles[link.tile], link.bit);
  const LinkSurfaces faces = faces_beyond(geometry, node, {-c[0], -c[1], -c[2]});
  const auto is_opening = [&](int face) { return find_opening(geometry, face) != nullptr; };
  const auto openings = std::count_if(faces.list().begin(), faces.list().end(), is_opening);
  for (const int opening : faces.list()) {
    if (!is_opening(opening)) continue;
    const double share = rate / static_cast<double>(openings);
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
