// SPDX-License-Identifier: Apache-2.0
// One time step of schemes on index maps. Spec as in step.hpp, and Places: where their populations are.
#pragma once
#include "fluvia/core/streaming/pull.hpp"
#include "fluvia/cuda/kernels/sites.hpp"
#include "fluvia/cuda/kernels/step.hpp"

namespace fluvia::cuda::kernels {

/// One thread a place.
template <class Spec, int parity>
__global__ void __launch_bounds__(Spec::threads, Spec::blocks)
    step_sites(const __grid_constant__ SiteBox box, const Physics<Arithmetic<Spec>> physics) {
  using Storage = SiteStorage<Spec, parity>;
  const Storage storage{box};
  typename Storage::Node node;
  storage.open(node, blockIdx.x * blockDim.x + threadIdx.x);
  core::update_group(storage, CompletedBoundary{}, NodeCollision<Spec>{physics}, node);
}

/// Storage of a block of threads that loads all of its nodes before it stores any.
template <class Base>
struct BlockStorage : Base {
  template <class Node, class Populations>
  __device__ __forceinline__ void load(const Node& node, Populations& p) const {
    Base::load(node, p);
    __syncthreads();
  }
};

/// One block of threads a tile, in place; what comes from other tiles lies in ghost cells or buffers.
template <class Spec, int parity>
__global__ void __launch_bounds__(Spec::threads, Spec::blocks)
    step_tiles(const __grid_constant__ SiteBox box, const Physics<Arithmetic<Spec>> physics) {
  using Storage = BlockStorage<SiteStorage<Spec, parity, typename Spec::StepPlaces>>;
  const Storage storage{{box}};
  typename Storage::Node node;
  storage.open(node, blockIdx.x * Spec::threads + threadIdx.x);
  core::update_group(storage, CompletedBoundary{}, NodeCollision<Spec>{physics}, node);
}

/// Before such a step: one thread a ghost cell, neighbouring threads on the same side of a block (S4 Fig. 4).
template <class Spec>
__global__ void __launch_bounds__(Spec::threads) step_ghost_cells(const __grid_constant__ SiteBox box, Uint32 cells) {
  using Stored = typename Spec::Format::Storage;
  const Uint32 cell = blockIdx.x * blockDim.x + threadIdx.x;
  if (cell >= cells) return;
  const auto memory = reinterpret_cast<Stored*>(box.source);
  Spec::StepPlaces::update(box.sites, cell, [&](Uint64 from, Uint64 to) { memory[to] = memory[from]; });
}

/// The first half of a step in two: one thread a site.
template <class Spec>
__global__ void __launch_bounds__(Spec::threads, Spec::blocks)
    step_collide(const __grid_constant__ SiteBox box, const Physics<Arithmetic<Spec>> physics) {
  const OwnSlots<Spec> storage{box};
  core::update_group(storage, CompletedBoundary{}, NodeCollision<Spec>{physics},
                     static_cast<Uint32>(blockIdx.x * blockDim.x + threadIdx.x));
}

/// The second half: one thread a place of the box, fluid or not, gathers what its neighbours left.
template <class Spec>
__global__ void __launch_bounds__(Spec::threads, Spec::blocks) step_propagate(const __grid_constant__ SiteBox box) {
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
