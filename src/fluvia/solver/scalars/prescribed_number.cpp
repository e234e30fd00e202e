// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/scalars/prescribed_number.hpp"

#include <fmt/format.h>

#include <cmath>
#include <variant>

#include "fluvia/base/error.hpp"
#include "fluvia/geometry/input_file.hpp"
#include "fluvia/initial/formula.hpp"
#include "fluvia/solver/profiles/time_series.hpp"

namespace fluvia {

struct PrescribedNumber::Course {
  std::variant<Formula, TimeSeries> is;
};

PrescribedNumber::PrescribedNumber(const Case& c, const Case::Prescribed& from, const std::string& key)
    : number_(from.number) {
  if (!from.changes()) return;
  if (!from.series.empty())
    course_ =
        std::make_shared<const Course>(Course{TimeSeries(geometry::resolve(c.directory, from.series), from.periodic)});
  else
    course_ = std::make_shared<const Course>(Course{Formula::of_time(from.formula, c.place(key) + ": " + key)});
  if (!std::isfinite(at(0)))
    throw_input(fmt::format("{}: {}: '{}' is no finite number at time 0; expected one at every time", c.place(key), key,
                            from.formula));
}

double PrescribedNumber::at(double time) const {
  if (!course_) return number_;
  if (const auto* const series = std::get_if<TimeSeries>(&course_->is)) return series->at(time);
  return std::get<Formula>(course_->is)({time, 0, 0});
}

}  // namespace fluvia
