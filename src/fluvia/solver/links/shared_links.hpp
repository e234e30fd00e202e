// SPDX-License-Identifier: Apache-2.0
// Whose force a cut link is. A link that leaves the box through several faces at once belongs to one of them, which
// says what comes back; but what it exchanges acts on the corner. Faces that let nothing through share that equally, so
// that forces on faces that meet do not depend on the order of axes, and their sum is that over all links. So do
// openings that prescribe no velocity, of what passes. What an opening with a velocity owns stays its own (CornerFlow).
//
// Of a uniform stream u a link with c = (1, 1) through two such openings carries 3 w (u_x - u_y) more through the one
// and less through the other than its half, all such links of a node a twelfth of u_x - u_y. That is also what the
// node's other links carry through the one opening less what they carry through the other, which is known without u: so
// these count for it in twelfths, and each opening has what it has without edges.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "fluvia/solver/links/cut_links.hpp"

namespace fluvia {

/// Surfaces of one link.
struct LinkSurfaces {
  std::array<int, 3> surfaces{};
  int count = 0;
  [[nodiscard]] std::span<const int> list() const& { return {surfaces.data(), static_cast<std::size_t>(count)}; }
  void list() const&& = delete;  // what it would show is gone before a loop over it begins
};
/// Faces of the box through which the link of fluid node `node` towards `offset` leaves, but periodic ones and planes
/// of symmetry, in the order of their axes.
LinkSurfaces faces_beyond(const Geometry& geometry, const Int3& node, const Int3& offset);
/// The surfaces that share what a link exchanges that `owner` cuts; the owner alone, where it is not one of several
/// faces without flow, or of several free openings, through which the link leaves. `is_free`: SurfaceRoles::is_free.
LinkSurfaces sharers_of(const Geometry& geometry, const Int3& node, const Int3& offset, int owner,
                        const std::vector<bool>& is_free);

/// A cut link and the surface on which it acts.
struct MeasuredLink {
  CutLink at;                 ///< `surface`: not always the one that owns the link
  std::uint8_t faces = 1;     ///< of the force each has 1 / faces; 0: this one has none
  std::int8_t twelfths = 12;  ///< of what passes this surface has so many
};

/// Links of several sharers, and those of free openings in nodes that have such links, once for each surface that is
/// `wanted`, of nodes in these tiles; in canonical order. Links of walls on which the fluid slides also act on the
/// openings that they leave through: what they bring is what the fluid at the wall carries there, as CornerFlow has it
/// of walls that move. `slides`: SurfaceRoles::slides.
std::vector<MeasuredLink> find_shared_links(const Geometry& geometry, const std::vector<Int3>& velocities,
                                            const std::vector<bool>& wanted, const std::vector<bool>& is_free,
                                            const std::vector<bool>& slides, const TileRange& tiles);

/// Links that leave through two free openings, with the one that does not own them.
std::vector<CutLink> second_openings(const Geometry& geometry, const std::vector<CutLink>& links,
                                     const std::vector<Int3>& velocities, const std::vector<bool>& is_free);

/// The links of `links` whose surface is `wanted` and whose nodes are in these tiles, with `shared` ones in place of
/// themselves: all that acts on wanted surfaces, in canonical order.
std::vector<MeasuredLink> measured_links(const std::vector<CutLink>& links, const std::vector<MeasuredLink>& shared,
                                         const std::vector<bool>& wanted, const TileRange& tiles);

}  // namespace fluvia
