// SPDX-License-Identifier: Apache-2.0
// Pairs of populations that change places once after every step: where planes of symmetry, and sheets, lead what
// arrives. B(x, i) is the place where the streaming keeps what came back to node x over a cut link (read_cut).
//
// Planes of symmetry. The link of node x along which f_i arrives ends beyond the plane; its end, reflected, is node y.
// What arrives is what left y along the mirrored direction m(i), and that is what bounce-back would give y along
// k = opposite(m(i)). So
//
//        x   y                the plane changes places between B(x, i) and B(y, k),
//      ---\-/---  plane       once after every step.
//          V
//
// Where y is x and k is i nothing is to be done: the population comes straight back.
//
// Sheets (geometry/map/barred_links.hpp). The link of node x along which f_i arrives comes from node y of fluid, and a
// sheet crosses it. What each end sent comes back to it: half-way bounce-back at both (Ladd, J. Fluid Mech. 271 (1994)
// 285). A streaming has what arrives over the link at x and at y in two places that nothing else uses, and these are
// B(x, i) and B(y, k), k = opposite(i), in this order or the other one (tests/solver/links/exchanged_links_test.cpp):
//
//        x | y                the sheet changes places between B(x, i) and B(y, k),
//        o-|-o                once after every step.
//          |  sheet
//
// A link that a sheet crosses on its way to a plane of symmetry and back is left as it is: cut, and bounced back.
//
// Whatever reads, stores or sends populations between two steps finds what arrives where it looks for it, and knows
// nothing of mirrors and sheets.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "fluvia/geometry/map/node_map.hpp"

namespace fluvia {

/// One end of a pair: a node, and the direction along which a population arrives there.
struct ExchangedEnd {
  std::uint32_t tile;
  std::uint8_t bit, direction;
  bool operator==(const ExchangedEnd&) const = default;
};
struct ExchangedPair {
  ExchangedEnd first, second;
};

/// The other end of the pair over a plane of symmetry that this one belongs to; itself where the population comes
/// straight back. None if its link does not lead to a fluid node over a plane of symmetry, or a sheet crosses it.
std::optional<ExchangedEnd> mirror_image(const NodeMap& nodes, const std::vector<Int3>& velocities,
                                         const ExchangedEnd& end);

/// All pairs of different ends, each once, in canonical order of the first. `takes`, if given: those of which it holds
/// for both tiles, and those over sheets of which it holds for that of the first; each of the two parts of a domain
/// that such a link joins has both ends.
std::vector<ExchangedPair> exchanged_pairs(const NodeMap& nodes, const std::vector<Int3>& velocities,
                                           const std::function<bool(std::uint32_t tile)>& takes = nullptr);

}  // namespace fluvia
