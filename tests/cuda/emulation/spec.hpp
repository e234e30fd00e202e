// SPDX-License-Identifier: Apache-2.0
// Specifications of kernels that run on the host, straight from the registries.
#pragma once
#include <type_traits>

#include "cuda/emulation/block.hpp"
// Kernels after what emulates their surroundings.
#include "fluvia/core/collision/registry.hpp"
#include "fluvia/core/lattice/registry.hpp"
#include "fluvia/core/scheme/registry.hpp"
#include "fluvia/core/streaming/registry.hpp"
#include "fluvia/cuda/kernels/passes/pass_moments.hpp"
#include "fluvia/cuda/kernels/passes/pass_sliding_moments.hpp"
#include "fluvia/cuda/kernels/published/step_rows.hpp"
#include "fluvia/cuda/kernels/state.hpp"
#include "support/sanitizers.hpp"

#define SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED() \
  SKIP_UNDER_SANITIZERS("sanitizers do not follow contexts that change places")

namespace emulation {

namespace core = fluvia::core;

/// BGK where it works.
template <class Lattice>
using CollisionOn = std::conditional_t<core::Bgk::supports<Lattice>, core::Bgk, core::Mrt>;

constexpr bool same(const char* a, const char* b) {
  for (; *a != 0 && *a == *b; ++a, ++b) continue;
  return *a == *b;
}
/// The registered streaming of scheme number k.
template <int k, class First, class... Rest>
constexpr auto streaming_of(core::TypeList<First, Rest...>) {
  if constexpr (same(First::name, core::schemes[k].streaming))
    return First{};
  else
    return streaming_of<k>(core::TypeList<Rest...>{});
}

/// Storage indices of a scheme on an index map; nothing for others.
struct NoPlaces {
  using Type = void;
  using Step = void;
};
template <class Lattice, class Streaming, int k, int edge>
auto places_of() {
  constexpr core::Scheme scheme = core::schemes[k];
  if constexpr (scheme.uses_index_map())
    return core::StorageIndicesOf<Lattice, Streaming, scheme.addressing, edge, scheme.stepping>{};
  else
    return NoPlaces{};
}

/// Scheme number k of the registry.
template <class L, int k, int edge, class F, bool cut, bool random = false,
          core::WallRule rule = core::WallRule::half_way>
struct Spec {
  static constexpr core::Scheme scheme = core::schemes[k];
  static constexpr int tile = edge;
  using Lattice = L;
  using Collision = std::conditional_t<scheme.keeps_moments(), core::Regularized, CollisionOn<L>>;
  using Equilibrium = core::QuasiCompressible;
  using Viscosity = core::Newtonian;
  using Streaming = decltype(streaming_of<k>(core::Streamings{}));
  using Format = F;
  using Facts = decltype(places_of<L, Streaming, k, edge>());
  using Indices = typename Facts::Type;
  using StepIndices = typename Facts::Step;
  static constexpr core::WallRule walls = rule;
  static constexpr bool walls_in_shared_memory = scheme.is_compact(), prefetches_tiles = scheme.is_compact();
  static constexpr int rows = scheme.goes_in_rows() ? 2 : 0;  ///< that a block is high
  static constexpr bool in_rows = rows > 0, completes_in_step = scheme.completes_in_step;
  /// In fp64 steps of whole boxes read ahead, however full of fluid the box is; steps in fp32 wait.
  static constexpr bool reads_ahead =
      sizeof(typename F::Storage) == 8 && (scheme.addressing == core::Addressing::array_of_structures ||
                                           scheme.addressing == core::Addressing::structure_of_arrays);
  using Scalars = core::TypeList<>;
  static constexpr bool force = true, own_forces = false, scalars_act = false, cut_tiles = cut, stochastic = random;
  static constexpr core::ConditionSet conditions = core::all_conditions;
  static constexpr int threads = scheme.is_sliding() || scheme.stepping == core::Stepping::rows ? 256
                                 : !scheme.has_tiles()                                          ? 64
                                 : L::D == 3                                                    ? edge * edge * edge
                                                                                                : edge * edge;
  static constexpr int blocks = 1;
  // Small tiles of columns, so that domains have several.
  // Boxes of three nodes along an axis have room for three steps over moments.
  static constexpr int steps = !scheme.is_fused()       ? 1
                               : L::D == 3              ? 2
                               : scheme.keeps_moments() ? 3
                                                        : 4,
                       pass_width = L::D == 3 ? 8 : 24, pass_depth = L::D == 3 ? 4 : 1, pass_planes = 6,
                       pass_blocks = 1;
  static constexpr unsigned least_chunk_blocks = 2;
  static constexpr bool loads_early = L::D == 2, changes = true, mirrors = true;
};

/// The same where nodes have body forces of their own.
template <class Of>
struct WithOwnForces : Of {
  static constexpr bool own_forces = true;
};

}  // namespace emulation
