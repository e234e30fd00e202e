// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <string>
#include <vector>

namespace fluvia {

/// Centre lines of a text in a small built-in font (printable ASCII and the signs needed for units; anything else is a
/// box), for capitals of height `size`, starting at (0, 0) on the baseline, y upwards.
std::vector<std::vector<std::array<double, 2>>> text_strokes(const std::string& utf8, double size);

/// Width of that text.
double text_width(const std::string& utf8, double size);

}  // namespace fluvia
