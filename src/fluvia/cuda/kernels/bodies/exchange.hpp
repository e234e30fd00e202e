// SPDX-License-Identifier: Apache-2.0
// Bodies that move on a GPU (docs/decisions/0067), in four kernels around a step that knows nothing of them. One block
// of 64 threads for each tile of a list, as in state.hpp.
#pragma once
#include "fluvia/core/boundary/moving_body.hpp"
#include "fluvia/cuda/kernels/bodies/arguments.hpp"
#include "fluvia/cuda/kernels/state.hpp"

namespace fluvia::cuda::kernels {

namespace detail {
/// Opens this thread's node of a tile of a list; false if it is not listed. All threads of the block must call it.
template <class Storage>
__device__ __forceinline__ bool open_listed(const Storage& storage, const TileReference& tile,
                                            typename Storage::Node& node) {
  return open_fluid(storage, tile.storage_index, node) && (tile.mask >> threadIdx.x & 1u) != 0;
}

/// Number of the link along direction i of a node that has one.
template <int i>
__device__ __forceinline__ Uint32 link_number(const BodyNode& node) {
  return node.first + static_cast<Uint32>(__popc(node.directions & ((1u << i) - 1)));
}
}  // namespace detail

/// Before a step, when boundaries are complete: finds what nodes beside bodies will send to them, by the collision of
/// the step, and what will come back. `Storage` has the parity of the step.
template <class Spec, class Storage, class Box>
__global__ void meet_bodies(const __grid_constant__ Box box, const Physics<Arithmetic<Spec>> physics,
                            const BodyLinks<Arithmetic<Spec>> bodies) {
  using Lattice = typename Spec::Lattice;
  using T = Number<Spec>;
  const Storage storage{box};
  const TileReference tile = bodies.tiles[blockIdx.x];
  typename Storage::Node node;
  if (!detail::open_listed(storage, tile, node)) return;
  const BodyNode of = bodies.nodes[detail::output_index(tile)];
  typename Storage::Populations p;
  storage.load(node, p);
  T before[Lattice::Q], after[Lattice::Q];
  to_numbers<Spec>(p.f, before);
  to_numbers<Spec>(p.f, after);
  const T density = T(1) + core::sums<Lattice>(before).mass;
  const auto parameters = core::contracted(physics.parameters);
  core::collide<typename Spec::Collision, Lattice, typename Spec::Equilibrium, Spec::force, typename Spec::Viscosity>(
      after, parameters);
  core::unroll<Lattice::Q>([&](auto i) {
    constexpr int d = i.i, back = core::opposite(d);
    if ((of.directions >> d & 1u) == 0) return;
    const Uint32 link = detail::link_number<d>(of);
    const BodyLinkNumbers<Arithmetic<Spec>> numbers = bodies.links[link];
    const T even = (before[d] + before[back]) * T(0.5), even_after = (after[d] + after[back]) * T(0.5);
    const T returned = core::returned_by_body<T>(even, even_after, numbers.part, density, numbers.drive) +
                       T(bodies.supply) * T(Lattice::w[d]);
    bodies.exchanged[link] = {after[d].value, returned.value};
  });
}

/// After a step: puts what comes back from bodies where their nodes will read it, and what covered nodes sent back to
/// these, so that they stay at rest. `Storage` has the parity of the step to come.
template <class Spec, class Storage, class Box>
__global__ void return_from_bodies(const __grid_constant__ Box box, const BodyLinks<Arithmetic<Spec>> bodies) {
  using Lattice = typename Spec::Lattice;
  const Storage storage{box};
  const TileReference tile = bodies.tiles[blockIdx.x];
  typename Storage::Node node;
  if (!detail::open_listed(storage, tile, node)) return;
  const BodyNode of = bodies.nodes[detail::output_index(tile)];
  core::unroll<Lattice::Q>([&](auto i) {
    constexpr int d = i.i;
    if constexpr (d > 0) {
      if ((of.directions >> d & 1u) == 0) return;
      auto& here = storage.template arriving<core::opposite(d)>(node);
      if ((of.through >> d & 1u) == 0) storage.template leaving<d>(node) = here;
      here = Storage::Codec::encode(bodies.exchanged[detail::link_number<d>(of)].returned);
    }
  });
}

/// Puts nodes that a body has come to cover to rest.
template <class Spec, class Storage, class Box>
__global__ void rest_covered(const __grid_constant__ Box box, const TileReference* tiles) {
  const Storage storage{box};
  const TileReference tile = tiles[blockIdx.x];
  typename Storage::Node node;
  if (!detail::open_listed(storage, tile, node)) return;
  core::unroll<Spec::Lattice::Q>(
      [&](auto i) { storage.template arriving<i.i>(node) = Storage::Codec::encode(Arithmetic<Spec>(0)); });
}

/// Density and stress of nodes beside uncovered ones, before these are refilled.
template <class Spec, class Storage, class Box>
__global__ void look_beside_uncovered(const __grid_constant__ Box box, const Physics<Arithmetic<Spec>> physics,
                                      const TileReference* tiles, BesideUncovered* out) {
  using Lattice = typename Spec::Lattice;
  const Storage storage{box};
  const TileReference tile = tiles[blockIdx.x];
  typename Storage::Node node;
  if (!detail::open_listed(storage, tile, node)) return;
  const auto p = detail::arrived<Spec>(storage, physics, tile.storage_index, node);
  const auto m = detail::find_moments<Spec>(p.f, physics.parameters);
  core::Macroscopic<double> wide{static_cast<double>(m.density_deviation), {}};
  for (int a = 0; a < 3; ++a) wide.velocity[a] = static_cast<double>(m.velocity[a]);
  double equilibrium[Lattice::Q];
  core::equilibrium<Lattice, typename Spec::Equilibrium>(wide, equilibrium);
  BesideUncovered of{1 + wide.density_deviation, {0, 0, 0, 0, 0, 0}};
  core::unroll<Lattice::Q>([&](auto i) {
    constexpr int d = i.i;
    constexpr int c[3] = {Lattice::c[d][0], Lattice::c[d][1], Lattice::c[d][2]};
    const auto near = static_cast<Arithmetic<Spec>>(equilibrium[d]);
    core::add_to_stress(c, static_cast<double>(p.f[d]) - static_cast<double>(near), of.stress);
  });
  out[detail::output_index(tile)] = of;
}

/// Gives nodes that were covered the mean density and stress of their neighbours that are fluid at both times, and the
/// velocity of the body that covered them (docs/decisions/0053).
template <class Spec, class Storage, class Box>
__global__ void refill_uncovered(const __grid_constant__ Box box, const UncoveredNodes uncovered) {
  using Lattice = typename Spec::Lattice;
  using T = Arithmetic<Spec>;
  const Storage storage{box};
  const TileReference tile = uncovered.tiles[blockIdx.x];
  typename Storage::Node node;
  if (!detail::open_listed(storage, tile, node)) return;
  const UncoveredNode of = uncovered.nodes[detail::output_index(tile)];
  BesideUncovered mean{of.count == 0 ? 1.0 : 0.0, {0, 0, 0, 0, 0, 0}};
  for (Uint32 k = of.first; k < of.first + of.count; ++k) {
    const BesideUncovered& beside = uncovered.beside[uncovered.neighbours[k]];
    mean.density += beside.density / of.count;
    for (int s = 0; s < 6; ++s) mean.stress[s] += beside.stress[s] / of.count;
  }
  const core::Macroscopic<double> m{mean.density - 1, {of.velocity[0], of.velocity[1], of.velocity[2]}};
  double f[Lattice::Q];
  core::equilibrium<Lattice, typename Spec::Equilibrium>(m, f);
  core::unroll<Lattice::Q>([&](auto i) {
    constexpr int d = i.i;
    constexpr int c[3] = {Lattice::c[d][0], Lattice::c[d][1], Lattice::c[d][2]};
    const T filled = static_cast<T>(f[d]) + static_cast<T>(core::part_of_stress(c, Lattice::w[d], mean.stress));
    storage.template arriving<d>(node) = Storage::Codec::encode(filled);
  });
}

}  // namespace fluvia::cuda::kernels
