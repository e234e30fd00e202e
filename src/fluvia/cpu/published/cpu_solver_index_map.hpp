// SPDX-License-Identifier: Apache-2.0
// CpuSolver: what only schemes on index maps do in a step. Included only by the files that instantiate it.
#pragma once
#include <utility>
#include <vector>

#include "fluvia/core/streaming/pull.hpp"
#include "fluvia/core/update.hpp"
#include "fluvia/cpu/cpu_solver_step.hpp"
#include "fluvia/cpu/published/group_indices.hpp"

namespace fluvia::cpu {

/// The second half of a step apart: what left the nodes in the current copy goes to where it arrives in the next.
template <class Groups, class Format>
void CpuSolver<Groups, Format>::propagate() {
  if constexpr (requires { groups_.indices(); }) {
    const StepAccess from = streaming_table(core::Pull::name, plan_.flow().lattice->name).step[0], to = access();
    const Storage* const source = current();
    Storage* const target = next();
#pragma omp parallel for schedule(static) num_threads(plan_.threads)
    for (std::uint64_t group = 0; group < groups_.count(); ++group) {
      ElementTable left, arrives;
      const std::uint64_t first = group * group_lanes, mask = groups_.mask(group);
      groups_.indices().reads(first, mask, from, all_directions(from), left);
      groups_.indices().reads(first, mask, to, all_directions(to), arrives);
      for (std::uint64_t rest = mask; rest != 0; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        for (int i = 0; i < to.directions; ++i) target[arrives[i][lane]] = source[left[i][lane]];
      }
    }
  }
}

/// Copies to ghost cells what the next step reads there.
template <class Groups, class Format>
void CpuSolver<Groups, Format>::update_ghosts() {
  if constexpr (requires { groups_.indices(); }) {
    constexpr std::uint64_t cells_at_once = 256;
    Storage* const memory = current();
    const std::uint64_t cells = groups_.ghost_cells();
#pragma omp parallel for schedule(static) num_threads(plan_.threads)
    for (std::uint64_t first = 0; first < cells; first += cells_at_once) {
      std::vector<std::pair<std::uint64_t, std::uint64_t>> moves;
      groups_.indices().update_ghosts(first, std::min(cells_at_once, cells - first), moves);
      for (const auto& [from, to] : moves) memory[to] = memory[from];
    }
  }
}

/// One step in place, tile by tile: all groups of a tile are loaded before the first is stored.
template <class Groups, class Format>
void CpuSolver<Groups, Format>::advance_by_tile() {
  if constexpr (requires { groups_.indices(); }) {
    constexpr int most_groups = 16;  // of 32 x 32 nodes
    struct TileBlocks {
      GroupPopulations of[most_groups];
      Context context[most_groups];
    };
    struct TileStorage {
      using Populations [[maybe_unused]] = TileBlocks;
      StepStorage<Groups, Format> storage;
      std::uint64_t groups;
      void load(std::uint64_t tile, TileBlocks& p) const {
        for (std::uint64_t k = 0; k < groups; ++k) {
          p.context[k].open(storage.groups, tile * groups + k, storage.step);
          const Context* const nothing_ahead = nullptr;
          if (p.context[k].mask() != 0) storage.load(p.context[k], nothing_ahead, true, p.of[k]);
        }
      }
      void store(std::uint64_t tile, TileBlocks& p) const {
        for (std::uint64_t k = 0; k < groups; ++k)
          if (p.context[k].mask() != 0) storage.store(p.context[k], tile * groups + k, p.of[k]);
      }
    };
    struct Boundary {
      const CpuSolver& solver;
      std::uint64_t groups;
      void apply(std::uint64_t tile, TileBlocks& p) const {
        for (std::uint64_t k = 0; k < groups; ++k)
          solver.apply_boundaries(tile * groups + k, p.of[k].f, solver.of_boundaries(), true);
      }
    };
    struct Collision {
      const CpuSolver& solver;
      std::uint64_t groups;
      void collide(std::uint64_t tile, TileBlocks& p) const {
        for (std::uint64_t k = 0; k < groups; ++k)
          if (p.context[k].mask() != 0) solver.collide(tile * groups + k, p.of[k], group_lanes);
      }
    };
    update_ghosts();
    StepAccess step = access();
    step.reads_ghosts = true;
    const std::uint64_t groups = groups_.groups_of_tile(), tiles = groups_.count() / groups;
    const core::StepKey key = step_ahead().key;
    const TileStorage storage{{groups_, step, current(), current(), rounds_stochastically() ? &key : nullptr}, groups};
    const int threads = useful_threads(tiles, groups, plan_.threads);
#pragma omp parallel num_threads(threads) if (threads > 1)
    {
      const FlushDenormals flush;
#pragma omp for schedule(static)
      for (std::uint64_t tile = 0; tile < tiles; ++tile)
        core::update_group(storage, Boundary{*this, groups}, Collision{*this, groups}, tile);
    }
  }
}

}  // namespace fluvia::cpu
