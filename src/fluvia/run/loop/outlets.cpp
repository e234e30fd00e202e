// SPDX-License-Identifier: Apache-2.0
#include "fluvia/run/loop/outlets.hpp"

#include <algorithm>
#include <cmath>

#include "fluvia/case/physics/registered_physics.hpp"
#include "fluvia/case/reference_pressure.hpp"
#include "fluvia/core/boundary/registry.hpp"
#include "fluvia/solver/links/boundary_setup.hpp"

namespace fluvia {

namespace {
const double sound_speed = std::sqrt(core::sound_speed_squared);

/// Pressure of an outgoing sound wave over the flow rate that it takes along, which is how the flow rate answers at
/// once; lattice units.
double impedance(double area) {
  return sound_speed / area;
}
}  // namespace

Outlets::Outlets(const Case& c, const Units& units, const Solver& solver) {
  const Geometry& geometry = solver.geometry();
  passage_ = geometry.nodes.longest_edge() / sound_speed;
  for (const Case::Boundary& b : c.boundaries) {
    const core::ConditionFacts& facts = facts_of_boundary(b.type);
    if (facts.control == core::Control::none) continue;
    Outlet outlet;
    outlet.control = facts.control;
    for (std::size_t k = 0; k < geometry.openings.size(); ++k) {
      if (geometry.surfaces[geometry.openings[k].surface] != b.surface) continue;
      outlet.opening = static_cast<int>(k);
      outlet.surface = geometry.openings[k].surface;
      outlet.area = geometry.openings[k].area;
    }
    outlet.values = values_in_lattice_units(b, units, geometry.nodes.dimension);
    outlet.pressure = outlet.values[0];
    if (outlet.control == core::Control::windkessel) fill(outlet, units.gauge_pressure(initial_pressure(c)));
    outlets_.push_back(outlet);
  }
}

/// Fills the compliance of an outlet as in a steady flow with this pressure, so that it need not be filled first.
void Outlets::fill(Outlet& outlet, double pressure) {
  using Key = core::WindkesselOpening;
  const double distal = outlet.values[Key::distal_resistance], all = outlet.values[Key::proximal_resistance] + distal;
  if (!(all > 0)) return;
  outlet.stored = (pressure - outlet.values[Key::pressure]) * distal / all;
  outlet.pressure = pressure;
  outlet.mean = (pressure - outlet.values[Key::pressure]) / all;
}

void Outlets::begin(Solver& solver) {
  for (const Outlet& outlet : outlets_) solver.set_boundary_value(outlet.surface, outlet.pressure);
}

/// Behind the outlet p = p_c + R_1 Q, and C dp_c/dt = Q - (p_c - p_behind)/R_2, solved exactly for a constant Q. The
/// flow rate answers to the pressure at once, by the impedance of sound; without its share in the change a large R_1
/// would make it swing.
///
/// Vessels that resist much more than sound does throw it back as a wall would: what a start leaves of it swung the
/// flow for ever, by 7% at (R_1 + R_2) Q = 12 rho c_s^2, and two such outlets side by side drove each other until the
/// flow diverged. So there the vessels follow a running mean of Q, and what Q has beside that meets three times the
/// impedance of sound at most, which lets half of it out each time. The mean is as slow as lets it settle in a passage
/// of sound where the fluid holds p: it changes R/(3 Z) times as fast as its own rate then. For a flow that swings that
/// is a compliance of at most a third of the fluid's own, V/c_s^2, beside the vessels.
void Outlets::follow_windkessel(Outlet& outlet, double outflow) const {
  using Key = core::WindkesselOpening;
  const double proximal = outlet.values[Key::proximal_resistance], distal = outlet.values[Key::distal_resistance],
               compliance = outlet.values[Key::compliance], most = 3 * impedance(outlet.area);
  const auto decay_in = [&](double time) {
    return distal * compliance > 0 ? std::exp(-time / (distal * compliance)) : 0.0;
  };
  const double resistance = proximal + distal * (1 - decay_in(passage_)), decay = decay_in(steps);
  const bool reflects = resistance > most;
  if (reflects)
    outlet.mean += (1 - std::exp(-steps * most / (passage_ * resistance))) * (outflow - outlet.mean);
  else
    outlet.mean = outflow;
  outlet.stored = outlet.stored * decay + distal * outlet.mean * (1 - decay);
  const double wanted =
      outlet.values[Key::pressure] + outlet.stored + proximal * outlet.mean + most * (outflow - outlet.mean);
  const double answer = (reflects ? most : proximal + distal * (1 - decay)) / impedance(outlet.area);
  outlet.pressure += (wanted - outlet.pressure) / (1 + answer);
}

/// Raises the pressure where too much leaves; the mean pressure stays as prescribed.
void Outlets::split_flow(const std::vector<double>& outflow) {
  constexpr double firmness = 0.2;
  double total = 0, shares = 0, mean = 0;
  int count = 0;
  const auto each = [&](auto&& body) {
    for (std::size_t k = 0; k < outlets_.size(); ++k)
      if (outlets_[k].control == core::Control::flow_split) body(outlets_[k], outflow[k]);
  };
  each([&](const Outlet& outlet, double flow) {
    total += flow;
    shares += outlet.values[core::FlowSplitOpening::share];
  });
  if (shares <= 0) return;
  each([&](Outlet& outlet, double flow) {
    const double target = total * outlet.values[core::FlowSplitOpening::share] / shares;
    outlet.pressure += firmness * impedance(outlet.area) * (flow - target);
    mean += outlet.pressure - outlet.values[core::FlowSplitOpening::pressure];
    ++count;
  });
  each([&](Outlet& outlet, double) { outlet.pressure -= mean / count; });
}

void Outlets::advance(Solver& solver) {
  std::vector<double> outflow;
  for (const Outlet& outlet : outlets_) outflow.push_back(-solver.opening_flow(outlet.opening).flow_rate);
  for (std::size_t k = 0; k < outlets_.size(); ++k)
    if (outlets_[k].control == core::Control::windkessel) follow_windkessel(outlets_[k], outflow[k]);
  split_flow(outflow);
  begin(solver);
}

std::vector<double> Outlets::state() const {
  std::vector<double> state;
  for (const Outlet& outlet : outlets_) {
    state.push_back(outlet.stored);
    state.push_back(outlet.pressure);
    state.push_back(outlet.mean);
  }
  return state;
}

void Outlets::restore(const std::vector<double>& state) {
  const std::size_t each = outlets_.empty() ? 0 : state.size() / outlets_.size();
  if (each < 2) return;
  for (std::size_t k = 0; k < outlets_.size(); ++k) {
    Outlet& outlet = outlets_[k];
    outlet.stored = state[each * k];
    outlet.pressure = state[each * k + 1];
    if (each > 2) outlet.mean = state[each * k + 2];
  }
}

}  // namespace fluvia
