// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/profiles/waveform.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace fluvia {

namespace {

constexpr double negligible = 1e-6;

double frequency(double period, int number) {
  return 2 * std::numbers::pi * number / period;
}

/// The integral of (value - mean) e^(-iwt) over the period T, times 2/T, in closed form on every straight piece.
std::complex<double> amplitude(const TimeSeries& series, double mean, double w) {
  const std::vector<double>&t = series.times(), &q = series.values();
  const auto turn = [&](std::size_t k) { return std::polar(1.0, -w * (t[k] - t[0])); };
  const std::complex<double> i = {0, 1};
  std::complex<double> sum = 0;
  for (std::size_t k = 1; k < t.size(); ++k) {
    const double slope = (q[k] - q[k - 1]) / (t[k] - t[k - 1]);
    sum +=
        i / w * ((q[k] - mean) * turn(k) - (q[k - 1] - mean) * turn(k - 1)) + slope / (w * w) * (turn(k) - turn(k - 1));
  }
  return 2 / (t.back() - t.front()) * sum;
}

}  // namespace

std::complex<double> Waveform::at(const Harmonic& harmonic, double time) const {
  // The phase within one period: that since the start would lose digits as the run grows old.
  return harmonic.amplitude * std::polar(1.0, frequency(period, harmonic.number) * std::fmod(time - start, period));
}

Waveform find_waveform(const TimeSeries& series) {
  const std::vector<double>&t = series.times(), &q = series.values();
  Waveform wave;
  wave.start = t.front();
  wave.period = t.back() - t.front();
  wave.mean = q.front();
  if (t.size() < 2) return wave;
  wave.mean = 0;
  for (std::size_t k = 1; k < t.size(); ++k) wave.mean += 0.5 * (q[k] + q[k - 1]) * (t[k] - t[k - 1]) / wave.period;
  double variance = 0;
  for (std::size_t k = 1; k < t.size(); ++k) {
    const double a = q[k - 1] - wave.mean, b = q[k] - wave.mean;
    variance += (a * a + a * b + b * b) / 3 * (t[k] - t[k - 1]) / wave.period;
  }
  if (!(variance > 1e-24 * wave.mean * wave.mean)) return wave;
  const int resolved = std::clamp(static_cast<int>(t.size() - 1) / 2, 1, most_harmonics);
  wave.left = 1;
  for (int n = 1; n <= resolved; ++n)
    wave.harmonics.push_back({n, amplitude(series, wave.mean, frequency(wave.period, n))});
  const auto share = [&](const Waveform::Harmonic& h) { return std::norm(h.amplitude) / 2 / variance; };
  std::sort(wave.harmonics.begin(), wave.harmonics.end(),
            [&](const auto& a, const auto& b) { return share(a) > share(b); });
  for (double dropped = 0; !wave.harmonics.empty(); wave.harmonics.pop_back()) {
    dropped += share(wave.harmonics.back());
    if (dropped > negligible) break;
  }
  for (const Waveform::Harmonic& h : wave.harmonics) wave.left -= share(h);
  wave.left = std::max(0.0, wave.left);
  std::sort(wave.harmonics.begin(), wave.harmonics.end(),
            [](const auto& a, const auto& b) { return a.number < b.number; });
  return wave;
}

}  // namespace fluvia
