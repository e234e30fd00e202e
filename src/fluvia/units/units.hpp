// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "fluvia/case/case.hpp"
#include "fluvia/core/key.hpp"
#include "fluvia/core/lattice/isotropy.hpp"

namespace fluvia {

inline constexpr double inverse_cs2 = 1 / core::sound_speed_squared;
/// Grid Reynolds number (largest speed x spacing / viscosity) up to which a flow is resolved without a model of its
/// eddies, and the largest speed beside a body / that of the flow around it. What `fluvia new` and every warning mean
/// by "resolved".
inline constexpr double resolved_node_reynolds = 10, peak_beside_body = 1.8;

/// Conversion between case units (SI or lattice) and lattice units, and the numbers that tell whether a run can work.
struct Units {
  bool si = false;
  double spacing = 1;    ///< case length per lattice length
  double time_step = 1;  ///< case time per step
  double density = 1;    ///< case density per lattice density
  double viscosity = 0;  ///< lattice, kinematic
  /// Relaxation time in steps, tau = 3 viscosity + 1/2; where stresses have two rates, the mean of their times.
  double tau = 1;
  double reference_velocity = 0;  ///< lattice; 0 if the case names none
  double reference_length = 0;    ///< lattice; 0 if the case names none
  /// Viscosity of the real fluid, lattice units, where `viscosity` is another; 0: they are equal.
  double physical_viscosity = 0;
  double reference_pressure = 0;  ///< case units: the gauge pressure that the density at rest stands for

  [[nodiscard]] double omega() const { return 1 / tau; }
  /// The units of a level of refinement: nodes and steps are 2^level times finer, so that lattice velocities and
  /// pressures stay.
  [[nodiscard]] Units of_level(int level) const;
  [[nodiscard]] double mach() const;      ///< sqrt(3) * reference_velocity
  [[nodiscard]] double reynolds() const;  ///< 0 if a reference is missing
  /// Reynolds number of the real fluid: reynolds(), unless the case computes with another viscosity.
  [[nodiscard]] double physical_reynolds() const;

  // From case units to lattice units:
  [[nodiscard]] double length(double x) const { return x / spacing; }
  [[nodiscard]] double velocity(double u) const { return u * time_step / spacing; }
  [[nodiscard]] double acceleration(double a) const { return a * time_step * time_step / spacing; }
  [[nodiscard]] double flow_rate(double q, int dimension) const;  ///< 3D: m3/s; 2D: m2/s
  [[nodiscard]] double pressure(double p) const;                  ///< difference of pressures, or a stress
  /// Lattice pressure cs2 (rho - 1) for a gauge pressure: what lies above the reference pressure.
  [[nodiscard]] double gauge_pressure(double p) const { return pressure(p - reference_pressure); }
  // From lattice units to case units:
  [[nodiscard]] double si_length(double x) const { return x * spacing; }
  [[nodiscard]] double si_time(double t) const { return t * time_step; }
  [[nodiscard]] double si_velocity(double u) const { return u * spacing / time_step; }
  [[nodiscard]] double si_pressure(double p) const;  ///< difference of pressures
  /// Gauge pressure for a lattice pressure cs2 (rho - 1).
  [[nodiscard]] double si_gauge_pressure(double p) const { return si_pressure(p) + reference_pressure; }
  [[nodiscard]] double si_stress(double s) const { return si_pressure(s); }
  [[nodiscard]] double si_rate(double r) const { return r / time_step; }  ///< strain rate, vorticity
  [[nodiscard]] double si_viscosity(double v) const;                      ///< dynamic, from kinematic
  [[nodiscard]] double si_flow_rate(double q, int dimension) const;
  [[nodiscard]] double si_force(double f, int dimension) const;  ///< 3D: N; 2D: N/m
  [[nodiscard]] double si_torque(double t, int dimension) const;
  [[nodiscard]] double si_permeability(double k) const { return k * spacing * spacing; }  ///< m2
};

/// The Reynolds number up to which so many nodes along the reference length resolve a flow.
[[nodiscard]] inline double resolved_reynolds(double nodes) {
  return nodes * resolved_node_reynolds / peak_beside_body;
}

/// Value of a key of the case file in lattice units. `space`: 2 or 3, the dimension of the flow.
double in_lattice_units(double value, core::Dimension dimension, const Units& units, int space);

/// A warning and what to do about it, e.g. "tau = 0.503 is within 0.01 of 1/2: refine the spacing or ...".
struct UnitsAdvice {
  std::string message;
};

/// The finest level of refinement of a case.
struct FinestLevel {
  int level = 0;          ///< 0: there is one level
  bool is_given = false;  ///< whether the case gives its spacing, not that of the coarsest level
  [[nodiscard]] const char* key() const { return is_given ? "units.finest_spacing" : "units.spacing"; }
};

/// Derives the conversion, with cs2 = 1/3 and viscosity = cs2 (tau - 1/2). `spacing`: case length per node (Grid).
/// Throws Error(input) if tau <= 1/2, the case under- or over-determines it, or prescribes what is beyond the limits
/// (limits.hpp).
Units make_units(const Case& c, double spacing);
/// Warnings for Ma > 0.17 (lattice speed 0.1), tau within 0.01 of 1/2 or above 1.5, fewer than 10 nodes along the
/// reference length.
/// `smagorinsky`: physics.smagorinsky, above 0 where eddies are modelled. `finest`: the level of refinement that
/// resolves the flow, of which tau and lengths then are.
std::vector<UnitsAdvice> advise(const Units& coarsest, double smagorinsky = 0, const FinestLevel& finest = {});
/// The table that `fluvia plan` prints, one quantity a line: tau, omega, Mach, Re, dx, dt, viscosity, velocity, length.
std::string format_units(const Units& u, const Case& c);

}  // namespace fluvia
