// SPDX-License-Identifier: Apache-2.0
#include "fluvia/run/monitors/plane_flow_rate.hpp"

#include <algorithm>
#include <limits>
#include <map>

#include "fluvia/core/lattice/lattice.hpp"
#include "fluvia/output/sections.hpp"
#include "fluvia/output/walls/wall_values.hpp"
#include "fluvia/solver/profiles/time_series.hpp"
#include "fluvia/solver/viscous_stress.hpp"

namespace fluvia {

PlaneFlowRate::PlaneFlowRate(const Case::Plane& plane, const Problem& problem) : step_(problem.units.si_time(1)) {
  const Grid grid = problem.grid();
  const NodeMap& nodes = problem.geometry.nodes;
  const Real3 normal = (1 / norm(plane.normal)) * plane.normal;
  const PointValues values(nodes, grid, points_of(plane, grid, nodes));
  std::vector<Part> all;
  for (std::size_t point = 0; point < values.points().size(); ++point)
    for (const auto& [image, weight] : values.neighbours(point)) {
      Part& part = all.emplace_back(Part{image.node(), weight, weight * normal});
      for (std::size_t axis = 0; axis < 3; ++axis) part.across[axis] *= image.sign(axis);
    }
  std::sort(all.begin(), all.end(), [](const Part& a, const Part& b) { return a.node < b.node; });
  for (const Part& part : all) {
    area_ += part.area;
    if (parts_.empty() || parts_.back().node != part.node) {
      parts_.push_back(part);
    } else {
      parts_.back().area += part.area;
      parts_.back().across = parts_.back().across + part.across;
    }
  }
  std::vector<std::uint64_t> tiles;
  for (const Part& part : parts_) {
    const auto after =
        std::upper_bound(nodes.tiles.begin(), nodes.tiles.end(), part.node,
                         [](std::uint64_t node, const NodeMap::Tile& tile) { return node < tile.first_node; });
    const auto tile = static_cast<std::uint64_t>(after - nodes.tiles.begin()) - 1;
    if (tiles.empty() || tiles.back() != tile) tiles.push_back(tile);
  }
  runs_ = tile_runs(tiles);
  add_walls(plane, problem);
}

void PlaneFlowRate::add_walls(const Case::Plane& plane, const Problem& problem) {
  const Real3 normal = (1 / norm(plane.normal)) * plane.normal;
  std::map<int, double> rates;
  const WallVelocity at_full_speed = wall_velocities(problem, std::numeric_limits<double>::infinity());
  for (const PlaneStrip& strip : strips_of(plane, problem.grid(), problem.geometry))
    if (const auto velocity = at_full_speed(strip.place.surface, strip.place.point))
      rates[strip.place.surface] += strip.area * problem.units.velocity(dot(*velocity, normal));
  for (const auto& [surface, rate] : rates) {
    if (rate == 0) continue;
    const std::string& name = problem.geometry.surfaces[static_cast<std::size_t>(surface)];
    const auto b = std::find_if(problem.settings.boundaries.begin(), problem.settings.boundaries.end(),
                                [&](const Case::Boundary& boundary) { return boundary.surface == name; });
    walls_.push_back({b == problem.settings.boundaries.end() ? 0 : b->ramp, rate});
  }
}

OpeningFlow PlaneFlowRate::measure(const FlowState& state) const {
  const NodeMap& nodes = state.geometry().nodes;
  OpeningFlow flow;
  Moments moments;
  const bool by_density = state.plan().flow().equilibrium->momentum_has_density;
  auto part = parts_.begin();
  for (const TileRun& run : runs_) {
    state.moments(run.first, run.count, false, moments);
    const std::uint64_t first = nodes.tiles[run.first].first_node;
    for (; part != parts_.end() && part->node - first < moments.density.size(); ++part) {
      const std::size_t at = part->node - first;
      const double density = by_density ? moments.density[at] : 1;
      flow.flow_rate += density * dot(moments.velocity[at], part->across);
      flow.mean_pressure += part->area * core::sound_speed_squared * (moments.density[at] - 1);
    }
  }
  flow.mean_pressure /= area_;
  for (const WallPart& wall : walls_)
    flow.flow_rate += ramp_factor(step_ * static_cast<double>(state.time_step()), wall.ramp) * wall.flow_rate;
  return flow;
}

}  // namespace fluvia
