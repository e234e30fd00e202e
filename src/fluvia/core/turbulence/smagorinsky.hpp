// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/collision/parameters.hpp"
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

/// Scales the measured stress, relaxed at the rates that belong to omega, to what a lattice with the single rate omega
/// would show for the same strain rate S: -2 rho cs^2 S / omega. Nothing to do on isotropic lattices.
template <class Lattice, class T>
FLUVIA_FUNCTION void equalise_stress(const T& omega, T (&stress)[6]) {
  if constexpr (!Isotropy<Lattice>::isotropic) {
    constexpr double shear = Isotropy<Lattice>::shear_time, normal = Isotropy<Lattice>::normal_time;
    const T omega_ratio = T(Scalar<T>(1)) / omega;
    const T normal_scale = rate_of_multiple(omega, normal) * omega_ratio * Scalar<T>(normal);
    const T shear_scale = rate_of_multiple(omega, shear) * omega_ratio * Scalar<T>(shear);
    for (int k = 0; k < 6; ++k) stress[k] *= k < 3 ? normal_scale : shear_scale;
  }
}

/// smagorinsky_omega of a node from its stress corrected for the force. Where stresses have two rates, their ratio is
/// taken to be that without eddies: the error of the strain rate is about 2 nu_t of it.
template <class Lattice, class Equilibrium, class T>
FLUVIA_FUNCTION T large_eddy_omega(const T (&corrected)[6], const Macroscopic<T>& m,
                                   const CollisionParameters<Scalar<T>>& parameters) {
  T stress[6];
  for (int k = 0; k < 6; ++k) stress[k] = corrected[k];
  equalise_stress<Lattice>(T(parameters.omega), stress);
  return smagorinsky_omega(tensor_norm(stress), Equilibrium::density(m.density_deviation), parameters.tau,
                           parameters.smagorinsky_squared);
}

/// The viscous part of the momentum flux as output wants it: -2 rho cs^2 S / parameters.omega with the strain rate S,
/// whatever rates the lattice and the eddies have given the node. `stress`: measured, corrected for the force.
template <class Lattice, class Equilibrium, class T>
FLUVIA_FUNCTION void viscous_stress(const Macroscopic<T>& m, const CollisionParameters<Scalar<T>>& parameters,
                                    bool large_eddy, T (&stress)[6]) {
  T omega = T(parameters.omega);
  if (large_eddy) omega = large_eddy_omega<Lattice, Equilibrium>(stress, m, parameters);
  equalise_stress<Lattice>(omega, stress);
  if (large_eddy)
    for (int k = 0; k < 6; ++k) stress[k] *= omega * parameters.tau;
}

}  // namespace fluvia::core
