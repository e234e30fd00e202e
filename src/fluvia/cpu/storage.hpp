// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/cpu/transfer.hpp"

namespace fluvia::cpu {

/// Block of populations of one group: f[Q][64].
template <class T>
struct alignas(64) PopulationBlock {
  T f[max_directions * group_lanes];
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

  /// Loads one group and, slot by slot in between, asks for what load() will read of the group `ahead`: its runs are
  /// short and lie apart, which hardware prefetchers do not see, and all at once would block the line buffers.
  template <class Context>
  void load(const Context& context, const Context* ahead, Populations& p) const {
    for (int i = 0; i < step.directions; ++i) {
      const core::Access a = step.read[i];
      if (ahead) ahead->prefetch(source, a.side * step.c[i][1], a.side * step.c[i][2], a.slot);
      load_direction<Format>(context, step, source, i, p.f + i * group_lanes);
    }
  }
  template <class Context>
  void store(const Context& context, const Populations& p) const {
    for (int i = 0; i < step.directions; ++i) store_direction<Format>(context, step, target, i, p.f + i * group_lanes);
  }
};

}  // namespace fluvia::cpu
