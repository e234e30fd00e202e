// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/base/error.hpp"
#include "fluvia/core/format/registry.hpp"
#include "fluvia/cpu/cpu_solver.hpp"
#include "fluvia/solver/plan/scheme.hpp"

namespace fluvia::cpu {

/// The solver of a plan on CPU threads, of the whole domain or of one block of it, while members of a communicator
/// make the others. Throws Error(resource) when memory does not suffice, Error(input) if the scheme does not run on
/// blocks.
std::unique_ptr<BlockSolver> make_solver(OwningProblem problem, Plan plan, const Block* block = nullptr);

/// The solver of one addressing with the format that the plan names.
template <class Groups>
std::unique_ptr<BlockSolver> make_solver_of(OwningProblem problem, Plan plan, const Block* block) {
  std::unique_ptr<BlockSolver> solver;
  core::for_each_type(core::Formats{}, [&]<class Format>(Format) {
    if (!solver && plan.format->name == Format::name)
      solver = std::make_unique<CpuSolver<Groups, Format>>(std::move(problem), std::move(plan), block);
  });
  if (!solver) throw_input("numerics.format: there is no format '" + plan.format->name + "'");
  return solver;
}

}  // namespace fluvia::cpu
