// SPDX-License-Identifier: Apache-2.0
// Cells of a scalar that end at walls: what passes a face of which a part is open, between cells of which a part is
// fluid (docs/decisions/0062). Diffusivities and times in lattice units, volumes and faces in those of an open cell.
#pragma once

namespace fluvia::core {

/// How much of a cell is fluid, and how many times as much as an open one it spreads.
struct ScalarCell {
  double volume = 1, strength = 1;
};

/// What an open cell is: its diffusivity D, and D / c_s^2 = 1/minus - 1/2.
struct ScalarOpenCell {
  double diffusivity, odd_time;
};

/// Steps for which what passes a face may lag behind the difference that drives it. What lags travels at
/// sqrt(D / lag), and a flow that is faster than that makes it grow: so it is D / u^2 at a speed of 0.1, and the worst
/// along a wall is stable up to 0.13.
constexpr double most_scalar_lag(const ScalarOpenCell& open) {
  constexpr double fastest = 0.1, most = 32;
  const double lag = open.diffusivity / (fastest * fastest);
  return lag < most ? lag : most;
}

/// Strength of a cell whose faces let pass up to `wanted` times as much as its volume. What it spreads, and the
/// velocity that carries it, are so many times those of others, since half of a link lets nothing pass that is larger.
/// Along a wall, where faces are as large as volumes, what passes lags by (1 - 1/strength) / (2 odd_time) steps.
constexpr double scalar_strength(double wanted, const ScalarOpenCell& open) {
  constexpr double most = 4;
  const double lag = 2 * open.odd_time * most_scalar_lag(open);
  const double limit = 1 - lag > 1 / most ? 1 / (1 - lag) : most;
  return wanted < 1 ? 1 : wanted < limit ? wanted : limit;
}

/// The part of pass_between(), of what the volumes of two cells would let pass, that makes the flux in a steady state
/// D times the face times the difference of both cells. With magic = 1/4 what leaves a cell there is
/// w T + (1/(2 t) - 1) F/(2 V), t = strength odd_time, where F is what comes to it through this face, whatever passes
/// its others; so F = K (difference of what leaves both) with
///   1/K = (1/V + 1/V')/2 + (1/face - (1/(V strength) + 1/(V' strength'))/2) / (2 odd_time).
/// K is at most the harmonic mean of both volumes, so that V g^2 + V' g'^2 grows for no populations; faces that are
/// larger than that act as one that is not.
constexpr double scalar_face_part(const ScalarCell& one, const ScalarCell& other, double face,
                                  const ScalarOpenCell& open) {
  const double reach = one.volume * one.strength, other_reach = other.volume * other.strength;
  const double least = reach < other_reach ? reach : other_reach;
  if (face > least) face = least;
  const double of_volumes = 0.5 * (1 / one.volume + 1 / other.volume);
  const double lag = (1 / face - 0.5 * (1 / reach + 1 / other_reach)) / (2 * open.odd_time * of_volumes);
  const double most = most_scalar_lag(open);
  return 1 / (1 + (lag < most ? lag : most));
}

}  // namespace fluvia::core
