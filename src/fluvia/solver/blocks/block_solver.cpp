// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/blocks/block_solver.hpp"

#include <cmath>

#include "fluvia/base/error.hpp"
#include "fluvia/solver/links/boundary_setup.hpp"

namespace fluvia {

namespace {

Totals result(const BlockSolver& part, const FlowTotals&, const FlowSum& sum) {
  const double node_volume = part.geometry().nodes.node_volume();
  Totals totals;
  totals.mass = node_volume * sum.mass;
  for (int a = 0; a < 3; ++a) totals.momentum[a] = node_volume * sum.momentum[a];
  totals.kinetic_energy = node_volume * sum.kinetic_energy;
  if (sum.fastest_squared > 0) {
    totals.max_speed = std::sqrt(sum.fastest_squared);
    totals.max_speed_node = sum.fastest_node;
  }
  totals.finite = sum.bad_node == FlowSum::none;
  if (!totals.finite) totals.bad_node = sum.bad_node;
  return totals;
}

SurfaceForce result(const BlockSolver& part, const ForceOnSurface& what, const ForceSum& sum) {
  const BlockSolver::SurfaceMotion motion = part.motion_of(what.surface);
  return wall_force({sum.force, sum.torque}, motion.carried, motion.scale, what.center);
}

OpeningFlow result(const BlockSolver& part, const FlowThroughOpening& what, const OpeningSum& sum) {
  const Geometry& geometry = part.geometry();
  const int surface = geometry.openings[static_cast<std::size_t>(what.opening)].surface;
  OpeningFlow flow;
  flow.flow_rate = geometry.nodes.node_volume() * sum.flow_rate + part.motion_of(surface).corner_flow;
  if (sum.nodes > 0) flow.mean_pressure = sum.pressure / static_cast<double>(sum.nodes);
  return flow;
}

ScalarSummary result(const BlockSolver& part, const ScalarTotals& what, const ScalarSum& sum) {
  return summary_of(sum, part.plan().scalars[static_cast<std::size_t>(what.scalar)].reference);
}

ScalarPassage result(const BlockSolver&, const ScalarThrough&, const ScalarPassage& sum) {
  return sum;
}

}  // namespace

Observation BlockSolver::result_of(const Observable& what, const ObservableSums& of_all) const {
  return std::visit(
      [&]<class Row>(const Row& row) -> Observation {
        return result(*this, row, total(std::get<TileSums<typename Row::Sum>>(of_all)));
      },
      what);
}

void BlockSolver::exchange(std::size_t, std::span<double>, std::span<const double>, std::span<const std::uint32_t>) {
  throw Error(ExitCode::internal, "levels on this device do not exchange numbers on the host");
}

void BlockSolver::exchange_in_pass(std::size_t, std::span<const double>, std::span<const ExchangeInPass>) {
  throw Error(ExitCode::internal, "levels on this device do not exchange numbers on the host");
}

void BlockSolver::unpack_number(std::size_t, std::uint32_t, double) {
  throw Error(ExitCode::internal, "levels on this device do not exchange numbers on the host");
}

Bytes BlockSolver::say(int) {
  throw Error(ExitCode::internal, "a part of the domain has nothing to tell the others");
}

void BlockSolver::hear(int, std::span<const Bytes>) {
  throw Error(ExitCode::internal, "a part of the domain does not listen to the others");
}

void BlockSolver::take_links(const LinkTable&) {
  throw_input("scheme '" + plan().scheme_name() + "' on this device cannot take other cut links while it runs");
}

}  // namespace fluvia
