// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <functional>
#include <memory>
#include <optional>

#include "fluvia/core/boundary/body_parts.hpp"
#include "fluvia/geometry/layers/layer.hpp"

namespace fluvia::geometry {

/// Signed distance to a surface in lattice units, negative inside; far from the surface its magnitude may be too
/// small, never too large.
using SignedDistance = std::function<double(const Real3& point)>;

/// Nodes this close to a surface lie on it, lattice units; covers the rounding of the conversion from case units.
inline constexpr double on_surface = core::touching_surface;

/// A place or an arrow as formulas of shapes take it.
inline core::Triple triple(const Real3& numbers) {
  return {{numbers[0], numbers[1], numbers[2]}};
}

/// Signed distance of a shape of the case. In 2D all shapes are extended along z. A channel is the set of its two walls
/// (everything outside the gap) when its operation is "solid", and the gap when it is "fluid". `place` names the entry
/// in messages, e.g. "geometry.shapes[2] (sphere)". Throws Error(input).
SignedDistance make_signed_distance(const Case::Shape& shape, const Grid& grid, const std::string& place);

/// Lower and upper corner of a shape that ends somewhere, case units; none for planes.
std::optional<std::array<Real3, 2>> extent(const Case::Shape& shape);

/// Layer that decides `decision` where the distance is negative (nodes on the surface count as inside).
std::unique_ptr<const Layer> make_distance_layer(SignedDistance distance, Decision decision, int dimension,
                                                 int surface);

/// One layer per shape, in order. Adds their names to `names`.
void add_shape_layers(const Case& c, const Grid& grid, SurfaceNames& names, Layers& layers);

}  // namespace fluvia::geometry
