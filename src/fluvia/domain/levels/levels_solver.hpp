// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <memory>
#include <vector>

#include "fluvia/domain/stepping.hpp"
#include "fluvia/geometry/levels/level_map.hpp"
#include "fluvia/solver/solver.hpp"

namespace fluvia::domain {

/// The solver of one level of refinement, and what turns its numbers into case units.
struct SolvedLevel {
  Units units;
  Grid grid;
  double wall_weight = 0;                      ///< WallMassCorrection::weight of its links
  std::unique_ptr<Solver> solver;              ///< of the whole level, by however many parts
  std::vector<std::uint64_t> opening_nodes{};  ///< fluid nodes beside each of Geometry::openings on this level
};

/// The name that a row of a level has in the arrays() of the solver of all.
std::string name_on_level(const std::string& name, int level);

/// SolvedLevel::opening_nodes; `sums_of`: those of all parts of the level.
std::vector<std::uint64_t> count_opening_nodes(const Geometry& level,
                                               const std::function<ObservableSums(const Observable&)>& sums_of);

/// The solver of a flow on several levels of refinement. Whoever has it sees the coarsest level everywhere, in its
/// lattice units and its steps: nodes there have the mean of the finer ones inside. Sums are over all levels.
class LevelsSolver final : public Solver {
 public:
  /// `c`: the case that asks for the levels; `coarsest`: the geometry of level 0 everywhere; `exchanged`: populations
  /// that pass between each level and the next finer one in a step of it; `stepping`: takes steps of all levels;
  /// `plan`: of all levels, if those of their solvers do not say all.
  LevelsSolver(Case c, Geometry coarsest, LevelMap map, std::vector<SolvedLevel> levels,
               const std::vector<std::uint64_t>& exchanged, std::shared_ptr<Stepping> stepping,
               std::optional<Plan> plan = {});

  void step(std::int64_t count) override;
  /// For measurements: the steps of all levels in so many of the coarsest without what passes between them, after which
  /// this is no flow any more.
  void step_apart(std::int64_t count);
  [[nodiscard]] std::int64_t time_step() const override { return coarse().time_step(); }
  [[nodiscard]] const Plan& plan() const override { return plan_; }
  [[nodiscard]] const Geometry& geometry() const override { return geometry_; }
  [[nodiscard]] std::span<const FlowLevel> levels() const override { return seen_; }
  /// They move on the finest level, in its lattice units and steps.
  [[nodiscard]] const MovingBodies* bodies() const override { return levels_.back().solver->bodies(); }
  [[nodiscard]] Solver* solver_of_level(int level) override {
    return levels_[static_cast<std::size_t>(level)].solver.get();
  }
  [[nodiscard]] std::unique_ptr<FlowState> seen_at(int level,
                                                   const std::function<bool(const Int3& tile)>& tiles) const override;
  void moments(std::uint64_t first_tile, std::uint64_t tile_count, bool with_stress, Moments& out) const override;
  [[nodiscard]] Observation measure(const Observable& what) const override;
  double apply(const FlowChange& change) override;
  /// Finer nodes begin with the state of the coarsest ones around them.
  void initialise(const InitialState& state) override;
  /// Populations of each level, and what conditions keep on it.
  [[nodiscard]] std::span<const NodeArray> arrays() const override { return arrays_; }
  void save(const ArrayRange& range, std::span<std::byte> out) const override;
  void load(const ArrayRange& range, std::span<const std::byte> in) override;
  void resume_at(std::int64_t time_step) override;

 private:
  [[nodiscard]] Solver& solver(std::size_t level) const { return *levels_[level].solver; }
  [[nodiscard]] Solver& coarse() const { return solver(0); }
  void list_arrays();
  /// Whose numbers an array has.
  struct Stored {
    std::size_t level, array;            ///< its row in the solver of the level
    std::vector<std::uint64_t> tiles{};  ///< tile of the level at each of NodeArray::starts
  };
  /// The range of an array in the solver of its level.
  [[nodiscard]] ArrayRange range_in_level(const ArrayRange& range) const;
  /// On all levels that meet its surface.
  double set_scalar(const ScalarValue& change);
  /// Lets the walls of all levels give this mass in a step of the coarsest, each link as much for its weight in each
  /// step of its own. Returns the mass that they really give.
  double give_mass(double mass);
  /// What a surface got in the last step between a level and the next finer one; the moment is about the corner of the
  /// box. Of steps before a checkpoint it is what that says.
  [[nodiscard]] ForceSum force_between(std::size_t level, int surface) const;
  [[nodiscard]] Totals result(const FlowTotals& what) const;
  [[nodiscard]] SurfaceForce result(const ForceOnSurface& what) const;
  [[nodiscard]] OpeningFlow result(const FlowThroughOpening& what) const;
  [[nodiscard]] ScalarSummary result(const ScalarTotals& what) const;
  [[nodiscard]] ScalarPassage result(const ScalarThrough& what) const;
  /// Canonical index, on the coarsest level, of a fluid node at or beside one of a level.
  [[nodiscard]] std::uint64_t seen_node(std::size_t level, std::uint64_t node) const;

  Case case_;
  Geometry geometry_;
  LevelMap map_;
  std::vector<SolvedLevel> levels_;
  std::shared_ptr<Stepping> stepping_;
  std::vector<FlowLevel> seen_;
  Plan plan_;
  std::vector<NodeArray> arrays_;
  std::vector<Stored> stored_;  ///< by arrays that levels have; behind them is that of the walls
  std::vector<int> measured_;   ///< surfaces on which forces are measured
  /// [level][measured surface], of a step before a checkpoint; empty after steps.
  std::vector<ForceSum> loaded_forces_;
};

/// The plan of all levels together, of the plans of each; the memory is that of all.
Plan joined_plan(const std::vector<Plan>& plans, const std::vector<const NodeMap*>& nodes,
                 const std::vector<double>& spacings);

}  // namespace fluvia::domain
