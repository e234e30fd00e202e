// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "fluvia/geometry/problem.hpp"

namespace fluvia {

/// Bytes that the tracers of a case are expected to take: velocities of nodes, cells beside walls, and as many points
/// as are in the case; of those that come as long as it runs, none.
std::uint64_t tracer_bytes(const Problem& problem);

}  // namespace fluvia
