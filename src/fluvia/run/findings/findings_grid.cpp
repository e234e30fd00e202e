// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "fluvia/run/findings/findings_parts.hpp"

namespace fluvia::findings {

namespace {

constexpr const char* question = "grid error";
constexpr double good_percent = 2, bad_percent = 10;
constexpr const char* pressure_name = "pressure";
constexpr const char* shear_name = "wall_shear_stress_mean";

/// Whether a quantity is the value of a single node, which edges of walls may make as large as one likes: it is
/// printed, and not judged.
bool is_extreme(const Quantity& q) {
  return q.name == "max_velocity" || q.name == "wall_shear_stress_max";
}

/// Kind of a quantity: one that is small beside others of its kind does not matter, as a lift beside a drag, or the
/// pressure of an outlet at rest.
std::string kind_of(const Quantity& q) {
  return q.name.substr(0, q.name.find('_')) + " " + q.unit;
}

/// Whether a quantity is a pressure, not a difference of two.
bool is_pressure(const Quantity& q) {
  return (q.name.starts_with("pressure_") && q.name != "pressure_drop") || q.name.ends_with("_pressure");
}

Finding blank() {
  return {question, Judgement::good, {}, good_percent, "%"};
}

}  // namespace

std::optional<Finding> grid_error(const Material&) {
  Finding finding = blank();
  finding.judgement = Judgement::unknown;
  finding.found = "unknown: the run has seen one grid only";
  finding.advice.text = "run it on other grids, too: --refine-check";
  return finding;
}

Finding judge_grid_error(const std::vector<Quantity>& results, std::size_t grids, const std::string& problem,
                         const Adviser& adviser, double reference_pressure) {
  Finding finding = blank();
  std::map<std::string, double> scales;
  for (const Quantity& q : results) {
    double& scale = scales[kind_of(q)];
    scale = std::max({scale, std::abs(q.value - (is_pressure(q) ? reference_pressure : 0)), q.size});
    // Where moving walls alone drive a flow, pressures are about zero, and shear says which would matter.
    if (q.name == shear_name) {
      double& of_pressures = scales[pressure_name + (" " + q.unit)];
      of_pressures = std::max(of_pressures, std::abs(q.value));
    }
  }
  const Quantity* worst = nullptr;
  double most = -1;
  for (const Quantity& q : results) {
    if (is_extreme(q) || !q.grid_error || !(scales[kind_of(q)] > 0)) continue;
    const double percent = 100 * *q.grid_error / scales[kind_of(q)];
    if (!(percent > most)) continue;
    worst = &q;
    most = percent;
  }
  if (worst == nullptr) {
    finding.judgement = Judgement::unknown;
    finding.found = "unknown: " + (problem.empty() ? "there are no results to compare" : problem);
    finding.advice.text = "run the case on a finer grid and compare";
    return finding;
  }
  finding.value = most;
  finding.judgement = judge(most, good_percent, bad_percent);
  finding.found =
      fmt::format("{}% or less ({}), from {} grids (good: {}%)", n(most), worst->name, grids, n(good_percent));
  if (!problem.empty() && grids < 3) finding.found += "; " + problem;
  if (finding.judgement == Judgement::good) return finding;
  // Errors are mostly of second order. The advice is at least a step that shows.
  finding.advice = adviser.finer(std::sqrt(most / good_percent));
  finding.brief = fmt::format("the grid leaves {} open by {}%", worst->name, n(most));
  return finding;
}

void replace_grid_error(std::vector<Finding>& findings, Finding finding) {
  for (Finding& each : findings)
    if (each.question == question) each = std::move(finding);
}

}  // namespace fluvia::findings
