// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fluvia/core/boundary/surface.hpp"
#include "fluvia/solver/links/corner_flow.hpp"
#include "fluvia/solver/links/cut_links.hpp"
#include "fluvia/solver/links/plane_fits.hpp"
#include "fluvia/solver/links/shared_links.hpp"
#include "fluvia/solver/profiles/changing_profile.hpp"
#include "fluvia/solver/solver.hpp"
#include "fluvia/units/units.hpp"

namespace fluvia {

/// The case's boundary conditions in lattice units, independent of any backend.
struct BoundarySetup {
  std::vector<core::SurfaceState> surfaces;  ///< one per Geometry::surfaces
  std::vector<bool> acts;                    ///< per surface: it is more than a wall at rest
  std::vector<int> ranks;       ///< per surface: of two that complete populations of a node, the smaller does so first
  std::vector<bool> monitored;  ///< per surface: forces or openings are measured on it
  Links links;  ///< of surfaces that act or are monitored; velocities are halved where the wall's distance is in the
                ///< step (is_interpolated)
  std::vector<MeasuredLink>
      shared;  ///< of own tiles: those of monitored surfaces on which several faces share the force or the flow
  std::vector<UpstreamNode> upstream;  ///< of surfaces whose condition needs them
  std::string lattice;
  std::vector<OpeningPoint> points;  ///< around all nodes of openings whose condition fits a plane
  /// Nodes in the sponge of an opening and how much it damps there.
  struct SpongeNode {
    std::uint32_t tile;
    std::uint16_t surface;
    std::uint8_t bit;
    float damping;
    std::array<float, 3> normal;  ///< of the opening
  };
  std::vector<SpongeNode> sponge;
  /// Per surface: momentum of the mass that its links let in, moving with the surface, and its moment about the origin,
  /// for SurfaceState::scale 1; faces that share a link share that, too. See wall_force().
  std::vector<SurfaceForce> carried;
  std::vector<CornerFlow> corners;  ///< of walls that move, and of openings, beside openings
  std::vector<CutLink>
      seconds;  ///< of links that leave through two openings that hold pressures: the one not in `links`
  std::vector<ChangingProfile> changing;  ///< `links` and `carried` have their velocities of time 0
};

/// Classifies the cut links and evaluates profiles. The discrete flux of every velocity opening given by speed or flow
/// rate is scaled to the prescribed value exactly. Throws Error(input) if a boundary's surface cuts no link.
/// `own_tiles`: those of one part of the domain, absent: all. Of surfaces that are measured only, there are links of
/// these tiles; of the others all links, of which every member of a communicator finds those of its own part.
BoundarySetup make_boundary_setup(const Problem& problem, const std::string& lattice,
                                  const std::optional<TileRange>& own_tiles = {});

/// Values of the keys of a boundary's condition (core::ConditionFacts::keys), in their order.
std::vector<double> values_in_lattice_units(const Case::Boundary& b, const Units& units, int dimension);

/// Force of the fluid on a surface: the momentum exchanged over its links, less what the mass that passes through them
/// carries. Without that, the force on a moving wall would depend on the velocity of the observer: B. Wen et al.,
/// J. Comput. Phys. 266 (2014) 161. With bounce-back after Ladd the mass through a link is 6 w_i c_i.u, whatever
/// the flow, so its sum is known beforehand.
SurfaceForce wall_force(SurfaceForce exchanged, const SurfaceForce& carried, double scale, const Real3& center);

struct SurfaceRoles;
/// BoundarySetup::carried of its links as they are.
std::vector<SurfaceForce> carried_momentum(const BoundarySetup& setup, const Geometry& geometry,
                                           const SurfaceRoles& roles);

/// Links of some tiles, with what a solver knows of them.
struct TileLinks {
  Links acting;  ///< as BoundarySetup::links
  Links walls;   ///< of interpolated walls, whether anything else acts there or not, with their distances
};
/// Those that a problem has in these tiles, which ascend; of surfaces that may move within a run (is_movable()).
TileLinks links_of_tiles(const Problem& problem, const std::string& lattice, std::span<const std::uint32_t> tiles);

/// Sizes of a BoundarySetup, found without making it.
struct BoundaryCount {
  std::uint64_t records = 0;  ///< links merged per node, surface and velocity (node_records.hpp); profiles merge none
  std::uint64_t memory = 0;   ///< numbers that conditions keep from step to step
  FitSize fits;               ///< of FitTables
  std::uint64_t monitored_links = 0;
  std::uint64_t changing_bytes = 0;  ///< of the host: ChangingProfile
};

/// Counts without making the setup. Each member of a communicator counts in its share of the tiles, and all get the
/// sums.
BoundaryCount count_boundaries(const Problem& problem, const std::string& lattice);

}  // namespace fluvia
