// SPDX-License-Identifier: Apache-2.0
#include "fluvia/output/pictures/png_texts.hpp"

#include <algorithm>

#include "fluvia/output/pictures/png_chunk.hpp"

namespace fluvia {
namespace {

/// Bytes of the signature and of the chunk IHDR, which comes first.
constexpr std::size_t header_bytes = 8 + 25;

}  // namespace

void insert_png_texts(const std::vector<std::pair<std::string, std::string>>& texts, std::string& png) {
  std::string chunks;
  for (const auto& [keyword, text] : texts) {
    const bool ascii =
        std::all_of(text.begin(), text.end(), [](char c) { return c == '\n' || (c >= ' ' && c <= '~'); });
    // An international text says of itself that it is not compressed, and names no language.
    const std::string between = ascii ? std::string(1, '\0') : std::string(5, '\0');
    append_png_chunk(chunks, ascii ? "tEXt" : "iTXt", keyword + between + text);
  }
  png.insert(std::min(header_bytes, png.size()), chunks);
}

}  // namespace fluvia
