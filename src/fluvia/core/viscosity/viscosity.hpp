// SPDX-License-Identifier: Apache-2.0
// Viscosity that follows from the local shear rate: eddies of a turbulent flow, blood, polymers. One idea for all. The
// populations of a node carry the product x = tau |S| of its relaxation time and its shear rate |S| = sqrt(2 S:S),
//   x = 3 sqrt(P:P / 2) / rho   with the non-equilibrium momentum flux P = -2 rho cs^2 tau S,
// so a model nu(|S|) makes tau the solution of tau = 1/2 + 3 nu(x / tau): local, without differences and without a
// state. It is unique as long as the stress nu |S| grows with |S|. Models that cannot solve it by hand take
// core/viscosity/implicit.hpp.
#pragma once
#include "fluvia/core/collision/parameters.hpp"
#include "fluvia/core/equilibrium/equilibrium.hpp"
#include "fluvia/core/force/guo.hpp"
#include "fluvia/core/key.hpp"
#include "fluvia/core/math.hpp"

namespace fluvia::core {

/// Most keys that a model of viscosity may have.
inline constexpr int max_viscosity_keys = 5;

/// Facts that a model of viscosity states of itself; one row of core::Viscosities, in the model's own header.
struct ViscosityFacts {
  const char* name;           ///< `model` in the case file
  const char* meaning = "";   ///< what the reference of the case file says
  bool of_fluid = false;      ///< the model is a property of the fluid: `model` of [physics.rheology] may name it
  bool needs_limits = false;  ///< the viscosity goes to zero or infinity without limits
  Key keys[max_viscosity_keys] = {};
};

/// The numbers that a model makes of its keys, once, in double precision.
struct ViscosityNumbers {
  double value[max_viscosity_numbers] = {};  ///< CollisionParameters::viscosity
  double least = 0, most = 1e300;            ///< kinematic viscosities between which the model stays, lattice units
  const char* problem = nullptr;             ///< which keys contradict each other; null: none
};

/// A viscosity that does not depend on the shear rate.
struct Newtonian {
  static constexpr ViscosityFacts facts = {.name = "newtonian", .meaning = "constant viscosity"};
  static constexpr bool varies = false;
  template <class Lattice>
  static constexpr bool supports = true;
  static constexpr const char* needs = "";
};

/// The norm sqrt(P:P) of a symmetric tensor.
template <class T>
FLUVIA_FUNCTION T tensor_norm(const T (&p)[6]) {
  using std::sqrt;
  const T diagonal = p[0] * p[0] + p[1] * p[1] + p[2] * p[2];
  const T off_diagonal = p[3] * p[3] + p[4] * p[4] + p[5] * p[5];
  return sqrt(diagonal + off_diagonal * Scalar<T>(2));
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

/// The product x = tau |S| from a norm of the stress and the density that goes with it.
template <class T>
FLUVIA_FUNCTION T time_times_shear_rate(const T& stress_norm, const T& density) {
  constexpr double factor = 3 / 1.41421356237309504880;
  return stress_norm * Scalar<T>(factor) / density;
}

/// Rate of the shear stress of a node from its stress corrected for the force. Where stresses have two rates, their
/// ratio is taken to be that of parameters.omega: the error of the strain rate is about 2 nu_t of it, with what the
/// model adds to the viscosity, nu_t. `model`: one of core::Viscosities, or what evaluates one.
template <class Lattice, class Equilibrium, class Viscosity, class T>
FLUVIA_FUNCTION T local_omega(const T (&corrected)[6], const Macroscopic<T>& m,
                              const CollisionParameters<Scalar<T>>& parameters, const Viscosity& model) {
  T stress[6];
  for (int k = 0; k < 6; ++k) stress[k] = corrected[k];
  equalise_stress<Lattice>(T(parameters.omega), stress);
  return model.omega(time_times_shear_rate(tensor_norm(stress), T(Equilibrium::density(m.density_deviation))),
                     parameters);
}

/// The viscous part of the momentum flux as output wants it: -2 rho cs^2 S / parameters.omega with the strain rate S,
/// whatever rates the lattice and the model have given the node. `stress`: measured, corrected for the force.
template <class Lattice, class Equilibrium, class Viscosity, class T>
FLUVIA_FUNCTION void viscous_stress(const Macroscopic<T>& m, const CollisionParameters<Scalar<T>>& parameters,
                                    const Viscosity& model, T (&stress)[6]) {
  T omega = T(parameters.omega);
  if constexpr (Viscosity::varies) omega = local_omega<Lattice, Equilibrium>(stress, m, parameters, model);
  equalise_stress<Lattice>(omega, stress);
  if constexpr (Viscosity::varies)
    for (int k = 0; k < 6; ++k) stress[k] *= omega * parameters.tau;
}

}  // namespace fluvia::core
