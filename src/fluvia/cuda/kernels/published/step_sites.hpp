// SPDX-License-Identifier: Apache-2.0
// One time step of schemes on index maps. Spec as in step.hpp, and Places: where their populations are.
#pragma once
#include "fluvia/core/streaming/pull.hpp"
#include "fluvia/cuda/kernels/boundary.hpp"
#include "fluvia/cuda/kernels/published/shared_tiles.hpp"
#include "fluvia/cuda/kernels/published/sites_ahead.hpp"
#include "fluvia/cuda/kernels/published/staged_buffers.hpp"
#include "fluvia/cuda/kernels/step.hpp"

namespace fluvia::cuda::kernels {

/// Completes what arrives at nodes that have conditions, where steps do so by themselves.
template <class Spec>
struct SiteConditions {
  const SiteBox& box;
  const Physics<Arithmetic<Spec>>& physics;
  template <class Node, class Populations>
  __device__ __forceinline__ void apply(const Node& node, Populations& p) const {
    if (!p.active || !core::has_conditions(node)) return;
    const Uint32 block = core::constant(box.segments + node.site / segment_nodes);
    const Uint32 record = core::constant(box.records + (block * segment_nodes + node.site % segment_nodes));
    apply_records<Spec>(p.f, record, physics, nullptr);
  }
};
/// What completes boundaries in a step.
template <class Spec>
__device__ __forceinline__ auto boundary_of_step(const SiteBox& box, const Physics<Arithmetic<Spec>>& physics) {
  if constexpr (Spec::completes_in_step)
    return SiteConditions<Spec>{box, physics};
  else
    return CompletedBoundary{};
}

template <class Spec, class Storage>
__device__ __forceinline__ void step_site(const Storage& storage, const Physics<Arithmetic<Spec>>& physics) {
  typename Storage::Node node;
  const Uint32 x = blockIdx.x * blockDim.x + threadIdx.x;
  if constexpr (Spec::in_rows)
    storage.open_in_row(node, x, blockIdx.y * blockDim.y + threadIdx.y, blockIdx.z);
  else
    storage.open(node, x);
  const auto collision =
      rounded<Spec>(node_collision<Spec>(storage, physics), physics.rounding,
                    [&](const auto&, Uint32) { return storage.box_index(physics.rounding, node.site); });
  core::update_group(storage, boundary_of_step<Spec>(storage.box, physics), collision, node);
}
/// One thread a place: they follow each other, or, in_rows, blocks of threads are some rows high.
template <class Spec, int parity>
__global__ void __launch_bounds__(Spec::threads, Spec::blocks)
    step_sites(const __grid_constant__ SiteBox box, const Physics<Arithmetic<Spec>> physics) {
  begin_kernel();
  if constexpr (reads_ahead<Spec>()) {
    typename SiteStorageAhead<Spec, parity>::Read read;
    step_site<Spec>(SiteStorageAhead<Spec, parity>(box, read), physics);
  } else {
    step_site<Spec>(SiteStorage<Spec, parity>{box}, physics);
  }
}

struct NoCollision {
  template <class Node, class Populations>
  __device__ __forceinline__ void collide(const Node&, Populations&) const {}
};

/// Places of a step in which each tile is updated by a block of threads: neighbours are found in shared memory.
template <class Places, bool guesses, bool shares>
struct PlacesInTile {
  using Type = typename Places::template On<SharedTiles<typename Places::Addressing, guesses>>;
};
template <class Places, bool guesses>
struct PlacesInTile<Places, guesses, false> {
  using Type = Places;
};
template <class Places, bool alone>
struct TilesOf {
  using Type = Places;
};
template <class Places>
struct TilesOf<Places, true> {
  using Type = typename Places::Alone;
};
template <class Spec>
using TilePlaces =
    typename PlacesInTile<typename TilesOf<typename Spec::StepPlaces, omits<Spec>(core::omits_ghosts)>::Type,
                          omits<Spec>(core::omits_barriers), !omits<Spec>(core::omits_sharing)>::Type;

/// Whether a block brings buffers of such places through shared memory.
template <class Spec>
constexpr bool stages() {
  if constexpr (requires { TilePlaces<Spec>::stages_faces; })
    return TilePlaces<Spec>::stages_faces && !omits<Spec>(core::omits_sharing) && !omits<Spec>(core::omits_staging);
  else
    return false;
}

/// What the threads of such a block share.
template <class Spec, bool has_stage = stages<Spec>()>
struct TileRoom {
  Uint32 around[TilePlaces<Spec>::Addressing::cells];
};
template <class Spec>
struct TileRoom<Spec, true> : TileRoom<Spec, false> {
  using Stored = typename Spec::Format::Storage;
  using Staged = StagedBuffers<TilePlaces<Spec>, Stored>;
  Stored stage[Staged::size];
};

/// Storage of such a block. In place it loads all of its nodes before it stores any.
template <class Spec, int parity>
struct TileStorage : SiteStorage<Spec, parity, TilePlaces<Spec>> {
  using Base = SiteStorage<Spec, parity, TilePlaces<Spec>>;
  using Places = typename Base::Places;
  using Addressing = typename Base::Places::Addressing;
  using Node = typename Base::Node;
  using Lattice = typename Base::Lattice;
  using Stored = typename Base::Stored;
  using Populations = typename Base::Populations;
  using Room = TileRoom<Spec>;

  Room& room;

  __device__ __forceinline__ TileStorage(const SiteBox& box, Room& shared) : Base{box}, room(shared) {}

  __device__ __forceinline__ void open(Node& node) const {
    Uint32 corner[3];
    Addressing::find_corner(this->box.sites, blockIdx.x, corner);
    Addressing::look_around_together(this->box.sites, corner, threadIdx.x, room.around);
    if constexpr (stages<Spec>()) Room::Staged::fetch(this->box, blockIdx.x, room.stage);
    wait();
    Addressing::open(this->box.sites, corner, threadIdx.x, room.around, node);
  }
  __device__ __forceinline__ void load(const Node& node, Populations& p) const {
    if constexpr (stages<Spec>())
      load_staged(node, p);
    else
      Base::load(node, p);
    if constexpr (Places::loads_tile_before_storing) wait();
  }
  __device__ __forceinline__ void store(const Node& node, const Populations& p) const {
    if constexpr (stages<Spec>()) {
      store_staged(node, p);
      wait();
      Room::Staged::flush(this->box, blockIdx.x, room.stage);
    } else {
      Base::store(node, p);
    }
  }

 private:
  static __device__ __forceinline__ void wait() {
    if constexpr (!omits<Spec>(core::omits_barriers)) __syncthreads();
  }
  __device__ __forceinline__ void load_staged(const Node& node, Populations& p) const {
    using Staged = typename Room::Staged;
    p.active = this->is_active(node);
    if (!p.active) return;
    const core::Sites& sites = this->box.sites;
    Stored stored[Lattice::Q];
    core::unroll<Lattice::Q>([&](auto i) {
      constexpr int direction = i.i;
      if constexpr (Staged::is_staged(direction)) {
        Uint32 value;
        if (Places::template arrives_by_face<direction>(sites, node, value)) {
          stored[direction] = room.stage[Staged::rank(direction) * Staged::values + value];
          return;
        }
      }
      read_global(Base::address(this->box.source, Places::template read<parity, direction>(sites, node)),
                  stored[direction]);
    });
    core::unroll<Lattice::Q>([&](auto i) { p.f[i.i] = Base::Codec::decode(stored[i.i]); });
  }
  __device__ __forceinline__ void store_staged(const Node& node, const Populations& p) const {
    using Staged = typename Room::Staged;
    if (!p.active) return;
    const core::Sites& sites = this->box.sites;
    core::unroll<Lattice::Q>([&](auto i) {
      constexpr int direction = i.i;
      const Stored stored = Base::StepCodec::encode(p.f[direction]);
      if constexpr (Staged::is_staged(direction)) {
        Uint32 value;
        if (Places::template leaves_by_face<direction>(sites, node, value)) {
          room.stage[Staged::rank(direction) * Staged::values + value] = stored;
          return;
        }
      }
      write_global(Base::address(this->box.target, Places::template write<parity, direction>(sites, node)), stored);
    });
  }
};

/// Storage of tiles where each thread finds its neighbours by itself, for a measurement.
template <class Spec, int parity>
struct LoneStorage : SiteStorage<Spec, parity, TilePlaces<Spec>> {
  using Base = SiteStorage<Spec, parity, TilePlaces<Spec>>;
  __device__ __forceinline__ void open(typename Base::Node& node) const {
    Base::open(node, blockIdx.x * Base::Places::Addressing::nodes + threadIdx.x);
  }
  __device__ __forceinline__ void load(const typename Base::Node& node, typename Base::Populations& p) const {
    Base::load(node, p);
    if constexpr (Base::Places::loads_tile_before_storing && !omits<Spec>(core::omits_barriers)) __syncthreads();
  }
};

template <class Spec, class Storage>
__device__ __forceinline__ void step_tile(const Storage& storage, const Physics<Arithmetic<Spec>>& physics) {
  typename Storage::Node node;
  storage.open(node);
  if constexpr (omits<Spec>(core::omits_collision)) {
    core::update_group(storage, CompletedBoundary{}, NoCollision{}, node);
  } else {
    const auto collision =
        rounded<Spec>(node_collision<Spec>(storage, physics), physics.rounding,
                      [&](const auto&, Uint32) { return storage.box_index(physics.rounding, node.site); });
    core::update_group(storage, CompletedBoundary{}, collision, node);
  }
}

/// One block of threads a tile. Where there is one copy, what comes from other tiles lies in ghost cells or buffers.
template <class Spec, int parity>
__global__ void __launch_bounds__(Spec::threads, Spec::blocks)
    step_tiles(const __grid_constant__ SiteBox box, const Physics<Arithmetic<Spec>> physics) {
  begin_kernel();
  if constexpr (omits<Spec>(core::omits_sharing)) {
    step_tile<Spec>(LoneStorage<Spec, parity>{{box}}, physics);
  } else {
    __shared__ TileRoom<Spec> room;
    step_tile<Spec>(TileStorage<Spec, parity>(box, room), physics);
  }
}

/// Before such a step: one thread a ghost cell. Blocks of threads have one case of S4 Fig. 4 each, those between rows
/// of blocks, between columns, and at corners, which follow each other.
template <class Spec>
__global__ void __launch_bounds__(Spec::threads) step_ghost_cells(const __grid_constant__ SiteBox box) {
  begin_kernel();
  using Places = typename Spec::StepPlaces;
  using Stored = typename Spec::Format::Storage;
  const auto memory = reinterpret_cast<Stored*>(box.source);
  Uint32 first = 0;
  core::unroll<8>([&](auto a) {
    constexpr int axes = a.i;
    const Uint32 cells = Places::template all_cells<axes>(box.sites), blocks = (cells + blockDim.x - 1) / blockDim.x;
    const Uint32 cell = (blockIdx.x - first) * blockDim.x + threadIdx.x;
    if (blockIdx.x >= first && blockIdx.x - first < blocks && cell < cells)
      Places::template update<axes>(box.sites, cell, [&](Uint64 from, Uint64 to) { memory[to] = memory[from]; });
    first += blocks;
  });
}

/// The first half of a step in two: one thread a site.
template <class Spec>
__global__ void __launch_bounds__(Spec::threads, Spec::blocks)
    step_collide(const __grid_constant__ SiteBox box, const Physics<Arithmetic<Spec>> physics) {
  begin_kernel();
  const OwnSlots<Spec> storage{box};
  const auto site = static_cast<Uint32>(blockIdx.x * blockDim.x + threadIdx.x);
  const auto collision =
      rounded<Spec>(node_collision<Spec>(storage, physics), physics.rounding, [&](const auto&, Uint32) {
        return SiteStorage<Spec, 0>{box}.box_index(physics.rounding, site < box.sites.stored ? site : core::no_site);
      });
  core::update_group(storage, CompletedBoundary{}, collision, site);
}

/// The second half: one thread a place of the box, fluid or not, gathers what its neighbours left.
template <class Spec>
__global__ void __launch_bounds__(Spec::threads, Spec::blocks) step_propagate(const __grid_constant__ SiteBox box) {
  begin_kernel();
  using Storage = SiteStorage<Spec, 0>;
  using Places = typename Storage::Places;
  using Gather = typename Places::template With<core::Pull>;
  const Storage storage{box};
  typename Storage::Node node;
  storage.open(node, blockIdx.x * blockDim.x + threadIdx.x);
  if (!storage.is_active(node)) return;
  typename Storage::Stored stored[Storage::Lattice::Q];
  core::unroll<Storage::Lattice::Q>([&](auto i) {
    constexpr int direction = i.i;
    read_global(Storage::address(box.source, Gather::template read<0, direction>(box.sites, node)), stored[direction]);
  });
  core::unroll<Storage::Lattice::Q>(
      [&](auto i) { write_global(Storage::address(box.target, Places::own(box.sites, node.site, i.i)), stored[i.i]); });
}

}  // namespace fluvia::cuda::kernels
