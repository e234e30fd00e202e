// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <span>

namespace fluvia {

/// The strongest oscillation of a signal.
struct SpectralPeak {
  double frequency = 0;  ///< cycles per sample
  double amplitude = 0;  ///< amplitude of the sine
  double share = 0;      ///< fraction of the variance within 2 / (number of samples) of the frequency
};

/// Fraction of the variance from which on there is one clear frequency.
inline constexpr double clear_peak = 0.5;

/// The highest peak of the periodogram of samples at equal distances, without their straight-line trend and under a
/// Hann window. A parabola through the logarithm of the peak and its neighbours, four for each cycle of the whole
/// signal, finds the frequency to about a hundredth of 1 / (number of samples), which is how far apart two oscillations
/// must be to be told apart (Harris, Proc. IEEE 66 (1978) 51). None for fewer than 16 samples, for signals that are
/// constant but for rounding, and where the strongest part has fewer than 1.5 cycles, which cannot be told from a
/// trend.
std::optional<SpectralPeak> find_spectral_peak(std::span<const double> samples);

}  // namespace fluvia
