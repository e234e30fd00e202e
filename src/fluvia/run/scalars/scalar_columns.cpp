// SPDX-License-Identifier: Apache-2.0
#include "fluvia/run/scalars/scalar_columns.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fluvia/geometry/map/link_search.hpp"
#include "fluvia/solver/blocks/tile_runs.hpp"

namespace fluvia {

namespace {

using Kind = MonitorSignal::Kind;

/// The unit of a scalar times another one.
std::string times(const std::string& unit, const char* other) {
  return unit == "1" ? other : unit + " " + other;
}

struct Bounds {
  double least, most;
};
/// Between the values that surfaces hold all the time.
Bounds held_values(const Case& c, const Case::Scalar& scalar) {
  double least = std::numeric_limits<double>::infinity(), most = -least;
  for (const Case::Boundary& b : c.boundaries) {
    const auto found = b.scalars.find(scalar.name);
    if (found == b.scalars.end()) continue;
    for (const std::optional<Case::Prescribed>& held : {found->second.value, found->second.ambient})
      if (held && !held->changes()) {
        least = std::min(least, held->number);
        most = std::max(most, held->number);
      }
  }
  return {least, most};
}

/// Nodes of the fluid beside an opening.
struct NodesBeside {
  std::vector<std::uint64_t> tiles;                 ///< with such nodes, ascending
  std::vector<std::vector<std::uint64_t>> of_tile;  ///< canonical indices; of nodes beside two of its faces twice
};
NodesBeside nodes_beside(const Geometry& geometry, int surface) {
  const std::vector<Int3> offsets = axis_offsets(geometry.nodes.dimension);
  NodesBeside nodes;
  LinkSearch search(geometry.nodes, offsets);
  for (std::uint64_t t = 0; t < geometry.nodes.tiles.size(); ++t)
    search.visit_tile(t, [&](const NodeWithCuts& at) {
      at.for_each_cut([&](std::size_t k) {
        if (geometry.surface_of(at.node, offsets[k]) != surface) return;
        if (nodes.tiles.empty() || nodes.tiles.back() != t) {
          nodes.tiles.push_back(t);
          nodes.of_tile.emplace_back();
        }
        nodes.of_tile.back().push_back(static_cast<std::uint64_t>(geometry.nodes.node_index(at.node)));
      });
    });
  return nodes;
}

/// How well mixed a scalar is at some nodes: 1 less its standard deviation over what that would be if it took only the
/// least and the most of what comes in (Danckwerts 1952: 1 - sqrt of the intensity of segregation).
double mixing_at(const Solver& solver, std::size_t scalar, const NodesBeside& nodes, const Bounds& bounds) {
  const NodeMap& map = solver.geometry().nodes;
  const std::size_t scalars = solver.plan().scalars.size();
  double sum = 0, squares = 0, count = 0;
  std::size_t next = 0;
  Moments moments;
  for (const TileRun& run : tile_runs(nodes.tiles)) {
    solver.moments(run.first, run.count, false, moments);
    const std::uint64_t first = map.tiles[run.first].first_node;
    for (; next < nodes.tiles.size() && nodes.tiles[next] < run.first + run.count; ++next)
      for (const std::uint64_t node : nodes.of_tile[next]) {
        const double value = moments.scalars[(node - first) * scalars + scalar],
                     part = (value - bounds.least) / (bounds.most - bounds.least);
        sum += part;
        squares += part * part;
        ++count;
      }
  }
  const double mean = sum / count, apart = mean * (1 - mean);
  if (!(apart > 0)) return std::numeric_limits<double>::quiet_NaN();
  return 1 - std::sqrt(std::max(0.0, squares / count - mean * mean) / apart);
}

}  // namespace

double reference_difference(const Case& c, const Case::Scalar& scalar) {
  if (scalar.reference_difference) return *scalar.reference_difference;
  const Bounds held = held_values(c, scalar);
  return held.most > held.least ? held.most - held.least : 0;
}

std::vector<MonitorColumn> scalar_columns(const Case& c, const Solver& solver, const Units& units) {
  std::vector<MonitorColumn> columns;
  const Geometry& geometry = solver.geometry();
  const int dimension = geometry.nodes.dimension;
  const double volume_per_time = std::pow(units.spacing, dimension) / units.time_step;
  for (std::size_t k = 0; k < c.scalars.size(); ++k) {
    const ScalarMethod& method = solver.plan().scalars[k];
    const Case::Scalar& scalar = c.scalars[k];
    const std::string unit = method.unit == "1" ? "-" : method.unit;
    const Shared<ScalarSummary> summary([k](FlowSample& flow) { return flow.solver.scalar_summary(k); });
    columns.push_back({"mean_" + method.name, unit, [summary](FlowSample& flow) { return summary.of(flow).mean; },
                       MonitorSignal{Kind::scalar, method.name}});
    columns.push_back({"min_" + method.name, unit, [summary](FlowSample& flow) { return summary.of(flow).least; }});
    columns.push_back({"max_" + method.name, unit, [summary](FlowSample& flow) { return summary.of(flow).most; }});
    for (std::size_t s = 0; s < method.solids.size(); ++s) {
      const Shared<ScalarSummary> of_solid(
          [k, s](FlowSample& flow) { return flow.solver.scalar_summary(k, static_cast<int>(s)); });
      const std::string name = method.name + "_" + method.solids[s].surface;
      columns.push_back({"mean_" + name, unit, [of_solid](FlowSample& flow) { return of_solid.of(flow).mean; },
                         MonitorSignal{Kind::scalar, name}});
      columns.push_back({"min_" + name, unit, [of_solid](FlowSample& flow) { return of_solid.of(flow).least; }});
      columns.push_back({"max_" + name, unit, [of_solid](FlowSample& flow) { return of_solid.of(flow).most; }});
    }
    const double difference = reference_difference(c, scalar);
    for (std::size_t s = 0; s < geometry.surfaces.size(); ++s) {
      const auto surface = static_cast<int>(s);
      const auto through = [k, surface](const Solver& flow) {
        return flow.scalar_passage(k, surface) + flow.scalar_passage(k, surface, true);
      };
      if (through(solver).area == 0) continue;
      const std::string name = method.name + "_" + geometry.surfaces[s];
      const Shared<ScalarPassage> passage([through](FlowSample& flow) { return through(flow.solver); });
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
        const Bounds held = held_values(c, scalar);
        const bool goes_out = std::none_of(c.boundaries.begin(), c.boundaries.end(), [&](const Case::Boundary& b) {
          return b.surface == geometry.surfaces[s] && b.scalars.contains(method.name);
        });
        if (goes_out && held.most > held.least)
          columns.push_back(
              {"mixing_" + name, "-", [k, held, nodes = nodes_beside(geometry, surface)](FlowSample& flow) {
                 return mixing_at(flow.solver, k, nodes, held);
               }});
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
