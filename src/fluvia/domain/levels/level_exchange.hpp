// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <vector>

#include "fluvia/domain/levels/level_links.hpp"
#include "fluvia/solver/blocks/block_solver.hpp"

namespace fluvia::domain {

/// Makes what passes between a level and the next finer one of the messages of both (BlockSolver::pack): the rule of
/// ExchangeLink::coarse_to_fine and fine_to_coarse. Functions are called in the order in which they stand here; numbers
/// are deviations f_i - w_i, sums have one order, so that their bits depend on no number of threads.
class LevelExchange {
 public:
  /// Both solvers step their levels; they know each other as neighbours with these links.
  LevelExchange(LevelLinks links, BlockSolver& coarse, BlockSolver& fine, int threads);

  /// After a coarse step: what each child of a coarse cell carries across, and what coarse links begin with.
  void explode();
  /// After fine step 0 or 1: what leaves fine nodes.
  void take_leaving(int step);
  /// Then, after whatever else reads the fine level: what enters them.
  void put_entering(int step);
  /// After both fine steps: coarse links get what has arrived.
  void end();

  /// Populations that pass in a coarse step.
  [[nodiscard]] std::uint64_t size() const {
    return links_.children.size() + links_.leaving[0].size() + links_.leaving[1].size() + links_.passing.size();
  }

 private:
  /// Number of the neighbour of a block.
  static std::size_t neighbour_of(const BlockSolver& solver, int block);

  LevelLinks links_;
  BlockSolver *coarse_, *fine_;
  std::size_t to_fine_, to_coarse_;  ///< numbers of the neighbours
  int threads_;
  std::vector<double> coarse_values_, fine_values_;  ///< messages
  std::vector<double> carried_;                      ///< by children
  std::vector<double> passing_;
  std::vector<double> sums_;  ///< by coarse links
  struct Entering {
    std::uint32_t child, place;
  };
  std::array<std::vector<Entering>, 2> entering_;       ///< [fine step], children that arrive, by place
  std::array<std::vector<std::uint32_t>, 2> arriving_;  ///< [fine step], of those that pass
  double share_;                                        ///< of a fine population in a coarse one
};

}  // namespace fluvia::domain
