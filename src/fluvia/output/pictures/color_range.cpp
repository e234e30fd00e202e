// SPDX-License-Identifier: Apache-2.0
#include "fluvia/output/pictures/color_range.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "fluvia/base/numbers/quantile.hpp"

namespace fluvia {
namespace {

/// Part of a range that the values of a picture have to fill for the range to be kept.
constexpr double least_filled = 0.25;
/// Part of the larger side of the middle that the smaller one has to have for colours to diverge.
constexpr double least_side = 0.02;

/// True if values of a quantity with a sign lie on both sides of the middle.
bool diverges(const ColorRange& range, double low, double high) {
  const double below = range.middle - low, above = high - range.middle;
  return range.is_signed && std::min(below, above) > least_side * std::max(std::abs(below), std::abs(above));
}

void note_clipping(const ColorRange& range, Figure::Bar& bar) {
  const double tolerance = 1e-6 * (bar.high - bar.low);
  bar.clipped_low = range.least < bar.low - tolerance;
  bar.clipped_high = range.most > bar.high + tolerance;
}

}  // namespace

void set_range(ColorRange& range, std::span<const float> values) {
  std::vector<float> sorted;
  std::copy_if(values.begin(), values.end(), std::back_inserter(sorted), [](float v) { return std::isfinite(v); });
  range.empty = sorted.empty();
  if (range.empty) return;
  std::sort(sorted.begin(), sorted.end());
  range.low = range.least = sorted.front();
  range.high = range.most = sorted.back();
  const double low = quantile(sorted, 0.005), high = quantile(sorted, 0.995);
  // A handful of extreme nodes, mostly at corners, must not flatten the rest of the picture.
  if (range.most - range.least > 2 * (high - low) && high > low) {
    range.low = std::max(range.least, low - 0.05 * (high - low));
    range.high = std::min(range.most, high + 0.05 * (high - low));
  }
}

ColorRange range_of_series(std::span<const ColorRange> planes) {
  ColorRange all = planes.front();
  std::vector<double> lows, highs;
  for (const ColorRange& plane : planes) {
    if (plane.empty) continue;
    if (all.empty) all = plane;
    all.least = std::min(all.least, plane.least);
    all.most = std::max(all.most, plane.most);
    all.scale = std::max(all.scale, plane.scale);
    lows.push_back(plane.low);
    highs.push_back(plane.high);
  }
  if (lows.empty()) return all;
  std::sort(lows.begin(), lows.end());
  std::sort(highs.begin(), highs.end(), std::greater<>());
  all.low = lows.front();
  all.high = highs.front();
  const double low = quantile(lows, 0.1), high = quantile(highs, 0.1);
  if (all.high - all.low > 2 * (high - low) && high > low) {
    all.low = low;
    all.high = high;
  }
  return all;
}

ValueRange next_range(const ValueRange& before, const ValueRange& now) {
  const ValueRange both = {std::min(before[0], now[0]), std::max(before[1], now[1])};
  return now[1] - now[0] >= least_filled * (both[1] - both[0]) ? both : now;
}

Figure::Bar bar_of(const ColorRange& range) {
  Figure::Bar bar;
  bar.map = viridis;
  if (range.empty) return bar;
  bar.low = range.low;
  bar.high = range.high;
  const double reach = std::max(std::abs(bar.low - range.middle), std::abs(bar.high - range.middle));
  // A component that is nothing but round-off beside the others must not be shown as a pattern.
  const bool nothing = range.is_signed && reach < 1e-6 * range.scale;
  if (nothing || diverges(range, bar.low, bar.high)) {
    bar.map = cool_warm;
    const double half = nothing ? range.scale : reach;
    bar.low = range.middle - half;
    bar.high = range.middle + half;
  } else if (range.from_zero) {
    bar.low = 0;
  }
  // A uniform field still needs a bar of some length; round-off must not be shown as a pattern.
  const double size = std::max(std::abs(bar.low), std::abs(bar.high));
  if (!(bar.high - bar.low > 1e-5 * size)) {
    const double middle = 0.5 * (bar.low + bar.high), half = size > 0 ? 0.05 * size : 1;
    bar.low = range.from_zero ? 0 : middle - half;
    bar.high = range.from_zero && size == 0 ? 1 : middle + half;
  }
  note_clipping(range, bar);
  return bar;
}

void set_bar(Figure& figure, const Figure::Bar& bar) {
  std::string unit = figure.bar ? std::move(figure.bar->unit) : std::string();
  figure.bar = bar;
  figure.bar->unit = std::move(unit);
  for (std::size_t i = 0; i < figure.values.size(); ++i)
    if (std::isfinite(figure.values[i])) figure.cells[i] = figure.bar->color(static_cast<double>(figure.values[i]));
}

Figure::Bar bar_between(const ColorRange& range, double low, double high) {
  Figure::Bar bar;
  bar.map = viridis;
  bar.low = low;
  bar.high = high;
  if (diverges(range, low, high)) {
    bar.map = cool_warm;
    bar.middle = range.middle;
  }
  note_clipping(range, bar);
  return bar;
}

}  // namespace fluvia
