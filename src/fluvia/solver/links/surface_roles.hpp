// SPDX-License-Identifier: Apache-2.0
// What a case asks of each surface, and where and how fast surfaces act on the links that they cut.
#pragma once
#include <array>
#include <functional>
#include <string>
#include <vector>

#include "fluvia/case/case.hpp"
#include "fluvia/core/boundary/condition.hpp"
#include "fluvia/geometry/geometry.hpp"
#include "fluvia/solver/links/cut_links.hpp"
#include "fluvia/units/units.hpp"

namespace fluvia {

/// Index of a surface, or -1.
int find_surface(const Geometry& geometry, const std::string& name);
/// The opening that a surface is; null if it is none.
const Opening* find_opening(const Geometry& geometry, int surface);

/// Where on a link its boundary acts: in the middle, or where the wall is.
struct WallPoint {
  Real3 position;                    ///< in the box: beyond a plane of symmetry its mirror image
  std::array<int, 3> sign{1, 1, 1};  ///< by which a velocity there is multiplied at the link itself
};
/// `c`: velocities of the lattice; `part`: Links::part().
WallPoint wall_point(const Geometry& geometry, const CutLink& link, const std::vector<Int3>& c, double part);
/// Of the link that leads from a node, or a place where one could be, to x - c.
WallPoint wall_point(const Geometry& geometry, const Int3& x, const Int3& c, double part);

/// What the case asks of each surface.
struct SurfaceRoles {
  std::vector<const Case::Boundary*> boundary;     ///< null for walls at rest that nobody mentions
  std::vector<const core::ConditionFacts*> facts;  ///< never null
  std::vector<bool> acts, monitored, wanted;       ///< more than a wall at rest; measured; either
  std::vector<bool> interpolated;                  ///< walls that act where they are
  std::vector<bool> slides;                        ///< walls whose fluid slides past openings that count it
  std::vector<bool> is_free;                       ///< openings that prescribe no velocity: what passes follows
};
/// Throws Error(input) for surfaces that do not exist, or that cannot be what the case asks.
SurfaceRoles surface_roles(const Case& c, const Geometry& geometry, const std::string& lattice);

/// BoundarySetup::ranks: those of face_ranks(), then the other surfaces.
std::vector<int> surface_ranks(const Geometry& geometry, const SurfaceRoles& roles);

/// Velocity of a wall (core::VelocityKeys::wall) at a point of it, lattice units from the corner of the box, at its
/// full speed; a ramp multiplies it.
Real3 wall_velocity(const Case::Boundary& b, const Units& units, const Geometry& geometry, const Real3& point);

/// Velocity of a surface where it cuts the link from x to x - c, at `part` of it. A link that leaves the box through
/// several faces gets another one: a face that lets nothing through takes away the component along its normal, or each
/// step would let mass in or out; walls that meet give the mean of their velocities, and so do openings that prescribe
/// one. So no axis is special. `velocity_of(surface, point)`: of this surface, and of such walls and openings.
Real3 velocity_on_link(const Geometry& geometry, const SurfaceRoles& roles, int surface, const Int3& x, const Int3& c,
                       double part, const std::function<Real3(int surface, const Real3& point)>& velocity_of);

}  // namespace fluvia
