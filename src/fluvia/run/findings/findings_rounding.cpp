// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "fluvia/case/physics/registered_formats.hpp"
#include "fluvia/case/physics/registered_physics.hpp"
#include "fluvia/run/findings/findings_parts.hpp"
#include "fluvia/run/findings/stalling.hpp"

namespace fluvia::findings {

std::optional<Finding> rounding(const Material& m) {
  constexpr double good = 0.002, bad = 0.02;
  const Plan& plan = m.end.seen.solver.plan();
  if (!plan.format->rounds || plan.rounding != core::Rounding::nearest) return {};
  const NodeMap& nodes = m.end.seen.solver.geometry().nodes;
  int width = 0;
  for (int axis = 0; axis < nodes.dimension; ++axis)
    if (!nodes.periodic[axis] && (width == 0 || nodes.size[axis] < width)) width = nodes.size[axis];
  if (width == 0) width = *std::min_element(nodes.size.begin(), nodes.size.begin() + nodes.dimension);
  const double missing = missing_by_stalling(plan.format->name, m.end.totals.max_speed, m.end.seen.units.viscosity,
                                             static_cast<double>(width));
  Finding f{"rounding", judge(missing, good, bad), missing, good, "-"};
  f.found =
      fmt::format("{} to the nearest value: up to about {}% of a flow that has settled may be missing (good: {}%)",
                  plan.format->name, n(100 * missing), n(100 * good));
  if (f.judgement != Judgement::good) f.advice = {"round at random", {"numerics.rounding=stochastic"}, true};
  return f;
}

}  // namespace fluvia::findings
