// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "fluvia/geometry/problem.hpp"

namespace fluvia {

/// Checks before anything is computed that need files or the geometry: names, places of output and
/// probes, time series, bodies that lie outside of the box, initial fields. Returns warnings, complete sentences.
/// Throws Error(input). Members of a communicator call it alike, and look at their shares of the nodes.
std::vector<std::string> check_before_run(const Problem& problem);

/// The node of a probe, canonical index. Throws Error(input) if it is not in the fluid.
std::int64_t probe_node(const Case::Monitors::Probe& probe, const Grid& grid, const Units& units, const NodeMap& nodes,
                        Int3& position);

}  // namespace fluvia
