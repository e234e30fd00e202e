// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace fluvia {

/// Where a process puts the bytes that it has read.
class ByteSink {
 public:
  explicit ByteSink(int file) : file_(file) {}
  /// Adds bytes. Throws Error(resource).
  void put(std::span<const std::byte> bytes);
  template <class T>
  void put(const std::vector<T>& values) {
    put(std::as_bytes(std::span(values)));
  }

 private:
  int file_;
};

/// Calls `read` in a process of its own and returns what it put into the sink: a `library`, HDF5 or libtiff, that
/// follows whatever a damaged file says may end the process that reads it, or never end. `file` is for messages. The
/// process may take `processor_seconds`; 0: what suffices for a file of that length on any machine. Throws what `read`
/// throws, if that is an Error; Error(input) where the process ends otherwise, Error(resource) where there is none.
std::vector<std::byte> read_apart(const std::filesystem::path& file, const char* library,
                                  const std::function<void(ByteSink&)>& read, unsigned processor_seconds = 0);

/// What another program wrote until it ended.
struct ProgramResult {
  bool found = true;  ///< whether there is such a program
  int code = 0;       ///< with which it ended
  std::vector<std::byte> output;
  std::string messages;  ///< what it wrote to standard error
};

/// Runs a program that reads `file`, found along PATH, in a process of its own, with the limits of read_apart(), and
/// collects what it writes. `library`: what the program reads with, for messages. Throws Error(input) where a signal
/// ends it, Error(resource) where no process can be started.
ProgramResult run_apart(const std::filesystem::path& file, const char* library, const std::vector<std::string>& command,
                        unsigned processor_seconds = 0);

}  // namespace fluvia
