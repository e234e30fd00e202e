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
/// Where somebody removes or moves the file meanwhile, the next row makes it again, with all rows.
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
  /// Makes the rows so far durable, as files that count on them have to (checkpoints). Throws Error(resource).
  void flush();
  /// Makes the file again if it is no longer under its name; true if so. Throws Error(resource) if there is another
  /// file.
  bool keep();
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  /// Step of the last row that a resumed file has kept.
  [[nodiscard]] std::optional<std::int64_t> last_kept() const { return last_kept_; }

 private:
  void append(const std::string& text);
  void open();

  std::filesystem::path path_;
  std::size_t columns_;
  std::optional<std::int64_t> last_kept_;
  int descriptor_ = -1;
  std::int64_t size_ = 0;
};

}  // namespace fluvia
