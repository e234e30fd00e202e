// SPDX-License-Identifier: Apache-2.0
#include "fluvia/run/time_series.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fluvia/base/csv.hpp"
#include "fluvia/base/error.hpp"

namespace fluvia {

TimeSeries::TimeSeries(const std::filesystem::path& file, bool periodic) : periodic_(periodic) {
  read_number_rows(file, {"time", "value"}, [&](const std::vector<double>& row, int line) {
    if (!times_.empty() && row[0] <= times_.back())
      throw_input(fmt::format("{}:{}: time {} does not follow {}; times must increase", file.string(), line, row[0],
                              times_.back()));
    times_.push_back(row[0]);
    values_.push_back(row[1]);
  });
  if (times_.empty()) throw_input(fmt::format("{}: the time series has no rows 'time,value'", file.string()));
}

double TimeSeries::extreme() const {
  return *std::max_element(values_.begin(), values_.end(),
                           [](double a, double b) { return std::abs(a) < std::abs(b); });
}

double TimeSeries::at(double time) const {
  const double first = times_.front(), last = times_.back();
  if (periodic_ && last > first)
    time = first + std::fmod(std::fmod(time - first, last - first) + last - first, last - first);
  if (time <= first) return values_.front();
  if (time >= last) return values_.back();
  const std::size_t k = std::upper_bound(times_.begin(), times_.end(), time) - times_.begin();
  const double s = (time - times_[k - 1]) / (times_[k] - times_[k - 1]);
  return values_[k - 1] + s * (values_[k] - values_[k - 1]);
}

}  // namespace fluvia
