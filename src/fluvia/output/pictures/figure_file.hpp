// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "fluvia/output/pictures/figure.hpp"

namespace fluvia {

/// A PNG that brings along the figure that it shows, in a chunk of its own before its end, so that it can be drawn
/// again with other colours: programs that show pictures pass over chunks that they do not know (Portable Network
/// Graphics, W3C 2003, section 14). Values are kept with 16 bits over their extent. `png` must be a whole PNG.
std::string with_figure(std::string_view png, const Figure& figure);

/// The figure of such a PNG; none if it has none, or is damaged. Its values differ from those that were written by at
/// most 1/65000 of their extent, and its colours as much.
std::optional<Figure> figure_of(std::string_view png);

}  // namespace fluvia
