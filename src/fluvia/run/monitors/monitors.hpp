// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "fluvia/output/fields.hpp"
#include "fluvia/run/monitors/monitor_column.hpp"
#include "fluvia/run/monitors/plane_flow_rate.hpp"
#include "fluvia/run/monitors/plane_pressures.hpp"

namespace fluvia {

/// The flow that monitors look at, and what turns its numbers into case units. References must outlive the monitors.
struct MonitorContext {
  const Solver& solver;
  const Units& units;
  const Grid& grid;
};

/// Everything that a case asks to be recorded over time, in case units.
class Monitors {
 public:
  /// `more`: columns of what goes with the flow. Throws Error(input) if a probe lies outside the fluid.
  Monitors(const Case& c, const MonitorContext& output, std::vector<MonitorColumn> more = {});
  Monitors(const Monitors&) = delete;  // values of columns refer to it
  Monitors& operator=(const Monitors&) = delete;

  /// The columns of a row, in this order.
  [[nodiscard]] const std::vector<MonitorColumn>& columns() const { return columns_; }
  /// Names of the columns with units, e.g. "force_sphere_x [N]".
  [[nodiscard]] std::vector<std::string> titles() const;
  /// The signals of columns: forces, torques, coefficients, openings, permeability and probes, in the order of the
  /// columns.
  [[nodiscard]] const std::vector<MonitorSignal>& signals() const { return signals_; }
  /// One row for the current state; `totals` and `flows` are those of the solver.
  [[nodiscard]] std::vector<double> sample(const Totals& totals, const std::vector<OpeningFlow>& flows) const;
  /// Value of a steady-state quantity: kinetic_energy, max_velocity, permeability, flow_rate:NAME, force:NAME.
  [[nodiscard]] double quantity(const std::string& name, const Totals& totals) const;
  /// Force coefficient per lattice force; 0 if no coefficients are recorded.
  [[nodiscard]] double coefficient_scale() const { return coefficient_scale_; }

 private:
  [[nodiscard]] double permeability(const Totals& totals) const;
  [[nodiscard]] int surface(const std::string& name) const;
  /// Adds a column at the end. Its unit is that of a case in SI units, or "-" or "lattice" in any case.
  void add(MonitorColumn column);
  using VectorValue = std::function<Real3(FlowSample&)>;
  /// Adds components [first, end) of a vector, each a column and a signal of the same kind.
  void add_vector(const std::string& name, const char* unit, int first, int end, const MonitorSignal& signal,
                  const VectorValue& value);
  void add_openings();
  void add_forces(const Case& c);
  void add_bodies(const Case& c);
  void add_course(const std::string& name, int body);
  void add_coefficients(const Case& c, const std::string& surface, const Shared<SurfaceForce>& force);
  void add_permeability(const Case& c);
  /// A face of the box through which a flow enters or leaves the medium.
  struct DrivenEnd {
    int opening = 0, side = 0;            ///< number of the opening; side 0 or 1 of the box along the axis
    double depth = 0;                     ///< how far the plane inside lies from the face, nodes
    std::optional<PlaneFlowRate> inside;  ///< flow and pressure where they are measured instead of at the face
  };
  /// Finds the plane inside the medium, if the end needs one.
  void look_inside(const Case& c, int axis, DrivenEnd& end) const;
  void add_probes(const Case& c);
  /// The flow of the level of refinement that computes what is at a position (case units); of a flow on one level the
  /// flow.
  [[nodiscard]] MonitorContext finest_at(const Real3& position) const;
  void add_planes(const Case& c);

  const MonitorContext output_;

  std::vector<MonitorColumn> columns_;
  std::vector<MonitorSignal> signals_;
  Real3 torque_center_{};
  double coefficient_scale_ = 0;         ///< force coefficient per lattice force; 0: not recorded
  double torque_coefficient_scale_ = 0;  ///< moment coefficient per lattice torque; 0: not recorded
  std::optional<int> permeability_axis_;
  std::vector<DrivenEnd> driven_ends_;             ///< ends of the permeability axis
  std::optional<PlanePressures> plane_pressures_;  ///< pressures in the planes of these ends
  double drive_ = 0;                               ///< lattice body force along the permeability axis
};

/// Permeability by Darcy's law, lattice units: superficial velocity times viscosity / driving force per mass.
[[nodiscard]] inline double darcy_permeability(const Units& units, double superficial, double drive) {
  return units.viscosity * superficial / drive;
}

}  // namespace fluvia
