// SPDX-License-Identifier: Apache-2.0
#include "fluvia/base/machine/threads.hpp"

#include <fmt/format.h>

#include <condition_variable>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "fluvia/base/error.hpp"

namespace fluvia {

void require_threads(int count) {
  std::mutex mutex;
  std::condition_variable wake;
  bool done = false;
  std::vector<std::thread> threads;
  threads.reserve(count > 0 ? static_cast<std::size_t>(count) : 0);
  std::string reason;
  try {
    while (static_cast<int>(threads.size()) + 1 < count)
      threads.emplace_back([&] {
        std::unique_lock lock(mutex);
        wake.wait(lock, [&] { return done; });
      });
  } catch (const std::system_error& error) {
    reason = error.code().message();
  }
  {
    const std::lock_guard lock(mutex);
    done = true;
  }
  wake.notify_all();
  for (std::thread& thread : threads) thread.join();
  if (reason.empty()) return;
  throw_resource(
      fmt::format("only {} of {} threads can be started: {}; ask for fewer (--threads, OMP_NUM_THREADS) or raise the "
                  "limit on processes, ulimit -u",
                  threads.size() + 1, count, reason));
}

}  // namespace fluvia
