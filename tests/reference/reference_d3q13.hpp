// SPDX-License-Identifier: Apache-2.0
// D3Q13 in moment space, written from Toelke & Krafczyk (S3) section 4 and appendix A: its equilibrium, the moments of
// a body force, and viscous stresses. Nothing here uses weights or isotropy.
#pragma once
#include <array>
#include <vector>

#include "reference/reference_lattice.hpp"

namespace reference::d3q13 {

using Moments = std::array<double, 13>;

/// Eqs A.1 to A.13 with c = 1.
inline std::vector<std::vector<double>> moment_matrix(const Lattice& lattice) {
  std::vector<std::vector<double>> matrix(13);
  for (const Int3& c : lattice.c) {
    const double x = c[0], y = c[1], z = c[2], s = x * x + y * y + z * z;
    const Moments rows = {1,
                          x,
                          y,
                          z,
                          6.5 * s - 12,
                          3 * x * x - s,
                          y * y - z * z,
                          x * y,
                          y * z,
                          x * z,
                          x * (y * y - z * z),
                          y * (z * z - x * x),
                          z * (x * x - y * y)};
    for (int k = 0; k < 13; ++k) matrix[k].push_back(rows[k]);
  }
  return matrix;
}

inline const std::vector<std::string> rates = {"conserved", "conserved", "conserved", "conserved", "energy",
                                               "normal",    "normal",    "shear",     "shear",     "shear",
                                               "cubic",     "cubic",     "cubic"};

/// Eq. 6, k_7 to k_9 with rho_0 like k_5 and k_6 (printed: rho).
inline Moments equilibrium_moments(double density, double reference_density, const Real3& u) {
  const double r = reference_density, x = u[0], y = u[1], z = u[2];
  return {density,
          r * x,
          r * y,
          r * z,
          -5.5 * density + 6.5 * r * (x * x + y * y + z * z),
          r * (2 * x * x - y * y - z * z),
          r * (y * y - z * z),
          r * x * y,
          r * y * z,
          r * x * z,
          0,
          0,
          0};
}

/// What a body force adds to the moments in one step: the derivative of eq. 6 by the momentum, times the force (Guo,
/// Zheng & Shi 2002: momentum F, momentum flux u F + F u).
inline Moments force_moments(const Real3& u, const Real3& f) {
  const double xx = 2 * u[0] * f[0], yy = 2 * u[1] * f[1], zz = 2 * u[2] * f[2];
  return {0,
          f[0],
          f[1],
          f[2],
          6.5 * (xx + yy + zz),
          2 * xx - yy - zz,
          yy - zz,
          u[0] * f[1] + u[1] * f[0],
          u[1] * f[2] + u[2] * f[1],
          u[0] * f[2] + u[2] * f[0],
          0,
          0,
          0};
}

/// Eq. 7 for viscosity nu, c = 1 and steps of 1.
inline double normal_rate(double nu) {
  return 2 / (8 * nu + 1);
}
inline double shear_rate(double nu) {
  return 2 / (4 * nu + 1);
}

/// Eq. 5: viscous stress over what the moments show, -8 nu/(8 nu + 1) for the normal ones and -4 nu/(4 nu + 1) for the
/// others, against -6 nu/(6 nu + 1) of a lattice with one relaxation time 3 nu + 1/2.
inline double normal_scale(double nu) {
  return 8 * nu / (8 * nu + 1) * (6 * nu + 1) / (6 * nu);
}
inline double shear_scale(double nu) {
  return 4 * nu / (4 * nu + 1) * (6 * nu + 1) / (6 * nu);
}

}  // namespace reference::d3q13
