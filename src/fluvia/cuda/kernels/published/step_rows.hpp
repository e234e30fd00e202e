// SPDX-License-Identifier: Apache-2.0
// A time step of the half box with propagation along x through shared memory, as Toelke & Krafczyk publish it (S3,
// section 5.3 and appendix B): a block of threads takes whole rows, one of them or, where they are short, several that
// follow each other along y, so that global memory is read and written in whole rows.
#pragma once
#include "fluvia/cuda/kernels/published/step_index_map.hpp"

namespace fluvia::cuda::kernels {

/// How many directions below i move along x.
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

/// The row of a thread, whose y may lie beyond the box, and which node of the row it updates.
struct RowThread {
  Uint32 length;  ///< stored nodes of a row
  Uint32 first;   ///< number, in the block, of the thread that has the row's first stored node
  Uint32 t;       ///< number of the stored node in the row
  Uint32 y, z;
  bool inside;  ///< whether there is such a node in the box

  __device__ __forceinline__ explicit RowThread(const core::IndexTables& tables, Uint32 threads)
      : length(core::HalfBox::row(tables)), z(blockIdx.y) {
    const Uint32 rows = threads / length, row = threadIdx.x / length;
    first = row * length;
    t = threadIdx.x - first;
    y = blockIdx.x * rows + row;
    inside = row < rows && y < tables.size[1];
  }
};

/// Reads a row's own populations, as push does, and stores what leaves it.
template <class Spec>
struct RowStorage {
  using Base = IndexMapStorage<Spec, 0>;
  using Lattice = typename Spec::Lattice;
  using Indices = typename Spec::Indices;
  using Addressing = typename Indices::Addressing;
  using Populations = typename Base::Populations;
  using Node = typename Base::Node;
  const Base& storage;
  RowLines<Spec>& lines;
  const RowThread& thread;

  __device__ __forceinline__ void load(const Node& node, Populations& p) const { storage.load(node, p); }
  __device__ __forceinline__ void store(const Node& node, const Populations& p) const {
    Uint32 leaves = 0;
    if (p.active)
      core::unroll<Lattice::Q>([&](auto i) {
        constexpr int direction = i.i;
        const auto value = Base::StepCodec::encode(p.f[direction]);
        if constexpr (Lattice::c[direction][0] != 0) {
          constexpr core::Link link = core::link_of<Lattice>(direction);
          if (Addressing::neighbour(storage.box.tables, node, link) != core::no_index) {
            leaves |= 1u << direction;
            lines.values[lines_before<Lattice>(direction)][threadIdx.x] = value;
            return;
          }
        }
        write_global(Base::address(storage.box.target, Indices::template write<0, direction>(storage.box.tables, node)),
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
  /// Writes what arrives at this thread's number in the row that direction i leads to.
  template <int i>
  __device__ __forceinline__ void take() const {
    if (!thread.inside) return;
    const core::IndexTables& tables = storage.box.tables;
    const Uint32 row = thread.length;
    // From x = 2 s + a to x +- 1 = 2 t + (1 - a): to the east s + a, to the west s + a - 1. Wrapped: where the axis is
    // not periodic nothing leaves there.
    const Uint32 a = (thread.y + thread.z) & 1u;
    const Uint32 moved = thread.t + (Lattice::c[i][0] > 0 ? row - a : 1 - a);
    const Uint32 source = thread.first + (moved < row ? moved : moved - row);
    if ((lines.leaves[source] >> i & 1u) == 0) return;
    const Uint32 y = wrapped(thread.y, Lattice::c[i][1], tables.size[1]),
                 z = wrapped(thread.z, Lattice::c[i][2], tables.size[2]);
    write_global(Base::address(storage.box.target, Indices::own(tables, thread.t + row * (y + tables.size[1] * z), i)),
                 lines.values[lines_before<Lattice>(i)][source]);
  }
  static __device__ __forceinline__ Uint32 wrapped(Uint32 x, int step, Uint32 n) {
    if (step > 0) return x + 1 == n ? 0 : x + 1;
    if (step < 0) return x == 0 ? n - 1 : x - 1;
    return x;
  }
};

/// A time step of rows: blockIdx.x counts blocks of rows along y, blockIdx.y layers.
template <class Spec>
__global__ void __launch_bounds__(Spec::threads, Spec::blocks)
    step_rows(const __grid_constant__ IndexMapBox box, const Physics<Arithmetic<Spec>> physics) {
  begin_kernel();
  __shared__ RowLines<Spec> lines;
  const IndexMapStorage<Spec, 0> nodes{box};
  const RowThread thread(box.tables, blockDim.x);
  const RowStorage<Spec> storage{nodes, lines, thread};
  typename RowStorage<Spec>::Node node;
  node.stored_node = core::no_index;
  if (thread.inside) nodes.open(node, thread.t + thread.length * (thread.y + box.tables.size[1] * thread.z));
  const auto collision =
      rounded<Spec>(node_collision<Spec>(storage, physics), physics.rounding,
                    [&](const auto&, Uint32) { return nodes.box_index(physics.rounding, node.stored_node); });
  core::update_group(storage, CompletedBoundary{}, collision, node);
}

}  // namespace fluvia::cuda::kernels
