// SPDX-License-Identifier: Apache-2.0
#include "fluvia/output/figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fluvia/output/stroke_font.hpp"

namespace fluvia {
namespace {

constexpr Color white{255, 255, 255}, ink{38, 42, 48}, pale_ink{96, 102, 112}, frame{120, 126, 134};

/// Measures in pixels; `unit` grows with the picture so that text stays readable when it is shown smaller.
struct Layout {
  int zoom = 1;
  int picture_width, picture_height;
  double unit;
  int margin, left, top, bar_left = 0, bar_top = 0, bar_width = 0, bar_height = 0;
  int width, height;
  [[nodiscard]] double small() const { return 9 * unit; }
  [[nodiscard]] double large() const { return 12 * unit; }
};

int zoom_of(const Figure& figure) {
  constexpr int wanted = 600;
  const int longest = std::max(figure.width, figure.height);
  const int zoom = (wanted + figure.width - 1) / figure.width;
  return std::clamp(zoom, 1, std::max(1, largest_picture / 2 / longest + (longest * 2 <= wanted ? 1 : 0)));
}

Layout make_layout(const Figure& figure) {
  Layout l{};
  l.zoom = zoom_of(figure);
  l.picture_width = figure.width * l.zoom;
  l.picture_height = figure.height * l.zoom;
  l.unit = std::clamp(std::max(l.picture_width, l.picture_height) / 900.0, 1.0, 2.0);
  const auto px = [&](double value) { return static_cast<int>(std::lround(value * l.unit)); };
  l.margin = px(24);
  const int header = px(26) + (figure.subtitle.empty() ? 0 : px(20)), footer = px(42);
  int side = 0;
  if (figure.bar) {
    l.bar_width = px(16);
    l.bar_height = std::max(l.picture_height, px(170)) - px(24);
    side = px(22) + l.bar_width + px(86);
  } else if (!figure.legend.empty()) {
    double longest = 0;
    for (const auto& entry : figure.legend) longest = std::max(longest, text_width(entry.label, l.small()));
    side = px(22) + px(22) + static_cast<int>(longest);
  }
  const double text = std::max(text_width(figure.title, l.large()), text_width(figure.subtitle, l.small()));
  const int content = std::max(l.picture_width + side, static_cast<int>(std::min(text, 900.0 * l.unit)) + 1);
  const int body = std::max(l.picture_height, figure.bar ? l.bar_height + px(24) : 0);
  l.width = content + 2 * l.margin;
  l.height = l.margin + header + body + footer + l.margin / 2;
  l.left = l.margin + (content - l.picture_width - side) / 2;
  l.top = l.margin + header + (body - l.picture_height) / 2;
  l.bar_left = l.left + l.picture_width + px(22);
  l.bar_top = l.margin + header + px(24);
  return l;
}

void draw_cells(Canvas& canvas, const Figure& figure, const Layout& l) {
  for (int j = 0; j < figure.height; ++j) {
    const int y = l.top + (figure.height - 1 - j) * l.zoom;
    for (int i = 0; i < figure.width; ++i) {
      const auto at =
          static_cast<std::size_t>(j) * static_cast<std::size_t>(figure.width) + static_cast<std::size_t>(i);
      canvas.fill(l.left + i * l.zoom, y, l.zoom, l.zoom, figure.cells[at]);
    }
  }
  canvas.outline(l.left, l.top, l.picture_width, l.picture_height, frame);
}

/// `text`, shortened with "..." if it is wider than `limit`.
std::string fitted(const std::string& text, double size, double limit) {
  std::string result = text;
  while (!result.empty() && text_width(result + "...", size) > limit) {
    do result.pop_back();
    while (!result.empty() && (static_cast<unsigned char>(result.back()) & 0xc0) == 0x80);
  }
  return text_width(text, size) <= limit ? text : result + "...";
}

void draw_header(Canvas& canvas, const Figure& figure, const Layout& l) {
  const double limit = l.width - 2.0 * l.margin, x = l.margin;
  canvas.text(x, l.margin + l.large(), l.large(), fitted(figure.title, l.large(), limit), ink, Align::left, true);
  canvas.text(x, l.margin + l.large() + 20 * l.unit, l.small(), fitted(figure.subtitle, l.small(), limit), pale_ink);
}

void draw_scale_bar(Canvas& canvas, const Figure& figure, const Layout& l) {
  const double length = round_number_below(std::max(0.3 * figure.width, 1.0) * figure.cell_size);
  const double pixels = length / figure.cell_size * l.zoom;
  const double y = l.top + l.picture_height + 18 * l.unit, x = l.left + 1, cap = 4 * l.unit;
  canvas.stroke(
      {{{x, y - cap}, {x, y + cap}}, {{x, y}, {x + pixels, y}}, {{x + pixels, y - cap}, {x + pixels, y + cap}}},
      1.6 * l.unit, ink);
  const std::string label = figure.si ? with_prefix(length, "m") : fmt::format("{:g} nodes", length / figure.cell_size);
  canvas.text(x + pixels + 9 * l.unit, y + 0.5 * l.small(), l.small(), label, ink);
}

void draw_axes(Canvas& canvas, const Figure& figure, const Layout& l) {
  const double length = 20 * l.unit, head = 4.5 * l.unit;
  const double x = l.left + l.picture_width - length - 14 * l.unit, y = l.top + l.picture_height + 32 * l.unit;
  const double right = x + length, up = y - 0.85 * length;
  canvas.stroke({{{x, up}, {x, y}, {right, y}},
                 {{right - head, y - 0.6 * head}, {right, y}, {right - head, y + 0.6 * head}},
                 {{x - 0.6 * head, up + head}, {x, up}, {x + 0.6 * head, up + head}}},
                1.3 * l.unit, pale_ink);
  canvas.text(right + 5 * l.unit, y + 3 * l.unit, 8 * l.unit, std::string(1, figure.horizontal), pale_ink);
  canvas.text(x - 6 * l.unit, up + 6 * l.unit, 8 * l.unit, std::string(1, figure.vertical), pale_ink, Align::right);
}

/// Power of ten to divide tick labels by: 0 for everyday numbers.
int common_exponent(double largest) {
  if (!(largest > 0)) return 0;
  const int exponent = static_cast<int>(std::floor(std::log10(largest)));
  return exponent >= -2 && exponent <= 4 ? 0 : static_cast<int>(std::floor(exponent / 3.0)) * 3;
}

void draw_ticks(Canvas& canvas, const Figure::Bar& bar, const Layout& l, int exponent) {
  const double range = bar.high - bar.low, pixels = l.bar_height;
  const int wanted = std::clamp(static_cast<int>(pixels / (34 * l.unit)), 2, 8);
  double step = round_number_below(range / wanted);
  while (step * wanted < range * (1 - 1e-9)) step = round_number_below(2.5 * step);
  const double factor = std::pow(10.0, exponent);
  const int digits = std::clamp(static_cast<int>(std::ceil(-std::log10(step / factor) - 1e-9)), 0, 6);
  const double x = l.bar_left + l.bar_width;
  for (double n = std::ceil(bar.low / step - 1e-6); n * step <= bar.high + 1e-6 * range; ++n) {
    const double y = l.bar_top + pixels * (1 - (n * step - bar.low) / range);
    canvas.stroke({{{x, y}, {x + 5 * l.unit, y}}}, 1.2 * l.unit, frame);
    canvas.text(x + 9 * l.unit, y + 0.5 * l.small(), l.small(), fmt::format("{:.{}f}", n * step / factor + 0.0, digits),
                ink);
  }
}

void draw_bar(Canvas& canvas, const Figure& figure, const Layout& l) {
  const Figure::Bar& bar = *figure.bar;
  for (int j = 0; j < l.bar_height; ++j) {
    const double t = 1 - (j + 0.5) / l.bar_height;
    canvas.fill(l.bar_left, l.bar_top + j, l.bar_width, 1, bar.map(t));
  }
  canvas.outline(l.bar_left, l.bar_top, l.bar_width, l.bar_height, frame);
  // An arrow head at an end says that there are values beyond it.
  const double half = 0.5 * l.bar_width, middle = l.bar_left + half, head = 5 * l.unit;
  if (bar.clipped_high) {
    const double y = l.bar_top - 3 * l.unit;
    canvas.stroke({{{middle - half, y}, {middle, y - head}, {middle + half, y}}}, 1.3 * l.unit, frame);
  }
  if (bar.clipped_low) {
    const double y = l.bar_top + l.bar_height + 3 * l.unit;
    canvas.stroke({{{middle - half, y}, {middle, y + head}, {middle + half, y}}}, 1.3 * l.unit, frame);
  }
  const int exponent = common_exponent(std::max(std::abs(bar.low), std::abs(bar.high)));
  double x = l.bar_left;
  const double y = l.bar_top - 12 * l.unit;
  if (exponent != 0) {
    const std::string ten = "×10", power = std::to_string(exponent);
    canvas.text(x, y, l.small(), ten, ink);
    x += text_width(ten, l.small()) + 1.5 * l.unit;
    canvas.text(x, y - 0.55 * l.small(), 0.7 * l.small(), power, ink);
    x += text_width(power, 0.7 * l.small()) + 5 * l.unit;
  }
  canvas.text(x, y, l.small(), bar.unit, ink);
  draw_ticks(canvas, bar, l, exponent);
}

void draw_legend(Canvas& canvas, const Figure& figure, const Layout& l) {
  double y = l.top;
  const int box = static_cast<int>(13 * l.unit);
  for (const Figure::LegendEntry& entry : figure.legend) {
    canvas.fill(l.bar_left, static_cast<int>(y), box, box, entry.color);
    canvas.outline(l.bar_left, static_cast<int>(y), box, box, frame);
    canvas.text(l.bar_left + 22 * l.unit, y + 0.5 * (box + l.small()), l.small(), entry.label, ink);
    y += 22 * l.unit;
  }
}

}  // namespace

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

Canvas draw_figure(const Figure& figure) {
  const Layout layout = make_layout(figure);
  Canvas canvas(layout.width, layout.height, white);
  draw_header(canvas, figure, layout);
  draw_cells(canvas, figure, layout);
  draw_scale_bar(canvas, figure, layout);
  draw_axes(canvas, figure, layout);
  if (figure.bar) draw_bar(canvas, figure, layout);
  if (!figure.bar && !figure.legend.empty()) draw_legend(canvas, figure, layout);
  return canvas;
}

}  // namespace fluvia
