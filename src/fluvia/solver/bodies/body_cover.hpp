// SPDX-License-Identifier: Apache-2.0
// Which nodes a body covers at a step, and which lie near its surface.
#pragma once
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "fluvia/geometry/map/node_map.hpp"
#include "fluvia/solver/bodies/body_shape.hpp"
#include "fluvia/solver/bodies/body_state.hpp"
#include "fluvia/solver/bodies/links/tile_neighbours.hpp"

namespace fluvia {

/// Longest link of any lattice, in nodes.
inline constexpr double longest_link = 1.7320508075688774;

/// Nodes of a map, asked for by places of the grid that may lie beyond periodic faces. What the map of a part of a
/// domain does not hold is none.
struct FluidNodes {
  const NodeMap* nodes = nullptr;
  bool is_full = false;  ///< whether all nodes of the box are fluid
  [[nodiscard]] bool has(const Int3& place) const;
  /// Those of a tile of the grid that begins at this place.
  [[nodiscard]] std::uint64_t of_tile(const Int3& first) const;
  /// Whether such a tile lies in the box, and is one of the box.
  [[nodiscard]] bool is_in_box(const Int3& first) const {
    const Int3 shape = tile_shape(nodes->dimension);
    for (std::size_t a = 0; a < 3; ++a)
      if (first[a] < 0 || first[a] + shape[a] > nodes->size[a]) return false;
    return true;
  }
  /// The node of a place that is known to be one, at its image in the box.
  [[nodiscard]] Int3 node_at(const Int3& place) const {
    const Int3& size = nodes->size;
    const bool is_inside = place[0] >= 0 && place[0] < size[0] && place[1] >= 0 && place[1] < size[1] &&
                           place[2] >= 0 && place[2] < size[2];
    return is_inside ? place : nodes->land(place).node;
  }
};

/// Nodes that a body covers, by tiles of a part of the grid around it that may reach beyond periodic faces.
///
/// Distances change by no more than the way that the surface goes: so each node that is not far from the surface knows
/// how far this may go before the node must be asked again, and a tile the least of that.
class BodyCover {
 public:
  static constexpr int margin = 3;  ///< nodes of the part around the body, at least
  /// What of a body is asked for.
  struct Asked {
    const BodyShape& shape;
    const Real3& center;  ///< of the body at rest
    const Pose& pose;
    const std::array<Real3, 2>& whole;  ///< corners of a box around the body at rest
    const FluidNodes& fluid;
    int threads;
  };

  /// Forgets all: nothing is, or was, covered.
  void forget() { *this = {}; }
  /// Takes the body to its pose. `corners`: of what it lies in there, the least and the largest.
  void move_to(const Asked& asked, const std::array<Real3, 2>& corners);

  /// The least node of the part, and that beyond its last one.
  [[nodiscard]] Int3 low() const { return now_.node_of({0, 0, 0}); }
  [[nodiscard]] Int3 end() const { return now_.node_of(now_.size); }
  /// Tiles of the part that may have nodes of fluid at most a link from the surface, in the order of z, y, x.
  [[nodiscard]] const std::vector<std::uint32_t>& beside() const { return beside_; }
  [[nodiscard]] std::size_t tiles() const { return now_.covered.size(); }
  /// Tiles of the part along each axis; number of one along z, y, x is its place in covered().
  [[nodiscard]] const Int3& size() const { return now_.size; }
  [[nodiscard]] const std::vector<std::uint64_t>& covered() const { return now_.covered; }
  /// The tile's first node in the grid.
  [[nodiscard]] Int3 node_of(std::size_t tile) const { return now_.node_of(now_.position(tile)); }
  /// Nodes of fluid of a tile that are covered.
  [[nodiscard]] std::uint64_t covered(std::size_t tile) const { return now_.covered[tile]; }
  /// A tile and all around it: nodes that are covered, and what gap() asks.
  struct Around {
    OfTilesAround<std::uint64_t> covered;
    OfTilesAround<const float*> due;  ///< none where no node is near
  };
  [[nodiscard]] Around around(std::size_t tile) const;
  /// At least as much less than the distance of a node of fluid from the surface.
  [[nodiscard]] double gap(const Around& around, const NodeAround& node) const {
    const float* const due = around.due[node.tile];
    return due == nullptr ? std::numeric_limits<double>::max() : static_cast<double>(due[node.bit]) - way_;
  }

  /// Whether it covers a node of the box, or did before the last move.
  [[nodiscard]] bool covers(const Int3& node, const NodeMap& nodes) const {
    return now_.covered_place(node, nodes).has_value();
  }
  [[nodiscard]] bool covered_before(const Int3& node, const NodeMap& nodes) const {
    return before_.covered_place(node, nodes).has_value();
  }
  /// The place of the part that is a node of the box; none if it is not covered.
  [[nodiscard]] std::optional<Int3> covered_place(const Int3& node, const NodeMap& nodes) const {
    return now_.covered_place(node, nodes);
  }
  /// Places of the grid that are covered, and were not before the last move; those that were, and are not. In the order
  /// of tiles, and of their nodes.
  [[nodiscard]] const std::vector<Int3>& gained() const { return gained_; }
  [[nodiscard]] const std::vector<Int3>& lost() const { return lost_; }

 private:
  struct Part {
    int dimension = 3;
    Int3 low{}, size{};  ///< tiles
    std::vector<std::uint64_t> covered;
    [[nodiscard]] std::size_t at(const Int3& tile) const {
      return (static_cast<std::size_t>(tile[2]) * static_cast<std::size_t>(size[1]) +
              static_cast<std::size_t>(tile[1])) *
                 static_cast<std::size_t>(size[0]) +
             static_cast<std::size_t>(tile[0]);
    }
    [[nodiscard]] bool has(const Int3& tile) const {
      return tile[0] >= 0 && tile[0] < size[0] && tile[1] >= 0 && tile[1] < size[1] && tile[2] >= 0 &&
             tile[2] < size[2];
    }
    [[nodiscard]] Int3 position(std::size_t tile) const;
    [[nodiscard]] Int3 node_of(const Int3& tile) const;
    [[nodiscard]] std::optional<Int3> covered_place(const Int3& node, const NodeMap& nodes) const;
    /// Adds the nodes of a mask of a tile; those that are covered here, and not in the other part.
    void append_nodes(std::size_t tile, std::uint64_t mask, std::vector<Int3>& to) const;
    void append_difference(const Part& other, std::vector<Int3>& to) const;
  };
  bool frame(int dimension, const std::array<Real3, 2>& corners);
  bool update(const Asked& asked, std::size_t tile);

  Part now_, before_;
  std::vector<std::uint32_t> changed_;  ///< tiles of now_ with other nodes than before_; in order
  std::vector<std::uint32_t> beside_, awake_;
  std::vector<std::uint8_t> has_changed_;  ///< [awake_]
  std::vector<Int3> gained_, lost_;
  Pose pose_{};
  double way_ = 0;                     ///< that the surface has gone, at most
  std::vector<float> wake_;            ///< [tile]: the way at which it is to be looked at
  std::vector<std::uint8_t> is_near_;  ///< [tile]: whether its nodes know the way at which they are to be asked
  std::vector<float> due_;             ///< [64 tile + bit]: that way
};

}  // namespace fluvia
