// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/profiles/time_series.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "fluvia/base/csv.hpp"
#include "fluvia/base/error.hpp"
#include "fluvia/case/series_units.hpp"
#include "fluvia/geometry/input_file.hpp"

namespace fluvia {

namespace {
constexpr double rounding = 1e-9;  ///< rounding of periods
}

TimeSeries::TimeSeries(const std::filesystem::path& file, bool periodic) : periodic_(periodic) {
  read_time_rows(file, {"time", "value"}, [&](const std::vector<double>& row) {
    times_.push_back(row[0]);
    values_.push_back(row[1]);
  });
  if (times_.empty()) throw_input(fmt::format("{}: the time series has no rows 'time,value'", file.string()));
}

void TimeSeries::scale(double time, double value) {
  for (double& t : times_) t *= time;
  for (double& v : values_) v *= value;
}

void TimeSeries::repeat_after(double period) {
  periodic_ = true;
  if (period <= duration() * (1 + rounding)) return;
  times_.push_back(times_.front() + period);
  values_.push_back(values_.front());
}

double TimeSeries::extreme() const {
  return *std::max_element(values_.begin(), values_.end(),
                           [](double a, double b) { return std::abs(a) < std::abs(b); });
}

std::optional<double> TimeSeries::period() const {
  const auto [low, high] = std::minmax_element(values_.begin(), values_.end());
  if (!periodic_ || *low == *high) return std::nullopt;
  return duration();
}

bool TimeSeries::jumps() const {
  constexpr double negligible = 1e-3;
  const auto [low, high] = std::minmax_element(values_.begin(), values_.end());
  // Files round their numbers, so that a series that hardly changes may end a little beside its first value.
  const double scale = std::max(*high - *low, 0.1 * std::max(std::abs(*high), std::abs(*low)));
  return periodic_ && std::abs(values_.back() - values_.front()) > negligible * scale;
}

TimeInterval interval_at(const std::vector<double>& times, bool periodic, double time) {
  const double first = times.front(), last = times.back();
  if (periodic) time = first + std::fmod(std::fmod(time - first, last - first) + last - first, last - first);
  if (time <= first) return {1, 0};
  if (time >= last) return {times.size() - 1, 1};
  const auto k = static_cast<std::size_t>(std::upper_bound(times.begin(), times.end(), time) - times.begin());
  return {k, (time - times[k - 1]) / (times[k] - times[k - 1])};
}

double TimeSeries::at(double time) const {
  if (times_.size() == 1) return values_.front();
  const auto [k, fraction] = interval_at(times_, periodic_, time);
  return fraction == 1 ? values_[k] : values_[k - 1] + fraction * (values_[k] - values_[k - 1]);
}

double ramp_factor(double time, double ramp) {
  if (time >= ramp) return 1;
  return time <= 0 ? 0 : 0.5 * (1 - std::cos(std::numbers::pi * time / ramp));
}

TimeSeries read_series(const Case& c, const Case::Boundary& b) {
  const std::filesystem::path file = geometry::resolve(c.directory, b.series);
  TimeSeries series(file, b.series_periodic);
  const SeriesUnits units = series_units(c, b);
  series.scale(units.time, units.value);
  if (!b.series_periodic || !b.series_period) return series;
  if (*b.series_period < series.duration() * (1 - rounding))
    throw_input(
        fmt::format("boundary '{}': series_period = {:.6g} is shorter than the series of {}, which lasts {:.6g}; "
                    "give a period of at least that, or end the file there",
                    b.surface, *b.series_period, file.string(), series.duration()));
  series.repeat_after(*b.series_period);
  return series;
}

}  // namespace fluvia
