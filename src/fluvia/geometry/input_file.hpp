// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <filesystem>
#include <string>

namespace fluvia::geometry {

/// A file read from its start to its end, decompressed on the way if it is gzip (whatever its name).
class InputFile {
 public:
  /// Throws Error(input) if the file does not exist, is a directory or cannot be read.
  explicit InputFile(const std::filesystem::path& path);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  /// Reads up to `count` bytes; fewer only at the end of the file. Throws Error(input) if the gzip stream is damaged.
  std::size_t read(void* target, std::size_t count);
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  void* handle_ = nullptr;
};

/// The whole (decompressed) content. Throws like InputFile.
std::string read_whole_file(const std::filesystem::path& path);

/// `file` itself if absolute, otherwise below `directory`.
std::filesystem::path resolve(const std::filesystem::path& directory, const std::filesystem::path& file);

}  // namespace fluvia::geometry
