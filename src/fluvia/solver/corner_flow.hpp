// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <vector>

#include "fluvia/core/boundary/surface.hpp"
#include "fluvia/geometry/geometry.hpp"
#include "fluvia/solver/cut_links.hpp"

namespace fluvia {

/// What a wall that moves lets in over links that lead through an opening as well. Such a link belongs to the wall
/// (decision 0041) and brings 6 w_i c_i.u of it, whatever the flow. Over the wall's other links these cancel; here they
/// are what fluid that moves with the wall carries through the opening, and count as its flow.
struct CornerFlow {
  std::uint16_t opening;  ///< surface of the opening
  std::uint16_t wall;     ///< the surface whose velocity it is
  double rate;            ///< into the domain, in lattice units, for SurfaceState::scale 1
};

/// Adds what a link of a wall lets in to the openings that it leads through, equally if there are several. `rate`: into
/// the domain.
void add_corner_flow(const Geometry& geometry, const CutLink& link, const Int3& c, double rate,
                     std::vector<CornerFlow>& flows);

/// The flow of an opening of this surface over corners, with what walls have now.
double corner_flow(std::span<const CornerFlow> flows, int surface, std::span<const core::SurfaceState> surfaces);

}  // namespace fluvia
