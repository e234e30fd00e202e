// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <vector>

#include "fluvia/solver/blocks/block_solver.hpp"

namespace fluvia::domain {

/// The flow in a whole domain at one time, of which parts of it have kept what is theirs (Solver::snapshot()).
class DomainState final : public FlowState {
 public:
  struct Share {
    const BlockSolver* part;
    std::unique_ptr<FlowState> state;
  };
  /// In canonical order; at least one.
  explicit DomainState(std::vector<Share> shares) : shares_(std::move(shares)) {}

  [[nodiscard]] std::int64_t time_step() const override { return shares_.front().state->time_step(); }
  [[nodiscard]] const Plan& plan() const override { return shares_.front().state->plan(); }
  [[nodiscard]] const Geometry& geometry() const override { return shares_.front().state->geometry(); }
  void moments(std::uint64_t first_tile, std::uint64_t tile_count, bool with_stress, Moments& out) const override;
  [[nodiscard]] std::span<const NodeArray> arrays() const override { return shares_.front().state->arrays(); }
  void save(const ArrayRange& range, std::span<std::byte> out) const override;

 private:
  std::vector<Share> shares_;
};

}  // namespace fluvia::domain
