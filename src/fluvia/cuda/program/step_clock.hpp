// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <vector>

#include "fluvia/cuda/runtime/stream.hpp"
#include "fluvia/solver/solver.hpp"

namespace fluvia::cuda {

/// What parts of steps take by the GPU's clock, if somebody wants to know.
class StepClock {
 public:
  void start() { spans_.emplace(); }
  /// Adds what was queued since to `times`, over `steps`. Waits for it.
  void stop(std::int64_t steps, StepTimes& times) {
    for (const Span& span : *spans_)
      times.*span.part += span.end.seconds_since(span.start) / static_cast<double>(steps);
    spans_.reset();
  }
  /// Does `body`, which queues work on the stream.
  template <class Body>
  void time(const Device& device, const Stream& stream, double StepTimes::*part, Body&& body) {
    if (!spans_) return body();
    Span span{part, Event(device, EventKind::timing), Event(device, EventKind::timing)};
    span.start.record(stream);
    body();
    span.end.record(stream);
    spans_->push_back(std::move(span));
  }

 private:
  struct Span {
    double StepTimes::*part;
    Event start, end;
  };
  std::optional<std::vector<Span>> spans_;
};

}  // namespace fluvia::cuda
