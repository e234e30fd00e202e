// SPDX-License-Identifier: Apache-2.0
#include "fluvia/run/planning.hpp"

#include "fluvia/backend/backend.hpp"
#include "fluvia/solver/links/cut_links.hpp"
#include "fluvia/solver/plan/passes.hpp"

namespace fluvia {

Planned plan_together(const Case& c, const Units& units, const Geometry& geometry, Communicator& communicator,
                      const Trial& trial) {
  Planned planned;
  planned.plan = plan_case(c, units, geometry, communicator, trial);
  const Plan& plan = planned.plan;
  planned.boundaries =
      make_boundary_setup(c, units, geometry, plan.lattice, geometry.nodes.share_of(communicator), communicator);
  if (plan.parts > 1)
    planned.partition =
        partition_facts(geometry.nodes, lattice_velocities(plan.lattice),
                        cut_tiles(geometry.nodes, plan.parts, plan.border_cost), plan.steps_per_pass, communicator);
  return planned;
}

}  // namespace fluvia
