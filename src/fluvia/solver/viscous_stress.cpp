// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/viscous_stress.hpp"

#include <cmath>

#include "fluvia/core/config.hpp"
#include "fluvia/core/lattice/lattice.hpp"

namespace fluvia {

double shear_rate(const Plan& plan, double density, const std::array<double, 6>& flux) {
  double squares = 0;
  for (int k = 0; k < 6; ++k) squares += (k < 3 ? 1 : 2) * flux[k] * flux[k];
  const double reference = plan.flow().equilibrium->momentum_has_density ? density : 1;
  return plan.flow().omega() / (2 * reference * core::sound_speed_squared) * std::sqrt(2 * squares);
}

std::array<double, 6> viscous_stress(const Plan& plan, int dimension, double density,
                                     const std::array<double, 6>& flux) {
  std::array<double, 6> stress = flux;
  const double trace = flux[0] + flux[1] + (dimension == 3 ? flux[2] : 0);
  for (int axis = 0; axis < dimension; ++axis) stress[axis] -= trace / dimension;
  double factor = -(1 - 0.5 * plan.flow().omega());
  if (plan.flow().viscosity.varies()) {
    factor *= plan.flow().viscosity.at(shear_rate(plan, density, flux)) /
              (core::sound_speed_squared * (1 / plan.flow().omega() - 0.5));
  }
  for (double& component : stress) component *= factor;
  return stress;
}

}  // namespace fluvia
