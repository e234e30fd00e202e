// SPDX-License-Identifier: Apache-2.0
#include "fluvia/run/loop/course.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "fluvia/run/monitors/block_average.hpp"
#include "fluvia/run/monitors/spectrum.hpp"

namespace fluvia {

namespace {

constexpr std::size_t fewest_samples = 8;
constexpr int fewest_crossings = 4;
constexpr double dying_out = 0.5, slowest_decay = 0.9;
constexpr double same_mean = 0.01;  ///< difference of means that counts as none, in parts of the scale
constexpr double fewest_periods = 3;

using Samples = std::span<const double>;

double range_of(Samples samples) {
  const auto [low, high] = std::minmax_element(samples.begin(), samples.end());
  return *high - *low;
}

int crossings(Samples samples, double mean) {
  int count = 0;
  for (std::size_t k = 1; k < samples.size(); ++k) count += (samples[k - 1] < mean) != (samples[k] < mean);
  return count;
}

bool drifts(Samples early, Samples late, double scale) {
  const double difference = std::abs(mean_of(late) - mean_of(early));
  return difference > same_mean * scale &&
         difference > 2 * std::hypot(block_average(early).error, block_average(late).error);
}

/// The rest of a change that dies out like r, r^2, ..., after the step from `before` to `now`, with r from the step
/// before that; none if nothing bounds it.
std::optional<double> still_to_come(double now, double before, std::optional<double> earlier, double scale) {
  const double change = std::abs(now - before);
  const double earlier_change = earlier ? std::abs(before - *earlier) : 0;
  const double decay = earlier_change > 0 ? change / earlier_change : change > 0 ? 1 : 0;
  if (decay < slowest_decay) return change * std::max(1.0, decay / (1 - decay));
  if (change <= Course::steady_share * scale) return change;
  return std::nullopt;
}

/// The largest difference between a cycle that ends `back` samples before the last and the same moments of the cycle
/// before it.
double difference_of_cycles(Samples samples, double period, double back) {
  const auto at = [&](double place) {
    const auto whole = std::min(static_cast<std::size_t>(place), samples.size() - 2);
    return samples[whole] + (place - static_cast<double>(whole)) * (samples[whole + 1] - samples[whole]);
  };
  double largest = 0;
  const double end = static_cast<double>(samples.size()) - 1 - back;
  for (double place = end; place > end - period && place >= period; place -= 1)
    largest = std::max(largest, std::abs(at(place) - at(place - period)));
  return largest;
}

void take_mean(const SignalStatistics& signal, Course& course) {
  course.kind = Course::Kind::fluctuating;
  const auto peak = find_spectral_peak(signal.samples());
  const std::vector<double> means =
      peak && peak->share > clear_peak ? period_means(signal.samples(), 1 / peak->frequency) : std::vector<double>{};
  if (static_cast<double>(means.size()) >= fewest_periods) {
    course.value = mean_of(means);
    course.periods = static_cast<double>(means.size());
    double squares = 0;
    for (const double mean : means) squares += (mean - course.value) * (mean - course.value);
    course.error = 2 * std::sqrt(squares / (course.periods * (course.periods - 1)));
    return;
  }
  const BlockAverage average = block_average(signal.samples());
  course.value = signal.mean();
  course.error = 2 * average.error;
  course.plateau = average.plateau;
  course.independent = average.independent;
}

}  // namespace

std::vector<double> period_means(std::span<const double> samples, double length) {
  std::vector<double> sums = {0};
  for (const double value : samples) sums.push_back(sums.back() + value);
  const auto sum_until = [&](double place) {
    const auto whole = std::min(static_cast<std::size_t>(place), samples.size() - 1);
    return sums[whole] + (place - static_cast<double>(whole)) * samples[whole];
  };
  const auto end = static_cast<double>(samples.size());
  // Samples are a whole number of steps apart, and a period is not: the first one may lack a part of a sample.
  constexpr double rounding = 1e-9;
  const auto count = static_cast<std::size_t>((end + 1 - rounding) / length);
  std::vector<double> means;
  for (std::size_t k = 0; k < count; ++k) {
    const double to = end - length * static_cast<double>(k), from = std::max(0.0, to - length);
    means.push_back((sum_until(to) - sum_until(from)) / (to - from));
  }
  return means;
}

Course judge_course(const SignalStatistics& signal, double last, double scale, double steps) {
  const Samples samples = signal.samples();
  Course course;
  course.value = last;
  const bool finite =
      std::isfinite(last) && std::all_of(samples.begin(), samples.end(), [](double x) { return std::isfinite(x); });
  if (samples.size() < fewest_samples || !finite) return course;
  const Samples early = samples.first(samples.size() / 2), late = samples.last(samples.size() / 2);
  const double change = range_of(late), before = range_of(early);
  course.decay = before > 0 ? change / before : change > 0 ? 1 : 0;
  course.per_thousand =
      1000 * change / (steps * static_cast<double>(signal.stride()) * static_cast<double>(late.size()));
  const bool small = change <= Course::steady_share * scale;
  if (!small && course.decay > dying_out && crossings(samples, signal.mean()) >= fewest_crossings &&
      !drifts(early, late, scale)) {
    take_mean(signal, course);
    return course;
  }
  if (course.decay < slowest_decay)
    course.error = change * std::max(1.0, course.decay / (1 - course.decay));
  else if (small)
    course.error = change;
  course.kind =
      course.error && *course.error <= Course::steady_share * scale ? Course::Kind::steady : Course::Kind::changing;
  return course;
}

Course judge_cycles(const SignalStatistics& signal, double last, double scale, double steps, double period) {
  const Course plain = judge_course(signal, last, scale, steps);
  const Samples samples = signal.samples();
  const std::vector<double> means = period_means(samples, period);
  if (plain.kind == Course::Kind::unknown || means.size() < 2) return plain;
  const auto whole = static_cast<std::size_t>(period);
  if (range_of(samples.last(whole)) <= Course::steady_share * scale) return plain;
  Course course;
  course.kind = Course::Kind::fluctuating;
  course.value = means[0];
  course.per_thousand = plain.per_thousand;
  course.periods = static_cast<double>(means.size());
  course.error = still_to_come(means[0], means[1], means.size() > 2 ? std::optional(means[2]) : std::nullopt, scale);
  const auto [low, high] = std::minmax_element(samples.end() - static_cast<std::ptrdiff_t>(whole), samples.end());
  const bool forwards = course.value >= 0;
  Cycle cycle{course.periods, forwards ? *high : *low, forwards ? *low : *high};
  const double change = difference_of_cycles(samples, period, 0);
  cycle.change = change / scale;
  const double before = means.size() > 2 ? difference_of_cycles(samples, period, period) : 0;
  if (before > 0) cycle.decay = change / before;
  course.decay = cycle.decay;
  course.cycle = cycle;
  return course;
}

}  // namespace fluvia
