// SPDX-License-Identifier: Apache-2.0
// Orthogonal moment bases as polynomials of the lattice velocity.
#pragma once
#include "fluvia/core/lattice/registry.hpp"

namespace fluvia::core {

/// Moment basis of a lattice: row k evaluated at velocity (x,y,z), the rate of each row, names and defaults of the free
/// rates. Lattices without one are refused by the MRT collision.
template <class Lattice>
struct MrtBasis {
  static constexpr bool available = false;
};

struct MrtRates {
  static constexpr int conserved = -2;      ///< density and momentum
  static constexpr int shear = -1;          ///< off-diagonal stresses; omega on isotropic lattices
  static constexpr int normal_stress = -3;  ///< differences of normal stresses; omega on isotropic lattices
};

/// Rows 0, 3, 5 are density and momentum. Lallemand & Luo 2000, eqs 5-8; default rates from their section V.
template <>
struct MrtBasis<D2Q9> : MrtRates {
  static constexpr bool available = true;
  static constexpr int moments = 9, free_rates = 3;
  static constexpr const char* rate_names[free_rates] = {"energy", "energy_square", "energy_flux"};
  static constexpr double rate_defaults[free_rates] = {1.64, 1.54, 1.9};
  static constexpr int row(int k, int x, int y, int) {
    const int s = x * x + y * y;
    switch (k) {
      case 0:
        return 1;
      case 1:
        return 3 * s - 4;
      case 2:
        return (9 * s * s - 21 * s + 8) / 2;
      case 3:
        return x;
      case 4:
        return (3 * s - 5) * x;
      case 5:
        return y;
      case 6:
        return (3 * s - 5) * y;
      case 7:
        return x * x - y * y;
      default:
        return x * y;
    }
  }
  static constexpr int rate(int k) {
    constexpr int rates[moments] = {conserved, 0, 1, conserved, 2, conserved, 2, shear, shear};
    return rates[k];
  }
  static constexpr bool is_odd(int k) { return k >= 3 && k <= 6; }
};

/// Rows of Toelke & Krafczyk (S3), appendix A, and their choice of the two free rates.
template <>
struct MrtBasis<D3Q13> : MrtRates {
  static constexpr bool available = true;
  static constexpr int moments = 13, free_rates = 2;
  static constexpr const char* rate_names[free_rates] = {"energy", "cubic"};
  static constexpr double rate_defaults[free_rates] = {1, 1};
  static constexpr int row(int k, int x, int y, int z) {
    const int s = x * x + y * y + z * z;
    switch (k) {
      case 0:
        return 1;
      case 1:
        return x;
      case 2:
        return y;
      case 3:
        return z;
      case 4:
        return (13 * s - 24) / 2;
      case 5:
        return 3 * x * x - s;
      case 6:
        return y * y - z * z;
      case 7:
        return x * y;
      case 8:
        return y * z;
      case 9:
        return x * z;
      case 10:
        return (y * y - z * z) * x;
      case 11:
        return (z * z - x * x) * y;
      default:
        return (x * x - y * y) * z;
    }
  }
  static constexpr int rate(int k) {
    constexpr int rates[moments] = {conserved, conserved, conserved, conserved, 0, normal_stress, normal_stress, shear,
                                    shear,     shear,     1,         1,         1};
    return rates[k];
  }
  static constexpr bool is_odd(int k) { return (k >= 1 && k <= 3) || k >= 10; }
};

/// Rows in the order of d'Humieres et al. 2002, appendix A; default rates s1 and s2 of their section 3. Their s4 = 1.6
/// and s14 = 1.2 amplify disturbances of a stream of thin fluid (docs/decisions/0015-the-default-collision.md).
template <>
struct MrtBasis<D3Q15> : MrtRates {
  static constexpr bool available = true;
  static constexpr int moments = 15, free_rates = 4;
  static constexpr const char* rate_names[free_rates] = {"energy", "energy_square", "energy_flux", "cubic"};
  static constexpr double rate_defaults[free_rates] = {1.6, 1.2, 1.8, 1.9};
  static constexpr int row(int k, int x, int y, int z) {
    const int s = x * x + y * y + z * z;
    switch (k) {
      case 0:
        return 1;
      case 1:
        return s - 2;
      case 2:
        return (15 * s * s - 55 * s + 32) / 2;
      case 3:
        return x;
      case 4:
        return (5 * s - 13) * x / 2;
      case 5:
        return y;
      case 6:
        return (5 * s - 13) * y / 2;
      case 7:
        return z;
      case 8:
        return (5 * s - 13) * z / 2;
      case 9:
        return 3 * x * x - s;
      case 10:
        return y * y - z * z;
      case 11:
        return x * y;
      case 12:
        return y * z;
      case 13:
        return x * z;
      default:
        return x * y * z;
    }
  }
  static constexpr int rate(int k) {
    constexpr int rates[moments] = {conserved, 0,     1,     conserved, 2,     conserved, 2, conserved,
                                    2,         shear, shear, shear,     shear, shear,     3};
    return rates[k];
  }
  static constexpr bool is_odd(int k) { return (k >= 3 && k <= 8) || k == 14; }
};

/// Rows in the order of d'Humieres et al. 2002, eq. A1. Of their rates s1, s2, s4, s10, s16 (1.19, 1.4, 1.2, 1.4, 1.98)
/// the first is kept. Moments beyond the stress relax nearly as slowly as the stress of thin fluid: else waves along
/// (1, 1, 1) have a viscosity below zero, and grow in any stream whose nodes have Reynolds numbers beyond 40
/// (docs/decisions/0015-the-default-collision.md).
template <>
struct MrtBasis<D3Q19> : MrtRates {
  static constexpr bool available = true;
  static constexpr int moments = 19, free_rates = 5;
  static constexpr const char* rate_names[free_rates] = {"energy", "energy_square", "energy_flux", "stress_quartic",
                                                         "cubic"};
  static constexpr double rate_defaults[free_rates] = {1.19, 1, 1.8, 1.95, 1.9};
  static constexpr int row(int k, int x, int y, int z) {
    const int s = x * x + y * y + z * z;
    switch (k) {
      case 0:
        return 1;
      case 1:
        return 19 * s - 30;
      case 2:
        return (21 * s * s - 53 * s + 24) / 2;
      case 3:
        return x;
      case 4:
        return (5 * s - 9) * x;
      case 5:
        return y;
      case 6:
        return (5 * s - 9) * y;
      case 7:
        return z;
      case 8:
        return (5 * s - 9) * z;
      case 9:
        return 3 * x * x - s;
      case 10:
        return (3 * s - 5) * (3 * x * x - s);
      case 11:
        return y * y - z * z;
      case 12:
        return (3 * s - 5) * (y * y - z * z);
      case 13:
        return x * y;
      case 14:
        return y * z;
      case 15:
        return x * z;
      case 16:
        return (y * y - z * z) * x;
      case 17:
        return (z * z - x * x) * y;
      default:
        return (x * x - y * y) * z;
    }
  }
  static constexpr int rate(int k) {
    constexpr int rates[moments] = {conserved, 0,     1, conserved, 2,     conserved, 2, conserved, 2, shear,
                                    3,         shear, 3, shear,     shear, shear,     4, 4,         4};
    return rates[k];
  }
  static constexpr bool is_odd(int k) { return (k >= 3 && k <= 8) || k >= 16; }
};

template <class Lattice>
constexpr int mrt_coefficient(int row, int i) {
  return MrtBasis<Lattice>::row(row, Lattice::c[i][0], Lattice::c[i][1], Lattice::c[i][2]);
}

template <class Lattice>
constexpr int mrt_norm(int row) {
  int sum = 0;
  for (int i = 0; i < Lattice::Q; ++i) sum += mrt_coefficient<Lattice>(row, i) * mrt_coefficient<Lattice>(row, i);
  return sum;
}

/// Checks that rows are orthogonal and as many as directions, and that is_odd() tells those that change sign with the
/// velocity.
template <class Lattice>
constexpr bool mrt_basis_is_valid() {
  using Basis = MrtBasis<Lattice>;
  if (Basis::moments != Lattice::Q) return false;
  for (int a = 0; a < Basis::moments; ++a) {
    for (int b = 0; b < a; ++b) {
      int sum = 0;
      for (int i = 0; i < Lattice::Q; ++i) sum += mrt_coefficient<Lattice>(a, i) * mrt_coefficient<Lattice>(b, i);
      if (sum != 0) return false;
    }
    const int sign = Basis::is_odd(a) ? -1 : 1;
    for (int i = 1; i < Lattice::Q; ++i)
      if (mrt_coefficient<Lattice>(a, opposite(i)) != sign * mrt_coefficient<Lattice>(a, i)) return false;
  }
  return true;
}
static_assert(mrt_basis_is_valid<D2Q9>() && mrt_basis_is_valid<D3Q13>() && mrt_basis_is_valid<D3Q15>() &&
              mrt_basis_is_valid<D3Q19>());

}  // namespace fluvia::core
