// SPDX-License-Identifier: Apache-2.0
// One time step on a GPU. A Spec names the types of a case:
//   Lattice, Collision, Equilibrium, Streaming, Format; force, large_eddy: as core::collide takes them;
//   boundaries: some surface is more than a plain wall; cut_tiles: a periodic axis ends inside of a tile.
#pragma once
#include "fluvia/core/boundary/registry.hpp"
#include "fluvia/core/collision/collide.hpp"
#include "fluvia/core/update.hpp"
#include "fluvia/cuda/kernels/compact.hpp"
#include "fluvia/cuda/kernels/dense.hpp"
#include "fluvia/cuda/kernels/slide.hpp"

namespace fluvia::cuda::kernels {

template <class Spec>
using Arithmetic = typename Spec::Format::Arithmetic;

/// Completes the cut links of one node, `f` in memory. Not inline: few nodes need it, and all would pay its registers.
template <class Spec>
__device__ __noinline__ void apply_records(Arithmetic<Spec> (&f)[Spec::Lattice::Q], Uint32 first,
                                           const Boundaries& boundaries, const Arithmetic<Spec> (&force)[3]) {
  using Lattice = typename Spec::Lattice;
  Arithmetic<Spec> loaded[Lattice::Q];
  for (int i = 0; i < Lattice::Q; ++i) loaded[i] = f[i];
  for (Uint32 k = first;; ++k) {
    const BoundaryRecord record = boundaries.records[k];
    core::apply_boundary<Lattice, typename Spec::Equilibrium>(f, loaded, record.links,
                                                              boundaries.surfaces[record.surface], force);
    if (record.is_last != 0) break;
  }
}

template <class Spec, class Storage>
struct NodeBoundary {
  const Physics<Arithmetic<Spec>>& physics;
  const Storage& storage;
  template <class Node, class Populations>
  __device__ __forceinline__ void apply(const Node& node, Populations& p) const {
    if constexpr (Spec::boundaries) {
      constexpr int Q = Spec::Lattice::Q;
      if (!p.active) return;
      const Uint32 record = storage.record(node, p);
      if (record == none) return;
      Arithmetic<Spec> in_memory[Q];
      for (int i = 0; i < Q; ++i) in_memory[i] = p.f[i];
      apply_records<Spec>(in_memory, record, physics.boundaries, physics.parameters.force);
      for (int i = 0; i < Q; ++i) p.f[i] = in_memory[i];
    }
  }
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
    step_dense(const DenseBox box, const void* source, void* target, const Physics<Arithmetic<Spec>> physics) {
  using Storage = DenseStorage<Spec, parity>;
  const Storage storage{box, static_cast<const typename Storage::Stored*>(source),
                        static_cast<typename Storage::Stored*>(target)};
  DenseNode node;
  node.open(box, blockIdx.x * blockDim.x + threadIdx.x, blockIdx.y * blockDim.y + threadIdx.y, blockIdx.z);
  core::update_group(storage, NodeBoundary<Spec, Storage>{physics, storage}, NodeCollision<Spec>{physics}, node);
}

/// One block of 64 threads a tile.
template <class Spec, int parity>
__global__ void __launch_bounds__(nodes_per_tile, Spec::blocks)
    step_compact(const CompactTiles geometry, const void* source, void* target,
                 const Physics<Arithmetic<Spec>> physics) {
  using Storage = CompactStorage<Spec, parity>;
  const Storage storage{geometry, static_cast<const typename Storage::Stored*>(source),
                        static_cast<typename Storage::Stored*>(target)};
  __shared__ Surroundings around;
  const bool full = threadIdx.x >= 27 || storage.surround(blockIdx.x, around, threadIdx.x);
  const bool interior = __syncthreads_and(full) != 0;
  CompactNode node;
  storage.open(node, blockIdx.x, threadIdx.x, around, interior);
  core::update_group(storage, NodeBoundary<Spec, Storage>{physics, storage}, NodeCollision<Spec>{physics}, node);
}

/// The same where reading and writing one array is ordered by a guard.
template <class Spec>
__global__ void __launch_bounds__(nodes_per_tile, Spec::blocks)
    step_sliding(const CompactTiles geometry, const void* source, void* target, const Physics<Arithmetic<Spec>> physics,
                 const SlidingGuard guard) {
  using Storage = SlidingStorage<Spec>;
  const Uint32 place = guard.downwards != 0 ? geometry.count - 1 - blockIdx.x : blockIdx.x;
  const Storage storage{
      {geometry, static_cast<const typename Storage::Stored*>(source), static_cast<typename Storage::Stored*>(target)},
      GuardWatch(guard, blockIdx.x, geometry.count)};
  __shared__ Surroundings around;
  const bool full = threadIdx.x >= 27 || storage.surround(place, around, threadIdx.x);
  const bool interior = __syncthreads_and(full) != 0;
  CompactNode node;
  storage.open(node, place, threadIdx.x, around, interior);
  core::update_group(storage, NodeBoundary<Spec, Storage>{physics, storage}, NodeCollision<Spec>{physics}, node);
}

}  // namespace fluvia::cuda::kernels
