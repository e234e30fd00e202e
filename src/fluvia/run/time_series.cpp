// SPDX-License-Identifier: Apache-2.0
#include "fluvia/run/time_series.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>
#include <string>

#include "fluvia/base/error.hpp"

namespace fluvia {

namespace {
bool parse_row(std::string line, double& time, double& value) {
  std::replace(line.begin(), line.end(), ',', ' ');
  std::replace(line.begin(), line.end(), ';', ' ');
  std::istringstream in(line);
  std::string rest;
  return in >> time >> value && !(in >> rest) && std::isfinite(time) && std::isfinite(value);
}
}  // namespace

TimeSeries::TimeSeries(const std::filesystem::path& file, bool periodic) : periodic_(periodic) {
  std::ifstream in(file);
  if (!in) throw_input(fmt::format("{}: the time series cannot be opened", file.string()));
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.empty() || line[0] == '#') continue;
    double time, value;
    if (!parse_row(line, time, value)) {
      if (times_.empty() && number == 1) continue;  // header
      throw_input(fmt::format("{}:{}: '{}' is not a row 'time,value' of two numbers", file.string(), number, line));
    }
    if (!times_.empty() && time <= times_.back())
      throw_input(fmt::format("{}:{}: time {} does not follow {}; times must increase", file.string(), number, time,
                              times_.back()));
    times_.push_back(time);
    values_.push_back(value);
  }
  if (times_.empty()) throw_input(fmt::format("{}: the time series has no rows 'time,value'", file.string()));
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
