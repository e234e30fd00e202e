// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/force/guo.hpp"
#include "fluvia/core/math.hpp"

namespace fluvia::core {

/// sqrt(P:P) of a symmetric tensor.
template <class T>
FLUVIA_FUNCTION T tensor_norm(const T (&p)[6]) {
  using std::sqrt;
  const T diagonal = p[0] * p[0] + p[1] * p[1] + p[2] * p[2];
  const T off_diagonal = p[3] * p[3] + p[4] * p[4] + p[5] * p[5];
  return sqrt(diagonal + off_diagonal * Scalar<T>(2));
}

/// Rate of the local relaxation time with Smagorinsky's eddy viscosity nu_t = (C_s)^2 |S| (filter width one node), the
/// strain rate taken from the non-equilibrium stress:
/// tau_t = (tau + sqrt(tau^2 + 18 sqrt(2) C_s^2 sqrt(P:P) / rho)) / 2.
/// Hou, Sterling, Chen & Doolen, Fields Inst. Comm. 6 (1996) 151.
template <class T>
FLUVIA_FUNCTION T smagorinsky_omega(const T& stress_norm, const T& density, Scalar<T> tau, Scalar<T> constant_squared) {
  using std::sqrt;
  using S = Scalar<T>;
  const S factor = S(18 * 1.41421356237309504880) * constant_squared;
  return T(S(2)) / (sqrt(stress_norm * factor / density + tau * tau) + tau);
}

}  // namespace fluvia::core
