// SPDX-License-Identifier: Apache-2.0
// One time step on a GPU. A Spec names the types of a case:
//   Lattice, Collision, Equilibrium, Streaming, Format; force, large_eddy: as core::collide takes them;
//   boundaries: some surface is more than a plain wall; cut_tiles: a periodic axis ends inside of a tile;
//   threads, blocks: of a block of threads in a dense box, and of blocks that shall fit on a multiprocessor.
#pragma once
#include "fluvia/core/collision/collide.hpp"
#include "fluvia/core/update.hpp"
#include "fluvia/cuda/kernels/compact.hpp"
#include "fluvia/cuda/kernels/dense.hpp"
#include "fluvia/cuda/kernels/slide.hpp"

namespace fluvia::cuda::kernels {

/// The conditions of openings, moving walls and free slip have completed the cut links where they are stored, before
/// the step; see boundary.hpp.
struct CompletedBoundary {
  template <class Node, class Populations>
  __device__ __forceinline__ void apply(const Node&, Populations&) const {}
};

template <class Spec>
struct NodeCollision {
  const Physics<Arithmetic<Spec>>& physics;
  template <class Node, class Populations>
  __device__ __forceinline__ void collide(const Node&, Populations& p) const {
    if (!p.active) return;
    core::collide<typename Spec::Collision, typename Spec::Lattice, typename Spec::Equilibrium, Spec::force,
                  Spec::large_eddy>(p.f, physics.parameters);
  }
};

/// One thread a node; blocks of threads along x, blockIdx.y and z count the rows.
template <class Spec, int parity>
__global__ void __launch_bounds__(Spec::threads, Spec::blocks)
    step_dense(const __grid_constant__ DenseBox box, const Physics<Arithmetic<Spec>> physics) {
  using Storage = DenseStorage<Spec, parity>;
  const Storage storage{box};
  typename Storage::Node node;
  storage.open(node, blockIdx.x * blockDim.x + threadIdx.x, blockIdx.y * blockDim.y + threadIdx.y, blockIdx.z);
  core::update_group(storage, CompletedBoundary{}, NodeCollision<Spec>{physics}, node);
}

/// One block of 64 threads a tile.
template <class Spec, int parity>
__global__ void __launch_bounds__(nodes_per_tile, Spec::blocks)
    step_compact(const __grid_constant__ CompactTiles geometry, const Physics<Arithmetic<Spec>> physics) {
  using Storage = CompactStorage<Spec, parity>;
  const Storage storage{geometry};
  __shared__ Surroundings around;
  storage.surround(blockIdx.x, around);
  CompactNode node;
  storage.open(node, around);
  core::update_group(storage, CompletedBoundary{}, NodeCollision<Spec>{physics}, node);
}

/// The same where reading and writing one array is ordered by a guard.
template <class Spec>
__global__ void __launch_bounds__(nodes_per_tile, Spec::blocks)
    step_sliding(const __grid_constant__ CompactTiles geometry, const Physics<Arithmetic<Spec>> physics,
                 const SlidingGuard guard) {
  using Storage = SlidingStorage<Spec>;
  const Storage storage{{geometry}, GuardWatch(guard, blockIdx.x, gridDim.x)};
  __shared__ Surroundings around;
  const Uint32 first = blockIdx.x * guard.block_tiles, end = min(first + guard.block_tiles, geometry.count);
  for (Uint32 order = first; order < end; ++order) {
    storage.surround(guard.downwards != 0 ? geometry.count - 1 - order : order, around);
    CompactNode node;
    storage.open(node, around);
    core::update_group(storage, CompletedBoundary{}, NodeCollision<Spec>{physics}, node);
  }
  storage.watch.signal();  // last: a release waits for what came before it, and nothing shall wait for that
}

}  // namespace fluvia::cuda::kernels
