// SPDX-License-Identifier: Apache-2.0
// Storage by index maps: one thread, one place; Spec::Places (core/addressing) says which element of memory holds each
// population.
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

/// Populations of one parity; Spec::Places between steps, maybe others in a step.
template <class Spec, int parity, class Places_ = typename Spec::Places>
struct SiteStorage {
  using Lattice = typename Spec::Lattice;
  using Places = Places_;
  using Stored = typename Spec::Format::Storage;
  using T = typename Spec::Format::Arithmetic;
  using Codec = kernels::Codec<typename Spec::Format>;
  using StepCodec = kernels::StepCodec<Spec>;
  using Node = typename Places::Node;
  struct Populations {
    T f[Lattice::Q];
    bool active;  ///< fluid
  };
  const SiteBox& box;

  __device__ __forceinline__ void open(Node& node, Uint32 place) const {
    node.site = core::no_site;
    if (place < box.sites.places) Places::open(box.sites, place, node);
  }
  /// The node at place `x` of row `y` of layer `z`, where places follow each other row by row.
  __device__ __forceinline__ void open_in_row(Node& node, Uint32 x, Uint32 y, Uint32 z) const {
    using Addressing = typename Places::Addressing;
    const core::Sites& sites = box.sites;
    const Uint32 row = Addressing::row(sites);
    node.site = core::no_site;
    if (x < row && y < sites.size[1] && x + row * (y + sites.size[1] * z) < sites.places)
      Addressing::open_at(sites, x, y, z, node);
  }
  /// The node at `bit` of a tile of the map of nodes.
  __device__ __forceinline__ void open_in_tile(Node& node, Uint32 tile, Uint32 bit) const {
    open(node, Places::template in_tile<Lattice::D>(box.sites, tile, bit));
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
    by_places_of<writes_ask, true>(node, [&]<class Known>(Known, const Node& known) {
      core::unroll<Lattice::Q>([&](auto i) {
        constexpr int direction = i.i;
        write_global(address(box.target, Known::template write<parity, direction>(box.sites, known)),
                     StepCodec::encode(p.f[direction]));
      });
    });
  }
  /// Walls between this node and others; their places are sites.
  template <int>
  __device__ __forceinline__ Uint32 wall_storage_index(const Node& node) const {
    return node.site;
  }
  [[nodiscard]] __device__ __forceinline__ bool is_active(const Node& node) const { return node.site != core::no_site; }
  /// Where the arriving population of direction i is.
  template <int i>
  __device__ __forceinline__ Stored& arriving(const Node& node) const {
    return *reinterpret_cast<Stored*>(address(box.source, Places::template read<parity, i>(box.sites, node)));
  }
  /// Where the arriving population of direction i is, if there is no fluid where it comes from.
  template <int i>
  __device__ __forceinline__ Stored& arriving_over_cut(const Node& node) const {
    const Uint64 element = Places::template read_cut<parity, i>(box.sites, node);
    return *reinterpret_cast<Stored*>(address(box.source, element));
  }
  [[nodiscard]] __device__ __forceinline__ Uint32 places() const { return box.tiles; }
  /// core::box_index of a site; any number if there is none.
  [[nodiscard]] __device__ __forceinline__ Uint32 box_index(const RoundingArguments& rounding, Uint32 site) const {
    if (site == core::no_site) return 0;
    return rounding.first + Places::Addressing::box_index(box.sites, site, rounding.first_nodes);
  }
  [[nodiscard]] __device__ __forceinline__ Uint32 box_index(const RoundingArguments& rounding, const Node& node, Uint32,
                                                            Uint32) const {
    return box_index(rounding, node.site);
  }

  static __device__ __forceinline__ Uint64 address(Uint64 memory, Uint64 element) {
    return memory + element * sizeof(Stored);
  }

 protected:
  using Streaming = typename Spec::Streaming;
  /// Whether places depend on where links lead, and nodes have types that tell some of it.
  static constexpr bool asks(core::Access (*regular)(int, int), core::Access (*cut)(int, int)) {
    bool depends = false;
    for (int i = 1; i < Lattice::Q; ++i) depends = depends || !(regular(parity, i) == cut(parity, i));
    return depends && core::tells_amid_fluid<typename Places::Addressing>();
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
      read_global(address(box.source, Known::template read<parity, direction>(box.sites, node)), stored[direction]);
    });
  }
  __device__ __forceinline__ void read_by_type(const Node& node, Stored (&stored)[Lattice::Q]) const {
    by_places_of<reads_ask, false>(node, [&]<class Known>(Known, const Node& known) { read_by<Known>(known, stored); });
  }
  /// Calls body(places, node) with what finds the places of a node, most of which know them without asking. The others
  /// are opened again, if told so: where they are takes registers that most do not need.
  template <bool asks, bool again, class Body>
  __device__ __forceinline__ void by_places_of(const Node& node, const Body& body) const {
    using Addressing = typename Places::Addressing;
    if constexpr (!asks) {
      body(Places{}, node);
    } else if (!asks_types(node)) {
      body(typename Places::template On<core::AmidFluid<Addressing>>{}, node);
    } else {
      Node other = node;
      if constexpr (again) {
        Places::open(box.sites, anew(node.site), other);
        other.site = node.site;
      }
      body(typename Places::template On<core::BesideOthers<Addressing>>{}, other);
    }
  }
};

template <class Spec, int parity>
__device__ __forceinline__ void open_tile(const SiteStorage<Spec, parity>& storage, Uint32 place, Surroundings&,
                                          typename SiteStorage<Spec, parity>::Node& node) {
  storage.open_in_tile(node, place, threadIdx.x);
}

/// What arrived lies in the node itself, and what leaves stays there until it is propagated.
template <class Spec>
struct OwnSlots {
  using Base = SiteStorage<Spec, 0>;
  using Places = typename Base::Places;
  using Populations = typename Base::Populations;
  const SiteBox& box;

  __device__ __forceinline__ void load(Uint32 site, Populations& p) const {
    p.active = site < box.sites.stored;
    if (!p.active) return;
    typename Base::Stored stored[Base::Lattice::Q];
    core::unroll<Base::Lattice::Q>(
        [&](auto i) { read_global(Base::address(box.source, Places::own(box.sites, site, i.i)), stored[i.i]); });
    core::unroll<Base::Lattice::Q>([&](auto i) { p.f[i.i] = Base::Codec::decode(stored[i.i]); });
  }
  __device__ __forceinline__ void store(Uint32 site, const Populations& p) const {
    if (!p.active) return;
    core::unroll<Base::Lattice::Q>([&](auto i) {
      write_global(Base::address(box.source, Places::own(box.sites, site, i.i)), Base::StepCodec::encode(p.f[i.i]));
    });
  }
  template <int>
  __device__ __forceinline__ Uint32 wall_storage_index(Uint32 site) const {
    return site;
  }
};

}  // namespace fluvia::cuda::kernels
