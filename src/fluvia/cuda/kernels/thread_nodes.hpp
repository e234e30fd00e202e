// SPDX-License-Identifier: Apache-2.0
// The nodes that one thread works on: one, or in 16 bits two neighbours along x.
#pragma once
#include "fluvia/core/streaming/access.hpp"
#include "fluvia/cuda/kernels/format.hpp"

namespace fluvia::cuda::kernels {

/// Number of nodes that populations belong to. Kernels of one node do not pass a lambda for it: the compiler spilled
/// registers.
template <class Populations>
inline constexpr int nodes_of = requires(Populations p) {
  p.of;
}
? 2 : 1;

/// How far a direction leads from the node along x, y and z.
template <class Lattice>
struct Offset {
  int x, y, z;
  constexpr Offset(core::Access access, int i)
      : x(access.side * Lattice::c[i][0]), y(access.side * Lattice::c[i][1]), z(access.side * Lattice::c[i][2]) {}
};

/// True if steps of this parity leave all populations in the node itself, whatever links are cut.
template <class Lattice, class Streaming>
constexpr bool stores_in_node(int parity) {
  for (int i = 0; i < Lattice::Q; ++i)
    if (Streaming::write_to(parity, i).side != 0 ||
        !(Streaming::write_to(parity, i) == Streaming::write_cut(parity, i)))
      return false;
  return true;
}

/// Number of nodes that a thread updates. One access of 32 bits moves what takes two of 16, and neighbours share
/// addresses.
template <class Spec>
inline constexpr int step_nodes = sizeof(typename Spec::Format::Storage) == 2 ? 2 : 1;

/// Asks for the populations of a pair. `row` and `beside` are addresses: those of the two elements one step away along
/// y and z, and of what is next to them on the side that x tells. In place, other threads write the half of `row` that
/// is not needed, so it is left alone.
template <int x, bool in_place>
__device__ __forceinline__ void fetch_pair(Uint64 row, Uint64 beside, Uint32& both, Uint16& next) {
  if constexpr (x == 0 || !in_place) {
    read_global(row, both);
  } else {
    Uint16 half;
    read_global(x < 0 ? row : row + 2, half);
    both = x < 0 ? half : static_cast<Uint32>(half) << 16;
  }
  if constexpr (x != 0) read_global(beside, next);
}

/// Leaves the populations of a pair.
template <class Codec, int x>
__device__ __forceinline__ void store_pair(Uint64 row, Uint64 beside, float first, float second) {
  if constexpr (x == 0) {
    write_global(row, Codec::encode_pair(first, second));
  } else {
    write_global(x < 0 ? beside : row + 2, Codec::encode(first));
    write_global(x < 0 ? row : beside, Codec::encode(second));
  }
}

/// Populations of a pair of nodes. If `late`, they stay joined in 32 bits until a node's are wanted, which takes half
/// of the registers. Measured: that suits dense storage in place; elsewhere it is better to take them apart at once.
template <class Single, class Codec, bool late>
struct PairPopulations {
  static constexpr int count = sizeof(Single::f) / sizeof(Single::f[0]);
  Single of[2];

  /// Takes the populations that fetch_pair() brought for direction i.
  template <int i, int x>
  __device__ __forceinline__ void put(Uint32 both, Uint16 next) {
    const auto low = static_cast<Uint16>(both), high = static_cast<Uint16>(both >> 16);
    if constexpr (late && x == 0) {
      joined_[i] = both;
    } else {
      put_one<i, 0>(x < 0 ? next : x == 0 ? low : high);
      put_one<i, 1>(x > 0 ? next : x == 0 ? high : low);
    }
  }
  /// Sets the population of direction i of node k.
  template <int i, int k>
  __device__ __forceinline__ void put_one(Uint16 value) {
    if constexpr (!late)
      apart_[k][i] = value;
    else if constexpr (k == 0)
      joined_[i] = (joined_[i] & 0xffff0000u) | value;
    else
      joined_[i] = (joined_[i] & 0xffffu) | static_cast<Uint32>(value) << 16;
  }
  /// To be called when all populations have been put.
  __device__ __forceinline__ void arrive() {
    if constexpr (!late)
      core::unroll<2>(
          [&](auto k) { core::unroll<count>([&](auto i) { of[k.i].f[i.i] = Codec::decode(apart_[k.i][i.i]); }); });
  }
  /// To be called before the populations of node k are used.
  template <int k>
  __device__ __forceinline__ void open() {
    if constexpr (late)
      core::unroll<count>([&](auto i) {
        of[k].f[i.i] = Codec::decode(static_cast<Uint16>(k == 0 ? joined_[i.i] : joined_[i.i] >> 16));
      });
  }

 private:
  Uint32 joined_[late ? count : 1] = {};
  Uint16 apart_[late ? 1 : 2][late ? 1 : count] = {};
};

}  // namespace fluvia::cuda::kernels
