// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fluvia/output/pictures/figure.hpp"

namespace fluvia {

/// Lowest and highest value of a colour bar.
using ValueRange = std::array<double, 2>;
/// Ranges of series of pictures, by the names of their files without the step.
using SeriesRanges = std::map<std::string, ValueRange>;

/// The values that a picture's colours span: all finite ones; a few extreme ones (above the 99.5% quantile, or below
/// the 0.5% one, if what is between these is less than half of all) lie beyond it. None if no value is finite.
std::optional<ValueRange> range_of(const std::vector<float>& values);

/// The range of a picture that follows another in a series: that one's as long as the values stay in it and fill a
/// quarter of it; otherwise both together, or that of the values alone if they fill less than a quarter of this.
ValueRange next_range(const ValueRange& before, const ValueRange& now);

/// What is known of a quantity beside its values.
struct BarMeaning {
  bool is_signed = false;  ///< whether values may lie on both sides of a middle
  double middle = 0;       ///< the middle
  bool from_zero = false;  ///< whether values cannot be below 0
  double scale = 0;        ///< largest magnitude of the whole vector: less than 1e-6 of it is round-off
};

/// The colour bar of a range. Of quantities with a sign it has diverging colours, as far up as down from the middle, if
/// the range reaches to both sides of it by 2% of the other side or more; otherwise colours from the lowest to the
/// highest. `fixed`: the ends stay as they are.
Figure::Bar make_bar(const ValueRange& range, const BarMeaning& meaning, bool fixed);

/// Notes whether finite values lie beyond the ends of the bar.
void note_clipped(const std::vector<float>& values, Figure::Bar& bar);

}  // namespace fluvia
