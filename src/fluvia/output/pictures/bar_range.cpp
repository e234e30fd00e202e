// SPDX-License-Identifier: Apache-2.0
#include "fluvia/output/pictures/bar_range.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace fluvia {
namespace {

/// Part of a range that the values of a picture have to fill for the range to be kept.
constexpr double least_filled = 0.25;
/// Part of the larger side of the middle that the smaller one has to have for colours to diverge.
constexpr double least_side = 0.02;
constexpr double rounding = 1e-6;

double length_of(const ValueRange& range) {
  return range[1] - range[0];
}

}  // namespace

std::optional<ValueRange> range_of(const std::vector<float>& values) {
  std::vector<float> sorted;
  std::copy_if(values.begin(), values.end(), std::back_inserter(sorted), [](float v) { return std::isfinite(v); });
  if (sorted.empty()) return {};
  std::sort(sorted.begin(), sorted.end());
  const auto quantile = [&](double q) {
    return static_cast<double>(sorted[static_cast<std::size_t>(q * static_cast<double>(sorted.size() - 1))]);
  };
  ValueRange range = {sorted.front(), sorted.back()};
  const double low = quantile(0.005), high = quantile(0.995);
  // A handful of extreme nodes, mostly at corners, must not flatten the rest of the picture.
  if (length_of(range) > 2 * (high - low) && high > low)
    range = {std::max(range[0], low - 0.05 * (high - low)), std::min(range[1], high + 0.05 * (high - low))};
  return range;
}

ValueRange next_range(const ValueRange& before, const ValueRange& now) {
  const ValueRange both = {std::min(before[0], now[0]), std::max(before[1], now[1])};
  return length_of(now) >= least_filled * length_of(both) ? both : now;
}

Figure::Bar make_bar(const ValueRange& range, const BarMeaning& meaning, bool fixed) {
  Figure::Bar bar;
  bar.map = viridis;
  bar.low = range[0];
  bar.high = range[1];
  const double below = meaning.middle - bar.low, above = bar.high - meaning.middle;
  const double reach = std::max(std::abs(below), std::abs(above));
  const bool two_signed = std::min(below, above) > least_side * reach;
  if (fixed) {
    if (!meaning.is_signed || !two_signed) return bar;
    bar.map = cool_warm;
    bar.middle = meaning.middle;
    return bar;
  }
  // A component that is nothing but round-off beside the others must not be shown as a pattern.
  const bool nothing = reach < rounding * meaning.scale;
  if (meaning.is_signed && (two_signed || nothing)) {
    bar.map = cool_warm;
    const double half = nothing ? meaning.scale : reach;
    bar.low = meaning.middle - half;
    bar.high = meaning.middle + half;
  } else if (meaning.from_zero) {
    bar.low = 0;
  }
  // A uniform field still needs a bar of some length; round-off must not be shown as a pattern.
  const double size = std::max(std::abs(bar.low), std::abs(bar.high));
  if (!(bar.high - bar.low > 1e-5 * size)) {
    const double middle = 0.5 * (bar.low + bar.high), half = size > 0 ? 0.05 * size : 1;
    bar.low = meaning.from_zero ? 0 : middle - half;
    bar.high = meaning.from_zero && size == 0 ? 1 : middle + half;
  }
  return bar;
}

void note_clipped(const std::vector<float>& values, Figure::Bar& bar) {
  const double slack = rounding * (bar.high - bar.low);
  for (const float value : values) {
    if (!std::isfinite(value)) continue;
    bar.clipped_low = bar.clipped_low || value < bar.low - slack;
    bar.clipped_high = bar.clipped_high || value > bar.high + slack;
  }
}

}  // namespace fluvia
