// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <vector>

#include "fluvia/base/vector.hpp"

namespace fluvia {

/// Moments of the nodes of consecutive tiles in canonical order, lattice units. Arrays hold one value (or 3, 6) a node.
struct Moments {
  std::vector<double> density;                ///< rho (absolute, about 1)
  std::vector<Real3> velocity;                ///< fluid velocity incl. half the force (Guo)
  std::vector<std::array<double, 6>> stress;  ///< xx, yy, zz, xy, yz, zx: -2 rho cs^2 S / Distribution::omega(), S the
                                              ///< strain rate; empty if not wanted
  std::vector<double> scalars;  ///< those that the flow carries along, all of a node after each other; in their units

  /// How many numbers a node has in all arrays, or, without stress, in all but that.
  static constexpr std::size_t numbers(bool with_stress) { return with_stress ? 10 : 4; }
  /// Calls visit(array) for each array.
  template <class Self, class Visit>
  static void for_each_array(Self& self, const Visit& visit) {
    visit(self.density);
    visit(self.velocity);
    visit(self.stress);
    visit(self.scalars);
  }
  /// Makes room for so many nodes; the values of nodes that are there stay. Whoever has scalars makes room for them.
  void resize(std::size_t nodes, bool with_stress) {
    density.resize(nodes);
    velocity.resize(nodes);
    stress.resize(with_stress ? nodes : 0);
  }
  void clear() {
    for_each_array(*this, [](auto& array) { array.clear(); });
  }
  /// Adds the moments of the nodes that follow these.
  void append(const Moments& more) {
    density.insert(density.end(), more.density.begin(), more.density.end());
    velocity.insert(velocity.end(), more.velocity.begin(), more.velocity.end());
    stress.insert(stress.end(), more.stress.begin(), more.stress.end());
    scalars.insert(scalars.end(), more.scalars.begin(), more.scalars.end());
  }
};

}  // namespace fluvia
