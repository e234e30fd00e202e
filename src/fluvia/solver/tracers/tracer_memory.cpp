// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/tracers/tracer_memory.hpp"

#include "fluvia/solver/tracers/node_cells.hpp"

namespace fluvia {

std::uint64_t tracer_bytes(const Problem& problem) {
  const Case& c = problem.settings;
  if (c.tracers.empty()) return 0;
  constexpr double point_bytes = 200;  // with room to grow, measured
  const NodeMap& nodes = problem.geometry.nodes;
  double points = 0;
  for (const Case::Tracer& tracer : c.tracers) {
    if (tracer.count) points += static_cast<double>(*tracer.count);
    if (tracer.rate && tracer.end) points += *tracer.rate * (*tracer.end - tracer.start);
  }
  return nodes.fluid_nodes * sizeof(Real3) + NodeCells::expected_bytes(nodes) +
         static_cast<std::uint64_t>(points * point_bytes);
}

}  // namespace fluvia
