// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <vector>

// Storage formats as checkpoints see them; see core/format for what they mean.
namespace fluvia {

/// Bytes of one population in `format`. Throws Error(input) for an unknown name.
std::size_t format_bytes(const std::string& format);

/// Re-encodes populations from one format to another through double.
void convert_populations(const std::string& from, std::span<const std::byte> in, const std::string& to,
                         std::span<std::byte> out);

/// A sentence on what the conversion does to the precision; empty if the formats are the same.
std::string conversion_note(const std::string& from, const std::string& to);

}  // namespace fluvia
