// SPDX-License-Identifier: Apache-2.0
#include "fluvia/draft/pulse.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "fluvia/base/csv.hpp"
#include "fluvia/base/error.hpp"
#include "fluvia/base/quantity.hpp"
#include "fluvia/base/text.hpp"
#include "fluvia/case/series_units.hpp"
#include "fluvia/draft/case_text.hpp"
#include "fluvia/draft/choices.hpp"

namespace fluvia::draft {

namespace {

/// A healthy mean pressure in arteries, 93 mmHg: a third of the way from 80 to 120.
constexpr double usual_pressure = 93 * 133.322;
constexpr double usual_proximal = 0.1;    ///< share of the resistance that lies before the compliance
constexpr double usual_decay_time = 1.5;  ///< s, resistance x compliance, with which the pressure falls in diastole
constexpr int moments = 4000;             ///< moments of a cycle at which the windkessel is followed

/// The boundary of the case that the file belongs to.
Case::Boundary boundary_of(const std::string& file, const std::string& quantity) {
  Case::Boundary b;
  b.surface = "inlet";
  b.type = "velocity";
  b.series = file;
  b.series_quantity = quantity;
  return b;
}

/// The unit in which the header says that the values are; empty if it does not.
std::string unit_of_values(const std::string& header) {
  const std::size_t open = header.rfind('['), close = header.rfind(']');
  const std::size_t comma = header.find_first_of(",;\t");
  return comma == std::string::npos || open == std::string::npos || open < comma || close < open
             ? ""
             : header.substr(open + 1, close - open - 1);
}

bool is_speed(const std::string& unit) {
  return find_unit(unit, QuantityKind::speed).has_value();
}

double factor_of(const std::string& unit) {
  const auto rate = find_unit(unit, QuantityKind::flow_rate), speed = find_unit(unit, QuantityKind::speed);
  if (!rate && !speed)
    throw Error(ExitCode::usage,
                fmt::format("--unit-of-flow: '{}' is not known; expected {}, or {}", shorten(unit),
                            possible_units(QuantityKind::flow_rate), possible_units(QuantityKind::speed)));
  return rate ? *rate : *speed;
}

/// What each unit would mean for a mean of the file.
std::string unit_is_missing(const std::string& file, double mean) {
  std::string text = fmt::format(
      "--unit-of-flow is missing: neither it nor the header of {} says in which unit the values are. With a mean of {} "
      "it would be",
      file, format_short(mean, 3));
  for (const char* unit : {"ml/s", "ml/min", "l/min", "m3/s"})
    text += fmt::format("\n  --unit-of-flow {:<8} {} through the inlet", unit, show_flow(mean * factor_of(unit)));
  return text;
}

double mean_of(const TimeSeries& series) {
  const std::vector<double>&t = series.times(), &q = series.values();
  double sum = 0;
  for (std::size_t k = 1; k < t.size(); ++k) sum += (t[k] - t[k - 1]) * (q[k] + q[k - 1]) / 2;
  return t.size() > 1 ? sum / (t.back() - t.front()) : q.front();
}

/// Closes the cycle: a last row with the value of the first one is the same moment; without one the next cycle begins
/// as long after the last row as that lies behind the row before it.
void close_cycle(Waveform& w, const std::string& file) {
  const std::vector<double>& t = w.flow.times();
  if (!w.flow.jumps()) {
    w.told.push_back(fmt::format("waveform     {} s a cycle, from {} rows of {}", format_short(w.cycle(), 4), t.size(),
                                 shorten(file)));
  } else {
    w.period = rounded(w.flow.duration() + t.back() - t[t.size() - 2], 9);
    w.flow.repeat_after(*w.period);
    w.told.push_back(fmt::format(
        "waveform     {} s a cycle: the {} rows of {} end elsewhere than they begin, so the next cycle begins a row "
        "later",
        format_short(*w.period, 4), t.size() - 1, shorten(file)));
  }
}

/// Refuses a cycle that no heart beats in, where nobody said in which unit times are.
void require_time_unit(const Waveform& w, const std::string& header, const std::string& file) {
  constexpr double shortest = 0.2, longest = 5;  // a heart beats 12 to 300 times a minute
  const bool said = header.substr(0, header.find_first_of(",;\t")).find('[') != std::string::npos;
  if (said || (w.cycle() >= shortest && w.cycle() <= longest)) return;
  throw Error(
      ExitCode::usage,
      fmt::format("--waveform: {} does not say in which unit times are, and a cycle of {} s is none of a heart; "
                  "give it a header with the unit in brackets, \"t [ms];Q [ml/s]\", or \"t [s];Q [ml/s]\" if "
                  "it is meant",
                  file, format_short(w.cycle(), 4)));
}

/// Pressure behind the proximal resistance over cycles, from one at the start, while the flow rises by a ramp.
class Reservoir {
 public:
  Reservoir(const Windkessel& w, const Waveform& waveform)
      : w_(w),
        wave_(waveform),
        step_(waveform.cycle() / moments),
        decay_(w.compliance > 0 ? std::exp(-step_ / (w.distal * w.compliance)) : 0) {}

  void advance(double ramp) {
    const double flow = wave_.flow.at(wave_.flow.times().front() + time_ + 0.5 * step_);
    pressure += (1 - decay_) * (w_.distal * ramp_factor(time_ + 0.5 * step_, ramp) * flow - pressure);
    time_ += step_;
    upstream = pressure + w_.proximal * flow;
  }
  [[nodiscard]] double time() const { return time_; }
  [[nodiscard]] double decay() const { return decay_; }

  double pressure = 0;  ///< at the compliance
  double upstream = 0;  ///< at the outlet, with the whole flow

 private:
  const Windkessel& w_;
  const Waveform& wave_;
  double step_, decay_, time_ = 0;
};

}  // namespace

double Waveform::mean() const {
  return mean_of(flow);
}

double Waveform::peak() const {
  return std::abs(flow.extreme());
}

Waveform read_waveform(const DraftRequest& request, double area) {
  Case c;
  c.units.system = "si";
  c.directory = request.folder;
  const std::string name = file_in_case(request.waveform, request.folder), shown = request.waveform.string();
  const std::string header = read_header(request.waveform), named = unit_of_values(header);
  const std::string& unit = named.empty() ? request.unit_of_flow : named;
  Case::Boundary b =
      boundary_of(std::filesystem::absolute(request.waveform).string(), is_speed(unit) ? "speed" : "flow_rate");
  if (!named.empty() && !request.unit_of_flow.empty() && factor_of(request.unit_of_flow) != factor_of(named))
    throw Error(ExitCode::usage, fmt::format("--unit-of-flow: '{}' contradicts the header of {}, which says [{}]",
                                             shorten(request.unit_of_flow), shown, shorten(named)));
  Waveform w{read_series(c, b), name, b.series_quantity, 1, {}, {}};
  if (w.flow.times().size() < 2)
    throw_input(fmt::format("{}: one row is no waveform; give a cycle of two or more", shown));
  const std::size_t rows = w.flow.times().size();
  close_cycle(w, request.waveform.filename().string());
  require_time_unit(w, header, shown);
  const double mean = mean_of(w.flow);
  if (!(mean > 0))
    throw_input(fmt::format(
        "{}: the mean over its cycle of {} rows is {}{}: expected more than 0, a flow into the vessel{}", shown, rows,
        format_short(mean / (named.empty() ? 1 : factor_of(named)), 3), unit.empty() ? "" : ' ' + unit,
        mean < 0 ? "; if that is how its author counted, change the signs of the file" : ""));
  const double to_flow = b.series_quantity == "speed" ? area : 1;
  const double wanted = request.flow_rate ? *request.flow_rate : request.speed ? *request.speed * area : 0;
  if (wanted > 0) {
    const double factor = rounded(wanted / (to_flow * mean), 9);
    w.flow.scale(1, factor * to_flow);
    w.scale = factor * (named.empty() ? 1 : factor_of(named));  // beside which the case heeds no unit of the header
    return w;
  }
  if (unit.empty()) throw Error(ExitCode::usage, unit_is_missing(shown, mean));
  if (named.empty()) w.scale = factor_of(unit);
  w.flow.scale(1, w.scale * to_flow);
  return w;
}

Windkessel make_windkessel(const DraftRequest& request, const Waveform& waveform, double ramp) {
  Windkessel w;
  const double mean = waveform.mean();
  const double resistance = request.resistance.value_or(rounded(usual_pressure / mean, 3));
  w.proximal = usual_proximal * resistance;
  w.distal = resistance - w.proximal;
  w.compliance = request.compliance.value_or(rounded(usual_decay_time / resistance, 3));
  w.mean_pressure = resistance * mean;
  // After so many cycles any start is forgotten, and what is left is the flow's own cycle.
  Reservoir own(w, waveform);
  own.pressure = w.distal * mean;
  const int settle = static_cast<int>(std::min(200.0, std::ceil(7 * w.distal * w.compliance / waveform.cycle()))) + 1;
  for (int k = 0; k < settle * moments; ++k) own.advance(0);
  std::vector<double> cycle;
  for (int k = 0; k < moments; ++k) {
    cycle.push_back(own.pressure);
    own.advance(0);
    w.swing = std::max(w.swing, std::abs(own.upstream - w.mean_pressure));
  }
  // From rest to the end of the ramp the pressure obeys a linear equation: the start follows from the end.
  Reservoir ramped(w, waveform);
  double left = 1;
  int steps = 0;
  while (ramped.time() < ramp && steps < moments * settle) {
    ramped.advance(ramp);
    left *= ramped.decay();
    ++steps;
  }
  const double end = cycle[static_cast<std::size_t>(steps % moments)];
  const double start = left > 1e-3 ? (end - ramped.pressure) / left : w.distal * mean;
  w.start_pressure = rounded(std::clamp(start / (1 - usual_proximal), 0.0, 2 * w.mean_pressure), 5);
  w.swing = std::max(w.swing, std::abs(w.start_pressure - w.mean_pressure));
  return w;
}

double own_compliance_allowed(const Windkessel& windkessel, const Waveform& waveform) {
  const double frequency = 2 * std::numbers::pi / waveform.cycle();
  const std::complex<double> behind(1, frequency * windkessel.distal * windkessel.compliance);
  const double impedance = std::abs(windkessel.proximal + windkessel.distal / behind);
  return most_stored / (frequency * impedance);
}

}  // namespace fluvia::draft
