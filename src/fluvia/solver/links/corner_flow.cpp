// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/links/corner_flow.hpp"

#include <algorithm>
#include <cstdlib>

#include "fluvia/geometry/wall_strips.hpp"
#include "fluvia/solver/links/shared_links.hpp"
#include "fluvia/solver/links/surface_roles.hpp"

namespace fluvia {

namespace {
void add_flow(int opening, int wall, double rate, std::vector<CornerFlow>& flows) {
  const auto same = std::find_if(flows.begin(), flows.end(),
                                 [&](const CornerFlow& flow) { return flow.opening == opening && flow.wall == wall; });
  if (same != flows.end())
    same->rate += rate;
  else
    flows.push_back({static_cast<std::uint16_t>(opening), static_cast<std::uint16_t>(wall), rate});
}
}  // namespace

double add_edge_flow(const Geometry& geometry, const CutLink& link, const Int3& c, const Real3& rates,
                     std::vector<CornerFlow>& flows) {
  const Int3 node = geometry.nodes.node_position(geometry.nodes.tiles[link.tile], link.bit);
  double taken = 0;
  const LinkSurfaces faces = faces_beyond(geometry, node, {-c[0], -c[1], -c[2]});
  for (const int face : faces.list()) {
    if (face == link.surface || face >= surface_id::wall || find_opening(geometry, face) == nullptr) continue;
    const double rate = rates[face / 2];
    if (rate == 0) continue;
    add_flow(face, link.surface, rate, flows);
    add_flow(link.surface, link.surface, -rate, flows);
    taken += rate;
  }
  return taken;
}

void add_corner_flow(const Geometry& geometry, const CutLink& link, const Int3& c, double rate,
                     std::vector<CornerFlow>& flows) {
  const Int3 node = geometry.nodes.node_position(geometry.nodes.tiles[link.tile], link.bit);
  const LinkSurfaces faces = faces_beyond(geometry, node, {-c[0], -c[1], -c[2]});
  const auto is_opening = [&](int face) { return find_opening(geometry, face) != nullptr; };
  const auto openings = std::count_if(faces.list().begin(), faces.list().end(), is_opening);
  for (const int opening : faces.list()) {
    if (!is_opening(opening)) continue;
    add_flow(opening, link.surface, rate / static_cast<double>(openings), flows);
  }
}

void add_strip_flow(const Geometry& geometry, const CutLink& link, const Int3& c, const Real3& velocity,
                    std::vector<CornerFlow>& flows) {
  if (std::abs(c[0]) + std::abs(c[1]) + std::abs(c[2]) != 1) return;
  const NodeMap& nodes = geometry.nodes;
  const Int3 node = nodes.node_position(nodes.tiles[link.tile], link.bit);
  for (int axis = 0; axis < nodes.dimension; ++axis)
    for (const int side : {-1, 1}) {
      Int3 out{};
      out[axis] = side;
      const NodeMap::Landing landing = nodes.land({node[0] + out[0], node[1] + out[1], node[2] + out[2]});
      if (c[axis] != 0 || (landing.inside && nodes.is_fluid(landing.node))) continue;
      const int opening = geometry.surface_of(node, out);
      if (find_opening(geometry, opening) == nullptr) continue;
      const double strip = strip_at_wall(geometry, node, {-c[0], -c[1], -c[2]}, axis);
      add_flow(opening, link.surface, -side * strip * velocity[axis], flows);
    }
}

double corner_flow(std::span<const CornerFlow> flows, int surface, std::span<const core::SurfaceState> surfaces) {
  double sum = 0;
  for (const CornerFlow& flow : flows)
    if (flow.opening == surface) sum += flow.rate * surfaces[flow.wall].scale;
  return sum;
}

}  // namespace fluvia
