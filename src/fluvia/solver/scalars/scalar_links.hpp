// SPDX-License-Identifier: Apache-2.0
// Where the populations of a scalar go, and what surfaces do to them, for any backend.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "fluvia/geometry/problem.hpp"
#include "fluvia/solver/scalars/scalar_method.hpp"

namespace fluvia {

/// What a surface does to a scalar, in lattice units; values lie above ScalarMethod::reference.
struct ScalarAtSurface {
  int rule = 0;             ///< in core::ScalarConditions
  bool prescribes = false;  ///< a value, a flux or an ambient value, which may change
  double value = 0, coefficient = 0;
  double scale = 1, offset = 0;  ///< a value of the case becomes scale (value - offset)

  /// Takes a value as the case gives it.
  void set(double of_case) { value = scale * (of_case - offset); }
};
/// Throws Error(input): the surface prescribes nothing that may change.
[[noreturn]] void refuse_value(const std::string& surface, const ScalarMethod& scalar);

/// By surface of the geometry: what the case says, else that walls are adiabatic and openings let go what comes.
std::vector<ScalarAtSurface> scalar_surfaces(const Problem& problem, const ScalarMethod& scalar);

/// A cut link whose surface does more than to send back what comes.
struct ScalarCutLink {
  std::uint32_t node;   ///< canonical index
  std::uint32_t inner;  ///< of the next node away from the surface, or of the node itself where there is none
  std::uint16_t surface;
  std::uint8_t out;       ///< direction in which it leaves the fluid
  double distance, area;  ///< as core::ScalarLink has them
};

/// Where what leaves a node arrives. Places are direction x fluid nodes + canonical index.
struct ScalarWays {
  /// [direction - 1][node]; along links that are cut, what comes back to the node itself half-way.
  std::vector<std::uint32_t> target;
  std::vector<ScalarCutLink> links;  ///< in canonical order
};

/// Throws Error(resource) where places outgrow 32 bits.
ScalarWays make_scalar_ways(const Problem& problem, const ScalarMethod& scalar,
                            const std::vector<ScalarAtSurface>& surfaces);

/// Bytes that a CPU takes for the scalars of a problem whose flow has so many lanes in its groups.
std::uint64_t scalar_bytes(const Problem& problem, const std::vector<ScalarMethod>& scalars, int arithmetic_bytes,
                           std::uint64_t lanes);

}  // namespace fluvia
