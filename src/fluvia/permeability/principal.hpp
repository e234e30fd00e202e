// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <optional>
#include <vector>

#include "fluvia/permeability/permeability.hpp"

namespace fluvia {

/// The permeabilities along the directions in which flow and force are parallel, largest first.
struct PrincipalPermeability {
  std::vector<double> values;     ///< m2
  std::vector<Real3> directions;  ///< unit vectors
  double asymmetry = 0;  ///< largest |k_ij - k_ji| / largest value: of an exact tensor 0, so a measure of its error

  /// Largest over smallest value; infinite if the smallest is 0.
  [[nodiscard]] double anisotropy() const;
};

/// Of the symmetric part of the tensor, by Jacobi's rotations (Golub & Van Loan, Matrix Computations, 8.5). None unless
/// the flows along all axes of the image were measured. With closed or mirrored sides no flux crosses the force, and
/// the directions are the axes.
std::optional<PrincipalPermeability> principal_permeability(const PermeabilitySettings& settings,
                                                            const std::vector<AxisPermeability>& results);

}  // namespace fluvia
