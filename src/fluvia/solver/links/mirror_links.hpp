// SPDX-License-Identifier: Apache-2.0
// Planes of symmetry. The link of node x along which f_i arrives ends beyond the plane; its end, reflected, is node y.
// What arrives is what left y along the mirrored direction m(i), and that is what bounce-back would give y along
// k = opposite(m(i)). So with B(x, i) the place where the streaming keeps what came back over a cut link (read_cut),
//
//        x   y                the plane changes places between B(x, i) and B(y, k),
//      ---\-/---  plane       once after every step.
//          V
//
// Whatever reads, stores or sends populations between two steps finds what arrives where it looks for it, and knows
// nothing of mirrors.
//
// Where y is x and k is i nothing is to be done: the population comes straight back.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "fluvia/geometry/map/node_map.hpp"

namespace fluvia {

/// One end of a pair: a node, and the direction along which a population arrives there over a plane of symmetry.
struct MirrorEnd {
  std::uint32_t tile;
  std::uint8_t bit, direction;
  bool operator==(const MirrorEnd&) const = default;
};
struct MirrorPair {
  MirrorEnd first, second;
};

/// The other end of the pair that this one belongs to; itself where the population comes straight back. None if its
/// link does not lead to a fluid node over a plane of symmetry.
std::optional<MirrorEnd> mirror_image(const NodeMap& nodes, const std::vector<Int3>& velocities, const MirrorEnd& end);

/// All pairs of different ends, each once, in canonical order of the first. `takes`, if given: those of which it holds
/// for both tiles.
std::vector<MirrorPair> mirror_pairs(const NodeMap& nodes, const std::vector<Int3>& velocities,
                                     const std::function<bool(std::uint32_t tile)>& takes = nullptr);

}  // namespace fluvia
