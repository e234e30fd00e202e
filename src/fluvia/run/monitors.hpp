// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "fluvia/output/fields.hpp"
#include "fluvia/run/surface_integrals.hpp"

namespace fluvia {

/// What monitors look at, and how its numbers turn into case units. References must outlive them.
struct MonitorContext {
  const Solver& solver;
  const Units& units;
  const Grid& grid;
};

/// Everything that a case asks to be recorded over time, in case units.
class Monitors {
 public:
  /// Throws Error(input) if a probe lies outside the fluid.
  Monitors(const Case& c, const MonitorContext& output);

  /// Column names with units, e.g. "force_sphere_x [N]".
  [[nodiscard]] const std::vector<std::string>& columns() const { return columns_; }
  /// Indices of the columns whose course over time is of interest: forces, torques, coefficients and probes.
  [[nodiscard]] const std::vector<std::size_t>& signals() const { return signals_; }
  /// One row for the current state; `totals` and `flows` are those of the solver.
  [[nodiscard]] std::vector<double> sample(const Totals& totals, const std::vector<OpeningFlow>& flows) const;
  /// Value of a steady-state quantity: kinetic_energy, max_velocity, permeability, flow_rate:NAME, force:NAME.
  [[nodiscard]] double quantity(const std::string& name, const Totals& totals) const;

 private:
  [[nodiscard]] double permeability(const Totals& totals) const;
  [[nodiscard]] int surface(const std::string& name) const;
  /// Adds a column with the label of `si` units.
  void add(const std::string& name, const char* si);
  void add_coefficients(const Case& c, const std::string& surface);
  void add_forces(const Case& c);
  void add_permeability(const Case& c);
  void sample_coefficients(const SurfaceForce& f, std::vector<double>& row) const;
  void add_probes(const Case& c);
  void sample_forces(std::vector<double>& row) const;

  const MonitorContext output_;
  /// Marks the columns from `first` on as signals.
  void mark_signals(std::size_t first);

  std::vector<std::string> columns_;
  std::vector<std::size_t> signals_;
  std::vector<int> force_surfaces_;
  Real3 torque_center_{};
  bool with_torque_ = false, with_openings_ = true, exchange_parts_ = false, integral_parts_ = false;
  double coefficient_scale_ = 0;         ///< coefficient per lattice force; 0: not recorded
  double torque_coefficient_scale_ = 0;  ///< the same per lattice torque
  std::vector<Real3> coefficient_axes_;  ///< unit vectors: of drag and lift
  std::optional<SurfaceIntegrals> integrals_;
  std::optional<int> permeability_axis_;
  double drive_ = 0;  ///< lattice body force along the permeability axis
  struct Probe {
    std::uint64_t tile = 0;
    std::uint64_t node_in_tile = 0;
  };
  std::vector<Probe> probes_;
};

}  // namespace fluvia
