// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

namespace fluvia::geometry {

/// A file read from its start to its end, decompressed on the way if it is gzip (whatever its name).
class InputFile {
 public:
  /// Throws Error(input) if the file does not exist, is no regular file or cannot be read.
  explicit InputFile(const std::filesystem::path& path);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  /// Reads up to `count` bytes; fewer only at the end of the file. Throws Error(input) if the gzip stream is damaged.
  std::size_t read(void* target, std::size_t count);
  /// Upper bound, by its length, of the bytes of content that the file can hold: what it claims to hold is checked
  /// against this before memory is asked for.
  [[nodiscard]] std::uint64_t most_content() const;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  void* handle_ = nullptr;
};

/// The largest file that is read as a whole, unpacked.
inline constexpr std::uint64_t largest_whole_file = std::uint64_t{4} << 30;

/// The whole (decompressed) content. Throws like InputFile, and Error(resource) where the content outgrows the memory.
std::string read_whole_file(const std::filesystem::path& path);

/// `file` itself if absolute, otherwise below `directory`.
std::filesystem::path resolve(const std::filesystem::path& directory, const std::filesystem::path& file);

/// Extension of a file without a trailing .gz, in lower case.
std::string extension_of(const std::filesystem::path& file);

}  // namespace fluvia::geometry
