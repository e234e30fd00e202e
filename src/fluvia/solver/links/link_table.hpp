// SPDX-License-Identifier: Apache-2.0
// The cut links of a domain while a flow runs: who owns them, how far and how fast its surface is. Solvers are set up
// from a problem, as version 0 of the table has it. When surfaces move, whoever moves them replaces the links of the
// tiles that they sweep, and solvers take what changed since the version that they have (BlockSolver::take_links()).
//
// What is kept, exchanged or fitted along an opening stays where it is: only walls move (is_movable()), and not in
// tiles that hold anything else. Nor does a link appear where the streaming does not bounce back: which nodes are
// fluid stays as it was.
#pragma once
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "fluvia/solver/links/boundary_setup.hpp"
#include "fluvia/solver/links/surface_roles.hpp"

namespace fluvia {

/// True if links of a surface with this condition may be replaced: nothing is kept of them or passes through them.
bool is_movable(const core::ConditionFacts& facts);

class LinkTable {
 public:
  /// All links of a problem, which must stay as long as the table. Of one process that has the whole domain; throws
  /// Error(input) for others, and what make_boundary_setup() throws.
  LinkTable(const Problem& problem, const std::string& lattice);

  /// How often links were replaced.
  [[nodiscard]] std::int64_t version() const { return version_; }
  /// Tiles whose links were replaced after a version, ascending.
  [[nodiscard]] std::vector<std::uint32_t> changed_since(std::int64_t version) const;

  /// From now on these tiles, which ascend, have these links and no others: links_of_tiles() of where surfaces are now,
  /// with the surfaces of this problem. Takes time for the replaced tiles, and to move what the table has of others in
  /// host memory. Throws Error(input), and nothing changes, where a tile has links of openings or a sponge, where a
  /// link of a face of the box would come or go, or where there is no link to cut.
  void replace(std::span<const std::uint32_t> tiles, const TileLinks& links);
  /// The links that these tiles have, as replace() takes them.
  [[nodiscard]] TileLinks links_of(std::span<const std::uint32_t> tiles) const;

  /// What make_boundary_setup() would give for the links as they are.
  [[nodiscard]] const BoundarySetup& setup() const { return setup_; }
  /// Its conditions with the links of these tiles alone, of which node_records() makes theirs.
  [[nodiscard]] BoundarySetup setup_of(std::span<const std::uint32_t> tiles) const;
  /// Links of interpolated walls, all of them.
  [[nodiscard]] const Links& walls() const { return walls_; }

 private:
  void check(std::span<const std::uint32_t> tiles, const TileLinks& links) const;
  [[noreturn]] void refuse(std::uint32_t tile, const std::string& why) const;

  Problem problem_;
  SurfaceRoles roles_;
  BoundarySetup setup_;
  Links walls_;
  std::map<std::uint32_t, std::uint16_t> fixed_;   ///< by tile: a surface of what stays there
  std::map<std::uint32_t, std::int64_t> changed_;  ///< by tile: the version that replaced its links
  std::int64_t version_ = 0;
};

}  // namespace fluvia
