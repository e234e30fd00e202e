// SPDX-License-Identifier: Apache-2.0
// One time step on a GPU. A Spec has the types and constants of a case:
//   Lattice, Collision, Equilibrium, Streaming, Format; Viscosity, force: as core::collide takes them;
// own_forces: nodes may have body forces of their own; Scalars, scalars_act: see scalars/carry.hpp;
// stochastic: 16 bits are rounded at random, see rounding.hpp; walls: where walls reflect; walls_in_shared_memory:
// what walls keep during a collision is there, not in registers;
//   prefetches_tiles: blocks ask for all that their compact tiles keep before they look for neighbours;
// conditions: boundary conditions that are more than plain walls; cut_tiles: a periodic axis ends inside of a tile;
//   completes_in_step: steps of index maps complete boundaries;
//   in_rows: steps of index maps go through rows of nodes, by blocks of threads some rows high;
// threads: of a block; blocks: blocks of threads that shall fit on a multiprocessor.
#pragma once
#include "fluvia/core/collision/collide.hpp"
#include "fluvia/core/update.hpp"
#include "fluvia/cuda/kernels/compact_step.hpp"
#include "fluvia/cuda/kernels/dense_pairs.hpp"
#include "fluvia/cuda/kernels/node_force.hpp"
#include "fluvia/cuda/kernels/prefetch.hpp"
#include "fluvia/cuda/kernels/slide.hpp"

namespace fluvia::cuda::kernels {

/// Boundary of steps before which a kernel of its own has completed the cut links where they are stored; see
/// boundary.hpp.
struct CompletedBoundary {
  template <class Node, class Populations>
  __device__ __forceinline__ void apply(const Node&, Populations&) const {}
};

/// core::WallWords of a lattice.
template <class Lattice>
inline constexpr core::WallWords wall_words{(Lattice::Q - 1) / 2};

/// The walls of a thread's node, asked for before its populations are used.
template <class Spec>
class WallDistances {
 public:
  static constexpr core::WallWords about = wall_words<typename Spec::Lattice>;

  __device__ __forceinline__ WallDistances(const core::WallBlocks& blocks, Uint32 storage_index)
      : blocks_(blocks), storage_index_(storage_index) {
    const core::NodeWalls walls = core::find_walls(blocks, storage_index, about.count());
    any_ = any_of_warp(walls.words != nullptr);
    if (any_)
      core::unroll<about.count()>(
          [&](auto w) { words_[w.i] = walls.words != nullptr ? core::constant(walls.words + w.i) : 0; });
  }
  /// Whether some node of the warp has walls; any_opposed(): even walls on both sides of a pair.
  [[nodiscard]] __device__ __forceinline__ bool any() const { return any_; }
  [[nodiscard]] __device__ __forceinline__ bool any_opposed() const { return any_of_warp(about.opposed(cut()) != 0); }
  [[nodiscard]] __device__ __forceinline__ Uint32 cut() const { return about.cut(words_); }
  [[nodiscard]] __device__ __forceinline__ Arithmetic<Spec> of(int pair) const {
    return core::wall_distance<Arithmetic<Spec>>(about.distance(words_, pair));
  }

  class OnBothSides {
   public:
    __device__ __forceinline__ explicit OnBothSides(const WallDistances& first) : first_(first) {
      // The distances are looked up again: they are needed so rarely that no register shall keep them meanwhile.
      second_ = core::find_walls(first.blocks_, first.storage_index_, about.count()).opposed +
                about.rank_among_opposed(first.words_) * about.pairs;
    }
    [[nodiscard]] __device__ __forceinline__ Arithmetic<Spec> of(int pair) const { return first_.of(pair); }
    [[nodiscard]] __device__ __forceinline__ Arithmetic<Spec> second(int pair) const {
      return core::wall_distance<Arithmetic<Spec>>(core::constant(second_ + pair));
    }

   private:
    const WallDistances& first_;
    const unsigned char* second_;
  };
  [[nodiscard]] __device__ __forceinline__ OnBothSides on_both_sides() const { return OnBothSides(*this); }

 private:
  const core::WallBlocks& blocks_;
  Uint32 storage_index_, words_[about.count()];
  bool any_;
};

/// Numbers of a thread in shared memory; those of `threads` threads lie side by side.
template <class T, int threads>
struct SharedNumbers {
  T* first;
  __device__ __forceinline__ T& operator[](int k) const { return first[k * threads]; }
};

/// Numbers that a thread keeps of a node at walls during its collision: in registers, or where kernels have none to
/// spare in shared memory.
template <class Spec, bool shared>
struct WallMemory {
  using T = Number<Spec>;
  using Lattice = typename Spec::Lattice;
  core::BeforeWalls<Lattice, Spec::walls, Spec::force, T> before;
};
template <class Spec>
struct WallMemory<Spec, true> {
  using T = Number<Spec>;
  using Lattice = typename Spec::Lattice;
  using Sums = SharedNumbers<T, Spec::threads>;
  core::BeforeWalls<Lattice, Spec::walls, Spec::force, T, Sums> before;

  __device__ __forceinline__ WallMemory() : before(Sums{all_sums() + threadIdx.x}) {}

 private:
  static __device__ __forceinline__ T* all_sums() {
    __shared__ T numbers[core::wall_sums<Lattice, Spec::walls, Spec::force> * Spec::threads];
    return numbers;
  }
};

/// Collisions of the nodes of `storage`, with what their walls make of the populations that leave towards them.
template <class Spec, class Storage>
struct NodeCollision {
  using Lattice = typename Spec::Lattice;
  const Storage& storage;
  const Physics<Arithmetic<Spec>>& physics;
  template <class Node, class Populations>
  __device__ __forceinline__ void collide(const Node& node, Populations& p) const {
    if constexpr (nodes_of<Populations> == 1)
      collide_node<0>(node, p);
    else
      core::unroll<2>([&](auto k) {
        p.template open<k.i>();
        collide_node<k.i>(node, p.of[k.i]);
      });
  }

 private:
  template <int k, class Node, class Populations>
  __device__ __forceinline__ void collide_node(const Node& node, Populations& p) const {
    if (!p.active) return;
    Number<Spec> f[Lattice::Q];
    to_numbers<Spec>(p.f, f);
    collide_numbers<k>(node, f);
    from_numbers<Spec>(f, p.f);
  }
  template <int k, class Node>
  __device__ __forceinline__ void collide_numbers(const Node& node, Number<Spec> (&f)[Lattice::Q]) const {
    using Collision = typename Spec::Collision;
    using Equilibrium = typename Spec::Equilibrium;
    const auto parameters = core::contracted(physics.parameters);
    Uint32 storage_index = none;
    if constexpr (Spec::walls != core::WallRule::half_way || numbers_all_nodes<Spec>)
      storage_index = storage.template wall_storage_index<k>(node);
    const auto own = own_force<Spec>(physics, storage_index);
    if constexpr (carries_scalars<Spec>) carry_scalars<Spec>(physics, storage_index, own, f);
    if constexpr (Spec::walls != core::WallRule::half_way) {
      const WallDistances<Spec> distances(physics.walls, storage_index);
      if (distances.any()) {
        WallMemory<Spec, Spec::walls_in_shared_memory> memory;
        core::collide_at_walls<Collision, Lattice, Equilibrium, Spec::force, typename Spec::Viscosity>(
            f, parameters, memory.before, distances.cut(), [&] { return core::constant(physics.walls.supply); },
            distances, own);
        return;
      }
    }
    own.template kick<Lattice, Equilibrium>(f, parameters.force, Number<Spec>(1));
    core::collide<Collision, Lattice, Equilibrium, Spec::force, typename Spec::Viscosity>(f, parameters);
  }
};

template <class Spec, class Storage>
__device__ __forceinline__ NodeCollision<Spec, Storage> node_collision(const Storage& storage,
                                                                       const Physics<Arithmetic<Spec>>& physics) {
  return {storage, physics};
}

/// The collision that a thread applies between loading and storing its nodes of a tile, which `Step` has opened.
template <class Spec, class Step, class Storage>
__device__ __forceinline__ auto tile_collision(const Storage& storage, const Physics<Arithmetic<Spec>>& physics,
                                               Uint32 tile) {
  const auto index = [&physics, tile](const auto& node, Uint32 k) {
    return index_in_tile<typename Spec::Lattice>(physics.rounding, tile, Step::bit_of(node, k));
  };
  return rounded<Spec>(node_collision<Spec>(storage, physics), physics.rounding, index);
}

/// A time step of a dense box: blocks of threads lie along x and y; blockIdx.y and z count the rows.
template <class Spec, int parity>
__global__ void __launch_bounds__(Spec::threads, Spec::blocks)
    step_dense(const __grid_constant__ DenseBox box, const Physics<Arithmetic<Spec>> physics) {
  begin_kernel();
  using Storage = DenseStorage<Spec, parity, step_nodes<Spec>>;
  const Storage storage{box};
  typename Storage::Node node;
  const Uint32 x = blockIdx.x * blockDim.x + threadIdx.x, y = box.first_row + blockIdx.y * blockDim.y + threadIdx.y,
               z = box.first_layer + blockIdx.z;
  if constexpr (step_nodes<Spec> == 1) prefetch_rows<Spec, parity>(box, blockDim.x, blockIdx.x * blockDim.x, y, z);
  storage.open(node, x, y < box.end_row ? y : none, z);
  const auto collision =
      rounded<Spec>(node_collision<Spec>(storage, physics), physics.rounding, [&](const auto&, Uint32 k) {
        return physics.rounding.first + core::box_index(x * step_nodes<Spec> + k, y, z, box.size[0], box.size[1]);
      });
  core::update_group(storage, CompletedBoundary{}, collision, node);
}

/// A time step of compact tiles: one group of threads for each tile, and as many groups in a block as its threads
/// suffice for.
template <class Spec, int parity>
__global__ void __launch_bounds__(Spec::threads, Spec::blocks)
    step_compact(const __grid_constant__ CompactTiles geometry, const Physics<Arithmetic<Spec>> physics) {
  begin_kernel();
  using Storage = CompactStep<Spec, parity>;
  using ThreadGroup = typename Storage::ThreadGroup;
  __shared__ typename Storage::Surroundings around[Storage::groups];
  const Uint32 first = geometry.first + blockIdx.x * Storage::groups, storage_index = first + ThreadGroup::index();
  if constexpr (Spec::prefetches_tiles)
    if (threadIdx.x == 0) prefetch_tiles<Spec>(geometry, first, min(first + Storage::groups, geometry.end));
  if (storage_index >= geometry.end) return;
  const Storage storage{geometry};
  typename Storage::Node node;
  const auto collision = tile_collision<Spec, Storage>(storage, physics, storage_index);
  storage.open(node, storage_index, around[ThreadGroup::index()]);
  core::update_group(storage, CompletedBoundary{}, collision, node);
}

/// One step of a sliding array, whose reading and writing is ordered by a guard, the last warp of the block.
template <class Spec>
__global__ void __launch_bounds__(Spec::threads + guard_threads, Spec::blocks)
    step_sliding(const __grid_constant__ CompactTiles geometry, const Physics<Arithmetic<Spec>> physics,
                 const SlidingGuard guard) {
  begin_kernel();
  using Compact = CompactStep<Spec, 0>;
  using ThreadGroup = typename Compact::ThreadGroup;
  using Storage = SlidingStorage<Compact>;
  __shared__ typename Compact::Surroundings around[Compact::groups];
  __shared__ Flag allowed;
  const Uint32 tiles = geometry.end - geometry.first;
  if (threadIdx.x == Spec::threads) make_flag(allowed);
  __syncthreads();
  if (threadIdx.x >= Spec::threads) {
    if constexpr (Spec::prefetches_tiles)
      if (threadIdx.x == Spec::threads) {
        const Uint32 of_block = guard.rounds * Compact::groups, first = blockIdx.x * of_block,
                     end = min(first + of_block, tiles);
        prefetch_tiles<Spec>(geometry, guard.order.downwards != 0 ? geometry.end - end : geometry.first + first,
                             guard.order.downwards != 0 ? geometry.end - first : geometry.first + end);
      }
    guard_block<Storage::done, Storage::threads>(guard, threadIdx.x - Spec::threads, allowed);
    return;
  }
  for (Uint32 round = 0; round < guard.rounds; ++round) {
    const Uint32 order = (blockIdx.x * guard.rounds + round) * Compact::groups + ThreadGroup::index();
    typename Storage::Node node;
    ThreadGroup::wait();  // the tile of the round before may still be in use
    const Uint32 storage_index = guard.order.downwards != 0 ? geometry.end - 1 - order : geometry.first + order;
    const Storage storage{geometry, allowed, round == 0, round + 1 == guard.rounds};
    const auto collision = tile_collision<Spec, Compact>(storage, physics, order < tiles ? storage_index : 0);
    if (order < tiles)
      Compact{geometry}.open(node, storage_index, around[ThreadGroup::index()]);
    else
      Compact::close(node);  // it must still meet the guard
    core::update_group(storage, CompletedBoundary{}, collision, node);
  }
}

}  // namespace fluvia::cuda::kernels
