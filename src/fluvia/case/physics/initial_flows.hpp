// SPDX-License-Identifier: Apache-2.0
// Flows that a case may start from, besides a uniform one.
#pragma once
#include <string>
#include <vector>

#include "fluvia/base/vector.hpp"

namespace fluvia {

/// The velocity in units of the flow's speed U, the pressure in units of rho U^2.
struct FlowAtPoint {
  Real3 velocity{};
  double pressure = 0;
};

/// An analytic flow in a box. `at`: position in fractions of the box, then the dimension of the domain.
struct InitialFlow {
  const char* name;
  FlowAtPoint (*at)(const Real3& position, int dimension);
};

/// Every analytic flow that a case may start from:
///   taylor-green  sin x cos y cos z, -cos x sin y cos z, 0 with one wave over the box (Brachet et al., J. Fluid Mech.
///                 130 (1983) 411); in 2D without z
///   shear-layer   two layers of thickness 1/80 of the box, u = tanh(80 (y - 1/4)) and its mirror image, disturbed by
///                 v = 0.05 sin(2 pi (x + 1/4)) (Minion & Brown, J. Comput. Phys. 138 (1997) 734)
const std::vector<InitialFlow>& initial_flows();

/// The initial flow with this name; null for "uniform".
const InitialFlow* find_initial_flow(const std::string& name);

}  // namespace fluvia
