// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <vector>

#include "fluvia/base/vector.hpp"

namespace fluvia {

/// The course of a rigid body from a file: at times that increase, how far it has gone, and how far it has turned.
/// Between rows it goes along a cubic curve through these, whose slopes are those of the parabola through a row and its
/// neighbours, so that its velocity has no jump; before the first row and after the last it rests there.
class MotionTable {
 public:
  struct Row {
    Real3 shift{};  ///< from the place at rest; the unit of the file
    /// Along the axis about which it has turned, as long as the angle in radians, which may be more than one turn.
    Real3 turn{};
  };
  /// `file`: rows of numbers (base/csv.hpp), in space `t, x, y, z, turn_x, turn_y, turn_z`, in the plane `t, x, y,
  /// turn`. `periodic`: the last row is the first of the next cycle. Throws Error(input), naming file and line, for
  /// rows with other numbers of columns, times that do not increase, less than two rows, and a cycle that does not end
  /// where it begins.
  MotionTable(const std::filesystem::path& file, int dimension, bool periodic);

  [[nodiscard]] Row at(double time) const;
  /// From the first row to the last; the unit of the file.
  [[nodiscard]] double duration() const { return times_.back() - times_.front(); }

 private:
  /// What a number of the rows is at a fraction of the way from row k - 1 to k, which takes a time.
  template <class Number>
  [[nodiscard]] double between(std::size_t k, double fraction, const Number& number) const;
  template <class Number>
  [[nodiscard]] double slope(std::size_t k, const Number& number) const;

  std::vector<double> times_;
  std::vector<Row> rows_;
  bool periodic_;
};

}  // namespace fluvia
