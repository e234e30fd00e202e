// SPDX-License-Identifier: Apache-2.0
#include "fluvia/run/planning.hpp"

#include "fluvia/backend/backend.hpp"
#include "fluvia/backend/levels.hpp"
#include "fluvia/solver/links/cut_links.hpp"
#include "fluvia/solver/plan/passes.hpp"

namespace fluvia {

Planned plan_together(const Problem& problem, const Trial& trial) {
  const NodeMap& nodes = problem.geometry.nodes;
  Planned planned;
  planned.plan = plan_case(problem, trial);
  const Plan& plan = planned.plan;
  planned.boundaries = make_boundary_setup(problem, plan.flow().lattice->name, nodes.share_of(problem.communicator));
  if (!plan.levels.empty() && plan.domain.side_by_side() > 1) {
    planned.levels = partitions_of_levels(problem, plan);
    planned.partition = joined_partition(planned.levels);
  } else if (plan.domain.side_by_side() > 1) {
    planned.partition =
        partition_facts(nodes, plan.flow().lattice->velocities, domain_cuts(nodes, plan.domain), plan.steps_per_pass,
                        numbers_of_node(*plan.scheme, plan.flow().lattice->name), problem.communicator);
  }
  return planned;
}

}  // namespace fluvia
