// SPDX-License-Identifier: Apache-2.0
// A flow on several levels of refinement as one of them sees it everywhere.
#pragma once
#include <vector>

#include "fluvia/geometry/levels/level_map.hpp"
#include "fluvia/solver/solver.hpp"

namespace fluvia::domain {

/// Tiles of a level whose moments are wanted.
struct SeenTiles {
  int level;
  const NodeMap& nodes;  ///< their map, which has tiles of any level
  TileRange tiles;
};

/// Moments of tiles, in units of their level: what that level computes as it is, the mean of finer nodes, and what lies
/// between coarser ones (quadratic; linear beside walls). Nodes in whose place other levels have solid take the nearest
/// node, else rest. `levels`: flows of the levels.
void moments_of_levels(const LevelMap& map, const std::vector<FlowLevel>& levels, const SeenTiles& wanted,
                       bool with_stress, Moments& out);

/// What FlowState::seen_at() returns. References must outlive it.
class LevelView final : public FlowState {
 public:
  LevelView(const LevelMap& map, const std::vector<FlowLevel>& levels, int level, Geometry geometry)
      : map_(map), levels_(levels), level_(level), geometry_(std::move(geometry)) {}

  [[nodiscard]] std::int64_t time_step() const override { return own().time_step(); }
  [[nodiscard]] const Plan& plan() const override { return own().plan(); }
  [[nodiscard]] const Geometry& geometry() const override { return geometry_; }
  [[nodiscard]] int level() const override { return level_; }
  [[nodiscard]] const MovingBodies* bodies() const override { return own().bodies(); }
  void moments(std::uint64_t first_tile, std::uint64_t tile_count, bool with_stress, Moments& out) const override {
    moments_of_levels(map_, levels_, {level_, geometry_.nodes, {first_tile, first_tile + tile_count}}, with_stress,
                      out);
  }
  /// It stores nothing.
  [[nodiscard]] std::span<const NodeArray> arrays() const override { return {}; }
  void save(const ArrayRange&, std::span<std::byte>) const override {}

 private:
  [[nodiscard]] const Solver& own() const { return *levels_[static_cast<std::size_t>(level_)].state; }

  const LevelMap& map_;
  const std::vector<FlowLevel>& levels_;
  int level_;
  Geometry geometry_;
};

}  // namespace fluvia::domain
