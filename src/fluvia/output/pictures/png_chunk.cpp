// SPDX-License-Identifier: Apache-2.0
#include "fluvia/output/pictures/png_chunk.hpp"

#include <zlib.h>

namespace fluvia {

void append_png_number(std::string& bytes, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) bytes.push_back(static_cast<char>(value >> shift & 255));
}

std::uint32_t png_checksum(std::string_view type_and_data) {
  return static_cast<std::uint32_t>(
      crc32(0, reinterpret_cast<const Bytef*>(type_and_data.data()), static_cast<uInt>(type_and_data.size())));
}

void append_png_chunk(std::string& bytes, std::string_view type, std::string_view data) {
  append_png_number(bytes, static_cast<std::uint32_t>(data.size()));
  const std::size_t start = bytes.size();
  bytes.append(type).append(data);
  append_png_number(bytes, png_checksum(std::string_view(bytes).substr(start)));
}

}  // namespace fluvia
