// SPDX-License-Identifier: Apache-2.0
// What the fluid does to bodies that move, from what went over their links, in an order that depends on no backend.
#pragma once
#include <span>
#include <vector>

#include "fluvia/solver/blocks/tile_sums.hpp"
#include "fluvia/solver/bodies/moving_bodies.hpp"

namespace fluvia {

/// Deviations of what left a node towards a body in a step, and of what came back.
struct ExchangedOverLink {
  double sent = 0, returned = 0;
};

/// What the fluid did to each body, about its center, in the step at hand; 0 unless some body is free. `exchanged`:
/// over each of MovingBodies::links().
std::vector<SurfaceForce> felt_by_bodies(const MovingBodies& bodies, const std::vector<Int3>& velocities,
                                         std::span<const ExchangedOverLink> exchanged);
/// What it did over links that were found elsewhere (MovingBodies::leave_links()).
std::vector<SurfaceForce> felt_by_bodies(const MovingBodies& bodies, std::span<const BodyLink> links,
                                         const std::vector<Int3>& velocities,
                                         std::span<const ExchangedOverLink> exchanged);

/// The same of the tiles of a part, for each body.
std::vector<TileSums<ForceSum>> shares_felt_by_bodies(const MovingBodies& bodies, const TileRange& tiles,
                                                      const std::vector<Int3>& velocities,
                                                      std::span<const ExchangedOverLink> exchanged);
std::vector<TileSums<ForceSum>> shares_felt_by_bodies(const MovingBodies& bodies, std::span<const BodyLink> links,
                                                      const TileRange& tiles, const std::vector<Int3>& velocities,
                                                      std::span<const ExchangedOverLink> exchanged);
/// What each body feels by the shares of all parts, those of ascending tiles one after the other: the same bits
/// whatever the parts are.
std::vector<SurfaceForce> felt_of_shares(const std::vector<TileSums<ForceSum>>& shares);

/// What a body took from the fluid in the last step, in the frame of its surface, by tiles. `exchanged`:
/// over each of MovingBodies::last_links(); empty before the first step, where there is none.
TileSums<ForceSum> summed_over_body(const MovingBodies& bodies, int body, const Real3& center, const TileRange& tiles,
                                    const std::vector<Int3>& velocities, std::span<const ExchangedOverLink> exchanged);
/// What it took over links of that step that were found elsewhere.
TileSums<ForceSum> summed_over_body(const MovingBodies& bodies, std::span<const BodyLink> links, int body,
                                    const Real3& center, const TileRange& tiles, const std::vector<Int3>& velocities,
                                    std::span<const ExchangedOverLink> exchanged);

}  // namespace fluvia
