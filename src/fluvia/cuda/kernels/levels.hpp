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
  /// What to_fine() has put.
  __device__ __forceinline__ Storage arriving(Uint32 k) const {
    return reinterpret_cast<const Storage*>(messages.fine_arriving)[k];
  }
  __device__ __forceinline__ void to_fine(Uint32 k, Storage value) const {
    reinterpret_cast<Storage*>(messages.fine_arriving)[k] = value;
  }
  __device__ __forceinline__ void to_coarse(Uint32 k, double value) const {
    reinterpret_cast<Storage*>(messages.coarse_arriving)[k] = encoded(value);
  }
  /// What a child of a source carries.
  __device__ __forceinline__ double carried(const LevelSource& source, const LevelOffset& offset) const {
    double value = coarse(source.at);
    for (int a = 0; a < 3; ++a)
      value +=
          offset.along[a] * (static_cast<double>(source.part[a]) * (coarse(source.upper[a]) - coarse(source.lower[a])));
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

/// Adds up what one list gives to a group. `value_of`: of an entry.
template <class Value>
__device__ __forceinline__ void add_forces(const LevelForces& forces, int list, Uint32 group, double* sum,
                                           const Value& value_of) {
  for (Uint32 n = forces.groups[group].first[list]; n < forces.groups[group + 1].first[list]; ++n) {
    const LevelForce& force = forces.of[list][n];
    const double value = value_of(force);
    for (int k = 0; k < 6; ++k) sum[k] += value * force.by[k];
  }
}

}  // namespace detail

/// After fine step 0: what walls get, a wall and a tile for each thread; six numbers each in `sums`.
template <class Format>
__global__ void begin_forces(const LevelForces forces, const LevelLists lists, const LevelMessages messages,
                             double* sums) {
  const Uint32 k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= forces.count) return;
  const detail::LevelValues<Format> values{messages};
  double sum[6] = {0, 0, 0, 0, 0, 0};
  detail::add_forces(forces, 0, k, sum, [&](const LevelForce& force) {
    return values.carried(lists.sources[force.number], lists.offsets[force.offset]);
  });
  detail::add_forces(forces, 1, k, sum, [&](const LevelForce& force) {
    return detail::LevelValues<Format>::decoded(values.fine(force.number));
  });
  for (int a = 0; a < 6; ++a) sums[6 * k + a] = sum[a];
}

/// After fine step 1, and exchange_second(); `links`: the sums of coarse links.
template <class Format>
__global__ void end_forces(const LevelForces forces, const LevelMessages messages, const double* links, double* sums) {
  const Uint32 k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= forces.count) return;
  const detail::LevelValues<Format> values{messages};
  double sum[6];
  for (int a = 0; a < 6; ++a) sum[a] = sums[6 * k + a];
  detail::add_forces(forces, 2, k, sum, [&](const LevelForce& force) {
    return detail::LevelValues<Format>::decoded(values.fine(force.number));
  });
  detail::add_forces(forces, 3, k, sum, [&](const LevelForce& force) { return links[force.number]; });
  for (int a = 0; a < 6; ++a) sums[6 * k + a] = sum[a];
}

/// After fine step 0, which follows a coarse one: what enters fine nodes, what coarse links have so far, and what
/// passes by. Threads: one for each place, coarse link and population that passes.
template <class Format>
__global__ void exchange_first(const LevelLists lists, const LevelMessages messages, double* sums,
                               typename Format::Storage* passing) {
  const detail::LevelValues<Format> values{messages};
  Uint32 k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k < lists.place_count) {
    const LevelChild child = lists.entering[0][k];
    values.to_fine(k, child.source == none
                          ? values.fine(k)
                          : values.encoded(values.carried(lists.sources[child.source], lists.offsets[child.offset])));
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
             values.carried(lists.sources[child.source & ~gained_child], lists.offsets[child.offset]);
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
      value = values.encoded(values.carried(lists.sources[child.source], lists.offsets[child.offset]));
    values.to_fine(k, value);
    return;
  }
  k -= lists.place_count;
  if (k < lists.link_count) {
    const double sum = detail::sum_of_leaving(lists, values, 1, k, sums[k]);
    sums[k] = sum;
    if (k < lists.own_link_count) values.to_coarse(k, sum);
  }
}

/// After fine step 0, where walls that move cross the interface: what these add to coarse links. Threads: one for each
/// number; the first of a link adds all of the link's.
template <class Format>
__global__ void add_to_links(const LevelGains gains, double* sums) {
  const Uint32 k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= gains.link_count) return;
  const Uint32 to = gains.of_links[k].to;
  if (k > 0 && gains.of_links[k - 1].to == to) return;
  double sum = sums[to];
  for (Uint32 n = k; n < gains.link_count && gains.of_links[n].to == to; ++n)
    sum += gains.surfaces[gains.of_links[n].surface].scale * gains.of_links[n].value;
  sums[to] = sum;
}

/// After fine step 1: what they add to what enters fine nodes. Threads: one for each place.
template <class Format>
__global__ void add_to_places(const LevelGains gains, const LevelMessages messages) {
  const Uint32 k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= gains.place_count) return;
  const LevelGain gain = gains.of_places[k];
  const detail::LevelValues<Format> values{messages};
  values.to_fine(gain.to, values.encoded(values.decoded(values.arriving(gain.to)) +
                                         gains.surfaces[gain.surface].scale * gain.value));
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
