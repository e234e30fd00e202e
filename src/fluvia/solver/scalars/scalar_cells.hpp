// SPDX-License-Identifier: Apache-2.0
// How much of its cells a scalar has, where they end at walls between the nodes (docs/decisions/0062).
#pragma once
#include <cstdint>
#include <vector>

#include "fluvia/core/scalar/cells.hpp"
#include "fluvia/geometry/problem.hpp"
#include "fluvia/solver/scalars/scalar_links.hpp"

namespace fluvia {

/// Whether a surface lets cells end where it is, if walls of it are between the nodes: what passes it is given, or
/// follows from how far it is.
bool ends_cells(const ScalarAtSurface& at);

/// The cells of the fluid. The geometry must outlive them.
class ScalarCells {
 public:
  /// `near`: by tile, whether anybody asks for cells there (ScalarNodes::near); empty: everywhere.
  ScalarCells(const Problem& problem, const ScalarMethod& scalar, const std::vector<ScalarAtSurface>& surfaces,
              const ScalarSolids& solids, const std::vector<bool>& near = {});

  /// By node of the fluid in canonical order; empty: all are open.
  [[nodiscard]] const std::vector<float>& volume() const { return volume_; }
  /// Likewise, of ScalarCell; empty: 1 everywhere.
  [[nodiscard]] const std::vector<float>& strength() const { return strength_; }
  [[nodiscard]] core::ScalarCell of(std::uint64_t node) const {
    return {volume_.empty() ? 1 : volume_[node], strength_.empty() ? 1 : strength_[node]};
  }
  /// Part of pass_between() for the link along c from a node to its neighbour, a node of the fluid as well. Of links
  /// along no axis the face is what the volumes let pass; as between cells through whose walls something passes.
  [[nodiscard]] double part(const Int3& at, std::uint64_t node, const Int3& c, std::uint64_t there) const;

 private:
  enum class Kind : std::uint8_t {
    open,   ///< no link of it is cut
    ended,  ///< it ends at surfaces through which nothing passes
    fed,    ///< it ends at one through which something does, whose links do not share it as faces would
    tied    ///< another surface needs its populations as they are, so that its volume and strength are 1
  };
  template <class Visit>
  void for_each_node(const Visit& visit) const;
  [[nodiscard]] bool ends_at(int surface) const { return ends_at_[static_cast<std::size_t>(surface)]; }
  [[nodiscard]] Kind kind_of(const Int3& at) const;
  /// Whether what passes between two nodes is what the face between them says, not what their volumes let pass.
  [[nodiscard]] bool has_face(std::uint64_t one, std::uint64_t other) const {
    const bool any_fed = kind_[one] == Kind::fed || kind_[other] == Kind::fed;
    return !any_fed && (kind_[one] != Kind::open || kind_[other] != Kind::open);
  }
  [[nodiscard]] float volume_of(const Int3& at) const;
  [[nodiscard]] float strength_of(const Int3& at, std::uint64_t node) const;
  [[nodiscard]] double face(const Int3& at, const Int3& c) const;
  struct Rise;
  [[nodiscard]] Rise rise(const Int3& at, const Int3& side, int across) const;

  const Geometry& geometry_;
  const ScalarLatticeFacts& lattice_;
  const std::vector<ScalarAtSurface>& surfaces_;
  const ScalarSolids& solids_;
  std::vector<bool> near_;
  core::ScalarOpenCell open_;
  std::vector<bool> ends_at_;  ///< by surface
  std::vector<Kind> kind_;     ///< empty: all are open
  std::vector<float> volume_, strength_;
};

}  // namespace fluvia
