// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>

namespace fluvia {

/// Lives while a library works that may not survive want of memory: HDF5 follows pointers that it did not get. Handlers
/// of crashes then know whose crash it is.
class LibraryCalls {
 public:
  /// `library`: its name, a literal.
  explicit LibraryCalls(const char* library) {
    name() = library;
    ++count();
  }
  ~LibraryCalls() { --count(); }
  LibraryCalls(const LibraryCalls&) = delete;
  LibraryCalls& operator=(const LibraryCalls&) = delete;
  /// True on any thread while a LibraryCalls lives; may be asked by signal handlers.
  [[nodiscard]] static bool going_on() { return count() > 0; }
  /// Says that `library`, a literal, got no memory. It may have spoiled what it had, and whoever uses memory later
  /// crash.
  static void suspect(const char* library) {
    name() = library;
    suspected() = true;
  }
  /// True after suspect(); may be asked by signal handlers.
  [[nodiscard]] static bool is_suspected() { return suspected(); }
  /// The library that was begun or suspected last; may be asked by signal handlers while calls are going on.
  [[nodiscard]] static const char* library() { return name(); }

 private:
  static std::atomic<int>& count() {
    static constinit std::atomic<int> number{0};
    return number;
  }
  static std::atomic<bool>& suspected() {
    static constinit std::atomic<bool> value{false};
    return value;
  }
  static std::atomic<const char*>& name() {
    static constinit std::atomic<const char*> text{""};
    return text;
  }
};

}  // namespace fluvia
