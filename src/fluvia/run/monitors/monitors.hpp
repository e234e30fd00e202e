// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "fluvia/output/fields.hpp"
#include "fluvia/run/monitors/plane_flow_rate.hpp"
#include "fluvia/run/monitors/plane_pressures.hpp"
#include "fluvia/run/monitors/surface_integrals.hpp"

namespace fluvia {

/// What monitors look at, and how its numbers turn into case units. References must outlive them.
struct MonitorContext {
  const Solver& solver;
  const Units& units;
  const Grid& grid;
};

/// A column whose course over time is of interest.
struct MonitorSignal {
  enum class Kind {
    force,
    force_part,
    torque,
    coefficient,
    drag,
    torque_coefficient,
    flow_rate,   ///< of an opening
    plane_flow,  ///< through a plane
    pressure,
    permeability,
    velocity
  };
  std::size_t column = 0;
  Kind kind = Kind::force;
  std::string subject;  ///< name of the surface, opening, probe or plane; empty: the whole
  int axis = -1;        ///< of a component of a vector
};

/// Everything that a case asks to be recorded over time, in case units.
class Monitors {
 public:
  /// Throws Error(input) if a probe lies outside the fluid.
  Monitors(const Case& c, const MonitorContext& output);

  /// Column names with units, e.g. "force_sphere_x [N]".
  [[nodiscard]] const std::vector<std::string>& columns() const { return columns_; }
  /// Forces, torques, coefficients, openings, permeability and probes, in the order of their columns.
  [[nodiscard]] const std::vector<MonitorSignal>& signals() const { return signals_; }
  /// One row for the current state; `totals` and `flows` are those of the solver.
  [[nodiscard]] std::vector<double> sample(const Totals& totals, const std::vector<OpeningFlow>& flows) const;
  /// Value of a steady-state quantity: kinetic_energy, max_velocity, permeability, flow_rate:NAME, force:NAME.
  [[nodiscard]] double quantity(const std::string& name, const Totals& totals) const;
  /// Force coefficient per lattice force; 0 if none are recorded.
  [[nodiscard]] double coefficient_scale() const { return coefficient_scale_; }

 private:
  [[nodiscard]] double permeability(const Totals& totals) const;
  [[nodiscard]] int surface(const std::string& name) const;
  /// Adds a column with the label of `si` units.
  void add(const std::string& name, const char* si);
  /// Says what the last column measures.
  void mark(MonitorSignal::Kind kind, const std::string& subject, int axis = -1);
  void add_coefficients(const Case& c, const std::string& surface);
  void add_forces(const Case& c);
  void add_permeability(const Case& c);
  /// A face of the box through which a flow enters or leaves the medium.
  struct DrivenEnd {
    int opening = 0, side = 0;            ///< side: 0 or 1, along the axis
    double depth = 0;                     ///< of that plane, nodes
    std::optional<PlaneFlowRate> inside;  ///< where the pressure is measured instead of at the face
  };
  /// Finds the plane, if the end needs one.
  void look_inside(const Case& c, int axis, DrivenEnd& end) const;
  void sample_coefficients(const SurfaceForce& f, std::vector<double>& row) const;
  void add_probes(const Case& c);
  void add_planes(const Case& c);
  void sample_forces(std::vector<double>& row) const;

  const MonitorContext output_;

  std::vector<std::string> columns_;
  std::vector<MonitorSignal> signals_;
  std::vector<int> force_surfaces_;
  Real3 torque_center_{};
  bool with_torque_ = false, with_openings_ = true, exchange_parts_ = false, integral_parts_ = false;
  double coefficient_scale_ = 0;         ///< coefficient per lattice force; 0: not recorded
  double torque_coefficient_scale_ = 0;  ///< the same per lattice torque
  std::vector<Real3> coefficient_axes_;  ///< unit vectors: of drag and lift
  std::optional<SurfaceIntegrals> integrals_;
  std::optional<int> permeability_axis_;
  std::vector<DrivenEnd> driven_ends_;             ///< of that axis
  std::optional<PlanePressures> plane_pressures_;  ///< of these
  double drive_ = 0;                               ///< lattice body force along the permeability axis
  struct Probe {
    std::uint64_t tile = 0;
    std::uint64_t node_in_tile = 0;
  };
  std::vector<Probe> probes_;
  std::vector<PlaneFlowRate> planes_;
};

/// Darcy's law, lattice units: superficial velocity times viscosity / driving force per mass.
[[nodiscard]] inline double darcy_permeability(const Units& units, double superficial, double drive) {
  return units.viscosity * superficial / drive;
}

}  // namespace fluvia
