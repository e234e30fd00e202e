// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/output/pictures/figure.hpp"

namespace fluvia {

/// Texts at a colour bar.
struct BarTexts {
  struct Tick {
    double place;  ///< 0 at the low end, 1 at the high end
    std::string label;
  };
  std::vector<Tick> ticks;
  std::string heading;  ///< unit, and the power of ten that the labels leave out
};

/// Texts for a bar that is so many pixels long and has a tick in every `pitch` pixels or fewer.
BarTexts bar_texts(const Figure::Bar& bar, double pixels, double pitch);

/// Where everything of a figure lies, in pixels. Texts of any length fit: on several lines, if need be, and the last of
/// many is cut short.
struct FigureLayout {
  static constexpr double title_pitch = 42, subtitle_pitch = 34;  ///< from one line of text to the next
  int zoom = 1;
  /// Unit of lengths, pixels; grows with the picture, so that texts stay readable when it is shown smaller.
  double unit = 1;
  int width = 0, height = 0;
  int margin = 0;
  Box picture;  ///< the cells
  bool bar_below = false;
  Box bar;
  BarTexts bar_texts;
  double legend_left = 0, legend_top = 0;  ///< beside the picture
  double footer = 0;                       ///< upper edge of the row below the picture
  double footer_right = 0;                 ///< right end of that row; the left one is that of the picture

  double scale_cells = 1;  ///< length of the scale bar, cells
  std::string scale_label;
  std::vector<std::string> title, subtitle;  ///< lines
  std::vector<std::string> legend;           ///< labels

  [[nodiscard]] double px(double value) const { return value * unit; }
  [[nodiscard]] double large() const { return 34 * unit; }
  [[nodiscard]] double medium() const { return 26 * unit; }
  [[nodiscard]] double small() const { return 24 * unit; }
  /// Edge of a legend's square, pixels; below: distance from its left edge to the label.
  [[nodiscard]] double square() const { return 24 * unit; }
  [[nodiscard]] double label_offset() const { return 36 * unit; }
};

FigureLayout make_layout(const Figure& figure);

}  // namespace fluvia
