// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>

#include "fluvia/backend/trial.hpp"
#include "fluvia/geometry/problem.hpp"
#include "fluvia/solver/blocks/block.hpp"
#include "fluvia/solver/links/boundary_setup.hpp"
#include "fluvia/solver/solver.hpp"

namespace fluvia {

/// What `fluvia plan` finds out about a case that was voxelised.
struct Planned {
  Plan plan;
  BoundarySetup boundaries;                 ///< without links of surfaces that are measured only
  std::optional<PartitionFacts> partition;  ///< of a domain in parts
};

/// The problem's geometry has the nodes that the scheme stores. All members of a communicator call it within
/// together(). Throws Error(input) and Error(resource) as a run would. `trial` as for plan_case().
Planned plan_together(const Problem& problem, const Trial& trial = {});

}  // namespace fluvia
