// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "fluvia/output/canvas.hpp"

namespace fluvia {

/// A picture of a plane of nodes with all that is needed to read it.
struct Figure {
  /// The colour bar beside the picture.
  struct Bar {
    double low = 0, high = 1;
    std::string label;  ///< "velocity", ...
    std::string unit;
    Color (*map)(double t) = nullptr;
    bool clipped_low = false, clipped_high = false;  ///< values beyond the ends exist
  };
  struct LegendEntry {
    Color color;
    std::string label;
  };

  int width = 0, height = 0;  ///< cells of the plane
  std::vector<Color> cells;   ///< x fastest, the first row is the lowest
  std::string title, subtitle;
  char horizontal = 'x', vertical = 'y';
  double cell_size = 1;  ///< case units
  bool si = false;       ///< cell_size is in metres
  std::optional<Bar> bar;
  std::vector<LegendEntry> legend;
};

/// Draws the figure: small planes are enlarged (nearest neighbour) to about 600 pixels, at most 2000 along an axis.
Canvas draw_figure(const Figure& figure);

/// Cells per axis that fit into a picture.
inline constexpr int largest_picture = 2000;

/// A number with an SI prefix, "1.25 mm"; four digits.
std::string with_prefix(double value, const std::string& unit);

/// 1, 2 or 5 times a power of ten, at most `limit`.
double round_number_below(double limit);

}  // namespace fluvia
