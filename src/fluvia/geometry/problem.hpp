// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/base/communicator.hpp"
#include "fluvia/case/case.hpp"
#include "fluvia/geometry/geometry.hpp"
#include "fluvia/units/units.hpp"

namespace fluvia {

/// What is asked: the flow that a case describes, before it is chosen how to compute it (Plan). It refers to objects
/// that a prepared flow, a solver or a test keeps. So it costs nothing to make, from braces as a rule, and nobody
/// stores it: `make_plan({settings, units, geometry})`.
struct Problem {
  const Case& settings;  ///< content of the case file
  const Units& units;
  const Geometry& geometry;
  /// The processes that set up this flow together: they all call, in the same order, the functions that say so.
  Communicator& communicator = communicator_of_one();

  /// The box of all nodes.
  [[nodiscard]] Grid grid() const {
    const NodeMap& nodes = geometry.nodes;
    return {nodes.dimension, nodes.size, nodes.periodic, geometry.origin, units.spacing};
  }
  /// The problem for a process that does by itself what others do with their communicator.
  [[nodiscard]] Problem alone() const { return {settings, units, geometry}; }
  /// The problem with other settings, on the same nodes.
  [[nodiscard]] Problem with(const Case& others) const { return {others, units, geometry, communicator}; }
  /// The problem for a member of a communicator.
  [[nodiscard]] Problem with(Communicator& members) const { return {settings, units, geometry, members}; }
};

/// A problem that brings its geometry along, for the solver that will keep it.
struct OwningProblem {
  const Case& settings;
  const Units& units;
  Geometry geometry;
  Communicator& communicator = communicator_of_one();

  /// Valid as long as the geometry is here.
  operator Problem() const { return {settings, units, geometry, communicator}; }
};

}  // namespace fluvia
