// SPDX-License-Identifier: Apache-2.0
#include "fluvia/run/findings/advice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fluvia/base/text.hpp"
#include "fluvia/case/physics/registered_formats.hpp"
#include "fluvia/run/divergence/remedies.hpp"

namespace fluvia {

namespace {

constexpr double most_steps = 1e15;  // as many as run.steps may be

/// Steps rounded up to two digits.
std::int64_t round_steps(double steps) {
  const double bounded = std::clamp(steps, 1.0, most_steps / 10);
  const double unit = std::pow(10.0, std::max(0.0, std::floor(std::log10(bounded)) - 1));
  return static_cast<std::int64_t>(std::ceil(bounded / unit - 1e-9) * unit);
}

std::string setting(const std::string& key, double value) {
  return key + "=" + format_short(value, 6);
}

std::string setting(const std::string& key, std::int64_t value) {
  return key + "=" + fmt::to_string(value);
}

}  // namespace

std::string as_options(const Advice& advice, bool checkpoint) {
  std::string text = advice.resume && checkpoint ? "--resume" : "";
  for (const std::string& each : advice.settings) text += (text.empty() ? "--set " : " --set ") + each;
  return text;
}

Advice Adviser::longer(double steps, bool steady) const {
  Advice advice;
  advice.text = "run longer";
  advice.resume = true;
  const std::int64_t until = round_steps(std::max(steps, 1.25 * static_cast<double>(end_)));
  // A run whose number of steps the command line gave still has the case's own time in its file.
  if (case_.run.time || case_.given("run.time"))
    advice.settings.push_back(setting("run.time", units_.si_time(static_cast<double>(until))));
  else
    advice.settings.push_back(setting("run.steps", until));
  if (steady && case_.run.steady)
    advice.settings.push_back(setting("run.steady.tolerance", 0.1 * case_.run.steady->tolerance));
  return advice;
}

void Adviser::rescale_steps(double ratio, Advice& advice) const {
  if (case_.run.steps && !case_.given("run.time"))
    advice.settings.push_back(setting("run.steps", round_steps(ratio * static_cast<double>(end_))));
  if (case_.monitors.average_from)
    advice.settings.push_back(setting(
        "monitor.average_from", static_cast<std::int64_t>(ratio * static_cast<double>(*case_.monitors.average_from))));
}

Advice Adviser::finer(double factor) const {
  const double by = std::ceil(std::clamp(factor, 1.25, 8.0) * 4 - 1e-9) / 4;
  const auto& image = case_.geometry.voxels;
  const auto& mask = case_.geometry.mask;
  const int refine = image ? image->refine : mask ? mask->refine : 0;
  // Images know whole nodes along the edge of a cell only.
  const double whole = refine > 0 ? std::ceil(by * refine - 1e-9) / refine : by;
  Advice advice;
  advice.text = fmt::format("use {} times the nodes along each axis", format_short(whole, 3));
  if (refine > 0) {
    if (std::lround(whole * refine) > 64) return advice;
    if (case_.domain.nodes) return advice;  // other nodes would cut a part off the image
    advice.settings.push_back(setting(image ? "geometry.voxels.refine" : "geometry.mask.refine",
                                      static_cast<std::int64_t>(std::lround(whole * refine))));
    if (!units_.si)
      return {advice.text + ", and a viscosity and lengths that many times as large at the same velocities", {}, false};
  } else if (!units_.si) {
    advice.text += fmt::format(": lengths and the viscosity times {} at the same velocities", format_short(whole, 3));
    return advice;
  }
  const auto [key, spacing] = case_.spacing_setting(grid_.spacing / whole);
  advice.settings.push_back(setting(key, spacing));
  if (case_.domain.nodes) {
    std::string nodes;
    for (int axis = 0; axis < case_.domain.dimension; ++axis)
      nodes += fmt::format("{}{}", nodes.empty() ? "" : ",", std::lround(whole * (*case_.domain.nodes)[axis]));
    advice.settings.push_back("domain.nodes=[" + nodes + "]");
  }
  double ratio = whole;
  if (case_.units.tau) ratio = whole * whole;
  if (case_.units.time_step) advice.settings.push_back(setting("units.time_step", units_.time_step / whole));
  rescale_steps(ratio, advice);
  return advice;
}

Advice Adviser::slower(double factor) const {
  const double by = std::ceil(std::clamp(factor, 1.25, 20.0) * 4 - 1e-9) / 4;
  Advice advice;
  if (!units_.si) {
    advice.text =
        fmt::format("divide all velocities and the viscosity by {}: the same Reynolds number, {} times the steps",
                    format_short(by, 3), format_short(by, 3));
    if (case_.physics.has_acceleration()) advice.text += ", and the acceleration by " + format_short(by * by, 4);
    return advice;
  }
  advice.text = fmt::format("take time steps {} times as short", format_short(by, 3));
  advice.settings = with_shorter_steps(case_, units_, by).settings;
  rescale_steps(by, advice);
  return advice;
}

Advice Adviser::nearer_to_rest(double lowest, double highest, double good, bool is_closed) const {
  const double middle = (lowest + highest) / 2, half = (highest - lowest) / 2;
  double worst = std::max(std::abs(lowest), std::abs(highest));
  Advice advice;
  if (half < 0.9 * worst && !is_closed) {
    advice.text = "measure pressures from the middle of those that there are";
    const double reference = units_.si_gauge_pressure(core::sound_speed_squared * middle);
    advice.settings.push_back("units.reference_pressure=" + format_short(reference, 6));
    worst = half;
  }
  if (worst <= good) return advice;
  // Lattice pressures are proportional to the square of the time step; a little more, or the run ends at the limit
  // itself.
  constexpr double margin = 1.05;
  Advice shorter = slower(margin * std::sqrt(worst / good));
  advice.text += (advice.text.empty() ? "" : ", and ") + shorter.text;
  advice.settings.insert(advice.settings.end(), shorter.settings.begin(), shorter.settings.end());
  return advice;
}

Advice Adviser::measure_from(double pressure, const std::string& what) const {
  return {"measure pressures from " + what,
          {"units.reference_pressure=" + format_short(units_.si_gauge_pressure(pressure), 6)},
          false};
}

Advice Adviser::more_rows(std::int64_t step, bool steady) const {
  constexpr std::int64_t rows = 200;
  const std::int64_t every = std::max<std::int64_t>(1, step / rows);
  if (every >= case_.monitors.every) return longer(10 * static_cast<double>(end_), steady);
  return {"write rows more often", {setting("monitor.every", every)}, false};
}

Advice Adviser::more_digits() const {
  Advice advice;
  const std::string format = format_with_more_digits(case_.numerics.format);
  if (format.empty()) return advice;
  advice.text = "store populations with more digits";
  advice.settings.push_back("numerics.format=" + format);
  return advice;
}

}  // namespace fluvia
