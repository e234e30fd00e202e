// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/links/walls/wall_edges.hpp"

#include <algorithm>

namespace fluvia {

namespace {

constexpr double cosine_of_an_edge = 0.766;  ///< 40 degrees

double dot(const std::array<float, 3>& a, const std::array<float, 3>& b) {
  double sum = 0;
  for (std::size_t k = 0; k < 3; ++k) sum += static_cast<double>(a[k]) * static_cast<double>(b[k]);
  return sum;
}

}  // namespace

bool is_beside_edge(const Geometry& geometry, const std::vector<const core::ConditionFacts*>& facts,
                    const std::vector<Int3>& velocities, const CutLink& link, const std::array<float, 3>& normal) {
  const NodeMap& nodes = geometry.nodes;
  const Int3 own = nodes.node_position(nodes.tiles[link.tile], link.bit);
  const int deep = nodes.dimension == 3 ? 1 : 0;
  // Whether a link of a node is cut by a wall with a law that is turned.
  const auto turns = [&](const NodeMap::Node& node, const Int3& x, std::size_t i) {
    const Int3 offset = {-velocities[i][0], -velocities[i][1], -velocities[i][2]};
    const NodeMap::Landing end = nodes.land({x[0] + offset[0], x[1] + offset[1], x[2] + offset[2]});
    if (end.inside && nodes.find_fluid(end.node)) return false;
    const int surface = geometry.surface_of(x, offset);
    // A surface without known normals, as of an image, has those of the links, which say nothing of edges.
    const bool known = surface < surface_id::wall || geometry.normal_of;
    if (surface == geometry.level_surface || !known || !facts[static_cast<std::size_t>(surface)]->models_friction)
      return false;
    const CutLink cut{node.tile, static_cast<std::uint16_t>(surface), node.bit, static_cast<std::uint8_t>(i)};
    return dot(normal_at(geometry, cut, velocities[i]), normal) < cosine_of_an_edge;
  };
  for (int z = -deep; z <= deep; ++z)
    for (int y = -1; y <= 1; ++y)
      for (int x = -1; x <= 1; ++x) {
        const NodeMap::Landing beside = nodes.land({own[0] + x, own[1] + y, own[2] + z});
        const auto node = beside.inside ? nodes.find_fluid(beside.node) : std::nullopt;
        if (!node) continue;
        for (std::size_t i = 1; i < velocities.size(); ++i)
          if (turns(*node, beside.node, i)) return true;
      }
  return false;
}

bool EdgesOfWalls::are_beside(const CutLink& link, const std::array<float, 3>& normal) {
  const bool known = last_ && last_->tile == link.tile && last_->bit == link.bit && last_->normal == normal;
  if (!known) last_ = {link.tile, link.bit, normal, is_beside_edge(geometry_, facts_, velocities_, link, normal)};
  return last_->is_beside;
}

}  // namespace fluvia
