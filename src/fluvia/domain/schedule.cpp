// SPDX-License-Identifier: Apache-2.0
#include "fluvia/domain/schedule.hpp"

#include "fluvia/base/error.hpp"
#include "fluvia/domain/exchange.hpp"

namespace fluvia::domain {

Schedule::Schedule(std::vector<BlockSolver*> blocks) : blocks_(std::move(blocks)) {
  for (const BlockSolver* solver : blocks_)
    if (solver->block().level != blocks_.front()->block().level)
      throw Error(ExitCode::internal, "blocks of several levels of refinement take different steps");
}

void Schedule::step(Exchange& exchange, std::int64_t count) const {
  while (count > 0) {
    int steps = exchange.replay(*this, count);
    if (steps == 0) {
      steps = blocks_.front()->next_steps(count);
      cycle(exchange, steps);
    }
    count -= steps;
  }
  for (const BlockSolver* block : blocks_) block->finish();
}

void Schedule::cycle(Exchange& exchange, int steps) const {
  for (BlockSolver* block : blocks_) block->step_border(steps);
  exchange.start();
  for (BlockSolver* block : blocks_) block->step_interior(steps);
  exchange.wait();
  for (int round = 0; round < blocks_.front()->rounds(); ++round) exchange.talk(blocks_, round);
}

ScheduledSteps::ScheduledSteps(Schedule schedule, std::unique_ptr<Exchange> exchange)
    : schedule_(std::move(schedule)), exchange_(std::move(exchange)) {}

ScheduledSteps::~ScheduledSteps() = default;

void ScheduledSteps::step(std::int64_t count) {
  schedule_.step(*exchange_, count);
}

}  // namespace fluvia::domain
