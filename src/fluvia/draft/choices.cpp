// SPDX-License-Identifier: Apache-2.0
#include "fluvia/draft/choices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "fluvia/base/error.hpp"
#include "fluvia/base/text.hpp"

namespace fluvia {

namespace {
// Properties at 20 degrees C; those of blood at 37, at high shear rates.
const std::array<draft::Medium, 3> media = {
    draft::Medium{"water", 998.0, 1.0e-6}, {"blood", 1060.0, 3.3e-6}, {"air", 1.2, 1.5e-5}};
}  // namespace

std::vector<std::string> draft_fluids() {
  std::vector<std::string> names;
  for (const draft::Medium& medium : media) names.push_back(medium.name);
  return names;
}

namespace draft {

namespace {
constexpr double slowest_tau = 0.9;

std::string scaled(double value, const std::array<std::pair<double, const char*>, 4>& units) {
  for (const auto& [unit, name] : units)
    if (value >= unit) return fmt::format("{} {}", format_short(value / unit, 3), name);
  return fmt::format("{} {}", format_short(value / units.back().first, 3), units.back().second);
}
}  // namespace

Medium medium_of(const DraftRequest& request, const std::string& usual) {
  const std::string& wanted = request.fluid.empty() ? usual : request.fluid;
  const auto found = std::find_if(media.begin(), media.end(), [&](const Medium& m) { return m.name == wanted; });
  if (found == media.end())
    throw Error(ExitCode::usage, "--fluid: '" + shorten(wanted) + "' is not one of " + join(draft_fluids()) +
                                     "; take one and change units.density and units.viscosity in the case");
  return *found;
}

TimeStep choose_time_step(double reference, double peak, double spacing, double viscosity, double sound) {
  TimeStep step;
  const double resting = viscosity / (reference * spacing);  // lattice viscosity at a lattice velocity of 1
  const double slow = (slowest_tau - 0.5) / 3 / resting;
  const double loud = sound > 0 ? reference / (std::sqrt(3.0) * sound) : slow;
  step.lattice_velocity = rounded_down(std::min({fastest * reference / peak, slow, loud}), 3);
  step.tau = 0.5 + 3 * resting * step.lattice_velocity;
  step.seconds = step.lattice_velocity * spacing / reference;
  step.largest = step.lattice_velocity * peak / reference;
  step.node_reynolds = peak * spacing / viscosity;
  step.eddies = step.node_reynolds > modelled;
  return step;
}

TimeStep coarsest_step(const TimeStep& of_finest, int levels) {
  TimeStep step = of_finest;
  step.tau = 0.5 + std::ldexp(step.tau - 0.5, -levels);
  step.seconds = std::ldexp(step.seconds, levels);
  return step;
}

void write_units(CaseText& text, const Medium& medium, double spacing, const std::string& spacing_why, double velocity,
                 const std::string& velocity_why, double length, const std::string& length_why, const TimeStep& step,
                 double viscosity, bool finest) {
  text.section("[units]").key("system", "si");
  text.key(finest ? "finest_spacing" : "spacing", spacing, spacing_why);
  text.key("density", medium.density, medium.name);
  const bool replaced = viscosity != medium.viscosity;
  text.key("viscosity", viscosity, replaced ? "kinematic, m2/s: not that of the fluid, see above" : "kinematic, m2/s");
  if (replaced)
    text.key("physical_viscosity", medium.viscosity,
             fmt::format("of {}: Re = {}, with which results are compared", medium.name,
                         show_count(velocity * length / medium.viscosity)));
  text.key("reference_velocity", velocity, velocity_why);
  text.key("reference_length", length, length_why + ": Re = " + format_short(velocity * length / viscosity, 3));
  text.key("lattice_velocity", step.lattice_velocity,
           fmt::format("a step is {} s, tau {}, the largest Mach number about {}", format_short(step.seconds, 3),
                       format_short(step.tau, 4), format_short(std::sqrt(3.0) * step.largest, 2)));
}

std::string show_length(double metres) {
  return scaled(metres, {{{1, "m"}, {1e-2, "cm"}, {1e-3, "mm"}, {1e-6, "um"}}});
}

std::string show_speed(double speed) {
  return speed >= 0.1 ? fmt::format("{} m/s", format_short(speed, 3))
                      : scaled(speed, {{{1e-2, "cm/s"}, {1e-3, "mm/s"}, {1e-6, "um/s"}, {1e-9, "nm/s"}}});
}

std::string show_flow(double flow_rate) {
  constexpr double minute = 60;
  return scaled(flow_rate,
                {{{1e-1, "m3/s"}, {1e-3 / minute, "l/min"}, {1e-6 / minute, "ml/min"}, {1e-9 / minute, "ul/min"}}});
}

std::string show_memory(double bytes) {
  const double mebibytes = bytes / 1048576;
  return mebibytes < 1000 ? fmt::format("{:.0f} MiB", std::ceil(mebibytes))
                          : fmt::format("{:.1f} GiB", mebibytes / 1024);
}

std::string show_count(double count) {
  return format_count(rounded(count, 3));
}

std::string show_point(const Real3& point, double length) {
  const auto shown = [&](double x) { return rounded_coordinate(x, length); };
  return fmt::format("({}, {}, {})", shown(point[0]), shown(point[1]), shown(point[2]));
}

}  // namespace draft

}  // namespace fluvia
