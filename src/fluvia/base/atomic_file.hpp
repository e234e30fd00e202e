// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace fluvia {

/// A file that appears whole or not at all. Everything goes to `NAME.tmp-<pid>` in the target's folder; commit()
/// flushes it to the disk (fsync), renames it over the target and flushes the folder. Without commit() the temporary
/// file is removed. Missing folders are created. Where the target is a symbolic link, the file that it leads to is
/// written; what is there and is no regular file (a device, a pipe, a socket) is refused, never replaced.
///
/// Every member throws Error(resource) that names the path and the reason.
class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path target);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  [[nodiscard]] const std::filesystem::path& target() const { return target_; }
  /// The name to give to libraries that open files themselves; it exists, empty, from construction on.
  [[nodiscard]] const std::filesystem::path& temporary() const { return temporary_; }

  /// Appends bytes.
  void write(std::span<const std::byte> bytes);
  void write(std::string_view text);
  /// Overwrites bytes at `offset`.
  void write_at(std::uint64_t offset, std::span<const std::byte> bytes);
  /// Makes the file appear under its name. Call once, after everything was written.
  void commit();

 private:
  [[noreturn]] void fail(int error_number) const;

  std::filesystem::path target_, temporary_;
  int descriptor_ = -1;
  int place_ = -1;  ///< index in the list of temporary files; -1: in none
  std::uint64_t size_ = 0;
};

/// Removes the temporary files of all AtomicFiles that there are, for a process that ends without destructors. Safe in
/// signal handlers: allocates and locks nothing. What cannot be removed stays.
void remove_temporary_files() noexcept;

/// Writes a whole small file; into a character device, a pipe that somebody reads, or standard output (/dev/stdout) the
/// bytes are written as they are.
void write_file(const std::filesystem::path& target, std::string_view content);

/// Writes to something that is open and may be no file; returns 0 or errno.
int write_through(int descriptor, std::string_view content);

/// "cannot write PATH: REASON", with a hint for a full disk and missing permissions.
std::string write_failure_message(const std::filesystem::path& target, int error_number);

}  // namespace fluvia
