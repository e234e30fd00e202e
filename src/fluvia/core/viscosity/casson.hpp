// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/viscosity/viscosity.hpp"

namespace fluvia::core {

/// A fluid that only flows above a yield stress: sqrt(stress) = sqrt(yield stress) + sqrt(mu |S|). N. Casson in C. C.
/// Mill (ed.), Rheology of Disperse Systems, 1959, 84. With s = sqrt |S|, tau |S| = x is a quadratic equation,
///   (1/2 + 3 mu) s^2 + 6 sqrt(mu y) s + 3 y = x,
/// without a solution below the yield stress y: there, and wherever tau would be more, it is that of the upper limit,
/// so that what should be rigid flows slowly.
struct Casson {
  enum Number { yield_stress, cross, plastic_time };
  static constexpr ViscosityFacts facts = {.name = "casson",
                                           .meaning = "flows above a yield stress",
                                           .of_fluid = true,
                                           .needs_limits = true,
                                           .keys = {{.name = "yield_stress",
                                                     .dimension = Dimension::pressure,
                                                     .meaning = "below it the fluid would not flow",
                                                     .required = true,
                                                     .least = 0},
                                                    {.name = "plastic_viscosity",
                                                     .dimension = Dimension::viscosity,
                                                     .meaning = "at high shear rates",
                                                     .required = true,
                                                     .least = 0}}};
  static constexpr bool varies = true;
  template <class Lattice>
  static constexpr bool supports = Isotropy<Lattice>::isotropic;
  static constexpr const char* needs = isotropic_weights;

  static ViscosityNumbers prepare(const double (&keys)[max_viscosity_keys], double, double) {
    using std::sqrt;
    const double yield = keys[0], plastic = keys[1];
    ViscosityNumbers numbers{.value = {3 * yield, 3 * sqrt(plastic * yield), 0.5 + 3 * plastic}, .least = plastic};
    if (yield == 0) numbers.most = plastic;
    if (!(plastic > 0)) numbers.problem = "plastic_viscosity must be above 0";
    return numbers;
  }
  template <class S>
  static FLUVIA_FUNCTION S omega(const S& x, const CollisionParameters<S>& p) {
    using std::sqrt;
    // The root s = c / (b + sqrt(b^2 + a c)) of a s^2 + 2 b s - c = 0, without a difference of nearly equal numbers.
    const S a = p.viscosity[plastic_time], b = p.viscosity[cross], left = x - p.viscosity[yield_stress];
    const S c = left > S(0) ? left : S(0);
    const S root = c / (b + sqrt(b * b + a * c) + S(1e-30));
    // The rate |S| / x, or one of the limits.
    const S omega = root * root / (x > S(1e-30) ? x : S(1e-30));
    const S most = binary_power(-p.least_log_tau), least = binary_power(-p.most_log_tau);
    const S not_above = omega > most ? most : omega;
    return not_above < least ? least : not_above;
  }
  static double viscosity(double shear_rate, const CollisionParameters<double>& p) {
    using std::sqrt;
    const double s = sqrt(shear_rate > 1e-30 ? shear_rate : 1e-30);
    return (p.viscosity[yield_stress] / (s * s) + 2 * p.viscosity[cross] / s + p.viscosity[plastic_time] - 0.5) / 3;
  }
};

}  // namespace fluvia::core
