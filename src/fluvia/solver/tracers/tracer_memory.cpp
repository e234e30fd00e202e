// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/tracers/tracer_memory.hpp"

#include <cmath>

#include "fluvia/solver/tracers/node_cells.hpp"

namespace fluvia {

std::uint64_t tracer_bytes(const Problem& problem) {
  const Case& c = problem.settings;
  if (c.tracers.empty()) return 0;
  constexpr double point_bytes = 200;  // with room to grow, measured
  const NodeMap& nodes = problem.geometry.nodes;
  // Of levels of refinement each brings what it is in nodes of the finest.
  const double finer = std::exp2(c.finest_level() - problem.geometry.level);
  const double inside = std::pow(finer, nodes.dimension), beside = std::pow(finer, nodes.dimension - 1);
  double points = 0;
  for (const Case::Tracer& tracer : c.tracers) {
    if (tracer.count) points += static_cast<double>(*tracer.count);
    if (tracer.rate && tracer.end) points += *tracer.rate * (*tracer.end - tracer.start);
  }
  if (problem.geometry.level > 0) points = 0;  // they are counted once
  return static_cast<std::uint64_t>(inside * static_cast<double>(nodes.fluid_nodes * sizeof(Real3)) +
                                    beside * static_cast<double>(NodeCells::expected_bytes(nodes)) +
                                    points * point_bytes);
}

}  // namespace fluvia
