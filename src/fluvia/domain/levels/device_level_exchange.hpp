// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "fluvia/cuda/runtime/compiler/kernel_cache.hpp"
#include "fluvia/cuda/solver/level_transfer.hpp"
#include "fluvia/domain/levels/level_exchange.hpp"
#include "fluvia/domain/levels/level_links.hpp"

namespace fluvia::domain {

/// What a GPU is given of the lists between a level and the next finer one. `dimension`: of the lattice.
cuda::LevelArrays level_arrays(const LevelLinks& links, int dimension);

/// Between levels that are all on one GPU: kernels make messages of messages, queued beside the steps of all levels and
/// ordered by events, so that the host waits for nothing. Steps of small levels are recorded, and queued many at a
/// time.
class DeviceLevelExchange final : public LevelExchange {
 public:
  /// `levels`: the coarsest first; `links`: between each and the next finer one. `warn` is told why steps are not
  /// recorded if the driver refuses that.
  DeviceLevelExchange(const std::vector<cuda::DeviceBlock*>& levels, const std::vector<LevelLinks>& links,
                      cuda::KernelCache& cache, std::function<void(const std::string&)> warn);
  [[nodiscard]] std::uint64_t bytes() const override { return bytes_; }
  [[nodiscard]] std::size_t levels() const override { return levels_.size(); }
  void begin_step(std::size_t level, int step) override;
  void end_step(std::size_t level) override;
  std::int64_t replay(std::int64_t wanted, const std::function<void()>& cycle) override;
  void finish() const override;

 private:
  struct Level {
    cuda::DeviceBlock* block;
    cuda::Event packed;                          ///< what leaves, in the last step
    cuda::Event arrived;                         ///< what comes from the next finer level, in a message
    cuda::Event border_queued, interior_queued;  ///< all of these streams
  };
  /// Lets all streams wait for that of the coarsest level's interior, or that for all others.
  void fork() const;
  void join() const;
  /// False if the driver refuses.
  bool record(const std::function<void()>& cycle);
  void count_steps(int of_coarsest) const;

  std::function<void(const std::string&)> warn_;
  std::vector<Level> levels_;
  std::deque<cuda::LevelTransfer> transfers_;  ///< to the next finer level
  cuda::Event forked_;
  std::uint64_t bytes_ = 0;
  std::optional<cuda::Graph> graph_;
  bool refused_ = false;  ///< a recording
};

}  // namespace fluvia::domain
