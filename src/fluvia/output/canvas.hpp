// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace fluvia {

/// sRGB, 0..255.
using Color = std::array<std::uint8_t, 3>;

/// Where the given x of a text lies.
enum class Align { left, center, right };

/// A picture in memory. Pixel (0,0) is the upper left one; coordinates are in pixels, (0,0) is its upper left corner.
class Canvas {
 public:
  Canvas(int width, int height, const Color& background);
  [[nodiscard]] int width() const { return width_; }
  [[nodiscard]] int height() const { return height_; }
  [[nodiscard]] Color pixel(int x, int y) const;

  /// Fills pixels [x, x+width) x [y, y+height), clipped.
  void fill(int x, int y, int width, int height, const Color& color);
  /// One pixel wide outline just outside of that rectangle.
  void outline(int x, int y, int width, int height, const Color& color);
  /// Draws smooth strokes of the given thickness along polylines.
  void stroke(const std::vector<std::vector<std::array<double, 2>>>& lines, double thickness, const Color& color);
  /// Draws a line of UTF-8 text; `y` is the baseline and `size` the height of a capital letter.
  void text(double x, double y, double size, const std::string& utf8, const Color& color, Align align = Align::left,
            bool bold = false);

  /// Writes a PNG file, whole or not at all. Throws Error(resource).
  void write_png(const std::filesystem::path& path) const;

 private:
  void blend(int x, int y, const Color& color, double coverage);

  int width_, height_;
  std::vector<std::uint8_t> pixels_;
};

}  // namespace fluvia
