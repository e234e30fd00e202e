// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <vector>

#include "fluvia/core/boundary/surface.hpp"
#include "fluvia/geometry/geometry.hpp"
#include "fluvia/solver/links/cut_links.hpp"

namespace fluvia {

/// What a wall that moves lets in over links that lead through an opening as well. Such a link belongs to the wall
/// (decision 0041) and brings 6 w_i c_i.u of it, whatever the flow. Over the wall's other links these cancel; here they
/// are what fluid that moves with the wall carries through the opening, and count as its flow. Of a link of an opening
/// that prescribes a velocity 6 w_i c_i.u has a part of each face that it leaves through, of the component of u along
/// its normal: in a uniform stream each has what a face without edges has.
///
/// Nor do links know of the strip of fluid between their middle and a wall that moves elsewhere (strip_at_wall()),
/// which passes an opening beside it with the wall's speed: without that flows between such walls are off by up to half
/// a node of it.
struct CornerFlow {
  std::uint16_t opening;  ///< surface of the opening
  std::uint16_t wall;     ///< the surface whose velocity it is; `opening` itself: what others have of it
  double rate;            ///< into the domain, in lattice units, for SurfaceState::scale 1
};

/// Adds what a link of a wall lets in to the openings that it leads through, equally if there are several. `rate`: into
/// the domain.
void add_corner_flow(const Geometry& geometry, const CutLink& link, const Int3& c, double rate,
                     std::vector<CornerFlow>& flows);

/// Adds what passes openings beside the node of a link along an axis in the strip at the wall that cuts it. `velocity`:
/// of the wall there. Other links add nothing.
void add_strip_flow(const Geometry& geometry, const CutLink& link, const Int3& c, const Real3& velocity,
                    std::vector<CornerFlow>& flows);

/// Gives the other openings that a link of an opening leads through what is theirs, and takes it from the link's own.
/// `rates`: into the domain, of each component of the velocity. Returns what was taken.
double add_edge_flow(const Geometry& geometry, const CutLink& link, const Int3& c, const Real3& rates,
                     std::vector<CornerFlow>& flows);

/// The flow of an opening of this surface over corners, with what walls have now.
double corner_flow(std::span<const CornerFlow> flows, int surface, std::span<const core::SurfaceState> surfaces);

}  // namespace fluvia
