// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <complex>
#include <vector>

#include "fluvia/solver/profiles/time_series.hpp"

namespace fluvia {

/// The Fourier series of a time series that repeats:
///   mean + sum over harmonics of Re(amplitude e^(i 2 pi number (t - start) / period)).
struct Waveform {
  struct Harmonic {
    int number;
    std::complex<double> amplitude;
  };
  double start = 0, period = 0, mean = 0;
  std::vector<Harmonic> harmonics;  ///< by increasing number
  double left = 0;                  ///< fraction of the variance that is in none of the harmonics

  /// The contribution of one harmonic to at(), before Re().
  [[nodiscard]] std::complex<double> at(const Harmonic& harmonic, double time) const;
};

/// Most harmonics that find_waveform() keeps.
inline constexpr int most_harmonics = 32;

/// The Fourier series of a time series that repeats. Coefficients are integrals of the series as it is, linear between
/// its points. There are as many harmonics as the points resolve, half their number, and most_harmonics at most; of
/// those the smallest are left out that together have no more than a millionth of the variance. None for a series that
/// does not change.
Waveform find_waveform(const TimeSeries& series);

}  // namespace fluvia
