// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>

#include "fluvia/domain/stepping.hpp"
#include "fluvia/solver/blocks/block_solver.hpp"

namespace fluvia::domain {

/// Number, among the neighbours of a block, of the one that has the next coarser or finer level. Throws Error(internal)
/// if there is none. `scalar`: as Neighbour has it.
std::size_t neighbour_of(const BlockSolver& solver, int level, int scalar = Neighbour::of_flow);

/// Steps levels of refinement, and makes what passes between each and the next finer one of the populations of both, by
/// lists (LevelLinks): the rule of ExchangeLink::coarse_to_fine and fine_to_coarse. One kind for solvers on CPUs, one
/// for those on a GPU.
class LevelExchange : public Stepping {
 public:
  /// Takes steps of the coarsest level, with the two of each finer one in each of the next coarser.
  void step(std::int64_t count) final;

  [[nodiscard]] virtual std::size_t levels() const = 0;
  /// Takes a step of a level, step 0 or 1 of those in one of the next coarser level, and what leaves it.
  virtual void begin_step(std::size_t level, int step) = 0;
  /// Whether a level takes the two steps in one of the next coarser level as one pass.
  [[nodiscard]] virtual bool takes_pass(std::size_t level) const {
    static_cast<void>(level);
    return false;
  }
  /// Takes both, with what leaves, of a level that does.
  virtual void pass(std::size_t level) { static_cast<void>(level); }
  /// After the two steps of the next finer level in it, if there is one: what arrives is there for the next step.
  virtual void end_step(std::size_t level) = 0;
  /// Takes steps of the coarsest level with all that is in them, at most so many, as `cycle` takes one, in a way that
  /// costs less. Returns how many.
  virtual std::int64_t replay(std::int64_t wanted, const std::function<void()>& cycle) {
    static_cast<void>(wanted);
    static_cast<void>(cycle);
    return 0;
  }
  /// After steps, before anything else is asked: waits for those that go on after their functions returned.
  virtual void finish() const {}

 private:
  void advance(std::size_t level, int step);
};

}  // namespace fluvia::domain
