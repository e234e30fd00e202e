// SPDX-License-Identifier: Apache-2.0
// Between populations on a GPU and the host: moments, sums, forces, canonical populations. One block of 64 threads a
// tile throughout; `Storage` is DenseStorage or CompactStorage of the parity that the next step will have.
#pragma once
#include "fluvia/core/collision/collide.hpp"
#include "fluvia/cuda/kernels/boundary.hpp"

namespace fluvia::cuda::kernels {

namespace detail {
/// Density and velocity as collisions compute them.
template <class Spec>
__device__ __forceinline__ core::Macroscopic<Number<Spec>> find_moments(
    const Number<Spec> (&f)[Spec::Lattice::Q], const core::CollisionParameters<Number<Spec>>& parameters) {
  return core::moments<typename Spec::Lattice, typename Spec::Equilibrium>(f, parameters.force);
}
template <class Spec>
__device__ __forceinline__ core::Macroscopic<Number<Spec>> find_moments(
    const Arithmetic<Spec> (&populations)[Spec::Lattice::Q],
    const core::CollisionParameters<Arithmetic<Spec>>& parameters) {
  Number<Spec> f[Spec::Lattice::Q];
  to_numbers<Spec>(populations, f);
  return find_moments<Spec>(f, core::contracted(parameters));
}

/// Opens this thread's node of the tile at `storage_index`; false if it is not fluid. All threads of the block must
/// call it.
template <class Storage>
__device__ __forceinline__ bool open_fluid(const Storage& storage, Uint32 storage_index, typename Storage::Node& node) {
  __shared__ Surroundings around;
  open_tile(storage, storage_index, around, node);
  return storage.is_active(node);
}

/// Gives populations a part of a force of their node's own.
template <class Spec, class Own, class Populations>
__device__ __forceinline__ void kick(const Physics<Arithmetic<Spec>>& physics, const Own& own, const Number<Spec>& part,
                                     Populations& p) {
  Number<Spec> f[Spec::Lattice::Q];
  to_numbers<Spec>(p.f, f);
  own.template kick<typename Spec::Lattice, typename Spec::Equilibrium>(f, core::contracted(physics.parameters).force,
                                                                        part);
  from_numbers<Spec>(f, p.f);
}

/// The populations that arrive at an open node, complete, and after half a kick by a force of its own, so that what is
/// read of them is in the middle of a step (docs/decisions/0056).
template <class Spec, class Storage>
__device__ __forceinline__ typename Storage::Populations arrived(const Storage& storage,
                                                                 const Physics<Arithmetic<Spec>>& physics,
                                                                 Uint32 storage_index,
                                                                 const typename Storage::Node& node) {
  typename Storage::Populations p;
  storage.load(node, p);
  const auto own = own_force<Spec>(physics, node_storage_index(storage, node, storage_index));
  complete<Spec>(physics, storage_index, own, p);
  if constexpr (kicks_nodes<Spec>) kick<Spec>(physics, own, Number<Spec>(0.5), p);
  return p;
}

/// Index of this thread's node in the output of a chunk.
__device__ __forceinline__ Uint32 output_index(const TileReference& tile) {
  return tile.output + static_cast<Uint32>(__popcll(tile.mask & ((Uint64{1} << threadIdx.x) - 1)));
}
}  // namespace detail

/// Density deviation, velocity and, if wanted, stress as core::Solver::moments gives it, [10][stride].
template <class Spec, class Storage, class Box>
__global__ void moments(const __grid_constant__ Box box, const Physics<Arithmetic<Spec>> physics,
                        const TileReference* tiles, Arithmetic<Spec>* out, Uint64 stride, int with_stress) {
  using T = Number<Spec>;
  using Lattice = typename Spec::Lattice;
  using Equilibrium = typename Spec::Equilibrium;
  const Storage storage{box};
  const TileReference tile = tiles[blockIdx.x];
  typename Storage::Node node;
  if (!detail::open_fluid(storage, tile.storage_index, node)) return;
  const auto p = detail::arrived<Spec>(storage, physics, tile.storage_index, node);
  T f[Lattice::Q];
  to_numbers<Spec>(p.f, f);
  const auto parameters = core::contracted(physics.parameters);
  const core::Macroscopic<T> m = detail::find_moments<Spec>(f, parameters);
  const Uint32 at = detail::output_index(tile);
  out[at] = m.density_deviation.value;
  for (int a = 0; a < 3; ++a) out[(1 + a) * stride + at] = m.velocity[a].value;
  if (with_stress == 0) return;
  T stress[6];
  core::nonequilibrium_stress<Lattice, Equilibrium>(f, m, stress);
  core::correct_stress<Lattice>(m, parameters.force, stress);
  core::viscous_stress<Lattice, Equilibrium>(m, parameters, typename Spec::Viscosity{}, stress);
  for (int k = 0; k < 6; ++k) out[(4 + k) * stride + at] = stress[k].value;
}

/// A field into an array over all nodes of the box, in which `first` has the index of each tile's first node.
template <class Spec, class Storage, class Box>
__global__ void write_field(const __grid_constant__ Box box, const Physics<Arithmetic<Spec>> physics,
                            const TileReference* tiles, const Uint64* first, const FieldArray out) {
  constexpr Uint32 width = Spec::Lattice::D == 3 ? 4 : 8;
  const Storage storage{box};
  const TileReference tile = tiles[blockIdx.x];
  typename Storage::Node node;
  if (!detail::open_fluid(storage, tile.storage_index, node)) return;
  const auto p = detail::arrived<Spec>(storage, physics, tile.storage_index, node);
  const auto m = detail::find_moments<Spec>(p.f, physics.parameters);
  const Uint32 x = threadIdx.x % width, y = threadIdx.x / width % width, z = threadIdx.x / (width * width);
  const Uint64 at = first[blockIdx.x] + x + y * out.row + z * out.layer;
  // Moments are converted as the host does it: densities are absolute and double there.
  const auto write = [&](Uint64 storage_index, double moment) {
    out.values[storage_index] = static_cast<float>(out.factor * (moment - out.reference));
  };
  if (out.has_components == 0) return write(at, 1 + static_cast<double>(m.density_deviation));
  for (int a = 0; a < 3; ++a) write(3 * at + static_cast<Uint64>(a), static_cast<double>(m.velocity[a]));
}

namespace detail {
/// The sum of two neighbours in canonical order.
__device__ __forceinline__ void add_next(NodeSums& sum, const NodeSums& next) {
  sum.mass += next.mass;
  for (int a = 0; a < 3; ++a) sum.momentum[a] += next.momentum[a];
  sum.kinetic_energy += next.kinetic_energy;
  if (next.bad_node < sum.bad_node) sum.bad_node = next.bad_node;
  if (next.max_speed_squared > sum.max_speed_squared) {
    sum.max_speed_squared = next.max_speed_squared;
    sum.max_speed_node = next.max_speed_node;
  }
}

/// Sums of this thread's node of a tile; zero if it is not fluid.
template <class Spec, class Storage>
__device__ __forceinline__ NodeSums node_sums(const Storage& storage, const Physics<Arithmetic<Spec>>& physics,
                                              Uint32 storage_index, Uint64 id) {
  NodeSums sum{0, {0, 0, 0}, 0, -1, 0, ~Uint64{0}};
  typename Storage::Node node;
  if (!open_fluid(storage, storage_index, node)) return sum;
  const auto p = arrived<Spec>(storage, physics, storage_index, node);
  const auto m = find_moments<Spec>(p.f, physics.parameters);
  const double density = 1 + static_cast<double>(m.density_deviation);
  double squared = 0;
  for (int a = 0; a < 3; ++a) {
    const double u = static_cast<double>(m.velocity[a]);
    sum.momentum[a] = density * u;
    squared += u * u;
  }
  sum.mass = static_cast<double>(m.density_deviation);
  sum.kinetic_energy = 0.5 * density * squared;
  if (!(density > 0 && density + squared < 1e300)) sum.bad_node = id;
  if constexpr (carries_scalars<Spec>)
    if (!scalars_are_finite<Spec>(physics.scalars, node_storage_index(storage, node, storage_index))) sum.bad_node = id;
  sum.max_speed_squared = squared;
  sum.max_speed_node = id;
  return sum;
}
}  // namespace detail

/// Sums over the nodes of pieces of the tree of tiles (solver/blocks/tile_sums.hpp), one piece for each block.
template <class Spec, class Storage, class Box>
__global__ void __launch_bounds__(nodes_per_tile)
    sum_tiles(const __grid_constant__ Box box, const Physics<Arithmetic<Spec>> physics, const SummedTiles tiles,
              NodeSums* out) {
  __shared__ NodeSums parts[nodes_per_tile];
  __shared__ NodeSums halves[most_sum_levels + 1];  // sums of the tree's nodes whose other half is still to come
  const Storage storage{box};
  const SumPiece piece = tiles.pieces[blockIdx.x];
  const Uint32 thread = threadIdx.x;
  for (Uint32 k = 0; k < 1u << piece.level; ++k) {
    const Uint32 tile = piece.first + k, storage_index = tiles.storage_indices[tile - tiles.first_tile];
    parts[thread] = detail::node_sums<Spec>(storage, physics, storage_index, Uint64{tile} * nodes_per_tile + thread);
    for (int step = 1; step < nodes_per_tile; step *= 2) {
      __syncthreads();
      if (static_cast<int>(thread) % (2 * step) == 0) detail::add_next(parts[thread], parts[thread + step]);
    }
    if (thread != 0) continue;
    NodeSums sum = parts[0];
    Uint32 level = 0;
    for (; (k >> level & 1u) != 0; ++level) {
      NodeSums first = halves[level];
      detail::add_next(first, sum);
      sum = first;
    }
    halves[level] = sum;
  }
  if (thread == 0) out[blockIdx.x] = halves[piece.level];
}

/// Momentum exchange (see Solver::surface_force) and flow over the monitored links of one tile for each block.
template <class Spec, class Storage, class Box>
__global__ void sum_links(const __grid_constant__ Box box, const Physics<Arithmetic<Spec>> physics,
                          const MonitoredTile* tiles, double cx, double cy, double cz, LinkSums* out) {
  using Lattice = typename Spec::Lattice;
  __shared__ Surroundings around;
  __shared__ LinkSums parts[nodes_per_tile];
  const Storage storage{box};
  const MonitoredTile& tile = tiles[blockIdx.x];
  typename Storage::Node node;
  open_tile(storage, tile.storage_index, around, node);
  LinkSums sum{{0, 0, 0}, {0, 0, 0}, 0, 0};
  const Uint32 directions = tile.directions[threadIdx.x];
  if (directions != 0) {
    typename Storage::Populations raw, p;
    storage.load(node, raw);
    p = raw;
    const auto own = own_force<Spec>(physics, node_storage_index(storage, node, tile.storage_index));
    complete<Spec>(physics, tile.storage_index, own, p);
    sum.density_deviation = static_cast<double>(detail::find_moments<Spec>(p.f, physics.parameters).density_deviation);
    constexpr int wx = Lattice::D == 3 ? 4 : 8, wy = wx;
    const int bit = static_cast<int>(threadIdx.x);
    const double x = tile.position[0] + bit % wx + 0.5 - cx, y = tile.position[1] + bit / wx % wy + 0.5 - cy,
                 z = tile.position[2] + bit / (wx * wy) + 0.5 - cz;
    core::unroll<Lattice::Q>([&](auto i) {
      constexpr int d = i.i;
      if ((directions >> d & 1u) == 0) return;
      sum.flow += static_cast<double>(p.f[d]) - static_cast<double>(raw.f[d]);
    });
    auto& entering = raw.f;
    for (int i = 0; i < Lattice::Q; ++i) entering[i] = p.f[i];
    Number<Spec> f[Lattice::Q];
    to_numbers<Spec>(p.f, f);
    own.template kick<Lattice, typename Spec::Equilibrium>(f, core::contracted(physics.parameters).force,
                                                           Number<Spec>(1));
    core::collide<typename Spec::Collision, Lattice, typename Spec::Equilibrium, Spec::force, typename Spec::Viscosity>(
        f, core::contracted(physics.parameters));
    from_numbers<Spec>(f, p.f);
    core::unroll<Lattice::Q>([&](auto i) {
      constexpr int d = i.i;
      if ((directions >> d & 1u) == 0) return;
      constexpr int c[3] = {Lattice::c[d][0], Lattice::c[d][1], Lattice::c[d][2]};
      const double exchanged = -(static_cast<double>(entering[d]) + static_cast<double>(p.f[core::opposite(d)]));
      const double force[3] = {exchanged * c[0], exchanged * c[1], exchanged * c[2]};
      const double at[3] = {x - 0.5 * c[0], y - 0.5 * c[1], z - 0.5 * c[2]};
      for (int a = 0; a < 3; ++a) {
        sum.force[a] += force[a];
        sum.torque[a] += at[(a + 1) % 3] * force[(a + 2) % 3] - at[(a + 2) % 3] * force[(a + 1) % 3];
      }
    });
  }
  parts[threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (int k = 1; k < nodes_per_tile; ++k) {
    for (int a = 0; a < 3; ++a) {
      sum.force[a] += parts[k].force[a];
      sum.torque[a] += parts[k].torque[a];
    }
    sum.flow += parts[k].flow;
    sum.density_deviation += parts[k].density_deviation;
  }
  out[blockIdx.x] = sum;
}

/// The bits of a population that arrives.
template <int i, class Storage, class Node>
__device__ __forceinline__ auto saved_population(const Storage& storage, const Node& node) {
  return storage.template arriving<i>(node);
}

/// Reads arriving populations of one direction, as bits of the format.
template <class Spec, class Storage, class Box>
__global__ void save_direction(const __grid_constant__ Box box, const TileReference* tiles, int direction,
                               typename Storage::Stored* out) {
  const Storage storage{box};
  const TileReference tile = tiles[blockIdx.x];
  typename Storage::Node node;
  if (!detail::open_fluid(storage, tile.storage_index, node)) return;
  core::unroll<Spec::Lattice::Q>([&](auto i) {
    constexpr int d = i.i;
    if (d == direction) out[detail::output_index(tile)] = saved_population<d>(storage, node);
  });
}

/// Writes arriving populations of one direction, from bits of the format.
template <class Spec, class Storage, class Box>
__global__ void load_direction(const __grid_constant__ Box box, const TileReference* tiles, int direction,
                               const typename Storage::Stored* in) {
  const Storage storage{box};
  const TileReference tile = tiles[blockIdx.x];
  typename Storage::Node node;
  if (!detail::open_fluid(storage, tile.storage_index, node)) return;
  core::unroll<Spec::Lattice::Q>([&](auto i) {
    constexpr int d = i.i;
    if (d == direction) storage.template arriving<d>(node) = in[detail::output_index(tile)];
  });
}

/// Equilibrium of density (minus 1) and velocity, in[4][stride], as arriving populations.
template <class Spec, class Storage, class Box>
__global__ void place_equilibrium(const __grid_constant__ Box box, const TileReference* tiles, const double* in,
                                  Uint64 stride) {
  using Lattice = typename Spec::Lattice;
  const Storage storage{box};
  const TileReference tile = tiles[blockIdx.x];
  typename Storage::Node node;
  if (!detail::open_fluid(storage, tile.storage_index, node)) return;
  const Uint32 at = detail::output_index(tile);
  core::Macroscopic<double> m{in[at], {in[stride + at], in[2 * stride + at], in[3 * stride + at]}};
  double f[Lattice::Q];
  core::equilibrium<Lattice, typename Spec::Equilibrium>(m, f);
  core::unroll<Lattice::Q>([&](auto i) {
    constexpr int d = i.i;
    storage.template arriving<d>(node) = Storage::Codec::encode(static_cast<Arithmetic<Spec>>(f[d]));
  });
}

}  // namespace fluvia::cuda::kernels
