// SPDX-License-Identifier: Apache-2.0
#include "fluvia/bench/scratch.hpp"

#include <fmt/format.h>
#include <signal.h>  // kill
#include <stdlib.h>  // mkdtemp
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <string>
#include <system_error>

#include "fluvia/base/atomic_file.hpp"
#include "fluvia/base/error.hpp"

namespace fluvia {

namespace {

const std::string prefix = "fluvia-bench-";

/// Removes folders of processes that are gone, killed most likely: folders are named after their process.
void remove_abandoned(const std::filesystem::path& parent) {
  std::error_code error;
  for (std::filesystem::directory_iterator it(parent, error), end; !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename().string();
    if (!name.starts_with(prefix)) continue;
    int process = 0;
    const char* const last = name.data() + name.size();
    const auto [stop, wrong] = std::from_chars(name.data() + prefix.size(), last, process);
    if (wrong != std::errc() || stop == last || *stop != '-' || process <= 0) continue;
    const bool gone = ::kill(process, 0) != 0 && errno == ESRCH;
    std::error_code ignored;  // folders of other users are theirs to remove
    if (gone) std::filesystem::remove_all(it->path(), ignored);
  }
}

}  // namespace

ScratchFolder::ScratchFolder(const std::vector<BenchRow>& rows) {
  const bool needed = std::any_of(rows.begin(), rows.end(), [](const BenchRow& row) { return row.geometry == "mask"; });
  if (!needed) return;
  std::error_code none;
  const std::filesystem::path parent = std::filesystem::temp_directory_path(none);
  remove_abandoned(none ? "/tmp" : parent);
  std::string name = ((none ? "/tmp" : parent) / fmt::format("{}{}-XXXXXX", prefix, ::getpid())).string();
  if (!mkdtemp(name.data()))
    throw_resource(fmt::format("bench: no folder can be made in '{}': {}; let TMPDIR name one you may write to",
                               parent.string(), std::strerror(errno)));
  path_ = name;
  const auto [file, content] = mask_file();
  write_file(path_ / file, content);
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

}  // namespace fluvia
