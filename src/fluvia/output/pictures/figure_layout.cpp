// SPDX-License-Identifier: Apache-2.0
#include "fluvia/output/pictures/figure_layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace fluvia {
namespace {

/// Whether the plane is wide: its colour bar then lies below it, and there is more room along x.
bool is_wide(int width, int height) {
  return width >= 2.2 * height;
}

/// `text`, cut short with "..." if it is wider than `limit`.
std::string fitted(const std::string& text, double size, double limit, bool bold = false) {
  if (text_width(text, size, bold) <= limit) return text;
  const auto shortened = [&](std::size_t bytes) {
    while (bytes > 0 && (static_cast<unsigned char>(text[bytes]) & 0xc0) == 0x80) --bytes;  // whole letters only
    return text.substr(0, bytes) + "...";
  };
  std::size_t fits = 0, too_long = text.size();
  while (too_long - fits > 1) {
    const std::size_t middle = (fits + too_long) / 2;
    (text_width(shortened(middle), size, bold) <= limit ? fits : too_long) = middle;
  }
  return shortened(fits);
}

/// `text` on at most `most` lines that are at most `limit` wide, broken at spaces; if it is longer, the last is cut.
std::vector<std::string> lines_of(const std::string& text, double size, double limit, std::size_t most, bool bold) {
  std::vector<std::string> lines;
  std::size_t start = 0;
  while (start < text.size()) {
    std::size_t end = text.size();
    if (lines.size() + 1 < most)
      while (text_width(text.substr(start, end - start), size, bold) > limit) {
        const std::size_t space = text.rfind(' ', end - 1);
        if (space == std::string::npos || space <= start) break;
        end = space;
      }
    lines.push_back(fitted(text.substr(start, end - start), size, limit, bold));
    start = text.find_first_not_of(' ', end);
    if (start == std::string::npos) break;
  }
  return lines;
}

std::string superscript(int number) {
  static constexpr const char* digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string result;
  for (const char sign : std::to_string(number)) result += sign == '-' ? "⁻" : digits[sign - '0'];
  return result;
}

/// Power of ten by which tick labels are divided: 0 for everyday numbers.
int common_exponent(double largest) {
  if (!(largest > 0)) return 0;
  const int exponent = static_cast<int>(std::floor(std::log10(largest)));
  return exponent >= -2 && exponent <= 4 ? 0 : static_cast<int>(std::floor(exponent / 3.0)) * 3;
}

double widest_tick(const FigureLayout& l) {
  double widest = 0;
  for (const BarTexts::Tick& tick : l.bar_texts.ticks) widest = std::max(widest, text_width(tick.label, l.small()));
  return widest;
}

/// Width of what stands beside the picture, pixels; sets the labels there.
double side_width(const Figure& figure, FigureLayout& l) {
  if (figure.bar && !l.bar_below)
    return l.px(34) + std::max(l.px(30 + 16) + widest_tick(l), text_width(l.bar_texts.heading, l.small()));
  if (figure.bar || figure.legend.empty()) return 0;
  double longest = 0;
  for (const std::string& label : l.legend) longest = std::max(longest, text_width(label, l.small()));
  return l.px(34) + l.label_offset() + longest;
}

void set_scale(const Figure& figure, FigureLayout& l) {
  const double wanted = std::max(0.25 * (l.picture.right - l.picture.left), l.px(130)) / l.zoom;
  const double length = round_number_below((figure.si ? wanted : std::max(wanted, 1.0)) * figure.cell_size);
  l.scale_cells = length / figure.cell_size;
  l.scale_label = figure.si ? with_prefix(length, "m")
                            : fmt::format("{:g} {}{}", length, figure.length_name, length == 1 ? "" : "s");
}

/// Width of the row below the picture, pixels: scale bar, legend, axes.
double footer_width(const Figure& figure, const FigureLayout& l) {
  double width = l.scale_cells * l.zoom + l.px(16) + text_width(l.scale_label, l.small());
  if (figure.bar)
    for (const std::string& label : l.legend) width += l.px(40) + l.label_offset() + text_width(label, l.small());
  return width + l.px(40 + 110);
}

}  // namespace

BarTexts bar_texts(const Figure::Bar& bar, double pixels, double pitch) {
  BarTexts texts;
  const int exponent = common_exponent(std::max(std::abs(bar.low), std::abs(bar.high)));
  if (exponent != 0) texts.heading = "×10" + superscript(exponent) + " ";
  texts.heading += bar.unit;
  const double range = bar.high - bar.low;
  const int wanted = std::clamp(static_cast<int>(pixels / pitch), 2, 10);
  double step = round_number_below(range / wanted);
  while (step * wanted < range * (1 - 1e-9)) step = round_number_below(2.5 * step);
  const double factor = std::pow(10.0, exponent);
  const int digits = std::clamp(static_cast<int>(std::ceil(-std::log10(step / factor) - 1e-9)), 0, 9);
  for (double n = std::ceil(bar.low / step - 1e-6); n * step <= bar.high + 1e-6 * range; ++n)
    texts.ticks.push_back({(n * step - bar.low) / range, fmt::format("{:.{}f}", n * step / factor + 0.0, digits)});
  return texts;
}

int pixels_per_cell(int width, int height) {
  const int pixels = is_wide(width, height) ? 1400 : 1200;  // along x, if they can be had
  const int wanted = (pixels + width - 1) / width;
  return std::max(1, std::min({wanted, largest_picture / width, largest_picture / height}));
}

FigureLayout make_layout(const Figure& figure) {
  FigureLayout l;
  l.zoom = pixels_per_cell(figure.width, figure.height);
  const int picture_width = figure.width * l.zoom, picture_height = figure.height * l.zoom;
  l.unit = std::clamp(std::max(picture_width, picture_height) / 1350.0, 1.0, 1.5);
  l.margin = static_cast<int>(l.px(44));
  l.picture = {0, 0, static_cast<double>(picture_width), static_cast<double>(picture_height)};
  l.bar_below = figure.bar && is_wide(figure.width, figure.height);
  for (const Figure::LegendEntry& entry : figure.legend)
    l.legend.push_back(fitted(entry.label, l.small(), figure.bar ? l.px(220) : l.px(420)));
  double bar_length = 0;
  if (figure.bar && l.bar_below) {
    l.bar_texts = bar_texts(*figure.bar, picture_width, l.px(140));
    const double beside = l.px(24) + text_width(l.bar_texts.heading, l.small()) + 0.5 * widest_tick(l);
    bar_length = picture_width - beside - 0.5 * widest_tick(l);
  } else if (figure.bar) {
    bar_length = std::max(picture_height, static_cast<int>(l.px(420))) - l.px(110);
    l.bar_texts = bar_texts(*figure.bar, bar_length, l.px(95));
  }
  set_scale(figure, l);
  const double side = side_width(figure, l), below = footer_width(figure, l);
  const double content = std::ceil(std::max({picture_width + side, below, double(least_width - 2 * l.margin)}));
  l.width = static_cast<int>(content) + 2 * l.margin;
  l.title = lines_of(figure.title, l.large(), content, 2, true);
  l.subtitle = lines_of(figure.subtitle, l.medium(), content, 3, false);

  const auto more_than_one = [](const std::vector<std::string>& lines) {
    return static_cast<double>(std::max<std::size_t>(lines.size(), 1) - 1);
  };
  const double header =
      l.px(54 + (figure.subtitle.empty() ? 0 : 44) + FigureLayout::title_pitch * more_than_one(l.title) +
           FigureLayout::subtitle_pitch * more_than_one(l.subtitle));
  double body = picture_height;
  if (figure.bar && !l.bar_below) body = std::max(body, bar_length + l.px(110));
  if (!figure.bar) body = std::max(body, l.px(40) * static_cast<double>(l.legend.size()));
  const double left = l.margin;
  const double top = std::floor(l.margin + header + 0.5 * (body - picture_height));
  l.picture = {left, top, left + picture_width, top + picture_height};
  l.footer = l.margin + header + body;
  l.footer_right = std::max(l.picture.right, left + below);
  double bottom = l.footer + l.px(92);
  if (figure.bar && l.bar_below) {
    const double first = std::floor(left + 0.5 * widest_tick(l));
    l.bar = {first, std::floor(bottom + l.px(14)), std::floor(first + bar_length), std::floor(bottom + l.px(44))};
    bottom += l.px(98);
  } else if (figure.bar) {
    const double start = std::floor(l.picture.right + l.px(34)), from = std::floor(l.margin + header + l.px(70));
    l.bar = {start, from, start + std::floor(l.px(30)), from + std::floor(bar_length)};
  }
  l.legend_left = l.picture.right + l.px(34);
  l.legend_top = l.margin + header;
  l.height = static_cast<int>(std::ceil(bottom + l.px(14)));
  return l;
}

}  // namespace fluvia
