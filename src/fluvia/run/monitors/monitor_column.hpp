// SPDX-License-Identifier: Apache-2.0
// Columns of monitors.csv are rows of one table: a column's name, its unit, how its value is found and what it is a
// signal of stand together, and code that looks for a column finds all of it (docs/adding-an-observable.md).
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fluvia/solver/solver.hpp"
#include "fluvia/units/units.hpp"

namespace fluvia {

/// The flow at one time, from which a row of monitors is computed. References must outlive it.
struct FlowSample {
  const Solver& solver;
  const Units& units;
  const Totals& totals;
  const std::vector<OpeningFlow>& flows;  ///< flow through each opening
  /// Values that several columns of this row need and that have been computed; only Shared looks there.
  std::map<const void*, std::shared_ptr<const void>> shared{};

  [[nodiscard]] int dimension() const { return solver.geometry().nodes.dimension; }
};

/// A quantity that several columns are made of, such as the force on a surface. It is computed once for each row, when
/// the first of these columns asks for it. Copies stand for the same quantity.
template <class T>
class Shared {
 public:
  using Compute = std::function<T(FlowSample&)>;
  explicit Shared(Compute compute) : compute_(std::make_shared<const Compute>(std::move(compute))) {}
  const T& of(FlowSample& flow) const {
    std::shared_ptr<const void>& known = flow.shared[compute_.get()];
    if (!known) known = std::make_shared<const T>((*compute_)(flow));
    return *static_cast<const T*>(known.get());
  }

 private:
  std::shared_ptr<const Compute> compute_;
};

/// What a column measures whose course over time is of interest.
struct MonitorSignal {
  enum class Kind {
    force,
    force_part,
    torque,
    coefficient,
    drag,
    lift,
    torque_coefficient,
    flow_rate,   ///< through an opening
    plane_flow,  ///< through a plane
    pressure,
    permeability,
    velocity,
    scalar,       ///< mean of a scalar, or its value at a point
    scalar_flux,  ///< of a scalar through a surface
    nusselt       ///< Nusselt or Sherwood number of a surface
  };
  Kind kind = Kind::force;
  std::string subject{};   ///< name of the surface, opening, probe or plane; empty: the whole flow
  int axis = -1;           ///< component of a vector along this axis; -1: none
  std::size_t column = 0;  ///< index in Monitors::columns(), which Monitors sets
};

/// A number that is recorded over time.
struct MonitorColumn {
  std::string name;  ///< without unit: "force_sphere_x"
  std::string unit;  ///< "N"; "lattice" in cases in lattice units, "-" for numbers without dimension
  std::function<double(FlowSample&)> value;
  std::optional<MonitorSignal> signal{};

  /// The title as monitors.csv, summary.json and Python have it: "force_sphere_x [N]".
  [[nodiscard]] std::string title() const { return name + " [" + unit + "]"; }
};

}  // namespace fluvia
