// SPDX-License-Identifier: Apache-2.0
// Streams of the fake driver. As a rule what is queued runs at once. With FAKE_CUDA_ORDER=SEED it waits until somebody
// waits for it, and then streams run in an order drawn at random, as far as events allow: what lacks a wait for another
// stream shows, whichever of both a GPU would have run first. One stream in turn runs as far ahead as it can, since
// mistakes need that more often than an even mixture.
#pragma once
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <random>
#include <utility>
#include <vector>

namespace fake_cuda {

struct Queue;
/// A point in the work of a stream.
struct Point {
  std::shared_ptr<Queue> queue;  ///< none: reached from the beginning
  std::uint64_t tasks = 0;       ///< that must have run
  [[nodiscard]] bool reached() const;
};

struct Queue {
  struct Task {
    std::function<void()> work;
    Point after;  ///< of another stream
  };
  std::deque<Task> tasks;
  std::uint64_t done = 0;
  bool is_passing = false;  ///< nobody closes it: it goes when it is empty

  [[nodiscard]] bool can_run() const { return !tasks.empty() && tasks.front().after.reached(); }
};

inline bool Point::reached() const {
  return !queue || queue->done >= tasks;
}

class Streams {
 public:
  std::shared_ptr<Queue> open(bool is_passing = false) {
    std::erase_if(queues_,
                  [](const auto& queue) { return queue->is_passing && queue->tasks.empty() && queue->done > 0; });
    queues_.push_back(std::make_shared<Queue>());
    queues_.back()->is_passing = is_passing;
    return queues_.back();
  }
  void close(const std::shared_ptr<Queue>& queue) {
    run_until([&] { return queue->tasks.empty(); });
    std::erase(queues_, queue);
  }
  static void add(Queue& queue, std::function<void()> work, Point after = {}) {
    queue.tasks.push_back({std::move(work), std::move(after)});
  }
  static Point end_of(const std::shared_ptr<Queue>& queue) { return {queue, queue->done + queue->tasks.size()}; }
  /// Runs what it takes, and other things. False if nothing can run any more.
  template <class Condition>
  bool run_until(const Condition& condition) {
    while (!condition()) {
      Queue* next = favourite_ && favourite_->can_run() && random_() % 16 != 0 ? favourite_.get() : nullptr;
      if (next == nullptr) {
        std::vector<std::shared_ptr<Queue>> ready;
        for (const auto& queue : queues_)
          if (queue->can_run()) ready.push_back(queue);
        if (ready.empty()) return false;
        favourite_ = ready[random_() % ready.size()];
        next = favourite_.get();
      }
      const Queue::Task task = std::move(next->tasks.front());
      next->tasks.pop_front();
      if (task.work) task.work();
      ++next->done;
    }
    return true;
  }
  bool run_all() {
    return run_until([&] {
      for (const auto& queue : queues_)
        if (!queue->tasks.empty()) return false;
      return true;
    });
  }
  void seed(std::uint64_t seed) {
    if (seed != seed_) random_.seed(seed_ = seed);
  }

 private:
  std::vector<std::shared_ptr<Queue>> queues_;
  std::shared_ptr<Queue> favourite_;
  std::mt19937_64 random_;
  std::uint64_t seed_ = 0;
};

}  // namespace fake_cuda
