// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "fluvia/base/vector.hpp"

namespace fluvia {

/// A row of core::ScalarLattices.
struct ScalarLatticeFacts {
  std::string name;
  int dimension = 3, directions = 7;
  double sound_squared = 1.0 / 3;  ///< c_s^2: the diffusivity is c_s^2 (tau - 1/2)
  std::vector<Int3> velocities;
  std::vector<double> weights;
};

std::vector<std::string> scalar_lattice_names();
/// The lattice of this name, or the one that "auto" means in these dimensions. Throws Error(internal) if there is none.
const ScalarLatticeFacts& facts_of_scalar_lattice(const std::string& name, int dimension);

}  // namespace fluvia
