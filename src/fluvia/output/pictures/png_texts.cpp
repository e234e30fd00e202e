// SPDX-License-Identifier: Apache-2.0
#include "fluvia/output/pictures/png_texts.hpp"

#include <zlib.h>

#include <algorithm>
#include <cstdint>

namespace fluvia {
namespace {

/// Bytes of the signature and of the chunk IHDR, which comes first.
constexpr std::size_t header_bytes = 8 + 25;

void append_number(std::uint32_t number, std::string& bytes) {
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(number >> shift & 0xff);
}

void append_chunk(const std::string& type, const std::string& data, std::string& bytes) {
  append_number(static_cast<std::uint32_t>(data.size()), bytes);
  const std::string checked = type + data;
  bytes += checked;
  append_number(static_cast<std::uint32_t>(
                    crc32(0, reinterpret_cast<const Bytef*>(checked.data()), static_cast<uInt>(checked.size()))),
                bytes);
}

}  // namespace

void insert_png_texts(const std::vector<std::pair<std::string, std::string>>& texts, std::string& png) {
  std::string chunks;
  for (const auto& [keyword, text] : texts) {
    const bool ascii =
        std::all_of(text.begin(), text.end(), [](char c) { return c == '\n' || (c >= ' ' && c <= '~'); });
    // An international text says of itself that it is not compressed, and names no language.
    const std::string between = ascii ? std::string(1, '\0') : std::string(5, '\0');
    append_chunk(ascii ? "tEXt" : "iTXt", keyword + between + text, chunks);
  }
  png.insert(std::min(header_bytes, png.size()), chunks);
}

}  // namespace fluvia
