// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/viscous_stress.hpp"

#include <cmath>

#include "fluvia/core/config.hpp"
#include "fluvia/core/lattice/lattice.hpp"

namespace fluvia {

std::array<double, 6> viscous_stress(const Plan& plan, int dimension, double density,
                                     const std::array<double, 6>& flux) {
  std::array<double, 6> stress = flux;
  const double trace = flux[0] + flux[1] + (dimension == 3 ? flux[2] : 0);
  for (int axis = 0; axis < dimension; ++axis) stress[axis] -= trace / dimension;
  double factor = -(1 - 0.5 * plan.omega);
  if (plan.viscosity.varies()) {
    double squares = 0;
    for (int k = 0; k < 6; ++k) squares += (k < 3 ? 1 : 2) * flux[k] * flux[k];
    const double reference = plan.equilibrium == "incompressible" ? 1 : density;
    const double strain_rate = plan.omega / (2 * reference * core::sound_speed_squared) * std::sqrt(2 * squares);
    factor *= plan.viscosity.at(strain_rate) / (core::sound_speed_squared * (1 / plan.omega - 0.5));
  }
  for (double& component : stress) component *= factor;
  return stress;
}

}  // namespace fluvia
