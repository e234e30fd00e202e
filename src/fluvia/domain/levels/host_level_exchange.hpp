// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <vector>

#include "fluvia/domain/levels/level_exchange.hpp"
#include "fluvia/domain/levels/level_links.hpp"
#include "fluvia/solver/blocks/block_solver.hpp"

namespace fluvia::domain {

/// Between a level and the next finer one, both on the CPU: messages are deviations f_i - w_i in fp64
/// (BlockSolver::pack), sums have one order, so that their bits depend on no number of threads. Functions are called in
/// the order in which they stand here.
class HostLevelPair {
 public:
  /// Both solvers step their levels; they know each other as neighbours with these links.
  HostLevelPair(const LevelLinks& links, BlockSolver& coarse, BlockSolver& fine, int threads);

  /// After a coarse step: what each child of a coarse cell carries across, and what coarse links begin with.
  void explode();
  /// After fine step 0 or 1: what leaves fine nodes, and what enters them in its place. Other interfaces are so far
  /// away that they read other populations of the fine level.
  void cross(int step);
  /// After both fine steps: coarse links get what has arrived.
  void end();

 private:
  /// A source of LevelLinks, without what two dimensions do not need.
  struct Source {
    std::uint32_t at, first_child;
    std::array<std::uint32_t, 3> upper, lower;
    std::array<float, 3> part;
  };
  void list_children(const LevelLinks& links);
  void list_entering(const LevelLinks& links);
  void list_links(const LevelLinks& links);

  BlockSolver *coarse_, *fine_;
  std::size_t to_fine_, to_coarse_;  ///< numbers of the neighbours
  int threads_;
  std::vector<Source> sources_;                 ///< one more ends the list
  std::vector<std::array<double, 3>> offsets_;  ///< each that there is
  std::vector<std::uint16_t> offset_of_;        ///< by children
  std::vector<LevelLinks::CoarseLink> links_;   ///< likewise
  std::vector<std::uint32_t> link_children_;    ///< 2 child + (1 if it is gained)
  std::array<std::vector<std::uint32_t>, 2> leaving_;
  /// [fine step], by place, the number in `carried_` that arrives; BlockSolver::stays: none does.
  std::array<std::vector<std::uint32_t>, 2> entering_;
  std::vector<std::uint32_t> passing_from_;
  std::vector<LevelLinks::Continued> continued_;
  std::vector<LevelLinks::Transfer> transfers_;
  std::vector<double> coarse_values_, fine_values_;  ///< messages
  std::vector<double> carried_;                      ///< by children, then what passes
  std::vector<double> moved_;
  std::vector<double> sums_;  ///< by coarse links
  double share_;              ///< of a fine population in a coarse one
};

/// Between levels that are all on the CPU, the coarsest first; `links`: between each and the next finer one.
class HostLevelExchange final : public LevelExchange {
 public:
  HostLevelExchange(std::vector<BlockSolver*> levels, const std::vector<LevelLinks>& links, int threads);
  void begin_step(std::size_t level, int step) override;
  void end_step(std::size_t level) override;

 private:
  std::vector<BlockSolver*> levels_;
  std::vector<HostLevelPair> pairs_;
};

}  // namespace fluvia::domain
