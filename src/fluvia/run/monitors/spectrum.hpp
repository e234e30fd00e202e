// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <span>

namespace fluvia {

/// The strongest oscillation of a signal.
struct SpectralPeak {
  double frequency = 0;  ///< cycles per sample
  double amplitude = 0;  ///< of the sine
  double share = 0;      ///< of the variance, within 2 / (number of samples) of the frequency
};

/// From this share of the variance on there is one frequency.
inline constexpr double clear_peak = 0.5;

/// The highest peak of the periodogram of samples at equal distances, without their straight-line trend and under a
/// Hann window; a parabola through the logarithm of the peak and its neighbours, four a cycle of the whole signal,
/// finds the frequency to about a hundredth of 1 / (number of samples), which is how far apart two oscillations must
/// be to be told apart. (Harris, Proc. IEEE 66 (1978) 51.) Nothing for fewer than 16 samples, for signals that are
/// constant but for rounding, and where the strongest part has fewer than 1.5 cycles, which no one can tell from a
/// trend.
std::optional<SpectralPeak> find_spectral_peak(std::span<const double> samples);

}  // namespace fluvia
