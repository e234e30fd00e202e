// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/geometry/generate/shapes.hpp"

namespace fluvia::geometry {

/// True if some of a shape lies in the box but no node lies in the shape: a plate thinner than the distance between
/// nodes, a sphere between them. Nothing would be left of such a shape. False for a shape outside of the box.
bool lies_between_nodes(const SignedDistance& distance, const Grid& grid);

}  // namespace fluvia::geometry
