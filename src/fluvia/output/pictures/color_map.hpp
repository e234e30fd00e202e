// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>

namespace fluvia {

/// A colour in sRGB, each component 0..255.
using Color = std::array<std::uint8_t, 3>;

/// Perceptually uniform, readable in print and for colour-blind readers: "viridis" of matplotlib (S. van der Walt &
/// N. Smith, 2015, CC0), by the sixth-order polynomial fit of M. Zucker (shadertoy.com/view/WlfXRN, 2019, CC0).
Color viridis(double t);

/// Diverging blue-white-red for signed values, white at 1/2: K. Moreland, "Diverging color maps for scientific
/// visualization", ISVC 2009: interpolation in Msh between (80, 1.08, -1.1), (88, 0, 1.061 and -1.661), (80, 1.08,
/// 0.5).
Color cool_warm(double t);

/// Colours of solid and of what is outside of the flow, which neither map has.
inline constexpr Color solid_color{126, 131, 139}, outside_color{243, 243, 240};
/// Colour of a fluid node whose value is not a number.
inline constexpr Color broken_color{222, 30, 150};

}  // namespace fluvia
