// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/bodies/motion_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "fluvia/base/csv.hpp"
#include "fluvia/base/error.hpp"
#include "fluvia/solver/profiles/time_series.hpp"

namespace fluvia {

namespace {

/// Refuses a cycle that begins elsewhere than it ends: the body would jump. Whole turns make no difference.
void check_cycle(const std::filesystem::path& file, int dimension, const std::vector<MotionTable::Row>& rows) {
  constexpr double negligible = 1e-6;  // of the way, since files round their numbers
  double way = 0;
  for (const MotionTable::Row& row : rows) way = std::max(way, norm(row.shift - rows.front().shift));
  const Real3 turn = rows.back().turn - rows.front().turn;
  const double rest = std::remainder(norm(turn), 2 * std::numbers::pi);
  const bool about_one_axis = dimension == 2 || norm(cross(rows.back().turn, rows.front().turn)) <= negligible;
  if (norm(rows.back().shift - rows.front().shift) <= negligible * way && std::abs(rest) <= negligible &&
      about_one_axis)
    return;
  throw_input(fmt::format(
      "{}: the last row of a motion that repeats is the first of the next cycle, but the body is not where it began; "
      "end the file with the first row's place, and its angle or whole turns more, or set series_periodic = false",
      file.string()));
}

}  // namespace

MotionTable::MotionTable(const std::filesystem::path& file, int dimension, bool periodic) : periodic_(periodic) {
  const std::vector<std::string> columns =
      dimension == 2 ? std::vector<std::string>{"t", "x", "y", "turn"}
                     : std::vector<std::string>{"t", "x", "y", "z", "turn_x", "turn_y", "turn_z"};
  read_time_rows(file, columns, [&](const std::vector<double>& row) {
    times_.push_back(row[0]);
    if (dimension == 2)
      rows_.push_back({{row[1], row[2], 0}, {0, 0, row[3]}});
    else
      rows_.push_back({{row[1], row[2], row[3]}, {row[4], row[5], row[6]}});
  });
  if (rows_.size() < 2)
    throw_input(fmt::format("{}: a motion needs at least two rows of {}", file.string(), fmt::join(columns, ", ")));
  if (periodic_) check_cycle(file, dimension, rows_);
}

template <class Number>
double MotionTable::slope(std::size_t k, const Number& number) const {
  const std::size_t last = rows_.size() - 1;
  const auto length = [&](std::size_t n) { return times_[n] - times_[n - 1]; };
  const auto rise = [&](std::size_t n) {  // between row n - 1 and n
    return (number(rows_[n]) - number(rows_[n - 1])) / length(n);
  };
  if (periodic_ && (k == 0 || k == last))
    k = last;
  else if (k == 0)
    return rise(1);
  else if (k == last)
    return rise(last);
  const std::size_t next = k == last ? 1 : k + 1;
  return (rise(k) * length(next) + rise(next) * length(k)) / (length(k) + length(next));
}

template <class Number>
double MotionTable::between(std::size_t k, double fraction, const Number& number) const {
  const double from = number(rows_[k - 1]), to = number(rows_[k]), s = fraction, rest = 1 - fraction;
  const double time = times_[k] - times_[k - 1];
  return rest * rest * (1 + 2 * s) * from + s * s * (3 - 2 * s) * to +
         time * s * rest * (rest * slope(k - 1, number) - s * slope(k, number));
}

MotionTable::Row MotionTable::at(double time) const {
  const auto [k, fraction] = interval_at(times_, periodic_, time);
  Row row;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    row.shift[axis] = between(k, fraction, [&](const Row& r) { return r.shift[axis]; });
    row.turn[axis] = between(k, fraction, [&](const Row& r) { return r.turn[axis]; });
  }
  return row;
}

}  // namespace fluvia
