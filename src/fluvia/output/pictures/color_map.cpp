// SPDX-License-Identifier: Apache-2.0
#include "fluvia/output/pictures/color_map.hpp"

#include <algorithm>
#include <cmath>

namespace fluvia {
namespace {

std::uint8_t to_byte(double value) {
  return static_cast<std::uint8_t>(std::lround(255 * std::clamp(value, 0.0, 1.0)));
}

/// A colour of CIELAB with white D65 in sRGB.
Color lab_to_color(double l, double a, double b) {
  const auto inverse = [](double f) { return f > 6.0 / 29 ? f * f * f : 3 * (36.0 / 841) * (f - 4.0 / 29); };
  const double fy = (l + 16) / 116;
  const double x = 0.95047 * inverse(fy + a / 500), y = inverse(fy), z = 1.08883 * inverse(fy - b / 200);
  const double linear[3] = {3.2404542 * x - 1.5371385 * y - 0.4985314 * z,
                            -0.9692660 * x + 1.8760108 * y + 0.0415560 * z,
                            0.0556434 * x - 0.2040259 * y + 1.0572252 * z};
  Color color{};
  for (std::size_t i = 0; i < 3; ++i) {
    const double v = std::max(linear[i], 0.0);
    color[i] = to_byte(v <= 0.0031308 ? 12.92 * v : 1.055 * std::pow(v, 1 / 2.4) - 0.055);
  }
  return color;
}

}  // namespace

Color viridis(double t) {
  static constexpr double coefficients[7][3] = {
      {0.2777273272234177, 0.005407344544966578, 0.3340998053353061},
      {0.1050930431085774, 1.404613529898575, 1.384590162594685},
      {-0.3308618287255563, 0.214847559468213, 0.09509516302823659},
      {-4.634230498983486, -5.799100973351585, -19.33244095627987},
      {6.228269936347081, 14.17993336680509, 56.69055260068105},
      {4.776384997670288, -13.74514537774601, -65.35303263337234},
      {-5.435455855934631, 4.645852612178535, 26.3124352495832},
  };
  t = std::clamp(t, 0.0, 1.0);
  Color color{};
  for (std::size_t i = 0; i < 3; ++i) {
    double value = 0;
    for (int power = 6; power >= 0; --power) value = value * t + coefficients[power][i];
    color[i] = to_byte(value);
  }
  return color;
}

Color cool_warm(double t) {
  t = std::clamp(t, 0.0, 1.0);
  // The map goes in each half from a saturated end to unsaturated white, whose hue is spun so that the path is uniform.
  const bool cool = t < 0.5;
  const double w = cool ? 2 * t : 2 - 2 * t;  // 0 at the end, 1 at white
  const double m = 80 + 8 * w, s = 1.08 * (1 - w);
  const double h = cool ? -1.1 + w * (-1.661 + 1.1) : 0.5 + w * (1.061 - 0.5);
  return lab_to_color(m * std::cos(s), m * std::sin(s) * std::cos(h), m * std::sin(s) * std::sin(h));
}

}  // namespace fluvia
