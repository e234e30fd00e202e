// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "fluvia/output/fields.hpp"

namespace fluvia {

/// Everything that a case asks to be recorded over time, in case units.
class Monitors {
 public:
  /// Throws Error(input) if a probe lies outside the fluid.
  Monitors(const Case& c, const OutputContext& output);

  /// Column names with units, e.g. "force_sphere_x [N]".
  [[nodiscard]] const std::vector<std::string>& columns() const { return columns_; }
  /// One row for the current state; `totals` are those of the solver.
  [[nodiscard]] std::vector<double> sample(const Totals& totals) const;
  /// Value of a steady-state quantity: kinetic_energy, max_velocity, permeability, flow_rate:NAME, force:NAME.
  [[nodiscard]] double quantity(const std::string& name, const Totals& totals) const;

 private:
  [[nodiscard]] double permeability(const Totals& totals) const;
  [[nodiscard]] int surface(const std::string& name) const;
  void add_probes(const Case& c);

  const OutputContext output_;
  std::vector<std::string> columns_;
  std::vector<int> force_surfaces_;
  Real3 torque_center_{};
  bool with_torque_ = false, with_openings_ = true;
  std::optional<int> permeability_axis_;
  double drive_ = 0;  ///< lattice body force along the permeability axis
  struct Probe {
    std::uint64_t tile = 0;
    std::uint64_t node_in_tile = 0;
  };
  std::vector<Probe> probes_;
};

}  // namespace fluvia
