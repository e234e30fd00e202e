// SPDX-License-Identifier: Apache-2.0
// Storage by index maps: a thread takes one node that a step visits; Spec::Indices (core/published) has the storage
// index of each population.
#pragma once
#include "fluvia/core/published/registry.hpp"
#include "fluvia/core/scheme/omission.hpp"
#include "fluvia/cuda/kernels/arguments.hpp"
#include "fluvia/cuda/kernels/rounding.hpp"

namespace fluvia::cuda::kernels {

struct Surroundings;

/// Whether a step does without something, for a measurement; specifications that do not say so have all of it.
template <class Spec>
constexpr bool omits([[maybe_unused]] core::Omission omission) {
  if constexpr (requires { Spec::omissions; })
    return (Spec::omissions & omission) != 0;
  else
    return false;
}

/// Populations in steps of one parity; they are where Spec::Indices says between steps, maybe elsewhere in a step.
template <class Spec, int parity, class Indices_ = typename Spec::Indices>
struct IndexMapStorage {
  using Lattice = typename Spec::Lattice;
  using Indices = Indices_;
  using Stored = typename Spec::Format::Storage;
  using T = typename Spec::Format::Arithmetic;
  using Codec = kernels::Codec<typename Spec::Format>;
  using StepCodec = kernels::StepCodec<Spec>;
  using Node = typename Indices::Node;
  struct Populations {
    T f[Lattice::Q];
    bool active;  ///< fluid
  };
  const IndexMapBox& box;

  __device__ __forceinline__ void open(Node& node, Uint32 number) const {
    node.stored_node = core::no_index;
    if (number < box.tables.visited) Indices::open(box.tables, number, node);
  }
  /// The node with number `x` in row `y` of layer `z`, where the visited nodes follow each other row by row.
  __device__ __forceinline__ void open_in_row(Node& node, Uint32 x, Uint32 y, Uint32 z) const {
    using Addressing = typename Indices::Addressing;
    const core::IndexTables& tables = box.tables;
    const Uint32 row = Addressing::row(tables);
    node.stored_node = core::no_index;
    if (x < row && y < tables.size[1] && x + row * (y + tables.size[1] * z) < tables.visited)
      Addressing::open_at(tables, x, y, z, node);
  }
  /// The node at `bit` of a tile of the map of nodes.
  __device__ __forceinline__ void open_in_tile(Node& node, Uint32 tile, Uint32 bit) const {
    open(node, Indices::template in_tile<Lattice::D>(box.tables, tile, bit));
  }
  __device__ __forceinline__ void load(const Node& node, Populations& p) const {
    p.active = is_active(node);
    if (!p.active) return;
    Stored stored[Lattice::Q];
    read_by_type(node, stored);
    core::unroll<Lattice::Q>([&](auto i) { p.f[i.i] = Codec::decode(stored[i.i]); });
  }
  __device__ __forceinline__ void store(const Node& node, const Populations& p) const {
    if (!p.active) return;
    by_indices_of<writes_ask, true>(node, [&]<class Known>(Known, const Node& known) {
      core::unroll<Lattice::Q>([&](auto i) {
        constexpr int direction = i.i;
        write_global(address(box.target, Known::template write<parity, direction>(box.tables, known)),
                     StepCodec::encode(p.f[direction]));
      });
    });
  }
  /// Index by which walls between this node and others are found: the number of the stored node.
  template <int>
  __device__ __forceinline__ Uint32 wall_storage_index(const Node& node) const {
    return node.stored_node;
  }
  [[nodiscard]] __device__ __forceinline__ bool is_active(const Node& node) const {
    return node.stored_node != core::no_index;
  }
  /// Where the arriving population of direction i is.
  template <int i>
  __device__ __forceinline__ Stored& arriving(const Node& node) const {
    return *reinterpret_cast<Stored*>(address(box.source, Indices::template read<parity, i>(box.tables, node)));
  }
  /// Where the arriving population of direction i is, if there is no fluid where it comes from.
  template <int i>
  __device__ __forceinline__ Stored& arriving_over_cut(const Node& node) const {
    const Uint64 element = Indices::template read_cut<parity, i>(box.tables, node);
    return *reinterpret_cast<Stored*>(address(box.source, element));
  }
  [[nodiscard]] __device__ __forceinline__ Uint32 tile_count() const { return box.tiles; }
  /// core::box_index of a stored node; any number if there is none.
  [[nodiscard]] __device__ __forceinline__ Uint32 box_index(const RoundingArguments& rounding,
                                                            Uint32 stored_node) const {
    if (stored_node == core::no_index) return 0;
    return rounding.first + Indices::Addressing::box_index(box.tables, stored_node, rounding.first_nodes);
  }
  [[nodiscard]] __device__ __forceinline__ Uint32 box_index(const RoundingArguments& rounding, const Node& node, Uint32,
                                                            Uint32) const {
    return box_index(rounding, node.stored_node);
  }

  static __device__ __forceinline__ Uint64 address(Uint64 memory, Uint64 element) {
    return memory + element * sizeof(Stored);
  }

 protected:
  using Streaming = typename Spec::Streaming;
  /// Whether storage indices depend on where links lead, and nodes have types that tell some of that.
  static constexpr bool asks(core::Access (*regular)(int, int), core::Access (*cut)(int, int)) {
    bool depends = false;
    for (int i = 1; i < Lattice::Q; ++i) depends = depends || !(regular(parity, i) == cut(parity, i));
    return depends && core::tells_amid_fluid<typename Indices::Addressing>();
  }
  static constexpr bool reads_ask = asks(Streaming::read_from, Streaming::read_cut),
                        writes_ask = asks(Streaming::write_to, Streaming::write_cut);
  /// Whether a node of a map with types asks for those of its neighbours.
  static __device__ __forceinline__ bool asks_types(const Node& node) {
    return omits<Spec>(core::omits_marks) || !is_amid_fluid(node);
  }
  template <class Known>
  __device__ __forceinline__ void read_by(const Node& node, Stored (&stored)[Lattice::Q]) const {
    core::unroll<Lattice::Q>([&](auto i) {
      constexpr int direction = i.i;
      read_global(address(box.source, Known::template read<parity, direction>(box.tables, node)), stored[direction]);
    });
  }
  __device__ __forceinline__ void read_by_type(const Node& node, Stored (&stored)[Lattice::Q]) const {
    by_indices_of<reads_ask, false>(node,
                                    [&]<class Known>(Known, const Node& known) { read_by<Known>(known, stored); });
  }
  /// Calls body(indices, node) with what finds the storage indices of a node: most nodes tell without asking their
  /// neighbours. The others are opened again, if `again`: their coordinates take registers that most nodes do not need.
  template <bool asks, bool again, class Body>
  __device__ __forceinline__ void by_indices_of(const Node& node, const Body& body) const {
    using Addressing = typename Indices::Addressing;
    if constexpr (!asks) {
      body(Indices{}, node);
    } else if (!asks_types(node)) {
      body(typename Indices::template On<core::AmidFluid<Addressing>>{}, node);
    } else {
      Node other = node;
      if constexpr (again) {
        Indices::open(box.tables, anew(node.stored_node), other);
        other.stored_node = node.stored_node;
      }
      body(typename Indices::template On<core::BesideOthers<Addressing>>{}, other);
    }
  }
};

template <class Spec, int parity>
__device__ __forceinline__ void open_tile(const IndexMapStorage<Spec, parity>& storage, Uint32 storage_index,
                                          Surroundings&, typename IndexMapStorage<Spec, parity>::Node& node) {
  storage.open_in_tile(node, storage_index, threadIdx.x);
}

template <class Spec, int parity>
__device__ __forceinline__ Uint32 node_storage_index(const IndexMapStorage<Spec, parity>& storage,
                                                     const typename IndexMapStorage<Spec, parity>::Node& node, Uint32) {
  return storage.template wall_storage_index<0>(node);
}

/// What arrived lies in the node itself, and what leaves stays there until it is propagated.
template <class Spec>
struct OwnSlots {
  using Base = IndexMapStorage<Spec, 0>;
  using Indices = typename Base::Indices;
  using Populations = typename Base::Populations;
  const IndexMapBox& box;

  __device__ __forceinline__ void load(Uint32 stored_node, Populations& p) const {
    p.active = stored_node < box.tables.stored;
    if (!p.active) return;
    typename Base::Stored stored[Base::Lattice::Q];
    core::unroll<Base::Lattice::Q>([&](auto i) {
      read_global(Base::address(box.source, Indices::own(box.tables, stored_node, i.i)), stored[i.i]);
    });
    core::unroll<Base::Lattice::Q>([&](auto i) { p.f[i.i] = Base::Codec::decode(stored[i.i]); });
  }
  __device__ __forceinline__ void store(Uint32 stored_node, const Populations& p) const {
    if (!p.active) return;
    core::unroll<Base::Lattice::Q>([&](auto i) {
      write_global(Base::address(box.source, Indices::own(box.tables, stored_node, i.i)),
                   Base::StepCodec::encode(p.f[i.i]));
    });
  }
  template <int>
  __device__ __forceinline__ Uint32 wall_storage_index(Uint32 stored_node) const {
    return stored_node;
  }
};

}  // namespace fluvia::cuda::kernels
