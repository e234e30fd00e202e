// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace fluvia {

/// A CSV file that grows as the run goes: first column "step", then `columns` (names with units, "drag [N]"). Every row
/// reaches the file at once and whole: where a row cannot be written (full disk), the file ends with the row before.
class CsvWriter {
 public:
  /// Starts a new file (an older one is replaced), or, with `resumed_step`, continues the existing one: rows at or
  /// after that step and an unfinished last line are cut off. A missing file is started. Missing folders are created.
  /// Throws Error(input) if the existing file has other columns or is not such a CSV file, Error(resource) if it
  /// cannot be written.
  CsvWriter(std::filesystem::path path, const std::vector<std::string>& columns,
            std::optional<std::int64_t> resumed_step = {});
  ~CsvWriter();
  CsvWriter(CsvWriter&& other) noexcept;
  CsvWriter& operator=(CsvWriter&&) = delete;

  /// Appends a row; `values` has one number per column after "step", written so that it reads back unchanged.
  void row(std::int64_t step, std::span<const double> values);
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  void append(const std::string& text);

  std::filesystem::path path_;
  std::size_t columns_;
  int descriptor_ = -1;
  std::int64_t size_ = 0;
};

}  // namespace fluvia
