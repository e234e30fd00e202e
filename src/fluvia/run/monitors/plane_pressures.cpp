// SPDX-License-Identifier: Apache-2.0
#include "fluvia/run/monitors/plane_pressures.hpp"

#include <algorithm>
#include <bit>
#include <unordered_map>

#include "fluvia/core/lattice/lattice.hpp"
#include "fluvia/solver/blocks/tile_runs.hpp"
#include "fluvia/solver/links/cut_links.hpp"
#include "fluvia/solver/links/plane_fits.hpp"

namespace fluvia {

PlanePressures::PlanePressures(const Solver& solver, const std::vector<bool>& wanted)
    : solver_(solver), steps_(wanted.size()) {
  const Geometry& geometry = solver.geometry();
  const std::vector<Int3>& velocities = solver.plan().flow().lattice->velocities;
  std::vector<bool> surfaces(geometry.surfaces.size(), false);
  std::vector<UpstreamStep> upstream(geometry.surfaces.size());
  std::vector<std::size_t> opening_of(geometry.surfaces.size());
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    if (!wanted[k]) continue;
    const auto surface = static_cast<std::size_t>(geometry.openings[k].surface);
    surfaces[surface] = true;
    upstream[surface] = upstream_step(geometry.openings[k].normal, velocities);
    opening_of[surface] = k;
  }
  const std::vector<CutLink> links = collect_cut_links(geometry, velocities, surfaces);
  std::vector<double> depth(wanted.size()), nodes(wanted.size());
  CutLink last{};
  std::vector<CutLink> of_nodes;  // one link of each node and surface
  std::vector<bool> seen;
  for (const CutLink& link : links) {
    if (of_nodes.empty() || link.tile != last.tile || link.bit != last.bit) seen.assign(surfaces.size(), false);
    last = link;
    if (seen[link.surface]) continue;
    seen[link.surface] = true;
    of_nodes.push_back(link);
    nodes[opening_of[link.surface]] += 1;
    depth[opening_of[link.surface]] += depth_behind_opening(geometry, link);
  }
  for (const UpstreamNode& above :
       find_upstream_nodes(geometry.nodes, of_nodes, [&](const CutLink& link) { return upstream[link.surface]; })) {
    const std::size_t opening = opening_of[above.surface];
    const double own = depth_behind_opening(geometry, {above.tile, above.surface, above.bit, 0});
    depth[opening] -= own;
    pairs_.push_back({opening, above.tile, above.upstream_tile, above.bit, above.upstream_bit,
                      own / above.distance / nodes[opening]});
    tiles_.push_back(above.tile);
    tiles_.push_back(above.upstream_tile);
  }
  for (std::size_t k = 0; k < wanted.size(); ++k)
    if (nodes[k] > 0) steps_[k].depth = depth[k] / nodes[k];
  std::sort(tiles_.begin(), tiles_.end());
  tiles_.erase(std::unique(tiles_.begin(), tiles_.end()), tiles_.end());
}

std::vector<PlanePressures::Step> PlanePressures::measure() const {
  const NodeMap& map = solver_.geometry().nodes;
  std::unordered_map<std::uint64_t, std::vector<double>> pressures;  // by tile: pressures of its nodes
  Moments moments;
  for (const TileRun& run : tile_runs(tiles_)) {
    solver_.moments(run.first, run.count, false, moments);
    const std::uint64_t first = map.tiles[run.first].first_node;
    for (std::uint64_t t = run.first; t < run.first + run.count; ++t) {
      if (!std::binary_search(tiles_.begin(), tiles_.end(), t)) continue;
      std::vector<double>& values = pressures[t];
      const std::uint64_t from = map.tiles[t].first_node - first;
      for (int k = 0; k < std::popcount(map.tiles[t].mask); ++k)
        values.push_back(core::sound_speed_squared * (moments.density[from + static_cast<std::uint64_t>(k)] - 1));
    }
  }
  const auto pressure = [&](std::uint64_t tile, int bit) {
    const std::uint64_t below = map.tiles[tile].mask & ((std::uint64_t{1} << bit) - 1);
    return pressures.at(tile)[static_cast<std::size_t>(std::popcount(below))];
  };
  std::vector<Step> steps = steps_;
  for (const Pair& p : pairs_)
    steps[p.opening].change += p.factor * (pressure(p.tile, p.bit) - pressure(p.upstream_tile, p.upstream_bit));
  return steps;
}

}  // namespace fluvia
