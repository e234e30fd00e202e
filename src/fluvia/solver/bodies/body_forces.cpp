// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/bodies/body_forces.hpp"

#include <map>

namespace fluvia {

std::vector<SurfaceForce> felt_by_bodies(const MovingBodies& bodies, const std::vector<Int3>& velocities,
                                         std::span<const ExchangedOverLink> exchanged) {
  return felt_by_bodies(bodies, bodies.links(), velocities, exchanged);
}

std::vector<SurfaceForce> felt_by_bodies(const MovingBodies& bodies, std::span<const BodyLink> links,
                                         const std::vector<Int3>& velocities,
                                         std::span<const ExchangedOverLink> exchanged) {
  std::vector<SurfaceForce> felt(static_cast<std::size_t>(bodies.count()));
  if (!bodies.any_free()) return felt;
  for (std::size_t k = 0; k < exchanged.size(); ++k) {
    const BodyLink& link = links[k];
    const Real3 force =
        force_over_link(velocities[link.direction], bodies.velocity_of(link), exchanged[k].sent, exchanged[k].returned);
    SurfaceForce& of = felt[link.body];
    of.force = of.force + force;
    of.torque = of.torque + cross(bodies.place_of(link) - bodies.pose(link.body).center, force);
  }
  return felt;
}

TileSums<ForceSum> summed_over_body(const MovingBodies& bodies, int body, const Real3& center, const NodeMap& nodes,
                                    const TileRange& tiles, const std::vector<Int3>& velocities,
                                    std::span<const ExchangedOverLink> exchanged) {
  return summed_over_body(bodies, bodies.last_links(), body, center, nodes, tiles, velocities, exchanged);
}

TileSums<ForceSum> summed_over_body(const MovingBodies& bodies, std::span<const BodyLink> links, int body,
                                    const Real3& center, const NodeMap& nodes, const TileRange& tiles,
                                    const std::vector<Int3>& velocities, std::span<const ExchangedOverLink> exchanged) {
  const Int3 shape = tile_shape(nodes.dimension);
  std::map<std::uint32_t, ForceSum> sums;
  for (std::size_t k = 0; k < exchanged.size(); ++k) {
    const BodyLink& link = links[k];
    if (link.body != body) continue;
    const Real3 place = bodies.place_of(link), velocity = bodies.last_pose(body).velocity_at(place);
    const Real3 force = force_over_link(velocities[link.direction], velocity, exchanged[k].sent, exchanged[k].returned);
    const Int3 x = bodies.node_of(link);
    ForceSum& sum = sums[nodes.directory[nodes.directory_index({x[0] / shape[0], x[1] / shape[1], x[2] / shape[2]})]];
    sum.force = sum.force + force;
    sum.torque = sum.torque + cross(place - center, force);
  }
  TileSums<ForceSum> by_tile;
  for (const auto& [tile, sum] : sums) by_tile.push_back({tile, 0, sum});
  return reduced(by_tile, tiles);
}

}  // namespace fluvia
