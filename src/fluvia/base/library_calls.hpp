// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>

namespace fluvia {

/// Lives while a library works that does not survive want of memory: HDF5 follows pointers that it did not get. What
/// handles crashes then knows whose they are.
class LibraryCalls {
 public:
  LibraryCalls() { ++count(); }
  ~LibraryCalls() { --count(); }
  LibraryCalls(const LibraryCalls&) = delete;
  LibraryCalls& operator=(const LibraryCalls&) = delete;
  /// True on any thread while one of these lives; may be asked by signal handlers.
  [[nodiscard]] static bool going_on() { return count() > 0; }

 private:
  static std::atomic<int>& count() {
    static constinit std::atomic<int> number{0};
    return number;
  }
};

}  // namespace fluvia
