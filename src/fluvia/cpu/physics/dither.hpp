// SPDX-License-Identifier: Apache-2.0
// Stochastic rounding of a group: its populations are dithered where they lie in the first-level cache, then stored
// truncated.
#pragma once
#include "fluvia/core/format/format.hpp"
#include "fluvia/core/format/random_bits.hpp"
#include "fluvia/cpu/physics/lanes.hpp"

namespace fluvia::cpu {

namespace detail {
// The function is not inline: in the loop over directions GCC 12 does not vectorise it.
template <class Format>
__attribute__((noinline)) void dither_row(float* __restrict f, const std::uint32_t* __restrict bits,
                                          std::uint32_t multiplier) {
  for (int lane = 0; lane < group_lanes; ++lane)
    f[lane] = Format::dither(f[lane], core::direction_bits<Format::random_bits>(bits[lane], multiplier));
}
}  // namespace detail

/// Dithers the block f[directions][64] of a group; values of lanes without a node do not matter.
template <class Format, class Groups>
void dither_group(const Groups& groups, std::uint64_t group, core::StepKey key, int directions, float* f) {
  alignas(64) std::uint32_t bits[group_lanes] = {};
  groups.box_indices(group, bits);
  for (std::uint32_t& node : bits) node = core::node_bits(node, key);
  std::uint32_t multiplier = core::direction_multiplier(0);
  for (int i = 0; i < directions; ++i, multiplier *= core::direction_multiplier(0))
    detail::dither_row<Format>(f + i * group_lanes, bits, multiplier);
}

}  // namespace fluvia::cpu
