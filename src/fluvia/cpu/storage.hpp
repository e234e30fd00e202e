// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/cpu/dither.hpp"
#include "fluvia/cpu/step_access.hpp"

namespace fluvia::cpu {

/// Populations of one group: f[Q][64], and where the collision finds and leaves those of each direction: there, or
/// straight in storage where they lie in the order of the lanes.
template <class T>
struct alignas(64) PopulationBlock {
  T f[max_directions * group_lanes + chunk_lanes];  ///< the last lanes may be read, nothing else
  const T* in[max_directions];
  T* out[max_directions];
};

/// Storage of one time step, as core::update_group wants it: addressing x streaming x format.
template <class Groups, class Format>
struct StepStorage {
  using T = typename Format::Arithmetic;
  using Populations = PopulationBlock<T>;
  const Groups& groups;
  const StepAccess& step;
  const typename Format::Storage* source;
  typename Format::Storage* target;  ///< == source for one-copy streamings
  const core::StepKey* key;          ///< of the step, if rounding is stochastic

  /// Loads one group and asks meanwhile for what load() will read of the group `ahead`: its runs are short and lie
  /// apart, which hardware prefetchers do not see, and all at once would block the line buffers.
  /// With `in_block` every population is in the block when load() returns.
  template <class Context>
  void load(const Context& context, const Context* ahead, bool in_block, Populations& p) const {
    constexpr bool stored_as_used = sizeof(T) == sizeof(typename Format::Storage);
    std::uint32_t staged = 0;
    for (int i = 0; i < step.directions; ++i) {
      p.in[i] = p.out[i] = p.f + i * group_lanes;
      if constexpr (stored_as_used) {
        if (const T* place = in_block ? nullptr : context.load_place(step, source, i))
          p.in[i] = place;
        else
          staged |= 1u << i;
        if (T* const place = context.store_place(step, target, i)) p.out[i] = place;
      } else {
        staged |= 1u << i;
      }
    }
    context.template load<Format>(step, source, staged, p.f, ahead);
  }
  /// Stores what load() brought of a group and the step changed.
  template <class Context>
  void store(const Context& context, std::uint64_t group, Populations& p) const {
    std::uint32_t staged = 0;
    for (int i = 0; i < step.directions; ++i)
      if (p.out[i] == p.f + i * group_lanes) staged |= 1u << i;
    if constexpr (core::rounds<Format>)
      if (key != nullptr) {
        dither_group<Format>(groups, group, *key, step.directions, p.f);
        context.template store<core::Truncated<Format>>(step, target, staged, p.f);
        return;
      }
    context.template store<Format>(step, target, staged, p.f);
  }
};

}  // namespace fluvia::cpu
