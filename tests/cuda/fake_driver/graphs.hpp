// SPDX-License-Identifier: Apache-2.0
// Recorded graphs of the fake driver: streams of a recording become streams of their own each time the graph runs, so
// that what lacks a wait shows there, too. Recordings are refused where CUDA refuses them.
#pragma once
#include <algorithm>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "cuda/fake_driver/streams.hpp"

namespace fake_cuda {

/// A point in a stream of a recording.
struct RecordedPoint {
  int recording = 0;  ///< 0: of none
  std::size_t stream = 0, tasks = 0;
};

struct Graph {
  struct Task {
    std::function<void()> work;
    RecordedPoint after;
  };
  std::vector<std::vector<Task>> streams;                  ///< the first is the one that was told to record
  std::vector<std::pair<std::size_t, std::size_t>> order;  ///< in which tasks came: stream and number there

  void run_at_once() const {
    for (const auto& [stream, task] : order)
      if (streams[stream][task].work) streams[stream][task].work();
  }
  /// Queues all of it on a stream.
  void run(Streams& all, const std::shared_ptr<Queue>& on) const {
    std::vector<std::shared_ptr<Queue>> queues;
    for (std::size_t s = 0; s < streams.size(); ++s) {
      queues.push_back(all.open(true));
      Streams::add(*queues[s], {}, Streams::end_of(on));
    }
    for (std::size_t s = 0; s < streams.size(); ++s)
      for (const Task& task : streams[s]) {
        const bool waits = task.after.recording != 0;
        Streams::add(*queues[s], task.work, waits ? Point{queues[task.after.stream], 1 + task.after.tasks} : Point{});
      }
    for (const auto& queue : queues) Streams::add(*on, {}, Streams::end_of(queue));
  }
};

class Recording {
 public:
  static constexpr int unjoined = 904, isolation = 905, recorded_event = 907;

  [[nodiscard]] bool is_active() const { return active_; }
  void begin(const Queue& queue) {
    active_ = true;
    ++number_;
    graph_ = {};
    queues_ = {&queue};
    graph_.streams.emplace_back();
  }
  [[nodiscard]] bool has(const Queue& queue) const {
    return active_ && std::find(queues_.begin(), queues_.end(), &queue) != queues_.end();
  }
  void add(const Queue& queue, std::function<void()> work, RecordedPoint after = {}) {
    const std::size_t stream = number_of(queue);
    graph_.order.emplace_back(stream, graph_.streams[stream].size());
    graph_.streams[stream].push_back({std::move(work), after});
  }
  [[nodiscard]] RecordedPoint end_of(const Queue& queue) const {
    const std::size_t stream = number_of(queue);
    return {number_, stream, graph_.streams[stream].size()};
  }
  /// A stream waits for an event; `taken` if that belongs to the recording.
  int wait(const Queue& queue, const RecordedPoint& point, bool& taken) {
    taken = has(queue) || (active_ && point.recording == number_);
    if (!taken) return point.recording == 0 ? 0 : recorded_event;
    if (point.recording != number_) return isolation;
    if (!has(queue)) {
      queues_.push_back(&queue);
      graph_.streams.emplace_back();
    }
    add(queue, {}, point);
    return 0;
  }
  int end(Graph& graph) {
    active_ = false;
    graph = std::move(graph_);
    std::vector<std::size_t> reached(graph.streams.size(), 0);
    reach(graph, 0, graph.streams[0].size(), reached);
    for (std::size_t s = 0; s < reached.size(); ++s)
      if (reached[s] < graph.streams[s].size()) return unjoined;
    return 0;
  }

 private:
  [[nodiscard]] std::size_t number_of(const Queue& queue) const {
    return static_cast<std::size_t>(std::find(queues_.begin(), queues_.end(), &queue) - queues_.begin());
  }
  /// Notes in `reached` the tasks of each stream that `tasks` of one stream have waited for in the end.
  static void reach(const Graph& graph, std::size_t stream, std::size_t tasks, std::vector<std::size_t>& reached) {
    const std::size_t before = reached[stream];
    if (tasks <= before) return;
    reached[stream] = tasks;
    for (std::size_t k = before; k < tasks; ++k)
      if (const RecordedPoint& after = graph.streams[stream][k].after; after.recording != 0)
        reach(graph, after.stream, after.tasks, reached);
  }

  bool active_ = false;
  int number_ = 0;
  Graph graph_;
  std::vector<const Queue*> queues_;  ///< whose streams are recorded
};

}  // namespace fake_cuda
