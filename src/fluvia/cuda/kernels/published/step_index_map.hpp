// SPDX-License-Identifier: Apache-2.0
// One time step of schemes on index maps. Spec as in step.hpp, and Indices: the storage index of each population.
#pragma once
#include "fluvia/core/streaming/pull.hpp"
#include "fluvia/cuda/kernels/boundary.hpp"
#include "fluvia/cuda/kernels/published/index_map_ahead.hpp"
#include "fluvia/cuda/kernels/published/shared_tiles.hpp"
#include "fluvia/cuda/kernels/published/staged_buffers.hpp"
#include "fluvia/cuda/kernels/step.hpp"

namespace fluvia::cuda::kernels {

/// Completes what arrives at nodes that have conditions, where steps do so by themselves.
template <class Spec>
struct IndexMapConditions {
  const IndexMapBox& box;
  const Physics<Arithmetic<Spec>>& physics;
  template <class Node, class Populations>
  __device__ __forceinline__ void apply(const Node& node, Populations& p) const {
    if (!p.active || !core::has_conditions(node)) return;
    const Uint32 block = core::constant(box.segments + node.stored_node / segment_nodes);
    const Uint32 record = core::constant(box.records + (block * segment_nodes + node.stored_node % segment_nodes));
    apply_records<Spec>(p.f, record, physics, nullptr, own_force<Spec>(physics, node.stored_node));
  }
};
/// Completes what arrives from boundaries in a step; does nothing if a launch before the step does so.
template <class Spec>
__device__ __forceinline__ auto boundary_of_step(const IndexMapBox& box, const Physics<Arithmetic<Spec>>& physics) {
  if constexpr (Spec::completes_in_step)
    return IndexMapConditions<Spec>{box, physics};
  else
    return CompletedBoundary{};
}

template <class Spec, class Storage>
__device__ __forceinline__ void step_stored_node(const Storage& storage, const Physics<Arithmetic<Spec>>& physics) {
  typename Storage::Node node;
  const Uint32 x = blockIdx.x * blockDim.x + threadIdx.x;
  if constexpr (Spec::in_rows)
    storage.open_in_row(node, x, blockIdx.y * blockDim.y + threadIdx.y, blockIdx.z);
  else
    storage.open(node, x);
  const auto collision =
      rounded<Spec>(node_collision<Spec>(storage, physics), physics.rounding,
                    [&](const auto&, Uint32) { return storage.box_index(physics.rounding, node.stored_node); });
  core::update_group(storage, boundary_of_step<Spec>(storage.box, physics), collision, node);
}
/// A time step with one thread for each visited node: threads follow each other, or, in_rows, blocks of them are some
/// rows high.
template <class Spec, int parity>
__global__ void __launch_bounds__(Spec::threads, Spec::blocks)
    step_index_map(const __grid_constant__ IndexMapBox box, const Physics<Arithmetic<Spec>> physics) {
  begin_kernel();
  if constexpr (reads_ahead<Spec>()) {
    typename IndexMapStorageAhead<Spec, parity>::Read read;
    step_stored_node<Spec>(IndexMapStorageAhead<Spec, parity>(box, read), physics);
  } else {
    step_stored_node<Spec>(IndexMapStorage<Spec, parity>{box}, physics);
  }
}

struct NoCollision {
  template <class Node, class Populations>
  __device__ __forceinline__ void collide(const Node&, Populations&) const {}
};

/// Storage indices in a step in which a block of threads updates each tile: neighbours are found in shared memory.
template <class Indices, bool guesses, bool shares>
struct IndicesInTile {
  using Type = typename Indices::template On<SharedTiles<typename Indices::Addressing, guesses>>;
};
template <class Indices, bool guesses>
struct IndicesInTile<Indices, guesses, false> {
  using Type = Indices;
};
template <class Indices, bool alone>
struct TilesOf {
  using Type = Indices;
};
template <class Indices>
struct TilesOf<Indices, true> {
  using Type = typename Indices::Alone;
};
template <class Spec>
using TileIndices =
    typename IndicesInTile<typename TilesOf<typename Spec::StepIndices, omits<Spec>(core::omits_ghosts)>::Type,
                           omits<Spec>(core::omits_barriers), !omits<Spec>(core::omits_sharing)>::Type;

/// Whether a block brings ghost buffers through shared memory.
template <class Spec>
constexpr bool stages() {
  if constexpr (requires { TileIndices<Spec>::stages_faces; })
    return TileIndices<Spec>::stages_faces && !omits<Spec>(core::omits_sharing) && !omits<Spec>(core::omits_staging);
  else
    return false;
}

/// What the threads of a block that updates a tile share.
template <class Spec, bool has_stage = stages<Spec>()>
struct TileRoom {
  Uint32 around[TileIndices<Spec>::Addressing::cells];
};
template <class Spec>
struct TileRoom<Spec, true> : TileRoom<Spec, false> {
  using Stored = typename Spec::Format::Storage;
  using Staged = StagedBuffers<TileIndices<Spec>, Stored>;
  Stored stage[Staged::size];
};

/// Storage of a block that updates a tile. With one copy it loads all of its nodes before it stores any.
template <class Spec, int parity>
struct TileStorage : IndexMapStorage<Spec, parity, TileIndices<Spec>> {
  using Base = IndexMapStorage<Spec, parity, TileIndices<Spec>>;
  using Indices = typename Base::Indices;
  using Addressing = typename Base::Indices::Addressing;
  using Node = typename Base::Node;
  using Lattice = typename Base::Lattice;
  using Stored = typename Base::Stored;
  using Populations = typename Base::Populations;
  using Room = TileRoom<Spec>;

  Room& room;

  __device__ __forceinline__ TileStorage(const IndexMapBox& box, Room& shared) : Base{box}, room(shared) {}

  __device__ __forceinline__ void open(Node& node) const {
    Uint32 corner[3];
    Addressing::find_corner(this->box.tables, blockIdx.x, corner);
    Addressing::look_around_together(this->box.tables, corner, threadIdx.x, room.around);
    if constexpr (stages<Spec>()) Room::Staged::fetch(this->box, blockIdx.x, room.stage);
    wait();
    Addressing::open(this->box.tables, corner, threadIdx.x, room.around, node);
  }
  __device__ __forceinline__ void load(const Node& node, Populations& p) const {
    if constexpr (stages<Spec>())
      load_staged(node, p);
    else
      Base::load(node, p);
    if constexpr (Indices::loads_tile_before_storing) wait();
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
    const core::IndexTables& tables = this->box.tables;
    Stored stored[Lattice::Q];
    core::unroll<Lattice::Q>([&](auto i) {
      constexpr int direction = i.i;
      if constexpr (Staged::is_staged(direction)) {
        Uint32 value;
        if (Indices::template arrives_by_face<direction>(tables, node, value)) {
          stored[direction] = room.stage[Staged::rank(direction) * Staged::values + value];
          return;
        }
      }
      read_global(Base::address(this->box.source, Indices::template read<parity, direction>(tables, node)),
                  stored[direction]);
    });
    core::unroll<Lattice::Q>([&](auto i) { p.f[i.i] = Base::Codec::decode(stored[i.i]); });
  }
  __device__ __forceinline__ void store_staged(const Node& node, const Populations& p) const {
    using Staged = typename Room::Staged;
    if (!p.active) return;
    const core::IndexTables& tables = this->box.tables;
    core::unroll<Lattice::Q>([&](auto i) {
      constexpr int direction = i.i;
      const Stored stored = Base::StepCodec::encode(p.f[direction]);
      if constexpr (Staged::is_staged(direction)) {
        Uint32 value;
        if (Indices::template leaves_by_face<direction>(tables, node, value)) {
          room.stage[Staged::rank(direction) * Staged::values + value] = stored;
          return;
        }
      }
      write_global(Base::address(this->box.target, Indices::template write<parity, direction>(tables, node)), stored);
    });
  }
};

/// Storage of tiles where each thread finds its neighbours by itself, for a measurement.
template <class Spec, int parity>
struct LoneStorage : IndexMapStorage<Spec, parity, TileIndices<Spec>> {
  using Base = IndexMapStorage<Spec, parity, TileIndices<Spec>>;
  __device__ __forceinline__ void open(typename Base::Node& node) const {
    Base::open(node, blockIdx.x * Base::Indices::Addressing::nodes + threadIdx.x);
  }
  __device__ __forceinline__ void load(const typename Base::Node& node, typename Base::Populations& p) const {
    Base::load(node, p);
    if constexpr (Base::Indices::loads_tile_before_storing && !omits<Spec>(core::omits_barriers)) __syncthreads();
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
                      [&](const auto&, Uint32) { return storage.box_index(physics.rounding, node.stored_node); });
    core::update_group(storage, CompletedBoundary{}, collision, node);
  }
}

/// A time step with one block of threads for each tile. With one copy, what comes from other tiles lies in ghost cells
/// or ghost buffers.
template <class Spec, int parity>
__global__ void __launch_bounds__(Spec::threads, Spec::blocks)
    step_tiles(const __grid_constant__ IndexMapBox box, const Physics<Arithmetic<Spec>> physics) {
  begin_kernel();
  if constexpr (omits<Spec>(core::omits_sharing)) {
    step_tile<Spec>(LoneStorage<Spec, parity>{{box}}, physics);
  } else {
    __shared__ TileRoom<Spec> room;
    step_tile<Spec>(TileStorage<Spec, parity>(box, room), physics);
  }
}

/// Fills the ghost cells before step_tiles(), one thread for each. A block of threads has one case of S4 Fig. 4: cells
/// between rows of blocks, between columns, and at corners follow each other.
template <class Spec>
__global__ void __launch_bounds__(Spec::threads) step_ghost_cells(const __grid_constant__ IndexMapBox box) {
  begin_kernel();
  using Indices = typename Spec::StepIndices;
  using Stored = typename Spec::Format::Storage;
  const auto memory = reinterpret_cast<Stored*>(box.source);
  Uint32 first = 0;
  core::unroll<8>([&](auto a) {
    constexpr int axes = a.i;
    const Uint32 cells = Indices::template all_cells<axes>(box.tables), blocks = (cells + blockDim.x - 1) / blockDim.x;
    const Uint32 cell = (blockIdx.x - first) * blockDim.x + threadIdx.x;
    if (blockIdx.x >= first && blockIdx.x - first < blocks && cell < cells)
      Indices::template update<axes>(box.tables, cell, [&](Uint64 from, Uint64 to) { memory[to] = memory[from]; });
    first += blocks;
  });
}

/// The first half of a step in two kernels: one thread for each stored node collides.
template <class Spec>
__global__ void __launch_bounds__(Spec::threads, Spec::blocks)
    step_collide(const __grid_constant__ IndexMapBox box, const Physics<Arithmetic<Spec>> physics) {
  begin_kernel();
  const OwnSlots<Spec> storage{box};
  const auto stored_node = static_cast<Uint32>(blockIdx.x * blockDim.x + threadIdx.x);
  const auto collision =
      rounded<Spec>(node_collision<Spec>(storage, physics), physics.rounding, [&](const auto&, Uint32) {
        return IndexMapStorage<Spec, 0>{box}.box_index(physics.rounding,
                                                       stored_node < box.tables.stored ? stored_node : core::no_index);
      });
  core::update_group(storage, CompletedBoundary{}, collision, stored_node);
}

/// The second half of a step in two kernels: one thread for each node of the box, fluid or not, gathers what its
/// neighbours left.
template <class Spec>
__global__ void __launch_bounds__(Spec::threads, Spec::blocks) step_propagate(const __grid_constant__ IndexMapBox box) {
  begin_kernel();
  using Storage = IndexMapStorage<Spec, 0>;
  using Indices = typename Storage::Indices;
  using Gather = typename Indices::template With<core::Pull>;
  const Storage storage{box};
  typename Storage::Node node;
  storage.open(node, blockIdx.x * blockDim.x + threadIdx.x);
  if (!storage.is_active(node)) return;
  typename Storage::Stored stored[Storage::Lattice::Q];
  core::unroll<Storage::Lattice::Q>([&](auto i) {
    constexpr int direction = i.i;
    read_global(Storage::address(box.source, Gather::template read<0, direction>(box.tables, node)), stored[direction]);
  });
  core::unroll<Storage::Lattice::Q>([&](auto i) {
    write_global(Storage::address(box.target, Indices::own(box.tables, node.stored_node, i.i)), stored[i.i]);
  });
}

}  // namespace fluvia::cuda::kernels
