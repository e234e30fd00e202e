// SPDX-License-Identifier: Apache-2.0
// What passes between a level of refinement and the next finer one: of the messages that leave both, kernels make those
// that arrive, one thread for each value. They know no storage and no lattice, and sum in one order, in fp64.
#pragma once
#include "fluvia/cuda/kernels/format.hpp"
#include "fluvia/cuda/kernels/level_arguments.hpp"

namespace fluvia::cuda::kernels {

namespace detail {

/// Values of messages in a format.
template <class Format>
struct LevelValues {
  using Storage = typename Format::Storage;
  LevelMessages messages;

  static __device__ __forceinline__ double decoded(Storage value) {
    return static_cast<double>(Codec<Format>::decode(value));
  }
  static __device__ __forceinline__ Storage encoded(double value) {
    return Codec<Format>::encode(static_cast<typename Format::Arithmetic>(value));
  }
  __device__ __forceinline__ double coarse(Uint32 k) const {
    return decoded(reinterpret_cast<const Storage*>(messages.coarse_leaving)[k]);
  }
  __device__ __forceinline__ Storage fine(Uint32 k) const {
    return reinterpret_cast<const Storage*>(messages.fine_leaving)[k];
  }
  __device__ __forceinline__ void to_fine(Uint32 k, Storage value) const {
    reinterpret_cast<Storage*>(messages.fine_arriving)[k] = value;
  }
  __device__ __forceinline__ void to_coarse(Uint32 k, double value) const {
    reinterpret_cast<Storage*>(messages.coarse_arriving)[k] = encoded(value);
  }
  /// What a child of a source carries.
  __device__ __forceinline__ double carried(const LevelSource& source, const LevelChild& child) const {
    double value = coarse(source.at);
    for (int a = 0; a < 3; ++a)
      value += static_cast<double>(child.offset[a]) *
               (static_cast<double>(source.part[a]) * (coarse(source.upper[a]) - coarse(source.lower[a])));
    return value;
  }
  /// What goes on along an opening from what arrives beside it.
  __device__ __forceinline__ Storage continued(const LevelNeighbours& beside) const {
    if (beside.far == none) return fine(beside.near);
    return encoded(2 * decoded(fine(beside.near)) - decoded(fine(beside.far)));
  }
};

template <class Format>
__device__ __forceinline__ double sum_of_leaving(const LevelLists& lists, const LevelValues<Format>& values, int step,
                                                 Uint32 link, double sum) {
  const Uint32 end = lists.links[link + 1].first_leaving[step];
  for (Uint32 n = lists.links[link].first_leaving[step]; n < end; ++n)
    sum += lists.share * LevelValues<Format>::decoded(values.fine(lists.leaving[step][n]));
  return sum;
}

}  // namespace detail

/// After fine step 0, which follows a coarse one: what enters fine nodes, what coarse links have so far, and what
/// passes by. Threads: one for each place, coarse link and population that passes.
template <class Format>
__global__ void exchange_first(const LevelLists lists, const LevelMessages messages, double* sums,
                               typename Format::Storage* passing) {
  const detail::LevelValues<Format> values{messages};
  Uint32 k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k < lists.place_count) {
    const LevelChild child = lists.entering[0][k];
    values.to_fine(
        k, child.source == none ? values.fine(k) : values.encoded(values.carried(lists.sources[child.source], child)));
    return;
  }
  k -= lists.place_count;
  if (k < lists.link_count) {
    const LevelLink link = lists.links[k];
    const Uint32 end = lists.links[k + 1].first_child;
    double sum = link.streamed == none ? 0 : values.coarse(link.streamed);
    for (Uint32 n = link.first_child; n < end; ++n) {
      const LevelChild child = lists.children[n];
      sum += ((child.source & gained_child) != 0 ? lists.share : -lists.share) *
             values.carried(lists.sources[child.source & ~gained_child], child);
    }
    sums[k] = detail::sum_of_leaving(lists, values, 0, k, sum);
    return;
  }
  k -= lists.link_count;
  if (k < lists.passing_count) passing[k] = values.fine(lists.passing[k]);
}

/// After fine step 1: what enters fine nodes, and what coarse links have. Threads: one for each place and coarse link.
template <class Format>
__global__ void exchange_second(const LevelLists lists, const LevelMessages messages, double* sums,
                                const typename Format::Storage* passing) {
  const detail::LevelValues<Format> values{messages};
  Uint32 k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k < lists.place_count) {
    const LevelChild child = lists.entering[1][k];
    typename Format::Storage value;
    if (child.source == none)
      value = values.fine(k);
    else if ((child.source & passed_by) != 0)
      value = passing[child.source & ~passed_by];
    else if ((child.source & followed) != 0)
      value = values.continued(lists.along_openings[child.source & ~followed]);
    else
      value = values.encoded(values.carried(lists.sources[child.source], child));
    values.to_fine(k, value);
    return;
  }
  k -= lists.place_count;
  if (k < lists.link_count) {
    const double sum = detail::sum_of_leaving(lists, values, 1, k, sums[k]);
    sums[k] = sum;
    values.to_coarse(k, sum);
  }
}

/// After that, where solids cross the interface: links that have too much give some of it to those that have too
/// little.
template <class Format>
__global__ void move_surplus(const LevelMoves moves, const LevelMessages messages, const double* sums) {
  const Uint32 k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= moves.count) return;
  const LevelMove move = moves.moves[k];
  double sum = sums[move.link];
  for (Uint32 n = move.first; n < moves.moves[k + 1].first; ++n) sum += moves.parts[n].part * sums[moves.parts[n].from];
  detail::LevelValues<Format>{messages}.to_coarse(move.link, sum);
}

}  // namespace fluvia::cuda::kernels
