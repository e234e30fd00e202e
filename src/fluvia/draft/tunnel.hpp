// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

#include "fluvia/draft/draft.hpp"
#include "fluvia/geometry/mesh/stl.hpp"

namespace fluvia::draft {

/// A body from an STL file in a wind tunnel. Throws like make_draft().
Draft draft_tunnel(const DraftRequest& request);

/// Area of the shadow of triangles along an axis (0, 1, 2), in the square of their unit; to about a thousandth.
double shadow(std::span<const std::array<Real3, 3>> triangles, int axis);

}  // namespace fluvia::draft
