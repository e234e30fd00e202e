// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace fluvia::cli {

/// A small plot of a residual over the time steps for a terminal, logarithmic upwards: dots of the Braille alphabet,
/// two across and four up in each character, or stars where the terminal has ASCII only.
class ResidualPlot {
 public:
  static constexpr int rows = 6;  ///< lines of the plot, besides the one that names its axis

  /// Residuals that are not above 0 or not finite are passed over.
  void add(std::int64_t step, double residual);
  /// The lines, none longer than `columns` characters; empty while there is nothing to draw, or no room.
  [[nodiscard]] std::vector<std::string> lines(int columns, bool braille) const;

 private:
  struct Row {
    std::int64_t step;
    double logarithm;
  };
  std::vector<Row> points_;  ///< at most so many that each column has several
  std::int64_t stride_ = 1, count_ = 0;
};

/// True if the environment says that the terminal shows UTF-8 (the first that is set of LC_ALL, LC_CTYPE, LANG;
/// POSIX.1-2017, section 8.2).
bool terminal_shows_utf8();

}  // namespace fluvia::cli
