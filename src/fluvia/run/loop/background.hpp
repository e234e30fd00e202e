// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <future>

namespace fluvia {

/// One job at a time on a thread of its own. Only one thread may use it.
class Background {
 public:
  /// Waits for the job in hand; an exception of it is lost then.
  ~Background() = default;
  /// Waits until no job is under way. Throws what the job threw.
  void finish();
  /// Waits until no job is under way, as finish() does, then begins another.
  void start(std::function<void()> job);
  /// Throws what the job threw if it has ended; does not wait.
  void check();
  [[nodiscard]] bool busy() const;

 private:
  std::future<void> job_;
};

}  // namespace fluvia
