// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fluvia/case/physics/rheology.hpp"
#include "fluvia/run/checks/drive.hpp"
#include "fluvia/run/checks/parameters.hpp"
#include "fluvia/run/findings/findings_parts.hpp"
#include "fluvia/run/findings/slip_survey.hpp"

namespace fluvia::findings {

std::optional<Finding> drive(const Material& m) {
  const std::vector<DriveProblem> problems =
      find_drive_problems({m.end.c, m.end.seen.units, m.end.seen.solver.geometry()});
  if (problems.empty()) return {};
  const bool fatal = std::any_of(problems.begin(), problems.end(), [](const DriveProblem& p) { return p.fatal; });
  Finding f{"drive", fatal ? Judgement::bad : Judgement::doubtful, static_cast<double>(problems.size()), 0.0,
            "problems"};
  f.found = f.brief = problems.front().text;
  f.advice = problems.front().advice;
  return f;
}

std::optional<Finding> parameters(const Material& m) {
  const std::vector<UnusualParameter> found =
      find_unusual_parameters({m.end.c, m.end.seen.units, m.end.seen.solver.geometry()});
  if (found.empty()) return {};
  const auto rank = [](const UnusualParameter& p) { return std::pair(p.is_bad, std::abs(p.flow_error)); };
  const auto worst =
      std::max_element(found.begin(), found.end(), [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
  Finding f{"parameters", worst->is_bad ? Judgement::bad : Judgement::doubtful, 100 * std::abs(worst->flow_error), 2.0,
            "%"};
  f.found = f.brief = worst->text;
  f.advice.text = "take the usual value";
  f.advice.settings = {worst->setting};
  return f;
}

std::optional<Finding> half_way_walls(const Material& m) {
  const auto error = half_way_error(m.end.seen.solver.geometry());
  if (!error) return {};
  constexpr double good = 2, bad = 10;
  const double percent = 100 * std::abs(error->flow);
  Finding f{"half-way walls", judge(percent, good, bad), percent, good, "%"};
  f.found = fmt::format(
      "make a flow between them about {}% too {} (good: {}%): they are half-way along links, not where "
      "the case has them",
      n(percent), error->flow > 0 ? "large" : "small", n(good));
  if (f.judgement == Judgement::good) return f;
  f.brief = error->text;
  f.advice = {"let walls be where they are", {"walls.method=auto"}, false};
  return f;
}

std::optional<Finding> slip(const Material& m) {
  const RunEnd& end = m.end;
  const double mean = norm(end.totals.momentum) / fluid_mass(end);
  const auto error = survey_slip(end.c, end.seen.units, end.seen.solver, mean);
  if (!error) return {};
  constexpr double good = 0.5, bad = 5;
  const double percent = 100 * error->flow;
  Finding f{"slip", judge(percent, good, bad), percent, good, "%"};
  f.found = fmt::format("the pressure gradient along '{}' makes a flow beside it about {}% too small (good: {}%)",
                        error->surface, n(percent), n(good));
  if (f.judgement == Judgement::good) return f;
  f.brief = f.found;
  f.advice = m.adviser.finer(percent / good);
  return f;
}

std::optional<Finding> viscosity_bounds(const Material& m) {
  const LocalViscosity& viscosity = m.end.seen.solver.plan().flow().viscosity;
  if (!viscosity.varies() || !facts_of_viscosity(viscosity.model).of_fluid) return {};
  constexpr double good = 1, bad = 50;
  const double share = 100 * m.seen.survey.clipped;
  Finding f{"viscosity bounds", judge(share, good, bad), share, good, "%"};
  f.found = fmt::format("{}% of the fluid would have a viscosity beyond its bounds, and has the bound (good: {}%)",
                        n(share), n(good));
  if (f.judgement != Judgement::good)
    f.advice.text = fmt::format(
        "'{}' is not the fluid that flows there: choose bounds that its shear rates do not "
        "reach (physics.rheology.least_viscosity, most_viscosity), and the time step for them",
        viscosity.model);
  return f;
}

}  // namespace fluvia::findings
