// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>

namespace fluvia {

/// Where this user keeps what Fluvia can make again, things of a kind: $FLUVIA_CACHE_DIR, else
/// $XDG_CACHE_HOME/fluvia/KIND, else ~/.cache/fluvia/KIND; empty if none of them is set.
std::filesystem::path cache_folder(const std::string& kind);

}  // namespace fluvia
