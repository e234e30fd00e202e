// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "fluvia/domain/stepping.hpp"
#include "fluvia/solver/blocks/block_solver.hpp"

namespace fluvia::domain {

class Exchange;

/// Which blocks of this process are stepped when, and when what crosses between blocks moves. All of them take the same
/// steps: a cycle is one step, or one pass of several, of each block, and one exchange. Wherever blocks are, whether
/// they stay or are streamed, and whether their steps are queued one by one or recorded, they go by this.
class Schedule {
 public:
  /// Throws Error(internal) for blocks of several levels of refinement, which would take different steps. What a level
  /// exchanges with others does not belong to a cycle.
  explicit Schedule(std::vector<BlockSolver*> blocks);

  [[nodiscard]] const std::vector<BlockSolver*>& blocks() const { return blocks_; }
  /// Takes `count` steps. What crosses is on its way while inner nodes are stepped.
  void step(Exchange& exchange, std::int64_t count) const;
  /// The steps of all blocks between one exchange and the next, as BlockSolver::next_steps() says.
  void cycle(Exchange& exchange, int steps) const;

 private:
  std::vector<BlockSolver*> blocks_;
};

/// Steps by a schedule, with an exchange.
class ScheduledSteps final : public Stepping {
 public:
  ScheduledSteps(Schedule schedule, std::unique_ptr<Exchange> exchange);
  ~ScheduledSteps() override;
  void step(std::int64_t count) override;

 private:
  Schedule schedule_;
  std::unique_ptr<Exchange> exchange_;
};

}  // namespace fluvia::domain
