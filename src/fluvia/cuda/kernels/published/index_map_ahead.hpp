// SPDX-License-Identifier: Apache-2.0
// Steps of boxes that store every node and are nearly all fluid: a type lies as far away as populations do, and whoever
// waits for it before asking for these waits twice.
#pragma once
#include "fluvia/cuda/kernels/published/index_map.hpp"

namespace fluvia::cuda::kernels {

/// Whether steps read ahead: cases whose boxes are nearly full of fluid say so.
template <class Spec>
constexpr bool reads_ahead() {
  if constexpr (requires { Spec::reads_ahead; })
    return Spec::reads_ahead && !omits<Spec>(core::omits_haste);
  else
    return false;
}

/// Reads a node's populations as if it lay amid fluid, before it is known whether it does. What is read there belongs
/// to the box in any case, and is not used if the type says otherwise. Nodes amid fluid have all been read: their links
/// lead inside of the box along each axis both ways, so that none of them lies nearer to its first or last stored node.
template <class Spec, int parity>
struct IndexMapStorageAhead : IndexMapStorage<Spec, parity> {
  using Base = IndexMapStorage<Spec, parity>;
  using Lattice = typename Base::Lattice;
  using Indices = typename Base::Indices;
  using Addressing = typename Indices::Addressing;
  using Node = typename Base::Node;
  using Populations = typename Base::Populations;
  using Read = typename Base::Stored[Lattice::Q];
  Read& read;

  __device__ __forceinline__ IndexMapStorageAhead(const IndexMapBox& box, Read& of_node) : Base{box}, read(of_node) {}

  __device__ __forceinline__ void open(Node& node, Uint32 number) const {
    read_stored_node(number < this->box.tables.visited, number);
    Base::open(node, number);
  }
  __device__ __forceinline__ void open_in_row(Node& node, Uint32 x, Uint32 y, Uint32 z) const {
    const core::IndexTables& tables = this->box.tables;
    const Uint32 row = Addressing::row(tables), stored_node = x + row * (y + tables.size[1] * z);
    read_stored_node(x < row && y < tables.size[1] && stored_node < tables.visited, stored_node);
    Base::open_in_row(node, x, y, z);
  }
  __device__ __forceinline__ void load(const Node& node, Populations& p) const {
    p.active = this->is_active(node);
    if (!p.active) return;
    if constexpr (Base::reads_ask)
      if (Base::asks_types(node)) this->read_by_type(node, read);
    core::unroll<Lattice::Q>([&](auto i) { p.f[i.i] = Base::Codec::decode(read[i.i]); });
  }

 private:
  __device__ __forceinline__ void read_stored_node(bool is_visited, Uint32 stored_node) const {
    if constexpr (Base::reads_ask)
      is_visited =
          is_visited && Addressing::template has_stored_nodes_around<Lattice::D>(this->box.tables, stored_node);
    if (!is_visited) return;
    Node node;
    node.stored_node = stored_node;
    this->template read_by<typename Indices::template On<core::AmidFluid<Addressing>>>(node, read);
  }
};

}  // namespace fluvia::cuda::kernels
