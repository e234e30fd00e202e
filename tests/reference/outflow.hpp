// SPDX-License-Identifier: Apache-2.0
// What faces that hold a pressure do over their cut links besides anti-bounce-back, for the reference solver.
#pragma once
#include <algorithm>
#include <array>
#include <vector>

#include "reference/reference_collision.hpp"

namespace reference {

/// The links of a node that a face across `axis` cuts.
struct FaceLinks {
  const Lattice& lattice;
  int axis;
  double outwards;  ///< 1 or -1: component of the normal out of the fluid
  std::vector<int> cut;

  /// Takes a share of the momentum along the face away, and no mass.
  void straighten(double share, double density, Real3 velocity, Populations& f) const {
    velocity[axis] = 0;
    double taken = 0, squared = 0;
    const double mean = mean_along(velocity);
    for (const int i : cut) taken += lattice.w[i] * along(i, velocity) * (along(i, velocity) - mean);
    for (const double u : velocity) squared += u * u;
    taken = std::max(taken, squared / 18);
    if (taken <= 0) return;
    for (const int i : cut) f[i] -= share * density * squared / taken * lattice.w[i] * (along(i, velocity) - mean);
  }

  /// Share of the stress on the face that is taken where fluid leaves at a node's Reynolds number beyond 12.
  static double share_of_stress(double speed, double viscosity) {
    if (speed <= 0) return 0;
    return std::min(1.0, 3 * speed) * std::clamp(speed / viscosity / 12 - 1, 0.0, 1.0);
  }
  /// Takes a share of the stress on the face that a flow with these gradients of its speed, along the two axes after
  /// `axis`, has not.
  void take_stress(double share, double density, const Tensor& stress, double tau, const std::array<double, 2>& slope,
                   Populations& f) const {
    Real3 beside{};
    for (int k = 1; k < 3; ++k) {
      const int a = (axis + k) % 3;
      beside[a] = outwards * stress[a][axis] + density * tau / 3 * slope[k - 1];
    }
    const double mean = mean_along(beside);
    for (const int i : cut) f[i] += share * lattice.w[i] * (18 * (along(i, beside) - mean) - 9 * stress[axis][axis]);
  }

 private:
  [[nodiscard]] double along(int i, const Real3& u) const {
    const Int3& c = lattice.c[i];
    return c[0] * u[0] + c[1] * u[1] + c[2] * u[2];
  }
  [[nodiscard]] double mean_along(const Real3& u) const {
    double weight = 0, mean = 0;
    for (const int i : cut) {
      weight += lattice.w[i];
      mean += lattice.w[i] * along(i, u);
    }
    return mean / weight;
  }
};

}  // namespace reference
