// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <vector>

#include "fluvia/bench/row.hpp"

namespace fluvia {

/// A folder with the files that rows read, removed at the end; none is made if they read none.
class ScratchFolder {
 public:
  explicit ScratchFolder(const std::vector<BenchRow>& rows);
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace fluvia
