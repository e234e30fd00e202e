// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/math.hpp"

namespace fluvia::core {

/// The point in [0, 1] where `f`, of different signs at 0 and 1, changes its sign, to 1e-9. Regula falsi that halves
/// the value kept at a stale end (Illinois: Dowell & Jarratt, BIT 11, 1971) and bisects now and then, so that the
/// bracket shrinks for any `f`. Linear functions take one step. An end whose value has the wrong sign by rounding is
/// the result itself.
template <class Function>
double find_root(const Function& f) {
  constexpr double tolerance = 1e-9, negligible = 1e-12;
  constexpr int most_steps = 100, bisect_every = 5;
  double a = 0, b = 1, fa = f(a), fb = f(b);
  if ((fa > 0) == (fb > 0)) return magnitude(fa) < magnitude(fb) ? a : b;
  int kept = 0;
  for (int step = 1; step < most_steps && b - a > tolerance; ++step) {
    double x = step % bisect_every == 0 ? 0.5 * (a + b) : (a * fb - b * fa) / (fb - fa);
    if (!(x > a && x < b)) x = 0.5 * (a + b);
    const double fx = f(x);
    if (magnitude(fx) < negligible) return x;
    if ((fx > 0) == (fa > 0)) {
      a = x;
      fa = fx;
      if (kept > 0) fb *= 0.5;
      kept = 1;
    } else {
      b = x;
      fb = fx;
      if (kept < 0) fa *= 0.5;
      kept = -1;
    }
  }
  return 0.5 * (a + b);
}

}  // namespace fluvia::core
