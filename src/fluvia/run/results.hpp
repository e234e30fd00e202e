// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "fluvia/run/run_end.hpp"

namespace fluvia {

/// Another unit in which people of a field read a result.
struct OtherUnit {
  std::string unit;   ///< "ml/min"
  double factor = 1;  ///< what the value in SI is multiplied by
};

/// A number that a run was made for.
struct Quantity {
  std::string name;  ///< "flow_inlet", "pressure_drop", "C_d_body"; the column's name where it is one of the monitors
  std::string unit;  ///< "m3/s", "-", "%", or "lattice"
  double value = 0;
  std::optional<double> error;  ///< error of being no further in time or no longer averaged, 95%; none: not known
  std::optional<double> rms;    ///< deviation from the mean, where the value is a mean over time
  std::optional<double> grid_error{};  ///< how far the limit of fine grids may be; none: not known (grid_check.hpp)
  std::optional<double> limit{};       ///< the extrapolated value
  std::optional<double> order{};       ///< order of the grid's error, if three grids showed one
  std::optional<Cycle> cycle{};        ///< where the value is the mean over a cycle of what drives the flow
  std::string at{};  ///< "Re = 478, not 4.18 million" where it depends on a viscosity that is not the real one
  double size = 0;   ///< what is as large at least, where the value may lie about 0: how far a scalar's values differ
  std::optional<OtherUnit> also{};  ///< where the field reads it in another unit, too (display_units.hpp)
};

/// All results that monitors, openings, walls and the shape of the domain tell without being asked: flow rates and
/// pressures of openings, pressure drop, flow split, forces and their coefficients, shedding frequency, permeability,
/// mean and largest velocity, shear stress at walls, probes. In case units.
std::vector<Quantity> collect_results(const RunEnd& end, const Assessment& assessment);

/// The results for summary.json: name, unit, value, and null for what is not known: error, rms (unless the value is a
/// mean), grid_error, limit, order, cycle (unless it is over one), at (at which Reynolds number instead of the real
/// one), also (another unit and the factor to it).
nlohmann::json results_json(const std::vector<Quantity>& results);
/// The results as aligned lines.
std::string format_results(const std::vector<Quantity>& results);

/// A value with its error, "1.2345 ± 0.0012", "(1.234 ± 0.012)e-06": the error with two digits, the value with as many
/// as that says, six at most; "1.23457 ± ?" where the error is not known.
std::string format_with_error(double value, const std::optional<double>& error);

}  // namespace fluvia
