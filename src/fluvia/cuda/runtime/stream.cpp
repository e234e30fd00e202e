// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cuda/runtime/stream.hpp"

namespace fluvia::cuda {

Stream::Stream(const Device& device, StreamPriority priority) {
  constexpr unsigned non_blocking = 1;
  device.make_current();
  CuStream handle = nullptr;
  int least = 0, greatest = 0;
  const bool high = priority == StreamPriority::high &&
                    driver().cuCtxGetStreamPriorityRange(&least, &greatest) == cu_success && greatest < least;
  check(high ? driver().cuStreamCreateWithPriority(&handle, non_blocking, greatest)
             : driver().cuStreamCreate(&handle, non_blocking),
        "cannot create a CUDA stream");
  stream_ = {device.context(), handle};
}

void Stream::synchronize() const {
  const CuResult result = driver().cuStreamSynchronize(handle());
  if (result != cu_success) check(result, "GPU work failed" + (label_ ? "; the last was " + *label_ : std::string()));
}

void Stream::wait(const Event& event) const {
  check(driver().cuStreamWaitEvent(handle(), event.handle(), 0), "cannot wait for a CUDA event");
}

Event::Event(const Device& device, EventKind kind) {
  constexpr unsigned with_timing = 0, without_timing = 2;
  device.make_current();
  CuEvent handle = nullptr;
  check(driver().cuEventCreate(&handle, kind == EventKind::timing ? with_timing : without_timing),
        "cannot create a CUDA event");
  event_ = {device.context(), handle};
}

void Event::record(const Stream& stream) const {
  check(driver().cuEventRecord(handle(), stream.handle()), "cannot record a CUDA event");
}

void Event::synchronize() const {
  check(driver().cuEventSynchronize(handle()), "GPU work failed");
}

double Event::seconds_since(const Event& start) const {
  synchronize();
  float milliseconds = 0;
  check(driver().cuEventElapsedTime(&milliseconds, start.handle(), handle()), "cannot time GPU work");
  return 1e-3 * static_cast<double>(milliseconds);
}

Graph::Graph(const Device& device, const Stream& stream, const std::function<void()>& queue)
    : label_(std::make_shared<const std::string>("a recorded graph")) {
  // Other threads may allocate memory meanwhile.
  constexpr int thread_local_mode = 1;
  constexpr unsigned long long with_priorities_of_streams = 8;
  const Driver& d = driver();
  device.make_current();
  check(d.cuStreamBeginCapture(stream.handle(), thread_local_mode), "cannot record a CUDA graph");
  CuGraph recorded = nullptr;
  try {
    queue();
  } catch (...) {
    d.cuStreamEndCapture(stream.handle(), &recorded);
    if (recorded) d.cuGraphDestroy(recorded);
    throw;
  }
  check(d.cuStreamEndCapture(stream.handle(), &recorded), "cannot record a CUDA graph");
  const Owned<CuGraph, &Driver::cuGraphDestroy> graph(device.context(), recorded);
  CuGraphExec handle = nullptr;
  check(d.cuGraphInstantiateWithFlags(&handle, graph.get(), with_priorities_of_streams),
        "cannot make a CUDA graph ready to run");
  graph_ = {device.context(), handle};
}

void Graph::launch(const Stream& stream) const {
  stream.note(label_);
  check(driver().cuGraphLaunch(graph_.get(), stream.handle()), "cannot launch a CUDA graph");
}

}  // namespace fluvia::cuda
