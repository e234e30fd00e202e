// SPDX-License-Identifier: Apache-2.0
// CpuSolver: sums over nodes and links, by tiles (solver/blocks/tile_sums.hpp). Included only by the files that
// instantiate it.
#pragma once
#include <cmath>
#include <cstring>
#include <map>

#include "fluvia/base/error.hpp"
#include "fluvia/cpu/cpu_solver.hpp"

namespace fluvia::cpu {

template <class Groups, class Format>
TileSums<FlowSum> CpuSolver<Groups, Format>::summed(const FlowTotals&) const {
  // Slices of a power of two of tiles are subtrees; how many there are does not matter to the sum.
  constexpr std::uint64_t least = 64, most = 4096, slices_of_thread = 8;
  const TileRange& own = block_.tiles;
  const auto wanted = own.count() / (slices_of_thread * static_cast<std::uint64_t>(plan_.threads));
  const std::uint64_t size = std::bit_floor(std::clamp(wanted, least, most));
  const std::uint64_t first = own.first / size, end = (own.end + size - 1) / size;
  std::vector<TileSums<FlowSum>> slices(end - first);
#pragma omp parallel for schedule(dynamic) num_threads(plan_.threads)
  for (std::uint64_t s = first; s < end; ++s)
    slices[s - first] = flow_sums(TileRange{std::max(s * size, own.first), std::min((s + 1) * size, own.end)});
  TileSums<FlowSum> all;
  for (const TileSums<FlowSum>& slice : slices) all.insert(all.end(), slice.begin(), slice.end());
  return reduced(all, own);
}

/// Sums over the tiles of a range. Groups come in the order of rows, so that the groups of a tile come in the order of
/// its bits.
template <class Groups, class Format>
TileSums<FlowSum> CpuSolver<Groups, Format>::flow_sums(const TileRange& range) const {
  TileSums<FlowSum> sums(range.count());
  for (std::uint64_t k = 0; k < sums.size(); ++k) sums[k].first = range.first + k;
  std::vector<std::uint64_t> list;
  groups_.groups_of_tiles(geometry_.nodes, range.first, range.count(), list);
  GroupPopulations f;
  alignas(64) MomentBlock<T> m;
  CanonicalNodes canonical;
  for (const std::uint64_t group : list) {
    std::uint64_t mask = groups_.mask(group);
    if (mask == 0) continue;
    load_complete(group, f);
    kick(group, T(0.5), f.f);
    physics_.moments(physics_.rates, f.f, parameters_, m);
    find_canonical(group, mask, canonical);
    for (; mask; mask &= mask - 1) {
      const int lane = std::countr_zero(mask);
      if (!range.contains(canonical.tile[lane])) continue;
      FlowSum& sum = sums[canonical.tile[lane] - range.first].value;
      const double density = 1 + static_cast<double>(m.density_deviation[lane]);
      double squared = 0;
      for (int a = 0; a < 3; ++a) {
        sum.momentum[a] += density * m.velocity[a][lane];
        squared += static_cast<double>(m.velocity[a][lane]) * m.velocity[a][lane];
      }
      sum.mass += m.density_deviation[lane];
      sum.kinetic_energy += 0.5 * density * squared;
      if (!(std::isfinite(density + squared) && density > 0) ||
          (scalars_ && !scalars_->is_finite(canonical.node[lane])))
        sum.bad_node = std::min(sum.bad_node, canonical.node[lane]);
      if (squared > sum.fastest_squared) {
        sum.fastest_squared = squared;
        sum.fastest_node = canonical.node[lane];
      }
    }
  }
  return reduced(sums, range);
}

/// Sums by tile, ascending.
template <class Value>
TileSums<Value> tile_sums(const std::map<std::uint32_t, Value>& values, const TileRange& range) {
  TileSums<Value> sums;
  for (const auto& [tile, value] : values) sums.push_back({tile, 0, value});
  return reduced(sums, range);
}

template <class Groups, class Format>
TileSums<ForceSum> CpuSolver<Groups, Format>::summed(const ForceOnSurface& what) const {
  const auto [surface, center] = what;
  if (const int body = bodies_.with_surface(surface); body >= 0)
    return summed_over_body(bodies_, body, center, block_.tiles, plan_.flow().lattice->velocities,
                            body_exchange_.last());
  if (!boundaries_.is_monitored[surface])
    throw Error(ExitCode::internal, "no links were kept for surface '" + geometry_.surfaces[surface] + "'");
  const double volume = geometry_.nodes.node_volume();  // S3 eq. 10
  std::map<std::uint32_t, ForceSum> sums;
  GroupPopulations arrived, f;
  for (int i = 0; i < access().directions; ++i) f.in[i] = f.out[i] = f.f + i * group_lanes;
  std::uint64_t loaded = ~std::uint64_t{0};
  for (const MonitoredLink& link : boundaries_.monitored[surface]) {
    if (link.faces == 0) continue;
    if (link.group != loaded) {
      loaded = link.group;
      load_complete(loaded, arrived);
      std::memcpy(f.f, arrived.f, sizeof(T) * access().directions * group_lanes);
      kick(loaded, T(1), f.f);
      physics_.collide(physics_.rates, f.in, f.out, groups_.lanes(loaded), parameters_);
    }
    const double enters = arrived.f[link.direction * group_lanes + link.lane];
    const double leaves = f.f[core::opposite(link.direction) * group_lanes + link.lane];
    const double exchanged = -volume * (enters + leaves) / link.faces;
    const signed char* c = streaming_.step[0].c[link.direction];
    const Int3 x = groups_.position(link.group, link.lane);
    const Real3 force = {exchanged * c[0], exchanged * c[1], exchanged * c[2]};
    const Real3 point = {x[0] + 0.5 - 0.5 * c[0], x[1] + 0.5 - 0.5 * c[1], x[2] + 0.5 - 0.5 * c[2]};
    ForceSum& sum = sums[link.tile];
    sum.force = sum.force + force;
    sum.torque = sum.torque + cross(point - center, force);
  }
  return tile_sums(sums, block_.tiles);
}

template <class Groups, class Format>
TileSums<OpeningSum> CpuSolver<Groups, Format>::summed(const FlowThroughOpening& what) const {
  const auto& links = boundaries_.monitored[geometry_.openings[what.opening].surface];
  std::map<std::uint32_t, OpeningSum> sums;
  GroupPopulations f, raw;
  alignas(64) MomentBlock<T> m;
  std::uint64_t loaded = ~std::uint64_t{0}, counted = 0;
  for (const MonitoredLink& link : links) {
    if (link.group != loaded) {
      loaded = link.group;
      counted = 0;
      load_complete(loaded, f, &raw);
      physics_.moments(physics_.rates, f.f, parameters_, m);
    }
    const int at = link.direction * group_lanes + link.lane;
    OpeningSum& sum = sums[link.tile];
    sum.flow_rate += (static_cast<double>(f.f[at]) - static_cast<double>(raw.f[at])) * link.twelfths / 12;
    if (!(counted >> link.lane & 1)) {
      counted |= std::uint64_t{1} << link.lane;
      sum.pressure += core::sound_speed_squared * m.density_deviation[link.lane];
      ++sum.nodes;
    }
  }
  return tile_sums(sums, block_.tiles);
}

}  // namespace fluvia::cpu
