// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/run/monitors/monitor_column.hpp"

namespace fluvia {

/// What is known of signals of one kind: how their course is judged when a run ends, and where they stand among its
/// results. A new kind is one row of the table in signal_facts.cpp.
struct SignalFacts {
  using Kind = MonitorSignal::Kind;
  /// The signals beside whose largest a small one does not matter.
  enum class Beside {
    subject,  ///< components of one vector, parts of one force
    all       ///< signals of all subjects: pressures beside pressures
  };
  enum class Results {
    none,
    openings,  ///< with the openings, if its subject is one; else with the points
    forces,
    permeability,
    scalars,
    points  ///< points of probes and planes, the last ones
  };

  /// Which signals of half a body, cut by a plane of symmetry, its other half balances.
  enum class Balanced {
    none,
    across_plane,  ///< components of a vector across the plane
    in_plane,      ///< moments about axes in the plane
    lift           ///< the force along monitor.lift_axis, if that is across the plane
  };
  /// What a signal is of an opening, if its subject is one.
  enum class OfOpening { none, flow, pressure };

  Kind kind;
  Kind beside_kind;  ///< kind by whose size it is judged, usually its own
  Beside beside = Beside::subject;
  Results results = Results::none;
  Balanced balanced = Balanced::none;
  bool has_lever = false;  ///< a moment: what the force on its subject has an arm of one node for is small of it
  OfOpening of_opening = OfOpening::none;
  bool is_judged = true;         ///< whether a run may count as unsteady because of it
  bool from_reference = false;   ///< sizes count from the reference pressure, since all values may be far from 0
  bool is_permeability = false;  ///< a component of the permeability
  /// What counts as small of it in a flow of this largest speed, lattice units.
  double (*small)(double speed);
  /// A number of this kind, given in lattice units, in the unit of its column.
  double (*in_case_unit)(const Units& units, double lattice, int dimension);
  /// Where the fluid is at rest it still changes by rounding, as much as velocities do in lattice units.
  bool rounds = false;
};

const SignalFacts& facts_of(MonitorSignal::Kind kind);

}  // namespace fluvia
