// SPDX-License-Identifier: Apache-2.0
// Boundary conditions on a GPU. A population that arrives over a cut link lies in storage of its own node, and only
// that node reads it. So a kernel of its own, over the few nodes that have boundary conditions, completes those
// populations where they lie, and the kernel of the step needs none: with boundary conditions in it, all nodes paid for
// their registers (35 to 40% of the speed, docs/decisions/0007-boundaries-before-the-step.md).
#pragma once
#include "fluvia/core/boundary/registry.hpp"
#include "fluvia/core/streaming/registry.hpp"
#include "fluvia/cuda/kernels/node_force.hpp"
#include "fluvia/cuda/kernels/tile_access.hpp"

namespace fluvia::cuda::kernels {

/// First record of a node of a boundary tile, or `none`.
__device__ __forceinline__ Uint32 first_record(const Boundaries& boundaries, const BoundaryTile& tile, Uint32 bit) {
  if ((tile.mask >> bit & 1u) == 0) return none;
  return boundaries.first_records[tile.first + __popcll(tile.mask & ((Uint64{1} << bit) - 1))];
}
/// First record of a node of any tile, or `none`.
__device__ __forceinline__ Uint32 find_record(const Boundaries& boundaries, Uint32 storage_index, Uint32 bit) {
  Uint32 first = 0, end = boundaries.tile_count;
  while (first < end) {
    const Uint32 middle = first + (end - first) / 2;
    if (boundaries.tiles[middle].storage_index < storage_index)
      first = middle + 1;
    else
      end = middle;
  }
  if (first == boundaries.tile_count || boundaries.tiles[first].storage_index != storage_index) return none;
  return first_record(boundaries, boundaries.tiles[first], bit);
}

/// Completes the cut links of one node; returns the directions that it changed. Numbers that boundary conditions keep
/// go to `after`, if that is not null. `own`: the node's own force, which conditions know as that of all.
template <class Spec, class Own>
__device__ __forceinline__ Uint32 apply_records(Arithmetic<Spec> (&f)[Spec::Lattice::Q], Uint32 first,
                                                const Physics<Arithmetic<Spec>>& physics, Arithmetic<Spec>* after,
                                                const Own& own) {
  using Lattice = typename Spec::Lattice;
  using T = Number<Spec>;
  T completed[Lattice::Q], loaded[Lattice::Q];
  to_numbers<Spec>(f, completed);
  to_numbers<Spec>(f, loaded);
  auto parameters = core::contracted(physics.parameters);
  own.add_to(parameters.force);
  const core::PlaneFits<T> fits{physics.boundaries.fit_points,
                                static_cast<const core::FitBatch<T>*>(physics.boundaries.fit_coefficients),
                                physics.boundaries.surfaces};
  Uint32 changed = 0;
  for (Uint32 k = first;; ++k) {
    const BoundaryRecord record = physics.boundaries.records[k];
    core::apply_boundary<Lattice, typename Spec::Equilibrium, Spec::conditions>(
        completed, loaded, record.links, physics.boundaries.surfaces[record.surface], parameters, fits,
        reinterpret_cast<const T*>(physics.memory), reinterpret_cast<T*>(after), typename Spec::Viscosity{});
    changed |= record.links.directions;
    if (record.is_last != 0) break;
  }
  from_numbers<Spec>(completed, f);
  return changed;
}

/// Completes populations that were loaded between steps as the boundary conditions will.
template <class Spec, class Populations, class Own>
__device__ __forceinline__ void complete(const Physics<Arithmetic<Spec>>& physics, Uint32 storage_index, const Own& own,
                                         Populations& p) {
  if constexpr (Spec::conditions != 0) {
    const Uint32 record = find_record(physics.boundaries, storage_index, threadIdx.x);
    if (record != none) apply_records<Spec>(p.f, record, physics, nullptr, own);
  }
}

/// Stores a completed population, which is rounded once more than others: when it left the node that it comes back to,
/// and here. `node_bits`: core::node_bits.
template <class Spec, int i>
__device__ __forceinline__ auto encode_completed(Arithmetic<Spec> f, Uint32 node_bits) {
  using Format = typename Spec::Format;
  if constexpr (Spec::stochastic) {
    constexpr Uint32 multiplier = core::direction_multiplier(core::completed_directions + i);
    f = StepCodec<Spec>::dither(f, core::direction_bits<Format::random_bits>(node_bits, multiplier));
  }
  return StepCodec<Spec>::encode(f);
}

/// Completes the cut links of one tile for each block, and changes all populations in sponges, where the next step will
/// read them: no other node reads what arrives at this one.
template <class Spec, class Storage, class Box>
__global__ void __launch_bounds__(nodes_per_tile)
    complete_boundaries(const __grid_constant__ Box box, const Physics<Arithmetic<Spec>> physics) {
  __shared__ Surroundings around;
  const Storage storage{box};
  const BoundaryTile tile = physics.boundaries.tiles[blockIdx.x];
  typename Storage::Node node;
  open_tile(storage, tile.storage_index, around, node);
  const Uint32 record = first_record(physics.boundaries, tile, threadIdx.x);
  if (record == none) return;
  // Nothing was read yet that a step changes: it was found while the step before came to its end. In small domains that
  // is a tenth of the time (docs/performance.md). Threads that have ended hold nobody up.
  prefetch_line(physics.boundaries.surfaces + physics.boundaries.records[record].surface);
  begin_kernel();
  typename Storage::Populations p;
  storage.load(node, p);
  const auto own = own_force<Spec>(physics, node_storage_index(storage, node, tile.storage_index));
  const Uint32 changed = apply_records<Spec>(p.f, record, physics, physics.memory_after, own);
  Uint32 bits = 0;
  if constexpr (Spec::stochastic)
    bits = rounding_bits(physics.rounding, storage.box_index(physics.rounding, node, tile.storage_index, threadIdx.x));
  core::unroll<Spec::Lattice::Q>([&](auto i) {
    constexpr int d = i.i;
    if ((changed >> d & 1u) != 0) storage.template arriving<d>(node) = encode_completed<Spec, d>(p.f[d], bits);
  });
}

}  // namespace fluvia::cuda::kernels
