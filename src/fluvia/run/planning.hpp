// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <vector>

#include "fluvia/backend/trial.hpp"
#include "fluvia/geometry/problem.hpp"
#include "fluvia/solver/blocks/block.hpp"
#include "fluvia/solver/links/boundary_setup.hpp"
#include "fluvia/solver/solver.hpp"

namespace fluvia {

/// What `fluvia plan` finds out about a case that was voxelised.
struct Planned {
  Plan plan;
  BoundarySetup boundaries;                 ///< links of surfaces that are only measured are left out
  std::optional<PartitionFacts> partition;  ///< where the domain is in parts; of all levels, joined_partition()
  std::vector<PartitionFacts> levels{};     ///< where levels of refinement are in parts: how each is cut
};

/// Plans with all members of a communicator, which call it within together(). The problem's geometry has the nodes that
/// the scheme stores. Throws Error(input) and Error(resource) as a run would. `trial` as for plan_case().
Planned plan_together(const Problem& problem, const Trial& trial = {});

}  // namespace fluvia
