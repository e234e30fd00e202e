// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/run/monitors/monitor_column.hpp"

namespace fluvia {

/// What is known of signals of one kind: how their course is judged when a run ends, and where they stand among its
/// results. A new kind is one row of the table in signal_facts.cpp.
struct SignalFacts {
  using Kind = MonitorSignal::Kind;
  /// Signals beside the largest of which a small one does not matter.
  enum class Beside {
    subject,  ///< components of one vector, parts of one force
    all       ///< whatever they are of: pressures beside pressures
  };
  enum class Results {
    none,
    openings,  ///< with the openings, if it is of one; else with the points
    forces,
    permeability,
    points  ///< of probes and planes, the last ones
  };

  Kind kind;
  Kind beside_kind;  ///< the kind whose size it is judged by, usually its own
  Beside beside;
  Results results;
  bool is_judged;  ///< a run may count as unsteady because of it
  /// What is small of it in a flow of this largest speed, lattice units.
  double (*small)(double speed);
  /// A number of this kind, lattice units, in the unit of its column.
  double (*in_case_unit)(const Units& units, double lattice, int dimension);
  bool rounds;  ///< where the fluid is at rest it still changes by rounding, as much as velocities do in lattice units
};

const SignalFacts& facts_of(MonitorSignal::Kind kind);

}  // namespace fluvia
