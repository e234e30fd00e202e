// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/viscosity/viscosity.hpp"

namespace fluvia::core {

/// Newton steps of implicit_omega. Blood is at the last digit of double precision after four; the least favourable of
/// all fluids that the keys allow within 1e-9 after six (tests/core/viscosity_test.cpp).
inline constexpr int viscosity_iterations = 6;

/// Solves tau = 1/2 + 3 nu(x / tau) for models that have log2 |S| -> 3 nu and 3 d nu / d ln |S|. In logarithms,
///   F(z) = z - log2(1/2 + 3 nu(log2 x - z)) = 0,   z = log2 tau,   F' = 1 + 3 nu' / (1/2 + 3 nu)
/// with F' of the order of one whatever the size of x. Always the same steps from tau = 1, kept between the limits: no
/// state, and the same bits wherever the node is stored. A solution beyond a limit ends on the limit.
template <class Model, class S>
FLUVIA_FUNCTION S implicit_omega(const S& x, const CollisionParameters<S>& p) {
  constexpr S least_x = S(1e-30);
  const S log_x = binary_logarithm(x > least_x ? x : least_x);
  const S least = p.least_log_tau, most = p.most_log_tau;
  S z = least > S(0) ? least : S(0);
  z = most < z ? most : z;
  unroll<viscosity_iterations>([&](auto) {  // no loop, so that compilers vectorise those over nodes
    S viscosity, slope;
    Model::evaluate(log_x - z, p, viscosity, slope);
    const S tau = viscosity + S(0.5);
    z -= (z - binary_logarithm(tau)) * tau / (tau + slope);
    z = z < least ? least : z;
    z = z > most ? most : z;
  });
  return binary_power(-z);
}

/// The viscosity that a model has at a shear rate, by the function that implicit_omega() solves with.
template <class Model>
double implicit_viscosity(double shear_rate, const CollisionParameters<double>& p) {
  double viscosity, slope;
  Model::evaluate(binary_logarithm(shear_rate > 1e-30 ? shear_rate : 1e-30), p, viscosity, slope);
  return viscosity / 3;
}

}  // namespace fluvia::core
