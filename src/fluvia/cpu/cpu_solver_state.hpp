// SPDX-License-Identifier: Apache-2.0
// CpuSolver: initial state, moments, monitors, canonical populations. Included only by the files that instantiate it.
#pragma once
#include <cmath>
#include <cstring>

#include "fluvia/base/error.hpp"
#include "fluvia/cpu/cpu_solver.hpp"

namespace fluvia::cpu {

template <class Groups, class Format>
void CpuSolver<Groups, Format>::load_complete(std::uint64_t group, Block& f, Block* raw) const {
  const StepAccess& step = access();
  const Context context = open(group);
  std::fill_n(f.f, step.directions * group_lanes, T(0));  // lanes that are not fluid stay finite
  context.template load<Format>(step, current(), all_directions(step), f.f);
  if (raw) std::memcpy(raw->f, f.f, sizeof(T) * step.directions * group_lanes);
  apply_boundaries(group, f.f, false);
}

template <class Groups, class Format>
void CpuSolver<Groups, Format>::initialise(const InitialState& state) {
  time_step_ = updates_ = 0;
  std::fill(memory_of_conditions_.begin(), memory_of_conditions_.end(), T(0));
  const StepAccess& step = access();
#pragma omp parallel for schedule(static) num_threads(plan_.threads)
  for (std::uint64_t group = 0; group < groups_.count(); ++group) {
    Block f;
    std::fill_n(f.f, step.directions * group_lanes, T(0));
    for (std::uint64_t bits = groups_.mask(group); bits; bits &= bits - 1) {
      const int lane = std::countr_zero(bits);
      double density = 1;
      Real3 u{};
      state(groups_.position(group, lane), density, u);
      physics_.equilibrium(density, {u[0], u[1], u[2]}, lane, f.f);
    }
    if (groups_.mask(group) == 0) continue;
    const Context context = open(group);
    context.template place<Format>(step, current(), all_directions(step), f.f, context.mask());
  }
}

template <class Groups, class Format>
template <class Body>
void CpuSolver<Groups, Format>::for_each_node(std::uint64_t first_tile, std::uint64_t tile_count, Body&& body) const {
  const NodeMap& nodes = geometry_.nodes;
  std::vector<std::uint64_t> list;
  groups_.groups_of_tiles(nodes, first_tile, tile_count, list);
  const Int3 shape = tile_shape(nodes.dimension);
#pragma omp parallel for schedule(static) num_threads(plan_.threads)
  for (std::size_t k = 0; k < list.size(); ++k) {
    const std::uint64_t group = list[k], mask = groups_.mask(group);
    if (mask == 0) continue;
    std::int64_t index[group_lanes];
    for (std::uint64_t bits = mask; bits; bits &= bits - 1) {
      const int lane = std::countr_zero(bits);
      const Int3 p = groups_.position(group, lane);
      const std::uint32_t t =
          nodes.directory[nodes.directory_index({p[0] / shape[0], p[1] / shape[1], p[2] / shape[2]})];
      const NodeMap::Tile& tile = nodes.tiles[t];
      const int bit = tile_bit(nodes.dimension, {p[0] % shape[0], p[1] % shape[1], p[2] % shape[2]});
      const std::uint64_t node = tile.first_node + std::popcount(tile.mask & ((std::uint64_t{1} << bit) - 1));
      const bool wanted = t >= first_tile && t < first_tile + tile_count;
      index[lane] = wanted ? static_cast<std::int64_t>(node - nodes.tiles[first_tile].first_node) : -1;
    }
    body(group, mask, index);
  }
}

template <class Groups, class Format>
void CpuSolver<Groups, Format>::moments(std::uint64_t first_tile, std::uint64_t tile_count, bool with_stress,
                                        Moments& out) const {
  const NodeMap& nodes = geometry_.nodes;
  const std::uint64_t size = nodes.nodes_of(first_tile, tile_count);
  out.density.resize(size);
  out.velocity.resize(size);
  out.stress.resize(with_stress ? size : 0);
  if (size == 0) return;
  for_each_node(first_tile, tile_count, [&](std::uint64_t group, std::uint64_t mask, const std::int64_t* index) {
    Block f;
    alignas(64) MomentBlock<T> m;
    load_complete(group, f);
    physics_.moments(physics_.rates, f.f, parameters_, m);
    for (; mask; mask &= mask - 1) {
      const int lane = std::countr_zero(mask);
      if (index[lane] < 0) continue;
      out.density[index[lane]] = 1 + static_cast<double>(m.density_deviation[lane]);
      for (int a = 0; a < 3; ++a) out.velocity[index[lane]][a] = m.velocity[a][lane];
      if (with_stress)
        for (int a = 0; a < 6; ++a) out.stress[index[lane]][a] = m.stress[a][lane];
    }
  });
}

template <class Groups, class Format>
Totals CpuSolver<Groups, Format>::totals() const {
  // Sums per slice of groups, added in order: the result does not depend on the number of threads.
  constexpr int slices = 256;
  std::vector<Totals> parts(slices);
  std::vector<std::pair<std::uint64_t, int>> fastest(slices), bad(slices);
#pragma omp parallel for schedule(static) num_threads(plan_.threads)
  for (int s = 0; s < slices; ++s) {
    Totals& part = parts[s];
    double fastest_squared = -1;
    for (std::uint64_t group = groups_.count() * s / slices; group < groups_.count() * (s + 1) / slices; ++group) {
      std::uint64_t mask = groups_.mask(group);
      if (mask == 0) continue;
      Block f;
      alignas(64) MomentBlock<T> m;
      load_complete(group, f);
      physics_.moments(physics_.rates, f.f, parameters_, m);
      for (; mask; mask &= mask - 1) {
        const int lane = std::countr_zero(mask);
        const double density = 1 + static_cast<double>(m.density_deviation[lane]);
        double squared = 0;
        for (int a = 0; a < 3; ++a) {
          part.momentum[a] += density * m.velocity[a][lane];
          squared += static_cast<double>(m.velocity[a][lane]) * m.velocity[a][lane];
        }
        part.mass += m.density_deviation[lane];
        part.kinetic_energy += 0.5 * density * squared;
        if (!(std::isfinite(density + squared) && density > 0) && part.finite) {
          part.finite = false;
          bad[s] = {group, lane};
        }
        if (squared > fastest_squared) {
          fastest_squared = squared;
          fastest[s] = {group, lane};
        }
      }
    }
    part.max_speed = fastest_squared > 0 ? std::sqrt(fastest_squared) : 0;
  }
  const auto canonical = [&](const std::pair<std::uint64_t, int>& place) {
    return static_cast<std::uint64_t>(geometry_.nodes.node_index(groups_.position(place.first, place.second)));
  };
  const double volume = geometry_.nodes.node_volume();
  Totals total;
  for (int s = 0; s < slices; ++s) {
    total.mass += volume * parts[s].mass;
    total.momentum = total.momentum + volume * parts[s].momentum;
    total.kinetic_energy += volume * parts[s].kinetic_energy;
    if (parts[s].max_speed > total.max_speed) {
      total.max_speed = parts[s].max_speed;
      total.max_speed_node = canonical(fastest[s]);
    }
    if (!parts[s].finite && total.finite) {
      total.finite = false;
      total.bad_node = canonical(bad[s]);
    }
  }
  return total;
}

template <class Groups, class Format>
void CpuSolver<Groups, Format>::index_monitored_links(const BoundarySetup& setup) {
  is_monitored_ = setup.monitored;
  carried_ = setup.carried;
  monitored_.resize(setup.surfaces.size());
  for (const CutLink& link : setup.links.at) {
    if (!is_monitored_[link.surface]) continue;
    std::uint64_t group;
    int lane;
    groups_.locate(geometry_.nodes.node_position(geometry_.nodes.tiles[link.tile], link.bit), group, lane);
    monitored_[link.surface].push_back(
        {static_cast<std::uint32_t>(group), static_cast<std::uint8_t>(lane), link.direction});
  }
  for (auto& links : monitored_) {
    std::stable_sort(links.begin(), links.end(), [](const auto& a, const auto& b) { return a.group < b.group; });
    links.shrink_to_fit();
  }
}

template <class Groups, class Format>
SurfaceForce CpuSolver<Groups, Format>::surface_force(int surface, const Real3& center) const {
  if (!is_monitored_[surface])
    throw Error(ExitCode::internal, "no links were kept for surface '" + geometry_.surfaces[surface] + "'");
  const double volume = geometry_.nodes.node_volume();  // S3 eq. 10
  SurfaceForce result;
  Block arrived, f;
  for (int i = 0; i < access().directions; ++i) f.in[i] = f.out[i] = f.f + i * group_lanes;
  std::uint64_t loaded = ~std::uint64_t{0};
  for (const MonitoredLink& link : monitored_[surface]) {
    if (link.group != loaded) {
      loaded = link.group;
      load_complete(loaded, arrived);
      std::memcpy(f.f, arrived.f, sizeof(T) * access().directions * group_lanes);
      physics_.collide(physics_.rates, f.in, f.out, groups_.lanes(loaded), parameters_);
    }
    const double enters = arrived.f[link.direction * group_lanes + link.lane];
    const double leaves = f.f[core::opposite(link.direction) * group_lanes + link.lane];
    const double exchanged = -volume * (enters + leaves);
    const signed char* c = streaming_.step[0].c[link.direction];
    const Int3 x = groups_.position(link.group, link.lane);
    const Real3 force = {exchanged * c[0], exchanged * c[1], exchanged * c[2]};
    const Real3 point = {x[0] + 0.5 - 0.5 * c[0], x[1] + 0.5 - 0.5 * c[1], x[2] + 0.5 - 0.5 * c[2]};
    result.force = result.force + force;
    result.torque = result.torque + cross(point - center, force);
  }
  return wall_force(result, carried_[surface], surfaces_[surface].scale, center);
}

template <class Groups, class Format>
OpeningFlow CpuSolver<Groups, Format>::opening_flow(int opening) const {
  const auto& links = monitored_[geometry_.openings[opening].surface];
  OpeningFlow result;
  Block f, raw;
  alignas(64) MomentBlock<T> m;
  std::uint64_t loaded = ~std::uint64_t{0}, nodes = 0, counted = 0;
  for (const MonitoredLink& link : links) {
    if (link.group != loaded) {
      loaded = link.group;
      counted = 0;
      load_complete(loaded, f, &raw);
      physics_.moments(physics_.rates, f.f, parameters_, m);
    }
    const int at = link.direction * group_lanes + link.lane;
    result.flow_rate += static_cast<double>(f.f[at]) - static_cast<double>(raw.f[at]);
    if (!(counted >> link.lane & 1)) {
      counted |= std::uint64_t{1} << link.lane;
      result.mean_pressure += core::sound_speed_squared * m.density_deviation[link.lane];
      ++nodes;
    }
  }
  result.flow_rate *= geometry_.nodes.node_volume();
  if (nodes) result.mean_pressure /= static_cast<double>(nodes);
  return result;
}

template <class Groups, class Format>
void CpuSolver<Groups, Format>::save_populations(int direction, std::uint64_t first_tile, std::uint64_t tile_count,
                                                 std::span<std::byte> out) const {
  for_each_node(first_tile, tile_count, [&](std::uint64_t group, std::uint64_t mask, const std::int64_t* index) {
    Block block;
    const T* f = block.f + direction * group_lanes;
    open(group).template load<Format>(access(), current(), 1u << direction, block.f);
    for (; mask; mask &= mask - 1) {
      const int lane = std::countr_zero(mask);
      if (index[lane] < 0) continue;
      const Storage stored = Format::encode(f[lane]);
      std::memcpy(out.data() + index[lane] * sizeof(Storage), &stored, sizeof(Storage));
    }
  });
}

template <class Groups, class Format>
void CpuSolver<Groups, Format>::load_populations(int direction, std::uint64_t first_tile, std::uint64_t tile_count,
                                                 std::span<const std::byte> in) {
  for_each_node(first_tile, tile_count, [&](std::uint64_t group, std::uint64_t mask, const std::int64_t* index) {
    Block block;
    T* f = block.f + direction * group_lanes;
    std::fill_n(f, group_lanes, T(0));
    std::uint64_t wanted = 0;
    for (; mask; mask &= mask - 1) {
      const int lane = std::countr_zero(mask);
      if (index[lane] < 0) continue;
      Storage stored;
      std::memcpy(&stored, in.data() + index[lane] * sizeof(Storage), sizeof(Storage));
      f[lane] = Format::decode(stored);
      wanted |= std::uint64_t{1} << lane;
    }
    open(group).template place<Format>(access(), current(), 1u << direction, block.f, wanted);
  });
}

}  // namespace fluvia::cpu
