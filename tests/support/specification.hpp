// SPDX-License-Identifier: Apache-2.0
// The kernels that tests ask about, which set what differs.
#pragma once
#include <string>
#include <vector>

#include "fluvia/case/physics/registered_physics.hpp"
#include "fluvia/cuda/program/specification.hpp"
#include "fluvia/solver/plan/scheme.hpp"

namespace fluvia::test {

/// A registered collision that works on a lattice and with a scheme: the preferred one, else the first; none if there
/// is none.
inline std::string collision_for(const Scheme& scheme, const std::string& lattice,
                                 const std::string& preferred = "bgk") {
  std::vector<std::string> names = collision_names();
  names.insert(names.begin(), preferred);
  for (const std::string& name : names)
    if (collision_problem(name, lattice).empty() && scheme_problem(scheme, lattice, name, "quasi-compressible").empty())
      return name;
  return "";
}

/// Kernels of a scheme between plain walls, without a force. Throws Error(input) if there is no such scheme.
inline cuda::Specification specification(const std::string& lattice, const std::string& scheme,
                                         const std::string& format, const std::string& collision = "bgk") {
  cuda::Specification s;
  s.lattice = lattice;
  s.collision = collision;
  s.equilibrium = "quasi-compressible";
  s.format = format;
  s.scheme = parse_scheme(scheme);
  return s;
}

}  // namespace fluvia::test
