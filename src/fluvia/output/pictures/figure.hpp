// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fluvia/output/pictures/drawing.hpp"

namespace fluvia {

/// What the colours of a plane, or of the planes of a series, have to span, in the unit of the field.
struct ColorRange {
  bool empty = true;           ///< there are no values
  double least = 0, most = 0;  ///< extreme values
  double low = 0, high = 0;    ///< within these, without the few that would flatten the rest
  double scale = 0;            ///< largest magnitude of the whole field, of all components
  bool is_signed = false;      ///< whether values lie on both sides of a middle
  double middle = 0;           ///< the middle
  bool from_zero = false;      ///< whether values cannot be below 0
};

/// A picture of a plane of nodes with all that is needed to read it.
struct Figure {
  /// The colour bar: beside the picture, or below it where that is wide.
  struct Bar {
    double low = 0, high = 1;
    std::string unit;
    Color (*map)(double t) = nullptr;
    bool clipped_low = false, clipped_high = false;  ///< values beyond the ends exist
    std::optional<double> middle = std::nullopt;     ///< value of the middle of the map; none: that of the bar
    /// Colour of a value. Where the bar does not reach as far to one side of `middle`, the map ends early there.
    [[nodiscard]] Color color(double value) const;
  };
  struct LegendEntry {
    Color color;
    std::string label;
  };
  struct Arrow {
    Point from, to;  ///< in cells from the lower left corner, y upwards
  };

  int width = 0, height = 0;  ///< cells of the plane
  /// Colours along a cell's edge: 1, or as many as pixels_per_cell(), so that each pixel has its own.
  int detail = 1;
  std::vector<Color> cells;  ///< x fastest, the first row is the lowest; detail^2 of each cell
  /// Of each cell that has its colour from the bar; of others not finite. Empty where cells have several colours.
  std::vector<float> values;
  std::optional<ColorRange> range;  ///< that of the values, if there are any
  std::string title, subtitle;
  std::map<std::string, std::string> facts;  ///< keywords and texts that a PNG has in it beside title and subtitle
  char horizontal = 'x', vertical = 'y';
  double cell_size = 1;              ///< edge of a cell, case units
  bool si = false;                   ///< cell_size is in metres
  std::string length_name = "node";  ///< otherwise: what it counts
  std::optional<Bar> bar;
  std::vector<LegendEntry> legend;  ///< below the picture if there is a bar, else beside it
  std::vector<Polyline> lines;  ///< lines over the cells, in cells as arrows are; an arrow head in the middle of each
  std::vector<Arrow> arrows;
};

/// Most cells of a picture along an axis.
inline constexpr int largest_picture = 2000;
/// Least width of a picture, pixels.
inline constexpr int least_width = 1500;

/// Pixels along the edge of a cell in a picture of so many cells.
int pixels_per_cell(int width, int height);

/// Where the cells of a figure lie on its page: its upper left corner, and pixels along a cell's edge.
struct CellPlace {
  int left = 0, top = 0, zoom = 1;
};
CellPlace cell_place(const Figure& figure);

/// Draws the figure, at least least_width wide: small planes are enlarged by a whole number, to at most largest_picture
/// pixels along an axis. A PNG has title, subtitle and facts as texts in it (`Title`, `Description`, the keywords).
Drawing draw_figure(const Figure& figure, PictureFormat format);

/// A number with an SI prefix and four digits: "1.25 mm".
std::string with_prefix(double value, const std::string& unit);

/// The largest of 1, 2 and 5 times powers of ten that is at most `limit`.
double round_number_below(double limit);

}  // namespace fluvia
