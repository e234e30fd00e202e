// SPDX-License-Identifier: Apache-2.0
#include "fluvia/output/pictures/figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fluvia/output/pictures/figure_layout.hpp"

namespace fluvia {
namespace {

constexpr Color ink{32, 36, 42}, pale_ink{88, 94, 104}, frame{104, 110, 120}, paper{255, 255, 255};

void draw_header(Drawing& page, const FigureLayout& l) {
  double y = l.margin + l.px(26);
  for (std::size_t k = 0; k < l.title.size(); ++k, y += l.px(FigureLayout::title_pitch))
    page.text(l.margin, y, l.large(), l.title[k], ink, Align::left, true);
  for (const std::string& line : l.subtitle) {
    page.text(l.margin, y, l.medium(), line, pale_ink);
    y += l.px(FigureLayout::subtitle_pitch);
  }
}

/// Position on the page of a point of the plane, given in cells from its lower left corner.
Point on_page(const FigureLayout& l, const Point& cells) {
  return {l.picture.left + cells[0] * l.zoom, l.picture.bottom - cells[1] * l.zoom};
}

/// The corners of an arrow's head whose tip is at `tip`.
Polyline arrow_head(const Point& tip, const Point& direction, double length) {
  const double size = std::hypot(direction[0], direction[1]);
  const double x = direction[0] / size, y = direction[1] / size, half = 0.38 * length;
  const Point base = {tip[0] - length * x, tip[1] - length * y};
  return {tip, {base[0] - half * y, base[1] + half * x}, {base[0] + half * y, base[1] - half * x}};
}

/// A polyline on the page, without points that are too near to the point before to be told from it.
Polyline line_on_page(const FigureLayout& l, const Polyline& line) {
  constexpr double least = 2;  // pixels
  Polyline drawn;
  for (std::size_t k = 0; k < line.size(); ++k) {
    const Point p = on_page(l, line[k]);
    if (k == 0 || k + 1 == line.size() || std::hypot(p[0] - drawn.back()[0], p[1] - drawn.back()[1]) >= least)
      drawn.push_back(p);
  }
  return drawn;
}

void draw_lines(Drawing& page, const Figure& figure, const FigureLayout& l) {
  std::vector<Polyline> lines, heads;
  for (const Polyline& line : figure.lines) {
    const Polyline& drawn = lines.emplace_back(line_on_page(l, line));
    if (drawn.size() < 3) continue;
    const std::size_t middle = drawn.size() / 2;
    const Point &from = drawn[middle - 1], &to = drawn[middle + 1];
    const Point along = {to[0] - from[0], to[1] - from[1]};
    if (std::hypot(along[0], along[1]) > 0) heads.push_back(arrow_head(drawn[middle], along, l.px(15)));
  }
  page.stroke(lines, l.px(4.2), paper, 0.4);
  page.stroke(lines, l.px(1.8), ink);
  for (const Polyline& head : heads) page.fill_polygon(head, ink);
}

void draw_arrows(Drawing& page, const Figure& figure, const FigureLayout& l) {
  std::vector<Polyline> shafts, heads;
  for (const Figure::Arrow& arrow : figure.arrows) {
    const Point from = on_page(l, arrow.from), to = on_page(l, arrow.to);
    const Point along = {to[0] - from[0], to[1] - from[1]};
    const double length = std::hypot(along[0], along[1]);
    if (!(length > 0)) continue;
    const double head = std::min(0.45 * length, l.px(16)), shaft = 1 - 0.9 * head / length;
    shafts.push_back({from, {from[0] + shaft * along[0], from[1] + shaft * along[1]}});
    heads.push_back(arrow_head(to, along, head));
  }
  std::vector<Polyline> halo = heads;
  for (Polyline& head : halo) head.push_back(head.front());
  page.stroke(shafts, l.px(4.6), paper);
  page.stroke(halo, l.px(2.4), paper);
  page.stroke(shafts, l.px(2), ink);
  for (const Polyline& head : heads) page.fill_polygon(head, ink);
}

void draw_picture(Drawing& page, const Figure& figure, const FigureLayout& l) {
  page.cells(static_cast<int>(l.picture.left), static_cast<int>(l.picture.top), figure.width * figure.detail,
             figure.height * figure.detail, l.zoom / figure.detail, figure.cells);
  page.clip(l.picture);
  draw_lines(page, figure, l);
  draw_arrows(page, figure, l);
  page.unclip();
  page.outline(l.picture, l.px(1.4), frame);
}

/// Draws the scale bar; returns where it ends.
double draw_scale_bar(Drawing& page, const FigureLayout& l) {
  const double length = l.scale_cells * l.zoom, x = l.picture.left, y = l.footer + l.px(44), cap = l.px(9);
  page.stroke({{{x, y - cap}, {x, y + cap}}, {{x, y}, {x + length, y}}, {{x + length, y - cap}, {x + length, y + cap}}},
              l.px(3), ink);
  const double label = x + length + l.px(16);
  page.text(label, y + 0.36 * l.small(), l.small(), l.scale_label, ink);
  return label + text_width(l.scale_label, l.small());
}

void draw_axes(Drawing& page, const Figure& figure, const FigureLayout& l) {
  const double length = l.px(46), head = l.px(12);
  const double x = l.footer_right - l.px(76), y = l.footer + l.px(72), right = x + length, up = y - length;
  page.stroke({{{x, up + 0.8 * head}, {x, y}, {right - 0.8 * head, y}}}, l.px(2.4), pale_ink);
  page.fill_polygon(arrow_head({right, y}, {1, 0}, head), pale_ink);
  page.fill_polygon(arrow_head({x, up}, {0, -1}, head), pale_ink);
  page.text(right + l.px(8), y + l.px(6), l.small(), std::string(1, figure.horizontal), pale_ink);
  page.text(x - l.px(9), up + l.px(12), l.small(), std::string(1, figure.vertical), pale_ink, Align::right);
}

void draw_entry(Drawing& page, const FigureLayout& l, double x, double y, const Color& color,
                const std::string& label) {
  const Box square{x, y, x + l.square(), y + l.square()};
  page.fill(square, color);
  page.outline(square, l.px(1.4), frame);
  page.text(x + l.label_offset(), y + 0.5 * l.square() + 0.36 * l.small(), l.small(), label, ink);
}

void draw_legend(Drawing& page, const Figure& figure, const FigureLayout& l, double x) {
  double y = figure.bar ? l.footer + l.px(44) - 0.5 * l.square() : l.legend_top;
  if (!figure.bar) x = l.legend_left;
  for (std::size_t i = 0; i < figure.legend.size(); ++i) {
    if (figure.bar) x += l.px(40);
    draw_entry(page, l, x, y, figure.legend[i].color, l.legend[i]);
    if (figure.bar) x += l.label_offset() + text_width(l.legend[i], l.small());
    if (!figure.bar) y += l.px(40);
  }
}

void draw_bar_colors(Drawing& page, const Figure::Bar& bar, const FigureLayout& l) {
  const auto width = static_cast<int>(l.bar.right - l.bar.left), height = static_cast<int>(l.bar.bottom - l.bar.top);
  std::vector<Color> colors;
  for (int j = 0; j < height; ++j)
    for (int i = 0; i < width; ++i)
      colors.push_back(
          bar.color(bar.low + (l.bar_below ? (i + 0.5) / width : (j + 0.5) / height) * (bar.high - bar.low)));
  page.cells(static_cast<int>(l.bar.left), static_cast<int>(l.bar.top), width, height, 1, colors);
  page.outline(l.bar, l.px(1.4), frame);
  // An arrow head at an end says that there are values beyond it.
  const double gap = l.px(4), head = l.px(20);
  const double x = 0.5 * (l.bar.left + l.bar.right), y = 0.5 * (l.bar.top + l.bar.bottom);
  const Point high_tip = l.bar_below ? Point{l.bar.right + gap + head, y} : Point{x, l.bar.top - gap - head};
  const Point low_tip = l.bar_below ? Point{l.bar.left - gap - head, y} : Point{x, l.bar.bottom + gap + head};
  const Point up = l.bar_below ? Point{1, 0} : Point{0, -1};
  if (bar.clipped_high) page.fill_polygon(arrow_head(high_tip, up, head), bar.color(bar.high));
  if (bar.clipped_low) page.fill_polygon(arrow_head(low_tip, {-up[0], -up[1]}, head), bar.color(bar.low));
}

void draw_bar(Drawing& page, const Figure& figure, const FigureLayout& l) {
  draw_bar_colors(page, *figure.bar, l);
  const double tick = l.px(9), height = 0.36 * l.small();
  for (const BarTexts::Tick& t : l.bar_texts.ticks) {
    if (l.bar_below) {
      const double x = l.bar.left + t.place * (l.bar.right - l.bar.left), y = l.bar.bottom;
      page.stroke({{{x, y}, {x, y + tick}}}, l.px(2), frame);
      page.text(x, y + tick + l.px(28), l.small(), t.label, ink, Align::center);
    } else {
      const double x = l.bar.right, y = l.bar.bottom - t.place * (l.bar.bottom - l.bar.top);
      page.stroke({{{x, y}, {x + tick, y}}}, l.px(2), frame);
      page.text(x + l.px(16), y + height, l.small(), t.label, ink);
    }
  }
  if (l.bar_below) {
    page.text(l.picture.right, 0.5 * (l.bar.top + l.bar.bottom) + height, l.small(), l.bar_texts.heading, ink,
              Align::right);
  } else {
    page.text(l.bar.left, l.bar.top - l.px(36), l.small(), l.bar_texts.heading, ink);
  }
}

}  // namespace

Color Figure::Bar::color(double value) const {
  const double centre = middle.value_or(0.5 * (low + high));
  const double reach = std::max(high - centre, centre - low);
  return map(0.5 + 0.5 * (value - centre) / reach);
}

double round_number_below(double limit) {
  const double power = std::pow(10.0, std::floor(std::log10(limit)));
  const double digit = limit / power * (1 + 1e-12);
  return (digit >= 5 ? 5 : digit >= 2 ? 2 : 1) * power;
}

std::string with_prefix(double value, const std::string& unit) {
  static constexpr const char* prefixes[] = {"p", "n", "µ", "m", "", "k", "M", "G"};
  if (value == 0 || !std::isfinite(value)) return fmt::format("{:g} {}", value, unit);
  const double exponent = std::floor(std::log10(std::abs(value) * (1 + 1e-9)) / 3);
  const int step = static_cast<int>(std::clamp(exponent, -4.0, 3.0));
  return fmt::format("{:.4g} {}{}", value / std::pow(1000.0, step), prefixes[step + 4], unit);
}

CellPlace cell_place(const Figure& figure) {
  const FigureLayout l = make_layout(figure);
  return {static_cast<int>(l.picture.left), static_cast<int>(l.picture.top), l.zoom};
}

Drawing draw_figure(const Figure& figure, PictureFormat format) {
  const FigureLayout layout = make_layout(figure);
  Drawing page(format, layout.width, layout.height);
  draw_header(page, layout);
  draw_picture(page, figure, layout);
  const double scale_end = draw_scale_bar(page, layout);
  draw_legend(page, figure, layout, scale_end);
  draw_axes(page, figure, layout);
  if (figure.bar) draw_bar(page, figure, layout);
  page.describe("Title", figure.title);
  if (!figure.subtitle.empty()) page.describe("Description", figure.subtitle);
  for (const auto& [keyword, text] : figure.facts) page.describe(keyword, text);
  return page;
}

}  // namespace fluvia
