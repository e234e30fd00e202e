// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/base/error.hpp"
#include "fluvia/core/format/formats.hpp"
#include "fluvia/cpu/cpu_solver.hpp"
#include "fluvia/solver/scheme.hpp"

namespace fluvia::cpu {

/// The solver of a plan on CPU threads. Throws Error(resource) when memory does not suffice.
std::unique_ptr<Solver> make_solver(const Case& c, const Units& units, Geometry geometry, Plan plan);

/// The solver of one addressing with the format that the plan names.
template <class Groups>
std::unique_ptr<Solver> make_solver_of(const Case& c, const Units& units, Geometry geometry, Plan plan) {
  std::unique_ptr<Solver> solver;
  core::for_each_type(core::Formats{}, [&]<class Format>(Format) {
    if (!solver && plan.format == Format::name)
      solver = std::make_unique<CpuSolver<Groups, Format>>(c, units, std::move(geometry), std::move(plan));
  });
  if (!solver) throw_input("numerics.format: there is no format '" + plan.format + "'");
  return solver;
}

}  // namespace fluvia::cpu
