// SPDX-License-Identifier: Apache-2.0
#include "fluvia/run/monitors/spectrum.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

namespace fluvia {

namespace {

using Complex = std::complex<double>;
constexpr std::size_t fewest = 16;
constexpr double fewest_cycles = 1.5, rounding = 1e-6;

/// Discrete Fourier transform of 2^n values in place (Cooley & Tukey, Math. Comp. 19 (1965) 297).
void transform(std::vector<Complex>& x) {
  const std::size_t count = x.size();
  for (std::size_t i = 1, j = 0; i < count; ++i) {
    std::size_t bit = count / 2;
    for (; (j & bit) != 0; bit /= 2) j ^= bit;
    j ^= bit;
    if (i < j) std::swap(x[i], x[j]);
  }
  for (std::size_t half = 1; half < count; half *= 2)
    for (std::size_t k = 0; k < half; ++k) {
      const Complex turn = std::polar(1.0, -std::numbers::pi * static_cast<double>(k) / static_cast<double>(half));
      for (std::size_t i = k; i < count; i += 2 * half) {
        const Complex odd = turn * x[i + half];
        x[i + half] = x[i] - odd;
        x[i] += odd;
      }
    }
}

/// The samples less their mean and their least-squares slope.
std::vector<double> without_trend(std::span<const double> samples) {
  const auto count = static_cast<double>(samples.size());
  const double middle = 0.5 * (count - 1);
  double mean = 0, slope = 0;
  for (std::size_t k = 0; k < samples.size(); ++k) {
    mean += samples[k] / count;
    slope += samples[k] * (static_cast<double>(k) - middle);
  }
  slope /= count * (count * count - 1) / 12;
  std::vector<double> result;
  for (std::size_t k = 0; k < samples.size(); ++k)
    result.push_back(samples[k] - mean - slope * (static_cast<double>(k) - middle));
  return result;
}

/// Power at the frequencies k / (2 size()), k = 0 ... size(); at least four for each cycle of the whole signal.
std::vector<double> periodogram(const std::vector<double>& signal) {
  std::vector<Complex> x(4 * std::bit_ceil(signal.size()));
  for (std::size_t k = 0; k < signal.size(); ++k) {
    const double phase = 2 * std::numbers::pi * (static_cast<double>(k) + 0.5) / static_cast<double>(signal.size());
    x[k] = signal[k] * 0.5 * (1 - std::cos(phase));
  }
  transform(x);
  std::vector<double> power;
  for (std::size_t k = 0; k <= x.size() / 2; ++k) power.push_back(std::norm(x[k]));
  return power;
}

}  // namespace

std::optional<SpectralPeak> find_spectral_peak(std::span<const double> samples) {
  if (samples.size() < fewest) return std::nullopt;
  if (!std::all_of(samples.begin(), samples.end(), [](double v) { return std::isfinite(v); })) return std::nullopt;
  const auto smaller = [](double a, double b) { return std::abs(a) < std::abs(b); };
  const std::vector<double> signal = without_trend(samples);
  const double scale = std::abs(*std::max_element(samples.begin(), samples.end(), smaller));
  if (std::abs(*std::max_element(signal.begin(), signal.end(), smaller)) <= rounding * scale) return std::nullopt;

  const std::vector<double> power = periodogram(signal);
  const auto count = static_cast<double>(samples.size());
  const double bins_per_cycle = 2 * static_cast<double>(power.size() - 1) / count;
  const auto first = power.begin() + static_cast<std::ptrdiff_t>(std::ceil(bins_per_cycle));
  const auto peak = std::max_element(first, power.end() - 1);
  const auto at = static_cast<std::size_t>(peak - power.begin());
  if (static_cast<double>(at) < fewest_cycles * bins_per_cycle) return std::nullopt;

  const double before = std::log(power[at - 1]), here = std::log(power[at]), after = std::log(power[at + 1]);
  const double curvature = before - 2 * here + after;
  const double shift = curvature < 0 ? std::clamp(0.5 * (before - after) / curvature, -0.5, 0.5) : 0;
  SpectralPeak result;
  result.frequency = (static_cast<double>(at) + shift) / (2 * static_cast<double>(power.size() - 1));
  result.amplitude = 2 * std::sqrt(std::exp(here - 0.25 * (before - after) * shift)) / (0.5 * count);
  double total = 0, near = 0;
  for (std::size_t k = 0; k < power.size(); ++k) {
    total += power[k];
    if (std::abs(static_cast<double>(k) - static_cast<double>(at)) <= 2 * bins_per_cycle) near += power[k];
  }
  result.share = near / total;
  return result;
}

}  // namespace fluvia
