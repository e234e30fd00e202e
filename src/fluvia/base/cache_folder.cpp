// SPDX-License-Identifier: Apache-2.0
#include "fluvia/base/cache_folder.hpp"

#include <cstdlib>

namespace fluvia {

namespace {
/// An environment variable's folder; empty if it is unset.
std::filesystem::path folder_from(const char* variable) {
  const char* value = std::getenv(variable);
  return value ? std::filesystem::path(value) : std::filesystem::path();
}
}  // namespace

std::filesystem::path cache_folder(const std::string& kind) {
  if (const auto folder = folder_from("FLUVIA_CACHE_DIR"); !folder.empty()) return folder;
  // The XDG specification has relative paths ignored.
  if (const auto base = folder_from("XDG_CACHE_HOME"); base.is_absolute()) return base / "fluvia" / kind;
  if (const auto home = folder_from("HOME"); !home.empty()) return home / ".cache/fluvia" / kind;
  return {};
}

}  // namespace fluvia
