// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>

namespace fluvia {

/// Folder where this user keeps things of a kind that Fluvia can make again: $FLUVIA_CACHE_DIR, else
/// $XDG_CACHE_HOME/fluvia/KIND, else ~/.cache/fluvia/KIND; empty if none of these variables is set.
std::filesystem::path cache_folder(const std::string& kind);

}  // namespace fluvia
