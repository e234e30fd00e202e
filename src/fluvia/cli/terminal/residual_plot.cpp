// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cli/terminal/residual_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace fluvia::cli {

namespace {

constexpr int label_width = 6;  // of "1e-12 "
constexpr std::size_t most_points = 4096;

/// Marks on a grid of fine cells, so many in each character.
class Canvas {
 public:
  Canvas(int columns, bool braille)
      : braille_(braille),
        columns_(columns),
        width_(columns * (braille ? 2 : 1)),
        height_(ResidualPlot::rows * (braille ? 4 : 1)),
        marks_(static_cast<std::size_t>(width_ * height_), false) {}

  [[nodiscard]] int width() const { return width_; }
  [[nodiscard]] int height() const { return height_; }
  /// Marks a cell; the first row is the lowest.
  void mark(int x, int y) { marks_[static_cast<std::size_t>(y * width_ + x)] = true; }

  /// A line of text, the first the upper one.
  [[nodiscard]] std::string line(int row) const {
    std::string text;
    for (int column = 0; column < columns_; ++column) text += braille_ ? braille_at(column, row) : star_at(column, row);
    text.erase(text.find_last_not_of(' ') + 1);
    return text;
  }

 private:
  [[nodiscard]] bool marked(int x, int from_above) const {
    return marks_[static_cast<std::size_t>((height_ - 1 - from_above) * width_ + x)];
  }
  [[nodiscard]] std::string star_at(int column, int row) const { return marked(column, row) ? "*" : " "; }
  /// The character for eight dots (Unicode, block Braille Patterns), in UTF-8.
  [[nodiscard]] std::string braille_at(int column, int row) const {
    static constexpr int bits[2][4] = {{0x01, 0x02, 0x04, 0x40}, {0x08, 0x10, 0x20, 0x80}};
    int dots = 0;
    for (int x = 0; x < 2; ++x)
      for (int y = 0; y < 4; ++y)
        if (marked(2 * column + x, 4 * row + y)) dots |= bits[x][y];
    if (dots == 0) return " ";
    return {'\xe2', static_cast<char>(0xa0 | dots >> 6), static_cast<char>(0x80 | (dots & 0x3f))};
  }

  bool braille_;
  int columns_, width_, height_;
  std::vector<bool> marks_;
};

}  // namespace

void ResidualPlot::add(std::int64_t step, double residual) {
  if (!(residual > 0) || !std::isfinite(residual)) return;
  if (!points_.empty() && step < points_.back().step) points_.clear();  // it went back to an earlier state
  if (count_++ % stride_ != 0) return;
  points_.push_back({step, std::log10(residual)});
  if (points_.size() < most_points) return;
  std::size_t kept = 0;
  for (std::size_t k = 0; k < points_.size(); k += 2) points_[kept++] = points_[k];
  points_.resize(kept);
  stride_ *= 2;
}

std::vector<std::string> ResidualPlot::lines(int columns, bool braille) const {
  const int inside = std::min(columns - label_width - 1, 100);
  if (points_.size() < 2 || inside < 20) return {};
  double low = points_.front().logarithm, high = low;
  for (const Row& p : points_) {
    low = std::min(low, p.logarithm);
    high = std::max(high, p.logarithm);
  }
  low = std::floor(low);
  high = std::max(std::ceil(high), low + 1) + 0.0;  // a zero without its sign
  Canvas canvas(inside, braille);
  const auto first = static_cast<double>(points_.front().step), last = static_cast<double>(points_.back().step);
  const auto place = [](double part, int cells) {
    return std::clamp(static_cast<int>(std::lround(part * (cells - 1))), 0, cells - 1);
  };
  for (const Row& p : points_)
    canvas.mark(place(last > first ? (static_cast<double>(p.step) - first) / (last - first) : 1, canvas.width()),
                place((p.logarithm - low) / (high - low), canvas.height()));
  std::vector<std::string> lines = {
      fmt::format("residual over steps {} to {}", points_.front().step, points_.back().step)};
  for (int row = 0; row < rows; ++row) {
    const std::string label = row == 0          ? fmt::format("1e{:.0f}", high)
                              : row == rows - 1 ? fmt::format("1e{:.0f}", low)
                                                : "";
    lines.push_back(fmt::format("{:>{}} |{}", label, label_width - 1, canvas.line(row)));
  }
  return lines;
}

bool terminal_shows_utf8() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* const value = std::getenv(name);
    if (value == nullptr || *value == '\0') continue;
    std::string locale = value;
    std::transform(locale.begin(), locale.end(), locale.begin(), [](unsigned char c) { return std::tolower(c); });
    return locale.ends_with("utf-8") || locale.ends_with("utf8");
  }
  return false;
}

}  // namespace fluvia::cli
