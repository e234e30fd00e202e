// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <memory>
#include <string>

#include "fluvia/cuda/runtime/device.hpp"

namespace fluvia::cuda {

class Event;

/// Blocks of a stream of high priority come to the GPU before those of others that wait.
enum class StreamPriority { usual, high };

/// A queue of GPU work; movable. Work of one stream runs in order, streams run beside each other.
class Stream {
 public:
  explicit Stream(const Device& device, StreamPriority priority = StreamPriority::usual);

  /// Waits for everything queued. Errors of kernels show here; the message names the kernel queued last.
  void synchronize() const;
  /// Work queued from now on starts after `event`.
  void wait(const Event& event) const;

  [[nodiscard]] CuStream handle() const { return stream_.get(); }
  /// Remembers what is queued, for messages.
  void note(const std::shared_ptr<const std::string>& label) const {
    if (label_ != label) label_ = label;
  }

 private:
  Owned<CuStream, &Driver::cuStreamDestroy> stream_;
  mutable std::shared_ptr<const std::string> label_;
};

/// Events that only order work cost less than those that measure time.
enum class EventKind { ordering, timing };

/// A point in a stream's work; movable.
class Event {
 public:
  explicit Event(const Device& device, EventKind kind = EventKind::ordering);

  void record(const Stream& stream) const;
  /// Waits until the recorded point is reached.
  void synchronize() const;
  /// Seconds of GPU time since `start`. Waits for this event. Both are of the kind timing.
  [[nodiscard]] double seconds_since(const Event& start) const;
  [[nodiscard]] CuEvent handle() const { return event_.get(); }

 private:
  Owned<CuEvent, &Driver::cuEventDestroy> event_;
};

/// Work that was queued once and can be queued again at the cost of one launch; movable. Addresses and arguments stay
/// those of the recording.
class Graph {
 public:
  /// Records what `queue` queues on `stream`, and on others, also of other GPUs, that wait for an event of it first and
  /// that it waits for in the end, without running it. `queue` must not wait for the GPU or allocate memory, and
  /// streams not for events from before.
  Graph(const Device& device, const Stream& stream, const std::function<void()>& queue);

  void launch(const Stream& stream) const;

 private:
  Owned<CuGraphExec, &Driver::cuGraphExecDestroy> graph_;
  std::shared_ptr<const std::string> label_;
};

}  // namespace fluvia::cuda
