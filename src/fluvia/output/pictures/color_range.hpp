// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

#include "fluvia/output/pictures/figure.hpp"

namespace fluvia {

/// The range of finite values, of which some may be infinite or NaN, which do not count. Where the extreme values are
/// more than twice as far from each other as the 0.5% and 99.5% quantiles, it ends a little beyond these. Where none
/// counts, it is empty.
void set_range(ColorRange& range, std::span<const float> values);

/// One range for planes that are shown one after the other, at least one: that of all of them; but where one in ten or
/// fewer would make it more than twice as long, as the start of a flow from rest does, that of the others.
ColorRange range_of_series(std::span<const ColorRange> planes);

/// The colour bar for a range, without its unit: around the middle if values are signed and vary much, from 0 if they
/// cannot be below, and of some length where all values are equal but for round-off.
Figure::Bar bar_of(const ColorRange& range);

/// Gives the cells that have a value the colours of another bar, whose unit stays.
void set_bar(Figure& figure, const Figure::Bar& bar);

/// A bar that ends where somebody wants it, with the colours that bar_of() would choose.
Figure::Bar bar_between(const ColorRange& range, double low, double high);

}  // namespace fluvia
