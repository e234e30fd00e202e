// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/bodies/body_forces.hpp"

#include <algorithm>
#include <limits>

namespace fluvia {

namespace {

/// What went over links, by tiles. Links of a tile, all of which its part has, are added up in their order, which is
/// that of the whole domain. `force_of(k)`: over link k.
template <class ForceOf>
TileSums<ForceSum> by_tiles(const MovingBodies& bodies, std::span<const BodyLink> links, int body,
                            const TileRange& tiles, const ForceOf& force_of) {
  TileSums<ForceSum> sums;
  for (std::size_t k = 0; k < links.size(); ++k) {
    if (links[k].body != body) continue;
    const std::uint32_t tile = bodies.tile_of(links[k]);
    if (sums.empty() || sums.back().first != tile) sums.push_back({tile, 0, {}});
    sums.back().value = sums.back().value + force_of(k);
  }
  // A tile may come several times where the body lies across a periodic face.
  std::stable_sort(sums.begin(), sums.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  TileSums<ForceSum> one_each;
  for (const TileSum<ForceSum>& sum : sums) {
    if (one_each.empty() || one_each.back().first != sum.first)
      one_each.push_back(sum);
    else
      one_each.back().value = one_each.back().value + sum.value;
  }
  return reduced(one_each, tiles);
}

}  // namespace

std::vector<TileSums<ForceSum>> shares_felt_by_bodies(const MovingBodies& bodies, const TileRange& tiles,
                                                      const std::vector<Int3>& velocities,
                                                      std::span<const ExchangedOverLink> exchanged) {
  return shares_felt_by_bodies(bodies, bodies.links(), tiles, velocities, exchanged);
}

std::vector<TileSums<ForceSum>> shares_felt_by_bodies(const MovingBodies& bodies, std::span<const BodyLink> links,
                                                      const TileRange& tiles, const std::vector<Int3>& velocities,
                                                      std::span<const ExchangedOverLink> exchanged) {
  std::vector<TileSums<ForceSum>> felt(static_cast<std::size_t>(bodies.count()));
  if (!bodies.any_free()) return felt;
  links = links.first(exchanged.size());
  for (int body = 0; body < bodies.count(); ++body)
    felt[static_cast<std::size_t>(body)] = by_tiles(bodies, links, body, tiles, [&](std::size_t k) {
      const Real3 force = force_over_link(velocities[links[k].direction], bodies.velocity_of(links[k]),
                                          exchanged[k].sent, exchanged[k].returned);
      return ForceSum{force, cross(bodies.place_of(links[k]) - bodies.pose(body).center, force)};
    });
  return felt;
}

std::vector<SurfaceForce> felt_of_shares(const std::vector<TileSums<ForceSum>>& shares) {
  std::vector<SurfaceForce> felt;
  for (const TileSums<ForceSum>& of_body : shares) {
    const ForceSum sum = total(of_body);
    felt.push_back({sum.force, sum.torque});
  }
  return felt;
}

std::vector<SurfaceForce> felt_by_bodies(const MovingBodies& bodies, const std::vector<Int3>& velocities,
                                         std::span<const ExchangedOverLink> exchanged) {
  return felt_by_bodies(bodies, bodies.links(), velocities, exchanged);
}

std::vector<SurfaceForce> felt_by_bodies(const MovingBodies& bodies, std::span<const BodyLink> links,
                                         const std::vector<Int3>& velocities,
                                         std::span<const ExchangedOverLink> exchanged) {
  constexpr TileRange all{0, std::numeric_limits<std::uint32_t>::max()};
  return felt_of_shares(shares_felt_by_bodies(bodies, links, all, velocities, exchanged));
}

TileSums<ForceSum> summed_over_body(const MovingBodies& bodies, int body, const Real3& center, const TileRange& tiles,
                                    const std::vector<Int3>& velocities, std::span<const ExchangedOverLink> exchanged) {
  return summed_over_body(bodies, bodies.last_links(), body, center, tiles, velocities, exchanged);
}

TileSums<ForceSum> summed_over_body(const MovingBodies& bodies, std::span<const BodyLink> links, int body,
                                    const Real3& center, const TileRange& tiles, const std::vector<Int3>& velocities,
                                    std::span<const ExchangedOverLink> exchanged) {
  links = links.first(exchanged.size());
  return by_tiles(bodies, links, body, tiles, [&](std::size_t k) {
    const Real3 place = bodies.place_of(links[k]), velocity = bodies.last_pose(body).velocity_at(place);
    const Real3 force =
        force_over_link(velocities[links[k].direction], velocity, exchanged[k].sent, exchanged[k].returned);
    return ForceSum{force, cross(place - center, force)};
  });
}

}  // namespace fluvia
