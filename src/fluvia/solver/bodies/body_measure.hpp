// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <vector>

#include "fluvia/base/vector.hpp"
#include "fluvia/solver/bodies/body_shape.hpp"

namespace fluvia {

using SymmetricTensor = std::array<Real3, 3>;

/// A point of a surface, which stands for a part of it.
struct SurfacePoint {
  Real3 place;
  double area;
};

/// What a body measures where it is at rest; lattice units, in 2D of a unit of depth.
struct BodyMeasure {
  double volume = 0;
  Real3 centroid{};
  SymmetricTensor moments{};         ///< of inertia about the centroid, at density 1
  double area = 0;                   ///< of its surface
  std::vector<SurfacePoint> points;  ///< of it, at most 0.4 nodes apart unless the body is more than 50 nodes long
};

/// Measures a body by cells that its surface cuts, 1/128 of its extent wide, and larger ones elsewhere. Overlaps of its
/// parts count once. Volumes of what has the size of 10 nodes or more are right to 1e-3.
BodyMeasure measure_body(const BodyShape& shape, int dimension);

}  // namespace fluvia
