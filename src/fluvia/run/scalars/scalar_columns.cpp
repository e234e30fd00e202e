// SPDX-License-Identifier: Apache-2.0
#include "fluvia/run/scalars/scalar_columns.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fluvia/core/scalar/conditions.hpp"
#include "fluvia/solver/scalars/flow_scalars.hpp"
#include "fluvia/solver/scalars/scalar_links.hpp"

namespace fluvia {

namespace {

using Kind = MonitorSignal::Kind;

/// The unit of a scalar times another one.
std::string times(const std::string& unit, const char* other) {
  return unit == "1" ? other : unit + " " + other;
}

}  // namespace

double reference_difference(const Case& c, const Case::Scalar& scalar) {
  if (scalar.reference_difference) return *scalar.reference_difference;
  double least = std::numeric_limits<double>::infinity(), most = -least;
  for (const Case::Boundary& b : c.boundaries) {
    const auto found = b.scalars.find(scalar.name);
    if (found == b.scalars.end()) continue;
    for (const std::optional<double>& held : {found->second.value, found->second.ambient})
      if (held) {
        least = std::min(least, *held);
        most = std::max(most, *held);
      }
  }
  return most > least ? most - least : 0;
}

std::vector<MonitorColumn> scalar_columns(const Case& c, const Solver& solver, const Units& units) {
  std::vector<MonitorColumn> columns;
  const Geometry& geometry = solver.geometry();
  const int dimension = geometry.nodes.dimension;
  const Problem problem{c, units, geometry};
  const double volume_per_time = std::pow(units.spacing, dimension) / units.time_step;
  for (std::size_t k = 0; k < c.scalars.size(); ++k) {
    const ScalarMethod& method = solver.plan().scalars[k];
    const Case::Scalar& scalar = c.scalars[k];
    const std::string unit = method.unit == "1" ? "-" : method.unit;
    const Shared<ScalarSummary> summary([k](FlowSample& flow) { return flow.solver.scalars()->summary(k); });
    columns.push_back({"mean_" + method.name, unit, [summary](FlowSample& flow) { return summary.of(flow).mean; },
                       MonitorSignal{Kind::scalar, method.name}});
    columns.push_back({"min_" + method.name, unit, [summary](FlowSample& flow) { return summary.of(flow).least; }});
    columns.push_back({"max_" + method.name, unit, [summary](FlowSample& flow) { return summary.of(flow).most; }});
    const std::vector<ScalarAtSurface> surfaces = scalar_surfaces(problem, method);
    const double difference = reference_difference(c, scalar);
    for (std::size_t s = 0; s < surfaces.size(); ++s) {
      const auto surface = static_cast<int>(s);
      const bool passes = surfaces[s].prescribes || surfaces[s].rule != core::scalar_rule_of<core::ScalarFlux>;
      if (!passes || solver.scalars()->through(k, surface).area == 0) continue;
      const std::string name = method.name + "_" + geometry.surfaces[s];
      const Shared<ScalarPassage> passage(
          [k, surface](FlowSample& flow) { return flow.solver.scalars()->through(k, surface); });
      columns.push_back(
          {"flux_" + name, times(method.unit, dimension == 2 ? "m2/s" : "m3/s"),
           [passage, volume_per_time](FlowSample& flow) { return volume_per_time * passage.of(flow).rate; },
           MonitorSignal{Kind::scalar_flux, name}});
      const auto opening = std::find_if(geometry.openings.begin(), geometry.openings.end(),
                                        [&](const Opening& each) { return each.surface == surface; });
      if (opening != geometry.openings.end()) {
        const auto at = static_cast<std::size_t>(opening - geometry.openings.begin());
        // What passes lies above the reference.
        columns.push_back({"bulk_" + name, unit,
                           [passage, at, reference = method.reference](FlowSample& flow) {
                             const double rate = flow.flows[at].flow_rate;
                             return rate != 0 ? reference + passage.of(flow).rate / rate
                                              : std::numeric_limits<double>::quiet_NaN();
                           },
                           MonitorSignal{Kind::scalar, name}});
        continue;
      }
      if (!scalar.reference_length || difference == 0) continue;
      const double scale = units.length(*scalar.reference_length) / (method.diffusivity * difference);
      columns.push_back(
          {"nusselt_" + name, "-",
           [passage, scale](FlowSample& flow) { return scale * passage.of(flow).rate / passage.of(flow).area; },
           MonitorSignal{Kind::nusselt, name}});
    }
  }
  return columns;
}

}  // namespace fluvia
