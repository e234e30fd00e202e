// SPDX-License-Identifier: Apache-2.0
// Populations of a group between storage and a block f[Q][64], driven by a streaming's table.
#pragma once
#include <bit>

#include "fluvia/cpu/step_access.hpp"

namespace fluvia::cpu {

/// Up to this many cut links are moved one by one, more as a vector run.
inline constexpr int few_lanes = 2;

/// f[lane] of direction i: gather through `access`, where the link to the node that it comes from is cut through `cut`.
/// `side_of_cut` is the side of the node whose absence cuts the link: -1 when reading, +1 when writing.
template <class Format, class Context>
inline void load_direction(const Context& context, const StepAccess& step, const typename Format::Storage* memory,
                           int i, typename Format::Arithmetic* f) {
  const signed char* c = step.c[i];
  const core::Access regular = step.read[i], cut = step.read_cut[i];
  context.template gather<Format>(memory, regular.side * c[0], regular.side * c[1], regular.side * c[2], regular.slot,
                                  f);
  if (context.interior() || regular == cut) return;
  std::uint64_t missing = context.mask() & ~context.neighbours(-c[0], -c[1], -c[2]);
  if (std::popcount(missing) > few_lanes) {
    alignas(64) typename Format::Arithmetic bounced[group_lanes];
    context.template gather<Format>(memory, cut.side * c[0], cut.side * c[1], cut.side * c[2], cut.slot, bounced);
    blend_lanes(f, bounced, missing);
    return;
  }
  for (; missing; missing &= missing - 1) {
    const int lane = std::countr_zero(missing);
    f[lane] =
        Format::decode(memory[context.element(lane, cut.side * c[0], cut.side * c[1], cut.side * c[2], cut.slot)]);
  }
}

/// Puts f[lane] through regular or cut accesses; `link` is the side on which the link's far end lies.
template <class Format, class Context>
inline void put_direction(const Context& context, const signed char* c, core::Access regular, core::Access cut,
                          int link, typename Format::Storage* memory, const typename Format::Arithmetic* f) {
  std::uint64_t lanes = context.mask();
  if (!context.interior() && !(regular == cut)) {
    const std::uint64_t there = context.neighbours(link * c[0], link * c[1], link * c[2]);
    std::uint64_t missing = lanes & ~there;
    if (std::popcount(missing) > few_lanes) {
      context.template scatter<Format>(memory, cut.side * c[0], cut.side * c[1], cut.side * c[2], cut.slot, f, missing);
      missing = 0;
    }
    for (; missing; missing &= missing - 1) {
      const int lane = std::countr_zero(missing);
      memory[context.element(lane, cut.side * c[0], cut.side * c[1], cut.side * c[2], cut.slot)] =
          Format::encode(f[lane]);
    }
    lanes &= there;
  }
  context.template scatter<Format>(memory, regular.side * c[0], regular.side * c[1], regular.side * c[2], regular.slot,
                                   f, lanes);
}

/// Post-collision populations to where the next step reads them.
template <class Format, class Context>
inline void store_direction(const Context& context, const StepAccess& step, typename Format::Storage* memory, int i,
                            const typename Format::Arithmetic* f) {
  put_direction<Format>(context, step.c[i], step.write[i], step.write_cut[i], +1, memory, f);
}

/// Arriving populations to where `step` itself will read them: initial states and restarts.
template <class Format, class Context>
inline void place_direction(const Context& context, const StepAccess& step, typename Format::Storage* memory, int i,
                            const typename Format::Arithmetic* f) {
  put_direction<Format>(context, step.c[i], step.read[i], step.read_cut[i], -1, memory, f);
}

}  // namespace fluvia::cpu
