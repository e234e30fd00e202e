// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "fluvia/domain/exchange.hpp"
#include "fluvia/domain/levels/level_exchange.hpp"
#include "fluvia/domain/levels/level_share.hpp"
#include "fluvia/solver/blocks/block_solver.hpp"

namespace fluvia::domain {

/// Between a level and the next finer one, or a part of both, on the CPU: messages are deviations f_i - w_i in fp64
/// (BlockSolver::pack), sums have one order, so that their bits depend on no number of threads or parts. Functions are
/// called in the order in which they stand here; where values of other parts are needed, whoever calls sets them
/// between two.
class HostLevelPair {
 public:
  /// Both solvers step their levels; they know each other as neighbours with these links. `scalar`: as Neighbour has
  /// it.
  HostLevelPair(const LevelShare& share, int scalar, BlockSolver& coarse, BlockSolver& fine, int threads);

  /// After a coarse step: reads what coarse_values() has of its own.
  void read();
  [[nodiscard]] std::span<double> coarse_values() { return coarse_values_; }
  /// What each child of a coarse cell carries across, and what coarse links begin with.
  void explode();
  /// After fine step 0 or 1: what leaves fine nodes, and what enters them in its place. Other interfaces are so far
  /// away that they read other populations of the fine level.
  void cross(int step);
  /// In place of that, before a pass of both fine steps: what leaves after each, and what enters.
  void cross_in_pass();
  /// After gather(0) of a pass: what enters in step 1 and was not known before.
  void enter_after_pass();
  /// What has left in a fine step.
  [[nodiscard]] std::span<double> fine_values(int step) { return fine_values_of(step); }
  /// What coarse links gain of that.
  void gather(int step);
  /// After both fine steps: coarse links get what has arrived.
  void end();
  /// What a wall got in the last coarse step, of the tiles of this part (Stepping::force_between_levels()).
  void add_force(const ForceOnSurface& what, TileSums<ForceSum>& sums) const;

 private:
  /// A source of LevelLinks, without what two dimensions do not need.
  struct Source {
    std::uint32_t at, first_child;
    std::array<std::uint32_t, 3> upper, lower;
    std::array<float, 3> part;
  };
  void check_sizes(const LevelShare& share) const;
  void list_children(const LevelLinks& links);
  void list_entering(const LevelLinks& links);
  void list_links(const LevelLinks& links);
  [[nodiscard]] double amount(const LevelLinks::WallGain& gain) const;
  [[nodiscard]] std::vector<double>& fine_values_of(int step) {
    return fine_values_[static_cast<std::size_t>(step) % fine_values_.size()];
  }
  void add_gains_of_places();
  void count_forces(const std::vector<LevelLinks::WallForce>& list, const std::vector<double>& numbers);

  BlockSolver *coarse_, *fine_;
  std::size_t to_fine_, to_coarse_;  ///< numbers of the neighbours
  int threads_;
  std::vector<Source> sources_;                 ///< one more ends the list
  std::vector<std::array<double, 3>> offsets_;  ///< each that there is
  std::vector<std::uint32_t> offset_of_;        ///< by children
  std::vector<LevelLinks::CoarseLink> links_;   ///< likewise
  std::vector<std::uint32_t> link_children_;    ///< 2 child + (1 if it is gained)
  std::array<std::vector<std::uint32_t>, 2> leaving_;
  /// [fine step], by place, the number in `carried_` that arrives; BlockSolver::stays: none does.
  std::array<std::vector<std::uint32_t>, 2> entering_;
  std::vector<LevelLinks::Passing> passing_;
  std::vector<LevelLinks::Continued> continued_;
  std::vector<LevelLinks::Transfer> transfers_;
  std::vector<LevelLinks::WallGain> place_gains_, link_gains_;
  LevelLinks::WallForces forces_;
  std::map<std::uint32_t, std::map<std::uint32_t, ForceSum>> got_;  ///< by surface and tile, about the corner
  std::vector<double> coarse_values_;                               ///< message
  std::vector<std::vector<double>> fine_values_;                    ///< those of both steps of a pass, or one
  std::vector<double> carried_;                                     ///< by children, then what passes
  std::vector<double> moved_;
  std::vector<double> sums_;  ///< by coarse links
  double share_;              ///< of a fine population in a coarse one
};

/// How what crosses between parts of levels gets from one to another.
class PartLinks {
 public:
  PartLinks() = default;
  PartLinks(const PartLinks&) = delete;
  PartLinks& operator=(const PartLinks&) = delete;
  virtual ~PartLinks() = default;
  /// What crosses between parts of a level, of those in this process.
  [[nodiscard]] virtual std::unique_ptr<Exchange> halos(const std::vector<BlockSolver*>& parts) const = 0;
  /// Values of places, of the messages of these parts.
  [[nodiscard]] virtual std::unique_ptr<ValueExchange> values(std::vector<PlaceMessages> messages) const = 0;
};

/// All parts are in this process, of which each level may have one or several.
class MemoryLinks final : public PartLinks {
 public:
  [[nodiscard]] std::unique_ptr<Exchange> halos(const std::vector<BlockSolver*>& parts) const override;
  [[nodiscard]] std::unique_ptr<ValueExchange> values(std::vector<PlaceMessages> messages) const override;
};

/// Between levels that are all on CPUs, the coarsest first, each with one part in this process, or several.
class HostLevelExchange final : public LevelExchange {
 public:
  /// `levels`: [level][part]; `shares`: [level][part], between each level and the next finer one.
  HostLevelExchange(const std::vector<std::vector<BlockSolver*>>& levels,
                    const std::vector<std::vector<LevelShare>>& shares, const PartLinks& links, int threads);
  [[nodiscard]] std::size_t levels() const override { return levels_.size(); }
  void begin_step(std::size_t level, int step) override;
  [[nodiscard]] bool takes_pass(std::size_t level) const override;
  void pass(std::size_t level) override;
  void end_step(std::size_t level) override;
  [[nodiscard]] TileSums<ForceSum> force_between_levels(std::size_t level, const ForceOnSurface& what) override;

 private:
  /// A level and what crosses between its parts.
  struct Level {
    Schedule schedule;
    std::unique_ptr<Exchange> halos;
  };
  /// What is between two levels, of the flow or of one scalar. Values are on their way while the finer one takes its
  /// next step.
  struct Interface {
    std::vector<HostLevelPair> parts;
    std::unique_ptr<ValueExchange> coarse, fine;

    [[nodiscard]] std::vector<std::span<double>> coarse_values();
    [[nodiscard]] std::vector<std::span<double>> fine_values(int step);
    /// After a coarse step.
    void leave_coarse();
    /// After a fine step: what arrives, and what leaves. After the second, coarse links get what has left.
    void cross(int step);
    void gather(int step);
    /// In place of both, before and after a pass of the finer level.
    void begin_pass();
    void end_pass();
  };
  std::vector<Level> levels_;
  std::vector<std::vector<Interface>> interfaces_;  ///< between each level and the next finer one, the flow's in front
};

}  // namespace fluvia::domain
