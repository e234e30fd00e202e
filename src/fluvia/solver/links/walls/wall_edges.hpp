// SPDX-License-Identifier: Apache-2.0
// Edges of walls whose friction is that of a law: no law of a boundary layer holds where a wall turns.
#pragma once
#include <array>
#include <vector>

#include "fluvia/base/vector.hpp"
#include "fluvia/core/boundary/condition.hpp"
#include "fluvia/geometry/geometry.hpp"
#include "fluvia/solver/links/cut_links.hpp"

namespace fluvia {

/// Whether a wall of which `models_friction` turns by 40 degrees or more beside a node: between its own normal and
/// those of walls of this kind at the nodes around it, a node away along each axis. A flow leaves a wall at such an
/// edge, which it does not do where the wall is one along which it slides. `facts`: of the condition of each surface;
/// `velocities`: of the lattice.
bool is_beside_edge(const Geometry& geometry, const std::vector<const core::ConditionFacts*>& facts,
                    const std::vector<Int3>& velocities, const CutLink& link, const std::array<float, 3>& normal);

}  // namespace fluvia
