// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/base/error.hpp"
#include "fluvia/core/format/registry.hpp"
#include "fluvia/cpu/cpu_solver.hpp"
#include "fluvia/solver/plan/scheme.hpp"

namespace fluvia::cpu {

/// The solver of a plan on CPU threads, of the whole domain or of one subdomain of it; `communicator`: whose members
/// make the others at the same time, if there is one. Throws Error(resource) when memory does not suffice, Error(input)
/// if the scheme does not run on subdomains.
std::unique_ptr<PartSolver> make_solver(const Case& c, const Units& units, Geometry geometry, Plan plan,
                                        const Subdomain* subdomain = nullptr, Communicator* communicator = nullptr);

/// The solver of one addressing with the format that the plan names.
template <class Groups>
std::unique_ptr<PartSolver> make_solver_of(const Case& c, const Units& units, Geometry geometry, Plan plan,
                                           const Subdomain* subdomain, Communicator* communicator) {
  std::unique_ptr<PartSolver> solver;
  core::for_each_type(core::Formats{}, [&]<class Format>(Format) {
    if (!solver && plan.format == Format::name)
      solver = std::make_unique<CpuSolver<Groups, Format>>(c, units, std::move(geometry), std::move(plan), subdomain,
                                                           communicator);
  });
  if (!solver) throw_input("numerics.format: there is no format '" + plan.format + "'");
  return solver;
}

}  // namespace fluvia::cpu
