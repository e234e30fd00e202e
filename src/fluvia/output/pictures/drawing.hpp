// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "fluvia/base/library_calls.hpp"
#include "fluvia/output/pictures/color_map.hpp"

struct _cairo;
struct _cairo_surface;

namespace fluvia {

enum class PictureFormat { png, svg, pdf };

/// A format by its name, which is also the extension of its files. Throws Error(input) for others.
PictureFormat picture_format(const std::string& name);
const char* extension_of(PictureFormat format);

/// Which point of a text the given x is.
enum class Align { left, center, right };

/// A point x, y.
using Point = std::array<double, 2>;
using Polyline = std::vector<Point>;

struct Box {
  double left = 0, top = 0, right = 0, bottom = 0;
};

/// A picture as three bytes a pixel, red, green and blue, the upper row first.
struct Pixels {
  int width = 0, height = 0;
  std::string rgb;
};

/// The pixels of a PNG; what shines through is white. `name` is that of its file for the message of Error(input) if it
/// is damaged.
Pixels pixels_of_png(const std::string& png, const std::string& name);

/// Width of a line of UTF-8 text in pixels; `size` is that of the font: capitals are about 0.73 of it high.
double text_width(const std::string& utf8, double size, bool bold = false);

/// A sentence with its remedy if this machine has no fonts, so that texts are drawn in Cairo's plain built-in one,
/// which knows ASCII only; empty if there are fonts.
std::string missing_fonts();

/// A page on which Cairo draws. Coordinates are pixels, (0, 0) is the upper left corner of the page, y points down; in
/// SVG a pixel is one, in PDF 0.32 points. The same calls give the same bytes.
///
/// Members throw Error(resource), and std::bad_alloc where memory runs out.
class Drawing {
 public:
  /// A white page of that many pixels, at most 30000 along each axis.
  Drawing(PictureFormat format, int width, int height);
  Drawing(Drawing&&) = default;
  Drawing& operator=(Drawing&&) = delete;  // the surface must end before the bytes that it writes to
  ~Drawing() = default;

  [[nodiscard]] PictureFormat format() const { return format_; }
  [[nodiscard]] int width() const { return width_; }
  [[nodiscard]] int height() const { return height_; }

  void fill(const Box& box, const Color& color);
  /// Draws an outline just outside of the box.
  void outline(const Box& box, double thickness, const Color& color);
  /// Draws round strokes along polylines.
  void stroke(const std::vector<Polyline>& lines, double thickness, const Color& color, double opacity = 1);
  void fill_polygon(const Polyline& corners, const Color& color);
  /// Draws squares of `zoom` pixels each, columns * rows of them, x fastest and the lowest row first, with sharp edges.
  void cells(int left, int top, int columns, int rows, int zoom, const std::vector<Color>& colors);
  /// Draws a line of UTF-8 text on the baseline `y`; characters that cannot be printed become '?'.
  void text(double x, double y, double size, const std::string& utf8, const Color& color, Align align = Align::left,
            bool bold = false);
  /// Writes a text into the file that is not seen: a PNG has it under this keyword, as image viewers show it.
  void describe(const std::string& keyword, const std::string& utf8) { descriptions_.emplace_back(keyword, utf8); }
  /// Keeps everything that is drawn from now on within the box, until unclip().
  void clip(const Box& box);
  void unclip();

  /// Boxes of the texts on the page, in the order in which they were drawn.
  [[nodiscard]] const std::vector<Box>& texts() const { return texts_; }
  /// Colour of a pixel of a PNG.
  [[nodiscard]] Color pixel(int x, int y) const;
  /// All pixels of a PNG.
  [[nodiscard]] Pixels pixels() const;

  /// Ends the drawing and returns the file.
  const std::string& finish();
  /// Writes the file, whole or not at all.
  void write(const std::filesystem::path& path);

 private:
  struct Destroy {
    void operator()(_cairo* context) const;
    void operator()(_cairo_surface* surface) const;
  };
  void set_color(const Color& color, double opacity = 1);
  void check() const;

  /// The first member: Cairo may not get the memory that it asks for.
  std::unique_ptr<LibraryCalls> calls_ = std::make_unique<LibraryCalls>("Cairo");
  PictureFormat format_;
  int width_, height_;
  std::unique_ptr<std::string> bytes_;  ///< bytes of the file; Cairo keeps its address
  std::unique_ptr<_cairo_surface, Destroy> surface_;
  std::unique_ptr<_cairo, Destroy> context_;
  std::vector<Box> texts_;
  std::vector<std::pair<std::string, std::string>> descriptions_;
  bool finished_ = false;
};

}  // namespace fluvia
