// SPDX-License-Identifier: Apache-2.0
#include "fluvia/run/findings/stalling.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "fluvia/case/physics/registered_formats.hpp"

namespace fluvia {

double missing_by_stalling(const std::string& format, double speed, double viscosity, double width) {
  constexpr double by_experiment = 0.3;
  // Population of a moving fluid over its speed: 3 w_i c_i.u along an axis of D3Q19.
  constexpr double population = 1.0 / 6;
  double unit = 0;  // unit in the last digit of the largest populations, as a part of them
  if (const FormatFacts* const facts = find_format(format); facts != nullptr && facts->rounds) {
    const double digits = std::ldexp(1.0, 1 - facts->precision_bits);
    unit = digits * std::max(1.0, facts->smallest_normal / std::max(population * speed, 1e-300));
  }
  const double change = viscosity * std::pow(std::numbers::pi / width, 2);
  return unit > 0 ? std::min(1.0, by_experiment * 0.5 * unit / change) : 0;
}

}  // namespace fluvia
