// SPDX-License-Identifier: Apache-2.0
// A case whose domain is in parts in this process, as ranks would have them.
#pragma once
#include <omp.h>

#include <exception>
#include <memory>
#include <utility>
#include <vector>

#include "fluvia/backend/backend.hpp"
#include "fluvia/domain/domain_solver.hpp"
#include "fluvia/units/units.hpp"
#include "support/thread_communicator.hpp"

namespace fluvia::test {

/// Parts as ranks make them: all but the first hold their part of the geometry only.
inline std::unique_ptr<Solver> in_parts(const Case& c, int parts) {
  const Grid grid = make_grid(c);
  const Units units = make_units(c, grid.spacing);
  const Geometry geometry = build_geometry(c, grid);
  std::vector<std::unique_ptr<BlockSolver>> solvers(static_cast<std::size_t>(parts));
  const auto errors = ThreadCommunicator(parts).work([&](Communicator& communicator) {
    omp_set_num_threads(1);
    solvers[static_cast<std::size_t>(communicator.number())] =
        make_block_solver({c, units, geometry, communicator}, communicator.number(), communicator.count());
  });
  for (const auto& error : errors)
    if (error) std::rethrow_exception(error);
  return std::make_unique<domain::DomainSolver>(std::make_unique<domain::LocalGroup>(std::move(solvers)));
}

}  // namespace fluvia::test
