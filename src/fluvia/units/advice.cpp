// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fluvia/base/text.hpp"
#include "fluvia/units/node_reynolds.hpp"
#include "fluvia/units/units.hpp"

namespace fluvia {
namespace {

constexpr double fast = 0.1;  ///< lattice speed; Mach 0.17
/// Least distance of tau from 1/2: at the speed above, U dx / nu = 30. BGK and TRT blow up from 20 to 160 on
/// (docs/stability.md).
constexpr double smallest_gap = 0.01;
constexpr double out_of_reach = 0.1;  ///< fraction of what tau - 1/2 should be: beyond a refinement by ten
constexpr double largest_tau = 1.5;
constexpr double fewest_nodes = 10;  ///< along the reference length

std::string n(double value) {
  return format_short(value, 3);
}

UnitsAdvice too_fast(const Units& u, const Units& coarsest) {
  const double factor = fast / u.reference_velocity;
  std::string text =
      fmt::format("Mach {} (lattice speed {}) is above 0.17: compressibility errors grow with its square; ",
                  n(u.mach()), n(u.reference_velocity));
  if (u.si) {
    text += fmt::format("set units.time_step = {} (lattice speed {}; tau becomes {})", n(coarsest.time_step * factor),
                        n(fast), n(0.5 + (u.tau - 0.5) * factor));
  } else {
    text += fmt::format("multiply all velocities and the viscosity by {} (Reynolds number unchanged)", n(factor));
  }
  return {text};
}

/// "; this spacing resolves Re up to N, not R", or nothing if the case has no Reynolds number or one that is resolved:
/// then tau is small only since the flow is slow on the lattice.
std::string resolved_beside(const Units& u) {
  const double most = resolved_reynolds(u.reference_length);
  if (!(u.reynolds() > most)) return "";
  return fmt::format("; this spacing resolves Re up to {}, not {}", n(most), n(u.reynolds()));
}

/// What a model of eddies gives where no grid would do, and what it does not.
UnitsAdvice modelled(const Units& u) {
  constexpr double fastest = 2;  // the fastest place over the reference velocity: of a round pipe over its mean
  // A vessel may be faster where it is narrow than at the opening whose velocity the case refers to.
  const double most = good_node_reynolds * u.viscosity / u.reference_velocity;
  if (u.reynolds() > 0 && fastest <= most)
    return {
        fmt::format("tau = {} is within {} of 1/2 since the flow is slow on the lattice: where it is at most {} times "
                    "as fast as units.reference_velocity, this spacing resolves it without physics.smagorinsky, "
                    "which makes the fluid more viscous than it is; if it is faster nowhere, remove it",
                    format_short(u.tau, 5), n(smallest_gap), n(most))};
  return {
      fmt::format("tau = {} is within {} of 1/2: eddies that the grid does not resolve are left to the Smagorinsky "
                  "model, and walls "
                  "have too little friction unless their type is \"wall_function\"{}",
                  format_short(u.tau, 5), n(smallest_gap), resolved_beside(u))};
}

UnitsAdvice too_little_viscosity(const Units& u, const Units& coarsest, const FinestLevel& finest) {
  const double gap = u.tau - 0.5, factor = gap / smallest_gap;
  if (factor * std::max(1.0, fast / std::max(u.reference_velocity, 1e-300)) < out_of_reach && u.reynolds() > 0)
    return {
        fmt::format("tau = {} is within {} of 1/2, and no refinement within reach changes that{}; numerics.collision = "
                    "\"auto\" with "
                    "physics.smagorinsky = 0.1 computes the large eddies, without a wall model; a larger "
                    "units.viscosity makes it another flow, that the grid resolves: then keep the fluid's own as "
                    "units.physical_viscosity, so that results are not taken for those of the real one",
                    format_short(u.tau, 5), n(smallest_gap), resolved_beside(u))};
  std::string text = fmt::format(
      "tau = {} is within {} of 1/2: bgk and trt may become unstable, others leave shear layers unresolved; ",
      format_short(u.tau, 5), n(smallest_gap));
  const bool may_speed_up = u.reference_velocity > 0 && u.reference_velocity < fast;
  if (may_speed_up && u.reference_velocity / factor <= fast) {
    const double speed = u.reference_velocity / factor;
    text += u.si
                ? fmt::format("set units.time_step = {} (lattice speed {}), ", n(coarsest.time_step / factor), n(speed))
                : fmt::format("raise all velocities to a lattice speed of {} and the viscosity with them, ", n(speed));
  } else {
    text += u.si ? fmt::format("refine {} to {} at the same lattice speed, ", finest.key(),
                               n((finest.is_given ? u : coarsest).spacing * factor))
                 : fmt::format("use {} times the nodes and viscosity at the same velocities, ", n(1 / factor));
  }
  text += "or use numerics.collision = \"auto\"";
  // Slower than that the grid resolves the flow, and a model would only make the fluid more viscous.
  const bool resolves = u.reference_velocity > 0 && u.reference_velocity <= good_node_reynolds * u.viscosity;
  return {resolves ? text : text + " with physics.smagorinsky = 0.1"};
}

UnitsAdvice too_much_viscosity(const Units& u, const Units& coarsest) {
  const double factor = 0.5 / (u.tau - 0.5);  // brings tau to 1
  std::string text =
      fmt::format("tau = {} is above {}: walls and slow flows become inaccurate; ", n(u.tau), n(largest_tau));
  if (u.si) return {text + fmt::format("set units.time_step = {} for tau = 1", n(coarsest.time_step * factor))};
  return {text + fmt::format("multiply the viscosity and all velocities by {} for tau = 1", n(factor))};
}

UnitsAdvice too_coarse(const Units& u, const Units& coarsest, const FinestLevel& finest) {
  const double factor = u.reference_length / fewest_nodes;
  std::string text =
      fmt::format("only {} nodes along the reference length: walls are under-resolved; ", n(u.reference_length));
  if (u.si)
    return {text + fmt::format("set {} = {} or less for {} nodes", finest.key(),
                               n((finest.is_given ? u : coarsest).spacing * factor), n(fewest_nodes))};
  return {text + fmt::format("use at least {} times the nodes", n(1 / factor))};
}

}  // namespace

std::vector<UnitsAdvice> advise(const Units& coarsest, double smagorinsky, const FinestLevel& finest) {
  const Units u = finest.level == 0 ? coarsest : coarsest.of_level(finest.level);
  std::vector<UnitsAdvice> advice;
  constexpr double rounding = 1 + 1e-9;  // rounding of conversions: a lattice speed of exactly 0.1 is fine
  if (u.reference_velocity > fast * rounding) advice.push_back(too_fast(u, coarsest));
  if ((u.tau - 0.5) * rounding < smallest_gap)
    advice.push_back(smagorinsky > 0 ? modelled(u) : too_little_viscosity(u, coarsest, finest));
  if (u.tau > largest_tau * rounding) advice.push_back(too_much_viscosity(u, coarsest));
  if (u.reference_length > 0 && u.reference_length * rounding < fewest_nodes)
    advice.push_back(too_coarse(u, coarsest, finest));
  if (finest.level > 0)
    for (UnitsAdvice& each : advice)
      each.message = fmt::format("on level {}, the finest: {}", finest.level, each.message);
  return advice;
}

std::string format_units(const Units& u, const Case& c) {
  std::string table;
  const auto row = [&](const std::string& name, const std::string& value, const std::string& note) {
    table += fmt::format("  {:<22}{:>14}  {}\n", name, value, note);
  };
  const auto number = [](double value) { return format_short(value, 6); };
  const bool speed = u.reference_velocity > 0, length = u.reference_length > 0;
  row("relaxation time tau", number(u.tau), "omega = " + number(u.omega()));
  row("lattice viscosity", number(u.viscosity), c.units.viscosity && u.si ? number(*c.units.viscosity) + " m2/s" : "");
  if (u.si) {
    row("node spacing dx", number(u.spacing), "m");
    row("time step dt", number(u.time_step), "s");
    row("density", number(u.density), "kg/m3");
  }
  row("lattice velocity", speed ? number(u.reference_velocity) : "-",
      !speed ? "give units.reference_velocity for Mach and Re"
      : u.si ? number(u.si_velocity(u.reference_velocity)) + " m/s"
             : "");
  row("reference length", length ? number(u.reference_length) : "-",
      !length ? "give units.reference_length for Re"
      : u.si  ? "nodes; " + number(u.si_length(u.reference_length)) + " m"
              : "nodes");
  if (u.reference_pressure != 0)
    row("reference pressure", number(u.reference_pressure),
        std::string(u.si ? "Pa" : "lattice") + "; the density at rest stands for it");
  row("Mach number Ma", speed ? number(u.mach()) : "-", "");
  row("Reynolds number Re", speed && length ? number(u.reynolds()) : "-",
      u.physical_viscosity > 0 && speed && length
          ? "of what is computed; of the real fluid " + format_count(u.physical_reynolds())
          : "");
  return table;
}

}  // namespace fluvia
