// SPDX-License-Identifier: Apache-2.0
// The kernels that tests ask about, which set what differs.
#pragma once
#include <string>

#include "fluvia/cuda/program/specification.hpp"
#include "fluvia/solver/plan/scheme.hpp"

namespace fluvia::test {

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
