// SPDX-License-Identifier: Apache-2.0
// A time step of the half box with propagation along x through shared memory, as Toelke & Krafczyk publish it (S3,
// section 5.3 and appendix B): a block of threads takes whole rows, one of them or, where they are short, several that
// follow each other along y, so that global memory is read and written in whole rows.
#pragma once
#include "fluvia/cuda/kernels/published/step_sites.hpp"

namespace fluvia::cuda::kernels {

/// How many directions before i move along x.
template <class Lattice>
constexpr int lines_before(int i) {
  int count = 0;
  for (int k = 0; k < i; ++k) count += Lattice::c[k][0] != 0 ? 1 : 0;
  return count;
}

/// What leaves the nodes of a block's rows along x: a line for each direction that does.
template <class Spec>
struct RowLines {
  static constexpr int count = lines_before<typename Spec::Lattice>(Spec::Lattice::Q);
  typename Spec::Format::Storage values[count][Spec::threads];
  Uint32 leaves[Spec::threads];  ///< bit per direction: there is fluid at the far end
};

/// Where a thread is: its row, whose y may lie beyond the box, and its place in it.
struct RowPlace {
  Uint32 length;  ///< of a row, in sites
  Uint32 first;   ///< thread of the block that has the row's first site
  Uint32 t;       ///< site of the row
  Uint32 y, z;
  bool inside;  ///< a site of the box

  __device__ __forceinline__ explicit RowPlace(const core::Sites& sites, Uint32 threads)
      : length(core::HalfBox::row(sites)), z(blockIdx.y) {
    const Uint32 rows = threads / length, row = threadIdx.x / length;
    first = row * length;
    t = threadIdx.x - first;
    y = blockIdx.x * rows + row;
    inside = row < rows && y < sites.size[1];
  }
};

/// Reads a row's own populations, as push does, and stores what leaves it.
template <class Spec>
struct RowStorage {
  using Base = SiteStorage<Spec, 0>;
  using Lattice = typename Spec::Lattice;
  using Places = typename Spec::Places;
  using Addressing = typename Places::Addressing;
  using Populations = typename Base::Populations;
  using Node = typename Base::Node;
  const Base& storage;
  RowLines<Spec>& lines;
  const RowPlace& place;

  __device__ __forceinline__ void load(const Node& node, Populations& p) const { storage.load(node, p); }
  __device__ __forceinline__ void store(const Node& node, const Populations& p) const {
    Uint32 leaves = 0;
    if (p.active)
      core::unroll<Lattice::Q>([&](auto i) {
        constexpr int direction = i.i;
        const auto value = Base::StepCodec::encode(p.f[direction]);
        if constexpr (Lattice::c[direction][0] != 0) {
          constexpr core::Link link = core::link_of<Lattice>(direction);
          if (Addressing::neighbour(storage.box.sites, node, link) != core::no_site) {
            leaves |= 1u << direction;
            lines.values[lines_before<Lattice>(direction)][threadIdx.x] = value;
            return;
          }
        }
        write_global(Base::address(storage.box.target, Places::template write<0, direction>(storage.box.sites, node)),
                     value);
      });
    lines.leaves[threadIdx.x] = leaves;
    __syncthreads();
    core::unroll<Lattice::Q>([&](auto i) {
      constexpr int direction = i.i;
      if constexpr (Lattice::c[direction][0] != 0) take<direction>();
    });
  }
  template <int k>
  __device__ __forceinline__ Uint32 wall_storage_index(const Node& node) const {
    return storage.template wall_storage_index<k>(node);
  }

 private:
  /// Writes what arrives in this thread's place of the row that a direction leads to.
  template <int i>
  __device__ __forceinline__ void take() const {
    if (!place.inside) return;
    const core::Sites& sites = storage.box.sites;
    const Uint32 row = place.length;
    // From x = 2 s + a to x +- 1 = 2 t + (1 - a): to the east s + a, to the west s + a - 1. Wrapped: where the axis is
    // not periodic nothing leaves there.
    const Uint32 a = (place.y + place.z) & 1u;
    const Uint32 moved = place.t + (Lattice::c[i][0] > 0 ? row - a : 1 - a);
    const Uint32 source = place.first + (moved < row ? moved : moved - row);
    if ((lines.leaves[source] >> i & 1u) == 0) return;
    const Uint32 y = wrapped(place.y, Lattice::c[i][1], sites.size[1]),
                 z = wrapped(place.z, Lattice::c[i][2], sites.size[2]);
    write_global(Base::address(storage.box.target, Places::own(sites, place.t + row * (y + sites.size[1] * z), i)),
                 lines.values[lines_before<Lattice>(i)][source]);
  }
  static __device__ __forceinline__ Uint32 wrapped(Uint32 x, int step, Uint32 n) {
    if (step > 0) return x + 1 == n ? 0 : x + 1;
    if (step < 0) return x == 0 ? n - 1 : x - 1;
    return x;
  }
};

/// blockIdx.x counts blocks of rows along y, blockIdx.y layers.
template <class Spec>
__global__ void __launch_bounds__(Spec::threads, Spec::blocks)
    step_rows(const __grid_constant__ SiteBox box, const Physics<Arithmetic<Spec>> physics) {
  begin_kernel();
  __shared__ RowLines<Spec> lines;
  const SiteStorage<Spec, 0> sites{box};
  const RowPlace place(box.sites, blockDim.x);
  const RowStorage<Spec> storage{sites, lines, place};
  typename RowStorage<Spec>::Node node;
  node.site = core::no_site;
  if (place.inside) sites.open(node, place.t + place.length * (place.y + box.sites.size[1] * place.z));
  const auto collision =
      rounded<Spec>(node_collision<Spec>(storage, physics), physics.rounding,
                    [&](const auto&, Uint32) { return sites.box_index(physics.rounding, node.site); });
  core::update_group(storage, CompletedBoundary{}, collision, node);
}

}  // namespace fluvia::cuda::kernels
