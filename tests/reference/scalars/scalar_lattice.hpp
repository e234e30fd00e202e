// SPDX-License-Identifier: Apache-2.0
// Lattices that carry a scalar: D2Q5 and D3Q7, whose speeds along an axis are not 1/3, besides those of flows.
#pragma once
#include "reference/reference_lattice.hpp"

namespace reference::scalars {

struct ScalarLattice {
  Lattice directions;
  double sound_squared = 1.0 / 3;  ///< c_s^2: sum w c_a c_b = c_s^2 delta_ab
};

/// D3Q7 with w_0 = 1/4 has c_s^2 = 1/4 (Yoshida & Nagaoka 2010); D2Q5 with w_0 = 1/3 has 1/3.
inline ScalarLattice make_scalar_lattice(const std::string& name) {
  if (name != "D2Q5" && name != "D3Q7") return {make_lattice(name), 1.0 / 3};
  ScalarLattice result;
  Lattice& lattice = result.directions;
  lattice.name = name;
  lattice.dimension = name[1] - '0';
  const double at_rest = name == "D2Q5" ? 1.0 / 3 : 1.0 / 4;
  lattice.c.push_back({0, 0, 0});
  lattice.w.push_back(at_rest);
  for (int a = 0; a < lattice.dimension; ++a)
    for (const int side : {-1, 1}) {
      Int3 c{};
      c[a] = side;
      lattice.c.push_back(c);
      lattice.w.push_back((1 - at_rest) / (2 * lattice.dimension));
    }
  for (const Int3& c : lattice.c) lattice.opposite.push_back(lattice.find({-c[0], -c[1], -c[2]}));
  result.sound_squared = 2 * lattice.w.back();
  return result;
}

}  // namespace reference::scalars
