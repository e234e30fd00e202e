// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "fluvia/cuda/solver/device_block.hpp"

namespace fluvia::domain {

/// Steps of blocks on the GPUs of this process, of one level of refinement or of several, recorded once as a graph of
/// all their streams, and replayed.
class Recording {
 public:
  /// `what`: whose steps, "steps of several GPUs", for `warn`, which is told why they are not recorded if the driver
  /// refuses that.
  Recording(const std::vector<cuda::DeviceBlock*>& blocks, std::string what,
            std::function<void(const std::string&)> warn);

  /// Queues `times` times what `queue` queues, whose passes have so many steps; false if the driver refuses to record
  /// it, and nothing was queued.
  bool replay(std::int64_t times, int steps_of_pass, const std::function<void()>& queue);
  [[nodiscard]] bool is_refused() const { return is_refused_; }

 private:
  struct Part {
    cuda::DeviceBlock* block;
    cuda::Event border_queued, interior_queued;  ///< all of these streams
    int passes = 0;                              ///< in the recording
    [[nodiscard]] bool has_border() const { return !block->block().neighbours.empty(); }
  };
  /// Lets all streams wait for the first block's, or that for all others.
  void fork() const;
  void join() const;
  void record(int steps_of_pass, const std::function<void()>& queue);

  std::string what_;
  std::function<void(const std::string&)> warn_;
  std::vector<Part> parts_;
  cuda::Event forked_;
  std::optional<cuda::Graph> graph_;
  bool is_refused_ = false;
};

}  // namespace fluvia::domain
