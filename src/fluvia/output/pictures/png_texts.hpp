// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <utility>
#include <vector>

namespace fluvia {

/// Puts texts (keyword of at most 79 ASCII letters, text in UTF-8) behind the header of a PNG file: as chunks tEXt
/// where the text is ASCII, else iTXt (W3C, "Portable Network Graphics", 11.3.3).
void insert_png_texts(const std::vector<std::pair<std::string, std::string>>& texts, std::string& png);

}  // namespace fluvia
