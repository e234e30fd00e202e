// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <utility>
#include <vector>

#include "fluvia/domain/group.hpp"

namespace fluvia::domain {

/// The solver of a domain of several blocks: whoever has it knows nothing of them. All results have the
/// bits of one solver of the whole.
class DomainSolver final : public Solver {
 public:
  explicit DomainSolver(std::unique_ptr<SolverGroup> group) : solver_group_(std::move(group)) {}

  void step(std::int64_t count) override { solver_group_->step(count); }
  void step_with(std::span<const BoundaryValues> values) override;
  [[nodiscard]] std::unique_ptr<FlowState> snapshot() override { return solver_group_->snapshot(); }
  [[nodiscard]] std::int64_t time_step() const override { return solver_group_->own().time_step(); }
  [[nodiscard]] const Plan& plan() const override { return solver_group_->own().plan(); }
  [[nodiscard]] const Geometry& geometry() const override { return solver_group_->own().geometry(); }
  /// Every part has all of the solids.
  [[nodiscard]] const FlowScalars* scalars() const override { return solver_group_->own().scalars(); }
  [[nodiscard]] const MovingBodies* bodies() const override { return solver_group_->own().bodies(); }
  void moments(std::uint64_t first_tile, std::uint64_t tile_count, bool with_stress, Moments& out) const override;
  [[nodiscard]] Observation measure(const Observable& what) const override;
  /// The sums of all parts.
  [[nodiscard]] ObservableSums sums_of(const Observable& what) const;
  double apply(const FlowChange& change) override;
  void initialise(const InitialState& state) override { solver_group_->initialise(state); }
  [[nodiscard]] std::span<const NodeArray> arrays() const override { return solver_group_->own().arrays(); }
  void save(const ArrayRange& range, std::span<std::byte> out) const override { solver_group_->save(range, out); }
  void load(const ArrayRange& range, std::span<const std::byte> in) override { solver_group_->load(range, in); }
  void resume_at(std::int64_t time_step) override;

 private:
  std::unique_ptr<SolverGroup> solver_group_;
};

}  // namespace fluvia::domain
