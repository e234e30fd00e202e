// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/links/curvature_shares.hpp"

#include <array>
#include <cmath>
#include <utility>

#include "fluvia/core/collision/collide.hpp"
#include "fluvia/core/lattice/registry.hpp"

namespace fluvia {

namespace {

template <std::size_t size>
using Vector = std::array<double, size>;
template <std::size_t size>
using Matrix = std::array<Vector<size>, size>;  // rows

/// The solution x of a x = b by Gaussian elimination with row pivoting.
template <std::size_t size>
Vector<size> solve(Matrix<size> a, Vector<size> b) {
  for (std::size_t k = 0; k < size; ++k) {
    std::size_t pivot = k;
    for (std::size_t r = k + 1; r < size; ++r)
      if (std::abs(a[r][k]) > std::abs(a[pivot][k])) pivot = r;
    std::swap(a[k], a[pivot]);
    std::swap(b[k], b[pivot]);
    for (std::size_t r = k + 1; r < size; ++r) {
      const double factor = a[r][k] / a[k][k];
      for (std::size_t q = k; q < size; ++q) a[r][q] -= factor * a[k][q];
      b[r] -= factor * b[k];
    }
  }
  for (std::size_t k = size; k-- > 0;) {
    for (std::size_t q = k + 1; q < size; ++q) b[k] -= a[k][q] * b[q];
    b[k] /= a[k][k];
  }
  return b;
}

/// The matrix R of f* = f - R (f - f^eq) about an equilibrium, and 1 instead of 0 for density and momentum, so that it
/// can be inverted.
template <class Lattice, class Collision>
Matrix<Lattice::Q> rates_about(const Vector<Lattice::Q>& equilibrium,
                               const core::CollisionParameters<double>& parameters) {
  constexpr double step = 1e-5;
  Matrix<Lattice::Q> rates{};
  for (std::size_t j = 0; j < Lattice::Q; ++j) {
    for (const double sign : {-1.0, 1.0}) {
      double f[Lattice::Q];
      for (std::size_t i = 0; i < Lattice::Q; ++i) f[i] = equilibrium[i];
      f[j] += sign * step;
      core::collide<Collision, Lattice, core::QuasiCompressible, false, core::Newtonian>(f, parameters);
      for (std::size_t i = 0; i < Lattice::Q; ++i) rates[i][j] -= sign * f[i] / (2 * step);
    }
    rates[j][j] += 1;
    for (std::size_t i = 0; i < Lattice::Q; ++i) {
      double conserved = 1;
      for (int axis = 0; axis < Lattice::D; ++axis) conserved += 3.0 * Lattice::c[i][axis] * Lattice::c[j][axis];
      rates[i][j] += Lattice::w[i] * conserved;
    }
  }
  return rates;
}

/// A flow along one direction that changes along another, across it.
struct Directions {
  double normal[3], tangent[3];
};
constexpr Directions of_faces = {{1, 0, 0}, {0, 1, 0}};
constexpr double half_root = 0.70710678118654752440;
constexpr Directions at_45_degrees = {{half_root, half_root, 0}, {-half_root, half_root, 0}};

template <class Lattice>
double along(const double (&direction)[3], std::size_t i) {
  double sum = 0;
  for (int axis = 0; axis < Lattice::D; ++axis) sum += Lattice::c[i][axis] * direction[axis];
  return sum;
}

/// f_i^eq - w_i at a speed along a direction.
template <class Lattice>
Vector<Lattice::Q> equilibrium_at(const double (&direction)[3], double speed) {
  double f[Lattice::Q];
  core::Macroscopic<double> m{0, {speed * direction[0], speed * direction[1], speed * direction[2]}};
  core::equilibrium<Lattice, core::QuasiCompressible>(m, f);
  Vector<Lattice::Q> result;
  for (std::size_t i = 0; i < Lattice::Q; ++i) result[i] = f[i];
  return result;
}

/// What a flow has whose speed changes by 1 a node across it.
template <class Lattice>
struct BentFlow {
  Vector<Lattice::Q> second;  ///< the term in question, of each direction
  Vector<Lattice::Q> even;    ///< the second derivative of f^eq,even with the speed
};

/// Orders of the expansion of a steady flow f(x + c) = f*(x), with f = f^eq + n and f* = f + g:
///   g_1 = D f^eq,  n_1 = -g_1 / R,  g_2 = D (n_1 + g_1/2),  n_2 = -g_2 / R.
/// R depends on the speed as well where a collision relaxes moments in the frame of the fluid.
template <class Lattice, class Collision>
BentFlow<Lattice> expand(const Directions& directions, const core::CollisionParameters<double>& parameters) {
  constexpr std::size_t size = Lattice::Q;
  constexpr double speed = 0.01;
  // n + g/2 for g = (c.t) v, t the tangent, at an equilibrium
  const auto after_streaming = [&](const Vector<size>& equilibrium, Vector<size> v) {
    for (std::size_t i = 0; i < size; ++i) v[i] *= along<Lattice>(directions.tangent, i);
    Vector<size> result = solve(rates_about<Lattice, Collision>(equilibrium, parameters), v);
    for (std::size_t i = 0; i < size; ++i) result[i] = 0.5 * v[i] - result[i];
    return result;
  };
  const auto difference = [](const Vector<size>& more, const Vector<size>& less) {
    Vector<size> result;
    for (std::size_t i = 0; i < size; ++i) result[i] = (more[i] - less[i]) / (2 * speed);
    return result;
  };
  // f^eq is of second order in the speed, so that differences of it have no error.
  const auto slope_at = [&](double u) {
    return difference(equilibrium_at<Lattice>(directions.normal, u + speed),
                      equilibrium_at<Lattice>(directions.normal, u - speed));
  };
  const auto first = [&](double u) {
    return after_streaming(equilibrium_at<Lattice>(directions.normal, u), slope_at(u));
  };
  BentFlow<Lattice> result;
  result.second = after_streaming(Vector<size>{}, difference(first(speed), first(-speed)));
  for (double& number : result.second) number *= 2;
  result.even = difference(slope_at(speed), slope_at(-speed));
  return result;
}

/// The density that stands against the normal stress across a flow of (u^2)'' = 2.
template <class Lattice>
double density_against(const BentFlow<Lattice>& flow, const Directions& directions) {
  double stress = 0;
  for (std::size_t i = 0; i < Lattice::Q; ++i) {
    const double across = along<Lattice>(directions.tangent, i);
    stress += 0.5 * across * across * flow.second[i];
  }
  return -3 * stress;
}

template <class Lattice, class Collision>
core::CurvatureShares<double> shares_of(const core::CollisionParameters<double>& parameters) {
  const BentFlow<Lattice> flow = expand<Lattice, Collision>(of_faces, parameters);
  core::CurvatureShares<double> shares;
  shares.density = density_against(flow, of_faces);
  // 1 - sum of n_a^4 is a half there, and goes as 1 - cos(4 angle), as a tensor of the lattice does, in between.
  shares.density_at_angles =
      2 * (density_against(expand<Lattice, Collision>(at_45_degrees, parameters), at_45_degrees) - shares.density);
  double found = 0, curvature = 0;
  for (int i = 0; i < Lattice::Q; ++i) {
    const auto& c = Lattice::c[i];
    if (c[0] != -1) continue;
    const auto k = static_cast<std::size_t>(i);
    const int axes = c[1] * c[1] + c[2] * c[2];
    found += flow.second[k];
    curvature += c[1] * c[1] * flow.even[k];
    (c[1] == 0 ? shares.across : shares.along)[axes] = flow.second[k] / flow.even[k];
  }
  shares.mean = found / curvature;
  // For links along one of two axes, the terms along the derivative and across it are known, and the latter is part of
  // the former.
  if (Lattice::D == 3) shares.along[1] -= shares.across[1];
  return shares;
}

}  // namespace

template <class T>
void set_curvature_shares(const std::string& lattice, const std::string& collision,
                          core::CollisionParameters<T>& parameters) {
  core::CollisionParameters<double> known;
  known.tau = parameters.tau;
  known.omega = parameters.omega;
  known.magic = parameters.magic;
  for (int k = 0; k < core::max_free_rates; ++k) known.free_rates[k] = parameters.free_rates[k];
  core::CurvatureShares<double> shares;
  core::for_each_type(core::Lattices{}, [&]<class Lattice>(Lattice) {
    core::for_each_type(core::Collisions{}, [&]<class Collision>(Collision) {
      if constexpr (core::Isotropy<Lattice>::isotropic && core::combines<Lattice, Collision, core::QuasiCompressible>)
        if (lattice == Lattice::name && collision == Collision::name) shares = shares_of<Lattice, Collision>(known);
    });
  });
  parameters.curvature.mean = static_cast<T>(shares.mean);
  parameters.curvature.density = static_cast<T>(shares.density);
  parameters.curvature.density_at_angles = static_cast<T>(shares.density_at_angles);
  for (int k = 0; k < core::CurvatureShares<T>::kinds; ++k) {
    parameters.curvature.along[k] = static_cast<T>(shares.along[k]);
    parameters.curvature.across[k] = static_cast<T>(shares.across[k]);
  }
}

template void set_curvature_shares(const std::string&, const std::string&, core::CollisionParameters<float>&);
template void set_curvature_shares(const std::string&, const std::string&, core::CollisionParameters<double>&);

}  // namespace fluvia
