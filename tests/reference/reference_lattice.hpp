// SPDX-License-Identifier: Apache-2.0
// Velocities and weights for the reference solver, made from the name of a lattice and nothing else.
#pragma once
#include <stdexcept>
#include <string>
#include <vector>

#include "fluvia/base/vector.hpp"

namespace reference {

using fluvia::Bool3;
using fluvia::Int3;
using fluvia::Real3;

struct Lattice {
  std::string name;
  int dimension = 3;
  std::vector<Int3> c;
  std::vector<double> w;
  std::vector<int> opposite;

  [[nodiscard]] int size() const { return static_cast<int>(c.size()); }
  /// Direction with velocity v, or -1.
  [[nodiscard]] int find(const Int3& v) const {
    for (int i = 0; i < size(); ++i)
      if (c[i] == v) return i;
    return -1;
  }
};

/// Weights by squared speed 0, 1, 2, 3; negative = the lattice has no such velocities. Krueger et al., The Lattice
/// Boltzmann Method (2017), tables 3.3 to 3.6.
inline std::vector<double> weights_by_shell(const std::string& name) {
  if (name == "D2Q9") return {4.0 / 9, 1.0 / 9, 1.0 / 36, -1};
  if (name == "D3Q13") return {1.0 / 2, -1, 1.0 / 24, -1};  // S3 eq. 6 at rest
  if (name == "D3Q15") return {2.0 / 9, 1.0 / 9, -1, 1.0 / 72};
  if (name == "D3Q19") return {1.0 / 3, 1.0 / 18, 1.0 / 36, -1};
  if (name == "D3Q27") return {8.0 / 27, 2.0 / 27, 1.0 / 54, 1.0 / 216};
  throw std::invalid_argument("the reference solver does not know the weights of " + name);
}

/// All velocities of {-1,0,1}^D that the lattice has, x slowest: another order than that of the kernels.
inline Lattice make_lattice(const std::string& name) {
  const std::vector<double> weights = weights_by_shell(name);
  Lattice lattice;
  lattice.name = name;
  lattice.dimension = name[1] - '0';
  const int depth = lattice.dimension == 3 ? 1 : 0;
  for (int x = -1; x <= 1; ++x)
    for (int y = -1; y <= 1; ++y)
      for (int z = -depth; z <= depth; ++z) {
        const double w = weights[x * x + y * y + z * z];
        if (w < 0) continue;
        lattice.c.push_back({x, y, z});
        lattice.w.push_back(w);
      }
  for (const Int3& v : lattice.c) lattice.opposite.push_back(lattice.find({-v[0], -v[1], -v[2]}));
  return lattice;
}

}  // namespace reference
