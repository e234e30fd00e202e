// SPDX-License-Identifier: Apache-2.0
#include "fluvia/bench/scratch.hpp"

#include <fmt/format.h>
#include <stdlib.h>  // mkdtemp

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>
#include <system_error>

#include "fluvia/base/atomic_file.hpp"
#include "fluvia/base/error.hpp"

namespace fluvia {

ScratchFolder::ScratchFolder(const std::vector<BenchRow>& rows) {
  const bool needed = std::any_of(rows.begin(), rows.end(), [](const BenchRow& row) { return row.geometry == "mask"; });
  if (!needed) return;
  std::error_code none;
  const std::filesystem::path parent = std::filesystem::temp_directory_path(none);
  std::string name = ((none ? "/tmp" : parent) / "fluvia-bench-XXXXXX").string();
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
