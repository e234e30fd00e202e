// SPDX-License-Identifier: Apache-2.0
// Where the populations of a scalar go, and what surfaces do to them, for any backend.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fluvia/core/scalar/conditions.hpp"
#include "fluvia/geometry/problem.hpp"
#include "fluvia/solver/scalars/prescribed_number.hpp"
#include "fluvia/solver/scalars/scalar_nodes.hpp"
#include "fluvia/solver/scalars/scalar_solids.hpp"

namespace fluvia {

/// What a surface does to a scalar, in lattice units; values lie above ScalarMethod::reference.
struct ScalarAtSurface {
  int rule = 0;             ///< in core::ScalarConditions
  bool prescribes = false;  ///< a value, a flux or an ambient value, which may change
  double value = 0, coefficient = 0;
  double scale = 1, offset = 0;               ///< a value of the case becomes scale (value - offset)
  std::optional<PrescribedNumber> over_time;  ///< what the value is, as the case gives it, if that changes

  /// Whether it sends back what comes, and no more.
  [[nodiscard]] bool is_adiabatic() const { return rule == core::scalar_rule_of<core::ScalarFlux> && !prescribes; }
  /// Takes a value as the case gives it.
  void set(double of_case) { value = scale * (of_case - offset); }
};
/// Gives surfaces the values of a time, case units. Returns whether any of them change.
bool set_time(std::vector<ScalarAtSurface>& surfaces, double time);
/// Gives a surface another value than the case does, in its unit. Throws Error(input) if it prescribes none, or the
/// case says how it changes.
void set_value(ScalarAtSurface& at, double value, const std::string& surface, const ScalarMethod& scalar);

/// By surface of the geometry, at time 0: what the case says, else that walls are adiabatic and openings let go what
/// comes. Throws Error(input) as PrescribedNumber does.
std::vector<ScalarAtSurface> scalar_surfaces(const Problem& problem, const ScalarMethod& scalar);

/// A cut link whose surface does more than to send back what comes. Nodes have the numbers of ScalarNodes; those of
/// solids follow, in canonical order.
struct ScalarCutLink {
  std::uint32_t node;   ///< its number
  std::uint32_t inner;  ///< of the next node away from the surface, or of the node itself where there is none
  std::uint16_t surface;
  std::uint8_t out;       ///< direction in which it leaves the fluid
  double distance, area;  ///< as core::ScalarLink has them, but for a node of volume 1
  double reach;           ///< as core::ScalarLink has it
  double volume;          ///< of the node
};

/// A link between two materials (ScalarSolids), or between nodes of the fluid whose cells end at walls.
struct ScalarJoint {
  std::uint32_t back[2];     ///< place at each node to which what leaves it along the link would come back
  std::uint16_t surface;     ///< of the fluid, or no_surface where there is none between both
  std::uint8_t material[2];  ///< of each node
  double capacity[2];        ///< of the volumes of the nodes, over that of a cell of fluid
  double part;               ///< as core::pass_between has it
  double distance;           ///< part of the link before the surface, from the first node
  double area;               ///< as core::ScalarLink has it
  static constexpr std::uint16_t no_surface = 0xffff;
  /// Between the fluid and a solid, of a block: the first of some places besides (ScalarWays::besides), for what the
  /// node of the fluid says to all blocks, which step the solid alike: what leaves it, then even and slope of
  /// core::ScalarEnd. Where another block has that node these are there when its message has come, `back[0]` is the
  /// first of them, and what the solid says of core::ScalarEnd stays in two more until then.
  std::uint32_t says = nothing;
  static constexpr std::uint32_t nothing = 0xffffffffu;
  bool is_elsewhere = false;  ///< another block has the first node
  static constexpr std::uint32_t said = 3, kept = 2;
};

/// What a block exchanges with a neighbour after a step. Both sides have lists of the same order.
struct ScalarBorder {
  std::vector<std::uint32_t> arrives, leaves;  ///< places that one of them fills and the other reads
  /// Across the border; both sides step these when what arrives is there, alike.
  std::vector<ScalarJoint> joints;
  /// Likewise, of ScalarWays::joints those with the fluid of this neighbour.
  std::vector<std::uint32_t> at_solids;
};

/// Where what leaves a node arrives. Places are direction x nodes + number of the node, then places of no node.
struct ScalarWays {
  std::uint64_t nodes = 0;  ///< those of the fluid, and those of solids
  /// [direction - 1][node], of own nodes; along links that are cut, what comes back to the node itself half-way.
  std::vector<std::uint32_t> target;
  std::vector<ScalarCutLink> links;  ///< in the order of nodes
  std::vector<ScalarJoint> joints;   ///< in the order of their first nodes
  /// By number of a node of the fluid, the volume for which it stands, and how many times as much as others it spreads
  /// (core::ScalarCell); empty: 1 everywhere. Beside walls that are between the nodes and hold no value cells end at
  /// the wall.
  std::vector<float> volume, strength;
  std::vector<ScalarBorder> borders;  ///< by Block::neighbours; empty without a block
  std::uint32_t besides = 0;          ///< places of no node (ScalarJoint::says)
};

/// Of the nodes of a solver. Throws Error(resource) where places outgrow 32 bits.
ScalarWays make_scalar_ways(const Problem& problem, const ScalarMethod& scalar,
                            const std::vector<ScalarAtSurface>& surfaces, const ScalarSolids& solids,
                            const ScalarNodes& nodes);
/// Of all nodes.
ScalarWays make_scalar_ways(const Problem& problem, const ScalarMethod& scalar,
                            const std::vector<ScalarAtSurface>& surfaces, const ScalarSolids& solids);

/// Bytes that a CPU takes for the scalars of a problem whose flow has so many lanes in its groups.
std::uint64_t scalar_bytes(const Problem& problem, const std::vector<ScalarMethod>& scalars, int arithmetic_bytes,
                           std::uint64_t lanes);

}  // namespace fluvia
