// SPDX-License-Identifier: Apache-2.0
#include "fluvia/run/monitors/statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <string_view>

#include "fluvia/base/error.hpp"
#include "fluvia/run/monitors/block_average.hpp"
#include "fluvia/run/monitors/spectrum.hpp"

namespace fluvia {

namespace {

using Json = nlohmann::json;

/// Takes the number in front of the next comma off `line`; false if there is none.
template <class Number>
bool take(std::string_view& line, Number& value) {
  const std::size_t end = std::min(line.find(','), line.size());
  const auto [stop, error] = std::from_chars(line.data(), line.data() + end, value);
  const bool whole = error == std::errc() && stop == line.data() + end;
  line.remove_prefix(std::min(end + 1, line.size()));
  return whole;
}

void skip(std::string_view& line) {
  line.remove_prefix(std::min(line.find(','), line.size() - 1) + 1);
}

struct Window {
  std::int64_t from = 0, every = 1;
  std::int64_t first_row = 0, last_row = 0;  ///< steps of the rows that were found
  std::uint64_t rows = 0;
};

/// Adds the rows of a monitor file that lie in the window.
void read_rows(const std::filesystem::path& file, const std::vector<std::size_t>& wanted, Window& window,
               std::vector<SignalStatistics>& signals) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw_resource(fmt::format("'{}' cannot be read; statistics cannot be taken", file.string()));
  std::string text;
  std::getline(in, text);  // header
  for (std::size_t number = 2; std::getline(in, text); ++number) {
    std::string_view line = text;
    std::int64_t step = 0;
    bool good = take(line, step);
    if (good && (step < window.from || step % window.every != 0)) continue;
    std::size_t column = 0;
    for (std::size_t k = 0; k < wanted.size() && good; ++k, ++column) {
      for (; column < wanted[k] && !line.empty(); ++column) skip(line);
      double value = 0;
      good = take(line, value);
      if (good) signals[k].add(value);
    }
    if (!good)
      throw_input(fmt::format("'{}' line {}: '{}' is no row of numbers; statistics cannot be taken", file.string(),
                              number, text.substr(0, 40)));
    if (window.rows++ == 0) window.first_row = step;
    window.last_row = step;
  }
}

/// Number of whole cycles in the last half of a run, or the last three if there are as many; 0 for a run of fewer than
/// two.
double cycles_of_window(std::int64_t last_step, double period) {
  constexpr double fewest = 2, enough = 3;
  const double done = period > 0 ? std::floor(static_cast<double>(last_step) / period + 1e-9) : 0;
  return done < fewest ? 0 : std::clamp(std::floor(0.5 * done), std::min(done, enough), done);
}

Json signal_json(const SignalStatistics& signal, const Units& units, std::int64_t every) {
  Json json = {{"mean", signal.mean()}, {"rms", signal.rms()},  {"min", signal.minimum()}, {"max", signal.maximum()},
               {"frequency", nullptr},  {"amplitude", nullptr}, {"share", nullptr}};
  const BlockAverage average = block_average(signal.samples());
  json["standard_error"] = average.plateau ? Json(average.error) : Json();
  const bool references = units.reference_length > 0 && units.reference_velocity > 0;
  if (references) json["strouhal"] = nullptr;
  const auto peak = find_spectral_peak(signal.samples());
  if (!peak) return json;
  const double per_step = peak->frequency / (static_cast<double>(every) * static_cast<double>(signal.stride()));
  json["frequency"] = per_step / units.si_time(1);
  json["amplitude"] = peak->amplitude;
  json["share"] = peak->share;
  if (references) json["strouhal"] = strouhal_number(units, per_step);
  return json;
}

}  // namespace

void SignalStatistics::add(double value) {
  minimum_ = count_ == 0 ? value : std::min(minimum_, value);
  maximum_ = count_ == 0 ? value : std::max(maximum_, value);
  // Running mean by Welford, Technometrics 4 (1962) 419.
  const double before = value - mean_;
  mean_ += before / static_cast<double>(++count_);
  squares_ += before * (value - mean_);
  pending_ += value;
  if (++pending_count_ < stride_) return;
  samples_.push_back(pending_ / static_cast<double>(stride_));
  pending_ = 0;
  pending_count_ = 0;
  if (samples_.size() < most_samples) return;
  for (std::size_t k = 0; k < most_samples / 2; ++k) samples_[k] = 0.5 * (samples_[2 * k] + samples_[2 * k + 1]);
  samples_.resize(most_samples / 2);
  stride_ *= 2;
}

double SignalStatistics::rms() const {
  return count_ > 0 ? std::sqrt(squares_ / static_cast<double>(count_)) : 0;
}

double strouhal_number(const Units& units, double per_step) {
  return units.reference_velocity > 0 ? per_step * units.reference_length / units.reference_velocity : 0;
}

MonitorHistory read_history(const Case& c, const std::filesystem::path& file, const std::vector<std::size_t>& wanted,
                            std::int64_t last_step, double period) {
  Window window;
  window.every = c.monitors.every;
  window.from = c.monitors.average_from.value_or((last_step + 1) / 2);
  const double cycles = c.monitors.average_from ? 0 : cycles_of_window(last_step, period);
  // As many rows as cover the cycles: one more where a cycle is no whole number of rows.
  const auto every = static_cast<double>(window.every);
  if (cycles > 0) window.from = last_step - std::llround(std::ceil(cycles * period / every - 1e-9) * every) + 1;
  MonitorHistory history;
  history.columns.resize(wanted.size());
  read_rows(file, wanted, window, history.columns);
  history.window = c.monitors.average_from ? "monitor.average_from"
                   : cycles > 0            ? fmt::format("last {:.0f} cycles", cycles)
                                           : "last half of the run";
  history.first_row = window.first_row;
  history.last_row = window.last_row;
  history.every = window.every;
  history.rows = window.rows;
  return history;
}

nlohmann::json statistics_json(const MonitorHistory& history, const Units& units,
                               const std::vector<std::string>& names) {
  Json json = {{"window", history.window}, {"from_step", history.first_row},  {"to_step", history.last_row},
               {"rows", history.rows},     {"frequency_resolution", nullptr}, {"columns", Json::object()}};
  if (history.rows == 0) return json;
  const double duration = units.si_time(static_cast<double>(history.every) * static_cast<double>(history.rows));
  json["frequency_resolution"] = 1 / duration;
  for (std::size_t k = 0; k < names.size(); ++k)
    if (!names[k].empty()) json["columns"][names[k]] = signal_json(history.columns[k], units, history.every);
  return json;
}

nlohmann::json monitor_statistics(const Case& c, const Units& units, const std::filesystem::path& file,
                                  const std::vector<std::string>& columns, const std::vector<std::size_t>& wanted,
                                  std::int64_t last_step) {
  std::vector<std::string> names;
  for (const std::size_t k : wanted) names.push_back(columns[k]);
  return statistics_json(read_history(c, file, wanted, last_step), units, names);
}

}  // namespace fluvia
