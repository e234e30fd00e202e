// SPDX-License-Identifier: Apache-2.0
// What passes between a level of refinement and the next finer one, found once by following populations on their way:
// linear explosion along crossings (docs/decisions/0051). Nothing here knows of faces, edges and corners.
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "fluvia/case/physics/registered_physics.hpp"
#include "fluvia/geometry/levels/level_map.hpp"
#include "fluvia/solver/blocks/block_solver.hpp"

namespace fluvia::domain {

/// A wall that moves where it cuts a link.
struct MovingWall {
  std::uint32_t surface;
  Real3 velocity;        ///< lattice units, at SurfaceState::scale 1
  bool is_interpolated;  ///< conditions add half of its velocity then (BoundarySetup::links)
};

/// A level and the next finer one.
struct LevelPair {
  const LevelMap& map;
  int level;  ///< of the coarse one
  const NodeMap& coarse;
  const NodeMap& fine;
  const FluidBeside& beside_coarse;  ///< Geometry::beside of both
  const FluidBeside& beside_fine;
  std::array<bool, 6> openings{};  ///< faces of the box that are openings, as surface_id numbers them
  /// Where a wall between the nodes, whose rule replaces what leaves along it (docs/walls.md), cuts the link from a
  /// coarse node along an offset that is cut: the part of the link before the wall. None if the rule acts on no such
  /// link; empty: on none.
  std::function<std::optional<double>(const Int3& node, const Int3& offset)> wall_between{};
  /// The wall that cuts the link from a node of a level, or from a place where it would have one, along an offset, if
  /// that moves; empty: none does.
  std::function<std::optional<MovingWall>(int level, const Int3& node, const Int3& offset)> moving_wall{};
  /// The surface that cuts such a link, if forces on it are measured, else -1; empty: none is.
  std::function<int(int level, const Int3& node, const Int3& offset)> measured_surface{};
  /// Whether the wall that cuts the link from a coarse node along an offset lets the fluid slide; empty: none does.
  std::function<bool(const Int3& node, const Int3& offset)> slides{};
  /// Whether the fluid does not move at walls between the nodes, so that what their rule has replaced follows from the
  /// cell's opposite population (crossing::Reflection). Else it is that of the next cell that has it.
  bool reflects = true;
};

/// Lists of places, and of what goes from place to place. Places are populations where they arrive (HaloPopulation).
struct LevelLinks {
  static constexpr std::uint32_t none = 0xffffffffu;

  // Each list is by direction, then by PlaceOrder, so that storages have many of them side by side.
  std::vector<HaloPopulation> coarse_reads;   ///< after a coarse step
  std::vector<HaloPopulation> coarse_writes;  ///< after the two fine steps in it: the coarse links
  std::vector<HaloPopulation> fine_places;    ///< read and written after each fine step

  /// A population of a coarse cell after its collision, and two others for each axis: its slope is `part` of their
  /// difference.
  struct Source {
    std::uint32_t at;  ///< in coarse_reads
    std::array<std::uint32_t, 3> upper, lower;
    std::array<double, 3> part;
    std::uint32_t first_child;  ///< in the list below; they end where those of the next begin
  };
  std::vector<Source> sources;  ///< one more ends the list
  /// What a child of a coarse cell carries to a fine place in fine step `step`, or back to a coarse link.
  struct Child {
    std::uint32_t place;           ///< in fine_places; none: it returns
    std::array<double, 3> offset;  ///< from the middle of the coarse cell, in its edges
    std::uint8_t step;
  };
  std::vector<Child> children;
  /// A fine population that crosses coarse cells to another fine node: it leaves in fine step 0 and arrives in 1.
  struct Passing {
    std::uint32_t from, to;  ///< in fine_places
  };
  std::vector<Passing> passing;

  /// A fine population that comes from beyond an opening, past a coarse cell beside the interface, in fine step 1. Only
  /// conditions of nodes know what an opening lets in; so it goes on along the opening as others do that arrive in the
  /// same step at the next two nodes of this level, `near` and `far` (none: there is one only).
  struct Continued {
    std::uint32_t place, near, far;  ///< in fine_places
  };
  std::vector<Continued> continued;

  /// Of each coarse link, the place in coarse_reads from which it begins (none: from 0), and what it loses and gains.
  struct CoarseLink {
    std::uint32_t streamed = none;
    std::uint32_t first_child = 0, first_leaving[2] = {0, 0};  ///< in the lists below; they end where the next begins
  };
  /// By coarse_writes, then sums that transfers share out and that are written nowhere; one more ends the lists.
  std::vector<CoarseLink> links;
  struct LinkChild {
    std::uint32_t child;
    bool gained;  ///< else lost
  };
  std::vector<LinkChild> link_children;
  std::array<std::vector<std::uint32_t>, 2> leaving;  ///< [fine step], places that links gain
  /// Where solids cross the interface: the part of a link that has too much for the one back, which has too little. Or
  /// of a sum for a link.
  struct Transfer {
    std::uint32_t from, to;
    double part;
  };
  std::vector<Transfer> transfers;

  /// Populations that pass in a coarse step.
  [[nodiscard]] std::uint64_t size() const {
    return children.size() + leaving[0].size() + leaving[1].size() + passing.size();
  }

  /// What a wall that moves adds to populations that it turns round between the levels, at SurfaceState::scale 1.
  struct WallGain {
    std::uint32_t to;
    std::uint32_t surface;
    double value;
  };
  /// To what enters fine places in fine step 1, in which alone it may have met a wall; `to` in fine_places, each once.
  std::vector<WallGain> place_gains;
  /// To coarse links, before transfers; `to` in coarse_writes, ascending.
  std::vector<WallGain> link_gains;

  /// Momentum that goes to walls between the levels beside what nodes exchange with them over their own links: numbers
  /// times `momentum`, lattice units of the coarse level.
  struct WallForce {
    std::uint32_t number;
    std::uint32_t surface;
    std::uint32_t tile;  ///< of the coarse level, to whose sum it belongs
    Real3 momentum;
    Real3 at;  ///< where it acts, in nodes of the coarse level
  };
  struct WallForces {
    std::vector<WallForce> of_children;
    std::array<std::vector<WallForce>, 2> of_leaving;  ///< [fine step], by places in fine_places
    std::vector<WallForce> of_links;                   ///< by coarse_writes, before transfers
    /// Times SurfaceState::scale and its square: what walls add, and that this moves with them (wall_force()).
    std::vector<WallForce> of_gains, of_motion;
  };
  WallForces forces;

  std::vector<LevelLinks> scalars{};  ///< the same for each scalar that the flow carries along

  int unbalanced = 0;            ///< links whose sources and sinks differ: 0, or the lists are wrong
  std::optional<Int3> examples;  ///< coarse node of the first of them
};

/// In which order places are listed by direction: by tiles, or by rows of the box along x, as storages have them.
enum class PlaceOrder { tiles, rows };

/// Finds them for a lattice whose velocities lead to next neighbours only, in pairs of opposite ones behind the first.
LevelLinks find_level_links(const LevelPair& levels, const LatticeFacts& lattice, PlaceOrder order = PlaceOrder::tiles);

/// Adds to what a wall got of a tile what follows from its own motion, which its surface's scale is a factor of.
void add_gains(const LevelLinks::WallForces& forces, std::uint32_t surface, std::uint32_t tile, double scale,
               ForceSum& sum);

/// Throws Error(internal) with a place if links are not balanced.
void require_balance(const LevelLinks& links, const LevelPair& levels);

}  // namespace fluvia::domain
