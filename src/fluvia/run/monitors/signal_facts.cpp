// SPDX-License-Identifier: Apache-2.0
#include "fluvia/run/monitors/signal_facts.hpp"

#include "fluvia/base/error.hpp"

namespace fluvia {

namespace {

using Kind = MonitorSignal::Kind;
using Beside = SignalFacts::Beside;
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

constexpr bool rounds = true, is_judged = true;
constexpr SignalFacts signal_table[] = {
    {Kind::force, Kind::force, Beside::subject, Results::forces, is_judged, small::speed_squared, in_unit::force,
     rounds},
    {Kind::force_part, Kind::force_part, Beside::subject, Results::none, !is_judged, small::speed_squared,
     in_unit::force, rounds},
    {Kind::torque, Kind::torque, Beside::subject, Results::forces, is_judged, small::speed_squared, in_unit::torque,
     rounds},
    {Kind::coefficient, Kind::coefficient, Beside::subject, Results::forces, is_judged, small::thousandth,
     in_unit::without_unit, !rounds},
    {Kind::drag, Kind::coefficient, Beside::subject, Results::forces, is_judged, small::thousandth,
     in_unit::without_unit, !rounds},
    {Kind::lift, Kind::coefficient, Beside::subject, Results::forces, is_judged, small::thousandth,
     in_unit::without_unit, !rounds},
    {Kind::torque_coefficient, Kind::torque_coefficient, Beside::subject, Results::forces, is_judged, small::thousandth,
     in_unit::without_unit, !rounds},
    {Kind::flow_rate, Kind::flow_rate, Beside::all, Results::openings, is_judged, small::speed_itself,
     in_unit::flow_rate, !rounds},
    {Kind::plane_flow, Kind::plane_flow, Beside::all, Results::points, is_judged, small::speed_itself,
     in_unit::flow_rate, !rounds},
    {Kind::pressure, Kind::pressure, Beside::all, Results::openings, is_judged, small::dynamic_pressure,
     in_unit::pressure, rounds},
    {Kind::permeability, Kind::permeability, Beside::subject, Results::permeability, is_judged, small::nothing,
     in_unit::permeability, !rounds},
    {Kind::velocity, Kind::velocity, Beside::all, Results::points, is_judged, small::hundredth_of_speed,
     in_unit::velocity, rounds},
};

}  // namespace

const SignalFacts& facts_of(MonitorSignal::Kind kind) {
  for (const SignalFacts& facts : signal_table)
    if (facts.kind == kind) return facts;
  throw Error(ExitCode::internal, "a kind of signal has no row in signal_facts.cpp");
}

}  // namespace fluvia
