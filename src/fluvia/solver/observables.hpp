// SPDX-License-Identifier: Apache-2.0
// What may be measured of a whole flow. Each observable is a row that says what it is a sum over, what the tiles
// contribute, how two contributions add up, and what the sum becomes. Solvers, domains in parts, ranks and views go
// through the rows of Observables; none of them asks for a certain one.
#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <variant>

#include "fluvia/base/vector.hpp"
#include "fluvia/solver/blocks/tile_sums.hpp"
#include "fluvia/solver/scalars/scalar_sums.hpp"

namespace fluvia {

/// Force on a surface, lattice units.
struct SurfaceForce {
  Real3 force{}, torque{};
};
/// Flow through an opening, lattice units; positive = into the fluid. The rate is the mass flow over the density at
/// rest, which is what velocity openings prescribe, and does not change along a vessel, whatever its pressure is.
struct OpeningFlow {
  double flow_rate = 0, mean_pressure = 0;
};

/// Sums over all fluid nodes, computed without storing fields.
struct Totals {
  double mass = 0;            ///< sum of rho - 1 over the nodes, each times its volume
  Real3 momentum{};           ///< sum of rho u over the nodes, each times its volume
  double kinetic_energy = 0;  ///< sum of rho u^2 / 2 over the nodes, each times its volume
  double max_speed = 0;
  std::uint64_t max_speed_node = 0;  ///< canonical index of the fastest node
  bool finite = true;                ///< false if any value is NaN or infinite, or a density not above 0
  std::uint64_t bad_node = 0;        ///< canonical index of the first node that is not finite
};

/// What a tile contributes to Totals.
struct FlowSum {
  static constexpr std::uint64_t none = std::numeric_limits<std::uint64_t>::max();
  double mass = 0, momentum[3] = {0, 0, 0}, kinetic_energy = 0;
  double fastest_squared = -1;
  std::uint64_t fastest_node = none,
                bad_node = none;  ///< canonical indices of the first fastest node and of the first bad one

  friend FlowSum operator+(FlowSum a, const FlowSum& b) {
    a.mass += b.mass;
    for (int k = 0; k < 3; ++k) a.momentum[k] += b.momentum[k];
    a.kinetic_energy += b.kinetic_energy;
    if (b.fastest_squared > a.fastest_squared) {
      a.fastest_squared = b.fastest_squared;
      a.fastest_node = b.fastest_node;
    }
    a.bad_node = std::min(a.bad_node, b.bad_node);
    return a;
  }
};

/// What a tile contributes to the force on a surface: the momentum that its cut links exchange.
struct ForceSum {
  Real3 force{}, torque{};
  friend ForceSum operator+(const ForceSum& a, const ForceSum& b) { return {a.force + b.force, a.torque + b.torque}; }
};

/// What a tile contributes to the flow through an opening.
struct OpeningSum {
  double flow_rate = 0, pressure = 0;
  std::uint64_t nodes = 0;
  friend OpeningSum operator+(const OpeningSum& a, const OpeningSum& b) {
    return {a.flow_rate + b.flow_rate, a.pressure + b.pressure, a.nodes + b.nodes};
  }
};

/// Observable: sums over all nodes. Solver::totals().
struct FlowTotals {
  using Sum = FlowSum;
  using Result = Totals;
};

/// Observable: sums over the cut links of a surface. Solver::surface_force().
struct ForceOnSurface {
  using Sum = ForceSum;
  using Result = SurfaceForce;
  int surface = 0;
  Real3 center{};  ///< point about which the torque is taken, lattice units
};

/// Observable: sums over the cut links of Geometry::openings[opening], and the nodes that have them.
/// Solver::opening_flow().
struct FlowThroughOpening {
  using Sum = OpeningSum;
  using Result = OpeningFlow;
  int opening = 0;
};

/// The variants that go with a list of rows; each holds a value that belongs to one of the rows.
template <class... Rows>
struct ObservableList {
  static_assert((std::is_trivially_copyable_v<Rows> && ...) &&
                    (std::is_trivially_copyable_v<typename Rows::Sum> && ...),
                "observables and their sums cross between ranks as bytes");
  using Any = std::variant<Rows...>;
  using Sums = std::variant<TileSums<typename Rows::Sum>...>;
  using Result = std::variant<typename Rows::Result...>;
};

/// Every observable; add a row here.
using Observables = ObservableList<FlowTotals, ForceOnSurface, FlowThroughOpening, ScalarTotals, ScalarThrough>;
using Observable = Observables::Any;
/// What a part of the domain contributes to an observable, by tiles; contributions of all parts make up the whole.
using ObservableSums = Observables::Sums;
/// The result of an observable.
using Observation = Observables::Result;

}  // namespace fluvia
