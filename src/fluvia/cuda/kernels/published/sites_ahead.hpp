// SPDX-License-Identifier: Apache-2.0
// Steps of boxes that store every node and are nearly all fluid: a type lies as far away as populations do, and whoever
// waits for it before asking for these waits twice.
#pragma once
#include "fluvia/cuda/kernels/published/sites.hpp"

namespace fluvia::cuda::kernels {

/// Whether steps do so: cases whose boxes are as full of fluid say it.
template <class Spec>
constexpr bool reads_ahead() {
  if constexpr (requires { Spec::reads_ahead; })
    return Spec::reads_ahead && !omits<Spec>(core::omits_haste);
  else
    return false;
}

/// Reads a node's populations as if it lay amid fluid, before it is known whether it does. What is read there belongs
/// to the box in any case, and is not used if the type says otherwise. Nodes amid fluid have all been read: their links
/// lead inside of the box along each axis both ways, so that none of them lies nearer to its first or last site.
template <class Spec, int parity>
struct SiteStorageAhead : SiteStorage<Spec, parity> {
  using Base = SiteStorage<Spec, parity>;
  using Lattice = typename Base::Lattice;
  using Places = typename Base::Places;
  using Addressing = typename Places::Addressing;
  using Node = typename Base::Node;
  using Populations = typename Base::Populations;
  using Read = typename Base::Stored[Lattice::Q];
  Read& read;

  __device__ __forceinline__ SiteStorageAhead(const SiteBox& box, Read& of_node) : Base{box}, read(of_node) {}

  __device__ __forceinline__ void open(Node& node, Uint32 place) const {
    read_site(place < this->box.sites.places, place);
    Base::open(node, place);
  }
  __device__ __forceinline__ void open_in_row(Node& node, Uint32 x, Uint32 y, Uint32 z) const {
    const core::Sites& sites = this->box.sites;
    const Uint32 row = Addressing::row(sites), site = x + row * (y + sites.size[1] * z);
    read_site(x < row && y < sites.size[1] && site < sites.places, site);
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
  __device__ __forceinline__ void read_site(bool is_place, Uint32 site) const {
    if constexpr (Base::reads_ask)
      is_place = is_place && Addressing::template has_sites_around<Lattice::D>(this->box.sites, site);
    if (!is_place) return;
    Node node;
    node.site = site;
    this->template read_by<typename Places::template On<core::AmidFluid<Addressing>>>(node, read);
  }
};

}  // namespace fluvia::cuda::kernels
