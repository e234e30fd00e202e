// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fluvia/run/findings/body_extent.hpp"
#include "fluvia/run/findings/flow_survey.hpp"
#include "fluvia/run/loop/course.hpp"
#include "fluvia/run/monitors/mass_balance.hpp"
#include "fluvia/run/monitors/monitors.hpp"
#include "fluvia/run/monitors/wall_resolution.hpp"

namespace fluvia {

class Tracers;

/// What is known of a run when it ends. References must outlive it.
struct RunEnd {
  const Case& c;
  MonitorContext seen;  ///< the flow as monitors see it
  const Monitors& monitors;
  const MonitorHistory& history;        ///< history of all columns
  const std::vector<double>& last_row;  ///< last row of the monitors
  const Totals& totals;
  const std::vector<OpeningFlow>& flows;
  const MassBalance& mass;
  std::int64_t planned_end = 0;
  bool interrupted = false, steady = false;
  bool checkpoint = false;           ///< whether the run can go on from its end
  double period = 0;                 ///< period of what drives the flow [steps]; 0 if nothing repeats
  const Tracers* tracers = nullptr;  ///< points that went with the flow; null: none did

  /// Number of rows of the monitors in a cycle.
  [[nodiscard]] double rows_per_cycle() const { return period / static_cast<double>(history.every); }
};

/// What is worked out once for results and verdict.
struct Assessment {
  Course energy;                ///< course of the kinetic energy
  double energy_scale = 0;      ///< size of the kinetic energy: more than that of a flow at rest but for rounding
  std::vector<Course> signals;  ///< courses of Monitors::signals()
  std::vector<double> scales;   ///< [signal], size of such quantities, in the column's unit
  Course max_speed;
  std::optional<Course> pressure_drop;  ///< none unless the monitors have openings both ways
  double pressure_drop_scale = 0;
  std::optional<WallResolution> walls;  ///< none where the fluid sticks to no wall
  FlowSurvey survey;
  int axis = -1;                   ///< axis along which the flow goes, for bodies; -1: there is none
  std::vector<BodyExtent> bodies;  ///< surfaces of monitor.forces with fluid in front of or behind them
};

Assessment assess(const RunEnd& end);

/// Index of a monitor's column by its name without unit.
std::size_t column_of(const RunEnd& end, const std::string& name);

/// Speed below which a flow is at rest but for rounding, lattice units.
inline constexpr double speed_of_rest = 1e-6;
/// The largest speed in the window and at the end, lattice units.
double largest_speed(const RunEnd& end);

/// Mass of the fluid at rest, lattice units.
double fluid_mass(const RunEnd& end);

}  // namespace fluvia
