// SPDX-License-Identifier: Apache-2.0
#include "fluvia/run/monitors/signal_facts.hpp"

#include "fluvia/base/error.hpp"

namespace fluvia {

namespace {

using Kind = MonitorSignal::Kind;
using Balanced = SignalFacts::Balanced;
using Beside = SignalFacts::Beside;
using OfOpening = SignalFacts::OfOpening;
using Results = SignalFacts::Results;

namespace small {
double speed_itself(double speed) {
  return speed;
}
double hundredth_of_speed(double speed) {
  return 0.01 * speed;
}
double speed_squared(double speed) {
  return speed * speed;
}
double dynamic_pressure(double speed) {
  return 0.5 * speed * speed;
}
double thousandth(double) {
  return 1e-3;
}
double nothing(double) {
  return 0;
}

}  // namespace small

namespace in_unit {
double without_unit(const Units&, double x, int) {
  return x;
}
double force(const Units& units, double x, int dimension) {
  return units.si_force(x, dimension);
}
double torque(const Units& units, double x, int dimension) {
  return units.si_torque(x, dimension);
}
double flow_rate(const Units& units, double x, int dimension) {
  return units.si_flow_rate(x, dimension);
}
double pressure(const Units& units, double x, int) {
  return units.si_pressure(x);
}
double velocity(const Units& units, double x, int) {
  return units.si_velocity(x);
}
double permeability(const Units& units, double x, int) {
  return units.si_permeability(x);
}

}  // namespace in_unit

constexpr SignalFacts signal_table[] = {
    {.kind = Kind::force,
     .beside_kind = Kind::force,
     .results = Results::forces,
     .balanced = Balanced::across_plane,
     .small = small::speed_squared,
     .in_case_unit = in_unit::force,
     .rounds = true},
    {.kind = Kind::force_part,
     .beside_kind = Kind::force_part,
     .is_judged = false,
     .small = small::speed_squared,
     .in_case_unit = in_unit::force,
     .rounds = true},
    {.kind = Kind::torque,
     .beside_kind = Kind::torque,
     .results = Results::forces,
     .balanced = Balanced::in_plane,
     .has_lever = true,
     .small = small::speed_squared,
     .in_case_unit = in_unit::torque,
     .rounds = true},
    {.kind = Kind::coefficient,
     .beside_kind = Kind::coefficient,
     .results = Results::forces,
     .balanced = Balanced::across_plane,
     .small = small::thousandth,
     .in_case_unit = in_unit::without_unit},
    {.kind = Kind::drag,
     .beside_kind = Kind::coefficient,
     .results = Results::forces,
     .small = small::thousandth,
     .in_case_unit = in_unit::without_unit},
    {.kind = Kind::lift,
     .beside_kind = Kind::coefficient,
     .results = Results::forces,
     .balanced = Balanced::lift,
     .small = small::thousandth,
     .in_case_unit = in_unit::without_unit},
    {.kind = Kind::torque_coefficient,
     .beside_kind = Kind::torque_coefficient,
     .results = Results::forces,
     .balanced = Balanced::in_plane,
     .small = small::thousandth,
     .in_case_unit = in_unit::without_unit},
    {.kind = Kind::flow_rate,
     .beside_kind = Kind::flow_rate,
     .beside = Beside::all,
     .results = Results::openings,
     .of_opening = OfOpening::flow,
     .small = small::speed_itself,
     .in_case_unit = in_unit::flow_rate},
    {.kind = Kind::plane_flow,
     .beside_kind = Kind::plane_flow,
     .beside = Beside::all,
     .results = Results::points,
     .small = small::speed_itself,
     .in_case_unit = in_unit::flow_rate},
    {.kind = Kind::pressure,
     .beside_kind = Kind::pressure,
     .beside = Beside::all,
     .results = Results::openings,
     .of_opening = OfOpening::pressure,
     .from_reference = true,
     .small = small::dynamic_pressure,
     .in_case_unit = in_unit::pressure,
     .rounds = true},
    {.kind = Kind::permeability,
     .beside_kind = Kind::permeability,
     .results = Results::permeability,
     .is_permeability = true,
     .small = small::nothing,
     .in_case_unit = in_unit::permeability},
    {.kind = Kind::velocity,
     .beside_kind = Kind::velocity,
     .beside = Beside::all,
     .results = Results::points,
     .small = small::hundredth_of_speed,
     .in_case_unit = in_unit::velocity,
     .rounds = true},
    {.kind = Kind::scalar,
     .beside_kind = Kind::scalar,
     .results = Results::scalars,
     .is_judged = false,  // nothing says what is small of a value that may lie about 0; fluxes are judged
     .small = small::nothing,
     .in_case_unit = in_unit::without_unit},
    {.kind = Kind::scalar_flux,
     .beside_kind = Kind::scalar_flux,
     .beside = Beside::all,
     .results = Results::scalars,
     .small = small::nothing,
     .in_case_unit = in_unit::without_unit},
    {.kind = Kind::nusselt,
     .beside_kind = Kind::nusselt,
     .beside = Beside::all,
     .results = Results::scalars,
     .small = small::thousandth,
     .in_case_unit = in_unit::without_unit},
};

}  // namespace

const SignalFacts& facts_of(MonitorSignal::Kind kind) {
  for (const SignalFacts& facts : signal_table)
    if (facts.kind == kind) return facts;
  throw Error(ExitCode::internal, "a kind of signal has no row in signal_facts.cpp");
}

}  // namespace fluvia
