// SPDX-License-Identifier: Apache-2.0
#include "fluvia/output/pictures/color_range.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace fluvia {
namespace {

template <typename T>
double quantile(const std::vector<T>& sorted, double q) {
  return static_cast<double>(sorted[static_cast<std::size_t>(q * static_cast<double>(sorted.size() - 1))]);
}

/// True if the values lie on both sides of the middle, or nearly: such that vary little about a value far from it would
/// all have one colour on a map around it.
bool diverges(const ColorRange& range, double low, double high) {
  const double reach = std::max(std::abs(low - range.middle), std::abs(high - range.middle));
  return range.is_signed && high - low >= 0.5 * reach;
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

Figure::Bar bar_of(const ColorRange& range) {
  Figure::Bar bar;
  bar.map = viridis;
  if (range.empty) return bar;
  bar.low = range.low;
  bar.high = range.high;
  if (diverges(range, bar.low, bar.high)) {
    bar.map = cool_warm;
    const double reach = std::max(std::abs(bar.low - range.middle), std::abs(bar.high - range.middle));
    // A component that is nothing but round-off beside the others must not be shown as a pattern.
    const double half = reach < 1e-6 * range.scale ? range.scale : reach;
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
    if (std::isfinite(figure.values[i]))
      figure.cells[i] = bar.map((static_cast<double>(figure.values[i]) - bar.low) / (bar.high - bar.low));
}

Figure::Bar bar_between(const ColorRange& range, double low, double high) {
  Figure::Bar bar;
  // Colours that diverge have their middle in the middle of the bar, so they need one that reaches as far on both
  // sides.
  const double off = std::abs(0.5 * (low + high) - range.middle);
  bar.map = range.is_signed && off < 1e-6 * (high - low) ? cool_warm : viridis;
  bar.low = low;
  bar.high = high;
  note_clipping(range, bar);
  return bar;
}

}  // namespace fluvia
