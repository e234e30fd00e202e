// SPDX-License-Identifier: Apache-2.0
// CpuSolver: initial state, moments, canonical populations. Included only by the files that instantiate it.
#pragma once
#include <cstring>

#include "fluvia/base/error.hpp"
#include "fluvia/cpu/cpu_solver.hpp"
#include "fluvia/solver/saved_numbers.hpp"

namespace fluvia::cpu {

template <class Groups, class Format>
void CpuSolver<Groups, Format>::load_complete(std::uint64_t group, GroupPopulations& f, GroupPopulations* raw) const {
  const StepAccess& step = access();
  const Context context = open(group);
  std::fill_n(f.f, step.directions * group_lanes, T(0));  // lanes that are not fluid stay finite
  context.template load<Format>(step, current(), all_directions(step), f.f);
  if (raw) std::memcpy(raw->f, f.f, sizeof(T) * step.directions * group_lanes);
  apply_boundaries(group, f.f, of_boundaries(), false);
}

template <class Groups, class Format>
void CpuSolver<Groups, Format>::initialise(const InitialState& state) {
  time_step_ = updates_ = 0;
  kept_.clear();
  if (scalars_) scalars_->expect_velocities();
  const StepAccess& step = access();
#pragma omp parallel for schedule(static) num_threads(plan_.threads)
  for (std::uint64_t group = 0; group < groups_.count(); ++group) {
    GroupPopulations f;
    std::fill_n(f.f, step.directions * group_lanes, T(0));
    for (std::uint64_t bits = groups_.mask(group); bits; bits &= bits - 1) {
      const int lane = std::countr_zero(bits);
      double density = 1;
      Real3 u{};
      state(groups_.position(group, lane), density, u);
      if (scalars_) scalars_->set_velocity(group, lane, u);
      physics_.equilibrium(density, {u[0], u[1], u[2]}, lane, f.f);
    }
    if (groups_.mask(group) == 0) continue;
    const Context context = open(group);
    context.template put<Format>(step, current(), all_directions(step), f.f, context.mask());
  }
  if (scalars_) scalars_->initialise();
  bodies_.begin();
  place_bodies(0);
}

template <class Groups, class Format>
void CpuSolver<Groups, Format>::find_canonical(std::uint64_t group, std::uint64_t mask,
                                               CanonicalNodes& canonical) const {
  const NodeMap& nodes = geometry_.nodes;
  const Int3 shape = tile_shape(nodes.dimension);
  Int3 last = {-1, -1, -1};  // neighbours along x are mostly in one tile
  std::uint32_t t = empty_tile;
  for (; mask != 0; mask &= mask - 1) {
    const int lane = std::countr_zero(mask);
    const Int3 p = groups_.position(group, lane), tile = {p[0] / shape[0], p[1] / shape[1], p[2] / shape[2]};
    if (tile != last) {
      last = tile;
      t = nodes.directory[nodes.directory_index(tile)];
    }
    const int bit = tile_bit(nodes.dimension, {p[0] % shape[0], p[1] % shape[1], p[2] % shape[2]});
    canonical.tile[lane] = t;
    canonical.node[lane] =
        nodes.tiles[t].first_node +
        static_cast<std::uint64_t>(std::popcount(nodes.tiles[t].mask & ((std::uint64_t{1} << bit) - 1)));
  }
}

template <class Groups, class Format>
void CpuSolver<Groups, Format>::append_groups_of_halo(const TileRange& tiles, std::vector<std::uint64_t>& list) const {
  const NodeMap& halo = stepped_halo_;
  const std::size_t before = list.size();
  const auto wanted = [&](const NodeMap::Tile& tile) {
    return tiles.contains(geometry_.nodes.directory[geometry_.nodes.directory_index(tile.position)]);
  };
  for (std::uint64_t t = 0; t < halo.tiles.size(); ++t)
    if (wanted(halo.tiles[t])) groups_.groups_of_tiles(halo, t, 1, list);
  if (list.size() == before) return;
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

template <class Groups, class Format>
template <class Body>
void CpuSolver<Groups, Format>::for_each_node(std::uint64_t first_tile, std::uint64_t tile_count, bool with_halo,
                                              Body&& body) const {
  const NodeMap& nodes = geometry_.nodes;
  const TileRange& own = block_.tiles;
  const std::uint64_t first = std::max(first_tile, own.first), end = std::min(first_tile + tile_count, own.end);
  const TileRange wanted = with_halo ? TileRange{first_tile, first_tile + tile_count} : TileRange{first, end};
  std::vector<std::uint64_t> list;
  if (first < end) groups_.groups_of_tiles(nodes, first, end - first, list);
  if (with_halo) append_groups_of_halo(wanted, list);
#pragma omp parallel for schedule(static) num_threads(plan_.threads)
  for (std::size_t k = 0; k < list.size(); ++k) {
    const std::uint64_t group = list[k], mask = groups_.mask(group);
    if (mask == 0) continue;
    CanonicalNodes canonical;
    find_canonical(group, mask, canonical);
    std::int64_t index[group_lanes];
    for (std::uint64_t bits = mask; bits; bits &= bits - 1) {
      const int lane = std::countr_zero(bits);
      index[lane] = wanted.contains(canonical.tile[lane])
                        ? static_cast<std::int64_t>(canonical.node[lane] - nodes.tiles[first_tile].first_node)
                        : -1;
    }
    body(group, mask, index);
  }
}

template <class Groups, class Format>
void CpuSolver<Groups, Format>::moments(std::uint64_t first_tile, std::uint64_t tile_count, bool with_stress,
                                        Moments& out) const {
  const NodeMap& nodes = geometry_.nodes;
  const std::uint64_t size = nodes.nodes_of(first_tile, tile_count);
  out.resize(size, with_stress);
  const std::size_t scalars = plan_.scalars.size();
  out.scalars.resize(size * scalars);
  if (size == 0) return;
  const std::uint64_t first_node = nodes.tiles[first_tile].first_node;
  for_each_node(first_tile, tile_count, false, [&](std::uint64_t group, std::uint64_t mask, const std::int64_t* index) {
    GroupPopulations f;
    alignas(64) MomentBlock<T> m;
    load_complete(group, f);
    kick(group, T(0.5), f.f);
    physics_.moments(physics_.rates, f.f, parameters_, m);
    for (; mask; mask &= mask - 1) {
      const int lane = std::countr_zero(mask);
      if (index[lane] < 0) continue;
      out.density[index[lane]] = 1 + static_cast<double>(m.density_deviation[lane]);
      for (int a = 0; a < 3; ++a) out.velocity[index[lane]][a] = m.velocity[a][lane];
      if (with_stress)
        for (int a = 0; a < 6; ++a) out.stress[index[lane]][a] = m.stress[a][lane];
      for (std::size_t k = 0; k < scalars; ++k)
        out.scalars[static_cast<std::size_t>(index[lane]) * scalars + k] =
            scalars_->value(k, first_node + static_cast<std::uint64_t>(index[lane]));
    }
  });
}

template <class Groups, class Format>
void CpuSolver<Groups, Format>::save(const ArrayRange& range, std::span<std::byte> out) const {
  if (range.array == flow_populations) return save_populations(range, out);
  const EntryRange entries = arrays_[range.array].entries(geometry_.nodes, range.first_tile, range.tile_count);
  if (arrays_[range.array].over == Over::bodies) {
    std::vector<double> numbers(entries.count);
    if (entries.count > 0) bodies_.save(range.component, numbers);
    return save_numbers<double>(numbers, out);
  }
  if (range.array >= first_scalar_) return scalars_->save(range.array - first_scalar_, range.component, entries, out);
  kept_.save(range.array, range.component, entries, out);
}

template <class Groups, class Format>
void CpuSolver<Groups, Format>::save_populations(const ArrayRange& range, std::span<std::byte> out) const {
  for_each_node(range.first_tile, range.tile_count, true,
                [&](std::uint64_t group, std::uint64_t mask, const std::int64_t* index) {
                  GroupPopulations block;
                  const T* f = block.f + range.component * group_lanes;
                  open(group).template load<Format>(access(), current(), 1u << range.component, block.f);
                  for (; mask; mask &= mask - 1) {
                    const int lane = std::countr_zero(mask);
                    if (index[lane] < 0) continue;
                    const Storage stored = Format::encode(f[lane]);
                    std::memcpy(out.data() + index[lane] * sizeof(Storage), &stored, sizeof(Storage));
                  }
                });
}

template <class Groups, class Format>
void CpuSolver<Groups, Format>::load(const ArrayRange& range, std::span<const std::byte> in) {
  if (range.array == flow_populations) return load_populations(range, in);
  const EntryRange entries = arrays_[range.array].entries(geometry_.nodes, range.first_tile, range.tile_count);
  if (arrays_[range.array].over == Over::bodies) {
    std::vector<double> numbers(entries.count);
    load_numbers<double>(in, numbers);
    if (entries.count > 0) bodies_.load(range.component, numbers);
    return;
  }
  if (range.array >= first_scalar_) return scalars_->load(range.array - first_scalar_, range.component, entries, in);
  kept_.load(range.array, range.component, entries, in);
}

template <class Groups, class Format>
void CpuSolver<Groups, Format>::load_populations(const ArrayRange& range, std::span<const std::byte> in) {
  for_each_node(range.first_tile, range.tile_count, true,
                [&](std::uint64_t group, std::uint64_t mask, const std::int64_t* index) {
                  GroupPopulations block;
                  T* f = block.f + range.component * group_lanes;
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
                  open(group).template put<Format>(access(), current(), 1u << range.component, block.f, wanted);
                });
}

}  // namespace fluvia::cpu
