// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace fluvia {

/// Appends a number as PNG has them: four bytes, the highest first (W3C, "Portable Network Graphics", 7.1).
void append_png_number(std::string& bytes, std::uint32_t value);
/// The checksum of a chunk: of its type and its data (5.3).
std::uint32_t png_checksum(std::string_view type_and_data);
/// Appends a chunk: length, type, data, checksum (5.3).
void append_png_chunk(std::string& bytes, std::string_view type, std::string_view data);

}  // namespace fluvia
