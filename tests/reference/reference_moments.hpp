// SPDX-License-Identifier: Apache-2.0
// What collisions that know more than second moments need, slowly: populations from moments by dense inverses,
// cumulants as logarithms of power series. Absolute populations, double precision. Shares nothing with the kernels.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "reference/reference_lattice.hpp"

namespace reference {

/// Inverse by Gauss-Jordan elimination with row exchange.
inline std::vector<std::vector<double>> inverse(std::vector<std::vector<double>> m) {
  const std::size_t n = m.size();
  std::vector<std::vector<double>> result(n, std::vector<double>(n, 0.0));
  for (std::size_t k = 0; k < n; ++k) result[k][k] = 1;
  for (std::size_t column = 0; column < n; ++column) {
    std::size_t pivot = column;
    for (std::size_t row = column; row < n; ++row)
      if (std::abs(m[row][column]) > std::abs(m[pivot][column])) pivot = row;
    std::swap(m[pivot], m[column]);
    std::swap(result[pivot], result[column]);
    const double divisor = m[column][column];
    for (std::size_t k = 0; k < n; ++k) {
      m[column][k] /= divisor;
      result[column][k] /= divisor;
    }
    for (std::size_t row = 0; row < n; ++row) {
      const double factor = m[row][column];
      if (row == column || factor == 0) continue;
      for (std::size_t k = 0; k < n; ++k) {
        m[row][k] -= factor * m[column][k];
        result[row][k] -= factor * result[column][k];
      }
    }
  }
  return result;
}

/// Powers of x, y, z that a lattice can tell apart: up to 2 each, on D3Q19 not of all three at once.
inline std::vector<Int3> powers_of(const Lattice& lattice) {
  std::vector<Int3> powers;
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b)
      for (int c = 0; c < (lattice.dimension == 3 ? 3 : 1); ++c)
        if (lattice.size() != 19 || a * b * c == 0) powers.push_back({a, b, c});
  return powers;
}

/// Populations from their sums with one polynomial for each of powers_of(), a product of one factor along each axis.
class ProductBasis {
 public:
  ProductBasis() = default;
  ProductBasis(const Lattice& lattice, const std::function<double(int, double)>& factor) : powers_(powers_of(lattice)) {
    std::vector<std::vector<double>> matrix;
    for (const Int3& p : powers_) {
      matrix.emplace_back();
      for (const Int3& c : lattice.c)
        matrix.back().push_back(factor(p[0], c[0]) * factor(p[1], c[1]) * factor(p[2], c[2]));
    }
    inverted_ = inverse(matrix);
  }
  [[nodiscard]] std::vector<double> populations(const std::function<double(const Int3&)>& sum) const {
    std::vector<double> f(powers_.size(), 0.0);
    for (std::size_t k = 0; k < powers_.size(); ++k) {
      const double value = sum(powers_[k]);
      for (std::size_t i = 0; i < f.size(); ++i) f[i] += inverted_[i][k] * value;
    }
    return f;
  }

 private:
  std::vector<Int3> powers_;
  std::vector<std::vector<double>> inverted_;
};

/// Hermite polynomials 1, c, c^2 - 1/3.
inline double hermite(int order, double c) {
  return order == 0 ? 1 : order == 1 ? c : c * c - 1.0 / 3;
}

inline double monomial(int order, double c) {
  return std::pow(c, order);
}

struct Axes {
  std::array<int, 6> axis{};  ///< no memory to ask for: it is made for every moment of every node
  std::size_t count = 0;
  [[nodiscard]] std::size_t size() const { return count; }
  [[nodiscard]] int operator[](std::size_t k) const { return axis[k]; }
  [[nodiscard]] const int* begin() const { return axis.data(); }
  [[nodiscard]] const int* end() const { return axis.data() + count; }
};

/// The axes of powers (2, 1, 0): x, x, y.
inline Axes axes_of(const Int3& powers) {
  Axes axes;
  for (int axis = 0; axis < 3; ++axis)
    for (int k = 0; k < powers[axis]; ++k) axes.axis[axes.count++] = axis;
  return axes;
}

/// x^n up to the second power; std::pow takes as long as all else of a cumulant collision.
inline double power_of(double x, int n) {
  return n == 0 ? 1 : n == 1 ? x : x * x;
}

/// Power series in three variables up to the second power of each.
struct Series {
  double at[3][3][3] = {};
  [[nodiscard]] Series times(const Series& other) const {
    Series product;
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b)
        for (int c = 0; c < 3; ++c)
          for (int i = 0; i <= a; ++i)
            for (int j = 0; j <= b; ++j)
              for (int k = 0; k <= c; ++k) product.at[a][b][c] += at[i][j][k] * other.at[a - i][b - j][c - k];
    return product;
  }
  void add(const Series& other, double factor) {
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b)
        for (int c = 0; c < 3; ++c) at[a][b][c] += factor * other.at[a][b][c];
  }
};

/// ln(1 + x) and e^x of a series without constant; powers above the sixth have no term that is kept.
inline Series logarithm(const Series& x) {
  Series result, power = x;
  for (int n = 1; n <= 6; ++n, power = power.times(x)) result.add(power, (n % 2 == 1 ? 1.0 : -1.0) / n);
  return result;
}
inline Series exponential(const Series& x) {
  Series result, power = x;
  result.at[0][0][0] = 1;
  double factorial = 1;
  for (int n = 1; n <= 6; ++n, power = power.times(x)) result.add(power, 1 / (factorial *= n));
  return result;
}

/// Geier, Schoenherr, Pasquali & Krafczyk 2015 with the rates of Geier, Pasquali & Schoenherr 2017, lambda = 0.01, and
/// those of AllOne where omega is at most 7/4.
class CumulantReference {
 public:
  /// The omega from which rates of third order follow beside levels of refinement: 1 where they would relax in more
  /// than 1.6 steps.
  static double omega_beside_levels(double omega, bool planar) {
    const std::array<double, 3> rates = planar ? planar_rates(omega) : spatial_rates(omega);
    return *std::min_element(rates.begin(), rates.end()) < 1 / 1.6 ? 1 : omega;
  }

  CumulantReference(double density, const Real3& velocity, const Real3& force, double omega, double domain_omega)
      : rho_(density), u_(velocity), force_(force), omega_(omega), w_(domain_omega) {}

  /// `monomials`: the basis of monomial().
  [[nodiscard]] std::vector<double> collide(const Lattice& lattice, const ProductBasis& monomials,
                                            const std::vector<double>& f) const {
    const auto centred = [&](int power, double c, int axis) { return power_of(c - u_[axis], power); };
    Series moments;  // central, over a! b! c! rho
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b)
        for (int c = 0; c < 3; ++c)
          for (int i = 0; i < lattice.size(); ++i)
            moments.at[a][b][c] += f[i] * centred(a, lattice.c[i][0], 0) * centred(b, lattice.c[i][1], 1) *
                                   centred(c, lattice.c[i][2], 2) / (factorials(a, b, c) * rho_);
    // The first moments are minus half of the force, which cumulants of higher order do not see.
    moments.at[0][0][0] = moments.at[1][0][0] = moments.at[0][1][0] = moments.at[0][0][1] = 0;
    const Series before = logarithm(moments);
    Series after = exponential(lattice.dimension == 2 ? relaxed_in_plane(before) : relaxed(before)), shift;
    after.at[1][0][0] = 0.5 * force_[0] / rho_;
    after.at[0][1][0] = 0.5 * force_[1] / rho_;
    after.at[0][0][1] = 0.5 * force_[2] / rho_;
    // Moments about 0 instead of u: e^(u.x) times the series.
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b)
        for (int c = 0; c < 3; ++c)
          shift.at[a][b][c] = power_of(u_[0], a) * power_of(u_[1], b) * power_of(u_[2], c) / factorials(a, b, c);
    const Series raw = after.times(shift);
    return monomials.populations(
        [&](const Int3& p) { return raw.at[p[0]][p[1]][p[2]] * factorials(p[0], p[1], p[2]) * rho_; });
  }

 private:
  static std::array<double, 3> spatial_rates(double w) {
    if (w <= 1.75) return {1, 1, 1};
    return {8 * (w - 2) * (1 + 2 * w) / (-8 - 14 * w + 7 * w * w),
            8 * (w - 2) * (-7 + 4 * w) / (56 - 50 * w + 9 * w * w),
            24 * (w - 2) * (-2 - 7 * w + 3 * w * w) / (48 + 152 * w - 130 * w * w + 29 * w * w * w)};
  }
  static std::array<double, 3> planar_rates(double w) { return {1 / (0.5 + 1 / (6 * (1 / w - 0.5))), 1, 1}; }
  static double factorials(int a, int b, int c) { return (a == 2 ? 2 : 1) * (b == 2 ? 2 : 1) * (c == 2 ? 2 : 1); }

  [[nodiscard]] double limited(double rate, double cumulant) const {
    return rate + (1 - rate) * std::abs(cumulant) / (0.01 * rho_ + std::abs(cumulant));
  }

  /// Cumulants times the density after collision, as a series of cumulants over a! b! c!.
  [[nodiscard]] Series relaxed(const Series& before) const {
    const auto C = [&](int a, int b, int c) { return before.at[a][b][c] * factorials(a, b, c) * rho_; };
    Series after;
    const auto set = [&](int a, int b, int c, double value) {
      after.at[a][b][c] = value / (factorials(a, b, c) * rho_);
    };
    const double trace = C(2, 0, 0) + C(0, 2, 0) + C(0, 0, 2);
    const double compression = -0.5 / rho_ * (trace - rho_);
    const double Dxu = -omega_ / (2 * rho_) * (2 * C(2, 0, 0) - C(0, 2, 0) - C(0, 0, 2)) + compression;
    const double Dyv = Dxu + 3 * omega_ / (2 * rho_) * (C(2, 0, 0) - C(0, 2, 0));
    const double Dzw = Dxu + 3 * omega_ / (2 * rho_) * (C(2, 0, 0) - C(0, 0, 2));
    const double uu = u_[0] * u_[0], vv = u_[1] * u_[1], ww = u_[2] * u_[2];
    const double xy = (1 - omega_) * (C(2, 0, 0) - C(0, 2, 0)) - 3 * rho_ * (1 - omega_ / 2) * (uu * Dxu - vv * Dyv);
    const double xz = (1 - omega_) * (C(2, 0, 0) - C(0, 0, 2)) - 3 * rho_ * (1 - omega_ / 2) * (uu * Dxu - ww * Dzw);
    const double sum = rho_ - 1.5 * rho_ * (uu * Dxu + vv * Dyv + ww * Dzw);
    set(2, 0, 0, (sum + xy + xz) / 3);
    set(0, 2, 0, (sum - 2 * xy + xz) / 3);
    set(0, 0, 2, (sum + xy - 2 * xz) / 3);
    for (const Int3& p : {Int3{1, 1, 0}, Int3{0, 1, 1}, Int3{1, 0, 1}})
      set(p[0], p[1], p[2], (1 - omega_) * C(p[0], p[1], p[2]));

    const bool all_one = w_ <= 1.75;
    const auto [w3, w4, w5] = spatial_rates(w_);
    const double A = all_one ? 0 : (4 + 2 * w_ - 3 * w_ * w_) / (2 - 7 * w_ + 5 * w_ * w_);
    const double B = all_one ? 0 : (4 + 28 * w_ - 14 * w_ * w_) / (6 - 21 * w_ + 15 * w_ * w_);
    const auto third = [&](const Int3& p, const Int3& q) {
      const double first = C(p[0], p[1], p[2]), second = C(q[0], q[1], q[2]);
      const double plus = (1 - limited(w3, first + second)) * (first + second);
      const double minus = (1 - limited(w4, first - second)) * (first - second);
      set(p[0], p[1], p[2], (plus + minus) / 2);
      set(q[0], q[1], q[2], (plus - minus) / 2);
    };
    third({1, 2, 0}, {1, 0, 2});
    third({2, 1, 0}, {0, 1, 2});
    third({2, 0, 1}, {0, 2, 1});
    set(1, 1, 1, (1 - limited(w5, C(1, 1, 1))) * C(1, 1, 1));

    const double time = 1 / omega_ - 0.5;
    set(2, 2, 0, -2.0 / 3 * time * A * rho_ * (Dxu + Dyv));
    set(2, 0, 2, -2.0 / 3 * time * A * rho_ * (Dxu + Dzw));
    set(0, 2, 2, -2.0 / 3 * time * A * rho_ * (Dyv + Dzw));
    // Shear strains, e.g. Dxv + Dyu = -3 omega / rho C110.
    set(2, 1, 1, -1.0 / 3 * time * B * (-3 * omega_ * C(0, 1, 1)));
    set(1, 2, 1, -1.0 / 3 * time * B * (-3 * omega_ * C(1, 0, 1)));
    set(1, 1, 2, -1.0 / 3 * time * B * (-3 * omega_ * C(1, 1, 0)));
    return after;
  }

  /// In two dimensions, where C22 is 0 and one rate, of C12 and C21, has the error of shear waves isotropic.
  [[nodiscard]] Series relaxed_in_plane(const Series& before) const {
    const auto C = [&](int a, int b) { return before.at[a][b][0] * factorials(a, b, 0) * rho_; };
    Series after;
    // Strain rates: C20 - C02 = -2 rho / (3 omega) (Dxu - Dyv), C20 + C02 = 2/3 rho (1 - Dxu - Dyv).
    const double difference = -1.5 * omega_ / rho_ * (C(2, 0) - C(0, 2)), sum = 1 - 1.5 / rho_ * (C(2, 0) + C(0, 2));
    const double Dxu = (sum + difference) / 2, Dyv = (sum - difference) / 2;
    const double x = u_[0] * u_[0] * Dxu, y = u_[1] * u_[1] * Dyv;
    const double trace = rho_ * (2.0 / 3 - 1.5 * (x + y));
    const double x_y = (1 - omega_) * (C(2, 0) - C(0, 2)) - 3 * rho_ * (1 - omega_ / 2) * (x - y);
    after.at[2][0][0] = (trace + x_y) / 4 / rho_;
    after.at[0][2][0] = (trace - x_y) / 4 / rho_;
    after.at[1][1][0] = (1 - omega_) * C(1, 1) / rho_;
    const double rate = planar_rates(w_)[0];
    after.at[2][1][0] = (1 - limited(rate, C(2, 1))) * C(2, 1) / 2 / rho_;
    after.at[1][2][0] = (1 - limited(rate, C(1, 2))) * C(1, 2) / 2 / rho_;
    return after;
  }

  double rho_;
  Real3 u_, force_;
  double omega_, w_;
};

}  // namespace reference
