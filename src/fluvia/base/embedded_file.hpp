// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string_view>

namespace fluvia {

/// A file that was compiled into the binary (cmake/Embed.cmake).
struct EmbeddedFile {
  std::string_view name;  ///< relative path, e.g. "data/bend.stl"
  std::string_view content;
};

}  // namespace fluvia
