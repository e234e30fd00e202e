// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "fluvia/cuda/layout/published/slabs.hpp"
#include "fluvia/cuda/runtime/memory.hpp"

namespace fluvia::cuda {

/// Populations of a domain in slabs, in pinned host memory, and their ways to the GPU and back; movable. What it queues
/// runs in the order of the stream, one transfer or kernel after the other, as published (S4 section 3).
class OutOfCorePopulations {
 public:
  OutOfCorePopulations() = default;
  /// Populations of a fluid at rest: deviations are zero. `value_bytes`: of one population.
  OutOfCorePopulations(const Device& device, Slabs slabs, std::size_t value_bytes);

  [[nodiscard]] std::size_t count() const { return slabs_.slabs.size(); }
  /// Queue what Slabs says of slab k. `updates`: steps done before; the two copies in `memory` take turns.
  void before_step(const Stream& stream, const DeviceBuffer& memory, std::int64_t updates, std::size_t k) const {
    copy(stream, memory, updates, k, slabs_.before_step(k));
  }
  void after_step(const Stream& stream, const DeviceBuffer& memory, std::int64_t updates, std::size_t k) const {
    copy(stream, memory, updates, k, slabs_.after_step(k));
  }
  void fetch(const Stream& stream, const DeviceBuffer& memory, std::int64_t updates, std::size_t k) const {
    copy(stream, memory, updates, k, slabs_.fetch(k));
  }
  void put_back(const Stream& stream, const DeviceBuffer& memory, std::int64_t updates, std::size_t k) const {
    copy(stream, memory, updates, k, slabs_.put_back(k));
  }

 private:
  void copy(const Stream& stream, const DeviceBuffer& memory, std::int64_t updates, std::size_t k,
            const std::vector<PlaneCopy>& copies) const;

  Slabs slabs_;
  std::size_t value_bytes_ = 0;
  PinnedBuffer host_;
};

}  // namespace fluvia::cuda
