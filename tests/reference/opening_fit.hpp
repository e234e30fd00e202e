// SPDX-License-Identifier: Apache-2.0
// How a speed changes along a plane, by least squares through a few points, for the reference solver.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <vector>

#include "fluvia/core/collision/parameters.hpp"
#include "reference/reference_lattice.hpp"

namespace reference {

/// u(t) - u(0) = b.t + t.K.t
struct Bend {
  std::array<double, 2> b{};
  std::array<std::array<double, 2>, 2> k{};

  [[nodiscard]] double inclined(const double (&t)[2]) const { return b[0] * t[0] + b[1] * t[1]; }
  [[nodiscard]] double curved(const double (&t)[2]) const {
    return k[0][0] * t[0] * t[0] + (k[0][1] + k[1][0]) * t[0] * t[1] + k[1][1] * t[1] * t[1];
  }
  void follow(const Bend& other, double rate) {
    for (int a = 0; a < 2; ++a) {
      b[a] += rate * (other.b[a] - b[a]);
      for (int c = 0; c < 2; ++c) k[a][c] += rate * (other.k[a][c] - k[a][c]);
    }
  }
  /// Adds half of (b.c)(c.grad nu)/nu to c.K.c, nu being a function of |b|. `tau_of`: the relaxation time whose product
  /// with the shear rate is known.
  void add_viscosity_gradient(double tau, const std::function<double(double)>& tau_of) {
    const double squared = b[0] * b[0] + b[1] * b[1], mixed = (k[0][1] + k[1][0]) / 2;
    if (squared <= 1e-20) return;
    const double product = tau * std::sqrt(squared), less = tau_of(0.98 * product), more = tau_of(1.02 * product);
    const double slope = std::log((more - 0.5) / (less - 0.5)) / std::log(1.02 / 0.98 * less / more);
    const double kb[2] = {k[0][0] * b[0] + mixed * b[1], mixed * b[0] + k[1][1] * b[1]};
    for (int a = 0; a < 2; ++a)
      for (int c = 0; c < 2; ++c) k[a][c] += slope / squared / 2 * (kb[a] * b[c] + kb[c] * b[a]);
  }
  /// What the collision makes of the second derivative of 3 u^2 = f_i^eq,even / (rho w_i), u = speed + b.t + t.K.t, on
  /// a link along t, beyond the (b.t/2)^2 that half-way along the link there is.
  [[nodiscard]] double curvature_of(const double (&t)[2], double speed,
                                    const fluvia::core::CurvatureShares<double>& shares) const {
    const int axes = static_cast<int>(t[0] * t[0] + t[1] * t[1]);
    const double slope = inclined(t), steepness = b[0] * b[0] + b[1] * b[1];
    const double derivative = slope * slope + 2 * speed * curved(t);
    const double across = steepness + 2 * speed * (k[0][0] + k[1][1]);
    return 6 * (shares.along[axes] * derivative + shares.across[axes] * across - slope * slope / 4);
  }
  /// What the density has beside that of the pressure: a part of half the Laplacian of u^2.
  [[nodiscard]] double density_of(double speed, const fluvia::core::CurvatureShares<double>& shares) const {
    return shares.density * (b[0] * b[0] + b[1] * b[1] + 2 * speed * (k[0][0] + k[1][1]));
  }
};

struct BendPoint {
  double x, y, weight, value;  ///< the value less that at 0
};

/// The pseudo-inverse of a symmetric matrix that is not negative, by the iteration X = X (2 - A X) of Ben-Israel.
template <std::size_t n>
std::array<std::array<double, n>, n> pseudo_inverse(const std::array<std::array<double, n>, n>& a) {
  using Matrix = std::array<std::array<double, n>, n>;
  const auto product = [](const Matrix& p, const Matrix& q) {
    Matrix r{};
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        for (std::size_t k = 0; k < n; ++k) r[i][j] += p[i][k] * q[k][j];
    return r;
  };
  double trace = 0;
  for (std::size_t i = 0; i < n; ++i) trace += a[i][i];
  Matrix x{};
  if (trace < 1e-12) return x;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) x[i][j] = a[i][j] / (trace * trace);
  for (int pass = 0; pass < 40; ++pass) {  // singular values that are 0 but for rounding stay small
    const Matrix xax = product(product(x, a), x);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) x[i][j] = 2 * x[i][j] - xax[i][j];
  }
  return x;
}

/// b explains what it can; K what is left of the values, by what is left of its terms.
inline Bend fit_bend(const std::vector<BendPoint>& points) {
  std::array<std::array<double, 2>, 2> a{};
  for (const BendPoint& p : points) {
    a[0][0] += p.weight * p.x * p.x;
    a[0][1] += p.weight * p.x * p.y;
    a[1][1] += p.weight * p.y * p.y;
  }
  a[1][0] = a[0][1];
  const auto inverse = pseudo_inverse<2>(a);
  /// The b that explains best what some function is at the points.
  const auto explained = [&](const auto& value) {
    std::array<double, 2> sum{}, b{};
    for (const BendPoint& p : points) {
      sum[0] += p.weight * p.x * value(p);
      sum[1] += p.weight * p.y * value(p);
    }
    for (int i = 0; i < 2; ++i) b[i] = inverse[i][0] * sum[0] + inverse[i][1] * sum[1];
    return b;
  };
  const auto term = [](const BendPoint& p, int k) {
    return k == 0 ? p.x * p.x : k == 1 ? p.y * p.y : 1.4142135623730951 * p.x * p.y;
  };
  std::array<std::array<double, 2>, 3> by_slope;
  for (int k = 0; k < 3; ++k) by_slope[k] = explained([&](const BendPoint& p) { return term(p, k); });
  std::array<std::array<double, 3>, 3> c{};
  std::array<double, 3> sum{}, bend{};
  for (const BendPoint& p : points)
    for (int k = 0; k < 3; ++k) {
      const double left = term(p, k) - by_slope[k][0] * p.x - by_slope[k][1] * p.y;
      sum[k] += p.weight * left * p.value;
      for (int l = 0; l < 3; ++l)
        c[k][l] += p.weight * left * (term(p, l) - by_slope[l][0] * p.x - by_slope[l][1] * p.y);
    }
  const auto rest = pseudo_inverse<3>(c);
  for (int k = 0; k < 3; ++k)
    for (int l = 0; l < 3; ++l) bend[k] += rest[k][l] * sum[l];
  Bend result;
  result.b = explained([](const BendPoint& p) { return p.value; });
  for (int i = 0; i < 2; ++i)
    for (int k = 0; k < 3; ++k) result.b[i] -= by_slope[k][i] * bend[k];
  result.k = {{{bend[0], bend[2] * 0.7071067811865476}, {bend[2] * 0.7071067811865476, bend[1]}}};
  return result;
}

/// The longest edge of the box with its mirror image, along axes on which the flow ends; without such axes the longest
/// edge of the box.
inline double longest_edge(const Int3& size, const Bool3& periodic, const std::array<bool, 6>& mirrors) {
  double longest = 0, any = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const int images = (mirrors[2 * axis] ? 1 : 0) + (mirrors[2 * axis + 1] ? 1 : 0);
    any = std::max(any, 1.0 * size[axis]);
    if (!periodic[axis] && images < 2) longest = std::max(longest, (1.0 + images) * size[axis]);
  }
  return longest > 0 ? longest : any;
}

}  // namespace reference
