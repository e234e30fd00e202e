// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <map>
#include <span>
#include <string>

#include "fluvia/output/pictures/figure.hpp"

namespace fluvia {

/// Lowest and highest value of a colour bar.
using ValueRange = std::array<double, 2>;
/// Ranges of series of pictures, by the names of their files without the step.
using SeriesRanges = std::map<std::string, ValueRange>;

/// The range of finite values, of which some may be infinite or NaN, which do not count. Where the extreme values are
/// more than twice as far from each other as the 0.5% and 99.5% quantiles, it ends a little beyond these. Where none
/// counts, it is empty.
void set_range(ColorRange& range, std::span<const float> values);

/// One range for planes that are shown one after the other, at least one: that of all of them; but where one in ten or
/// fewer would make it more than twice as long, as the start of a flow from rest does, that of the others.
ColorRange range_of_series(std::span<const ColorRange> planes);

/// The range of a picture that follows another in a series while a run goes on: that one's as long as the values stay
/// in it and fill a quarter of it; otherwise both together, or that of the values alone if they fill less than a
/// quarter of this.
ValueRange next_range(const ValueRange& before, const ValueRange& now);

/// The colour bar for a range, without its unit. Of quantities with a sign it has diverging colours, as far up as down
/// from the middle, if the range reaches to both sides of it by 2% of the other side or more. It begins with 0 if
/// values cannot be below, and is of some length where all values are equal but for round-off.
Figure::Bar bar_of(const ColorRange& range);

/// Gives the cells that have a value the colours of another bar, whose unit stays.
void set_bar(Figure& figure, const Figure::Bar& bar);

/// A bar that ends where somebody wants it. Diverging colours keep their middle where it means something, and end early
/// on the shorter side.
Figure::Bar bar_between(const ColorRange& range, double low, double high);

}  // namespace fluvia
