// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/cpu/physics/dither.hpp"
#include "fluvia/cpu/storage/step_access.hpp"

namespace fluvia::cpu {

/// Populations of one group: f[Q][64], and where the collision finds and leaves those of each direction: in the block,
/// or straight in storage where they lie in the order of the lanes.
template <class T>
struct alignas(64) PopulationBlock {
  T f[max_directions * group_lanes + chunk_lanes];  ///< the last lanes may be read; nothing else uses them
  const T* in[max_directions];
  T* out[max_directions];
  std::uint32_t staged;  ///< directions of which `out` leads into the block
};

/// Storage of one time step, as core::update_group wants it: addressing x streaming x format.
template <class Groups, class Format>
struct StepStorage {
  using T = typename Format::Arithmetic;
  using Populations = PopulationBlock<T>;
  const Groups& groups;
  const StepAccess& step;
  typename Format::Storage* source;  ///< with two copies, the step changes only elements that no other group reads
  typename Format::Storage* target;  ///< equals source for one-copy streamings
  const core::StepKey* key;          ///< key of the step, if rounding is stochastic

  /// Loads one group, and meanwhile asks for populations of the group `ahead` that hardware prefetchers do not find:
  /// runs that are short and lie apart; all at once would block the line buffers. With `in_block` every population is
  /// in the block when load() returns.
  template <class Context>
  void load(const Context& context, const Context* ahead, bool in_block, Populations& p) const {
    const std::uint32_t all = all_directions(step);
    std::uint32_t staged = all;
    p.staged = all;
    if constexpr (sizeof(T) == sizeof(typename Format::Storage)) {
      if (!in_block) staged &= ~context.load_runs(step, source, p.in);
      p.staged &= ~context.store_runs(step, target, p.out);
    }
    for (std::uint32_t rest = staged; rest; rest &= rest - 1)
      p.in[std::countr_zero(rest)] = p.f + std::countr_zero(rest) * group_lanes;
    for (std::uint32_t rest = p.staged; rest; rest &= rest - 1)
      p.out[std::countr_zero(rest)] = p.f + std::countr_zero(rest) * group_lanes;
    context.template load<Format>(step, source, staged, p.f, ahead);
  }
  /// Stores the populations that load() took of a group and the step changed.
  template <class Context>
  void store(const Context& context, std::uint64_t group, Populations& p) const {
    if constexpr (sizeof(T) == sizeof(typename Format::Storage))
      if (p.staged != all_directions(step)) context.settle(step, target);
    if constexpr (core::rounds<Format>)
      if (key != nullptr) {
        dither_group<Format>(groups, group, *key, step.directions, p.f);
        context.template store<core::Truncated<Format>>(step, target, p.staged, p.f);
        return;
      }
    context.template store<Format>(step, target, p.staged, p.f);
  }
};

}  // namespace fluvia::cpu
