// SPDX-License-Identifier: Apache-2.0
// Which nodes a body covers at a step, and which lie near its surface.
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "fluvia/geometry/map/node_map.hpp"
#include "fluvia/solver/bodies/body_shape.hpp"
#include "fluvia/solver/bodies/body_state.hpp"

namespace fluvia {

/// Longest link of any lattice, in nodes.
inline constexpr double longest_link = 1.7320508075688774;

/// Nodes of a map, asked for by places of the grid that may lie beyond periodic faces.
struct FluidNodes {
  const NodeMap* nodes = nullptr;
  bool is_full = false;  ///< whether all nodes of the box are fluid
  [[nodiscard]] bool has(const Int3& place) const;
  /// The node of a place that is known to be one, at its image in the box.
  [[nodiscard]] Int3 node_at(const Int3& place) const {
    const Int3& size = nodes->size;
    const bool is_inside = place[0] >= 0 && place[0] < size[0] && place[1] >= 0 && place[1] < size[1] &&
                           place[2] >= 0 && place[2] < size[2];
    return is_inside ? place : nodes->land(place).node;
  }
};

/// Nodes that a body covers, in a part of the grid around it that may reach beyond periodic faces.
///
/// It is laid anew only when the surface has gone some part of a node. Until then only the nodes of a band around the
/// surface can change, and of these only those that it may have reached are asked for their distance: distances change
/// by no more than the way that the surface goes.
class BodyCover {
 public:
  static constexpr int margin = 3;  ///< nodes of the part around the body
  /// near: fluid that may have links to the body; absent: no fluid of the domain, though the surface is near.
  enum Kind : std::uint8_t { open, covered, near, absent };
  /// A place of the part, and the node beside the grid's origin.
  struct Place {
    std::uint32_t at;
    std::array<std::int16_t, 3> local;
  };
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
  /// Takes the body to its pose. `extent()`: corners of what it lies in there, the least and the largest.
  void move_to(const Asked& asked, const std::function<std::array<Real3, 2>()>& extent);

  [[nodiscard]] const Int3& low() const { return now_.low; }
  [[nodiscard]] const Int3& size() const { return now_.size; }
  [[nodiscard]] Kind kind(std::size_t at) const { return now_.kind[at]; }
  /// The index of a place of the part.
  [[nodiscard]] std::size_t at(const Int3& local) const { return now_.at(local); }
  /// All places that may be near the surface, in the order of z, y, x.
  [[nodiscard]] const std::vector<Place>& band() const { return band_; }
  /// A place of the band in the grid.
  [[nodiscard]] Int3 in_grid(const Place& place) const {
    return {now_.low[0] + place.local[0], now_.low[1] + place.local[1], now_.low[2] + place.local[2]};
  }
  /// At least as much less than the distance of a near place from the surface.
  [[nodiscard]] double gap(std::size_t at) const { return static_cast<double>(due_[at]) - way_; }
  /// Whether it covers a node of the box, or did before the last move.
  [[nodiscard]] bool covers(const Int3& node, const NodeMap& nodes) const { return now_.covers(node, nodes); }
  [[nodiscard]] bool covered_before(const Int3& node, const NodeMap& nodes) const {
    return before_.covers(node, nodes);
  }
  /// The place of the part that is a node of the box; none if it is not covered.
  [[nodiscard]] std::optional<Int3> covered_place(const Int3& node, const NodeMap& nodes) const {
    return now_.covered_place(node, nodes);
  }
  /// Places of the grid that are covered, and were not before the last move; those that were, and are not. In the order
  /// of z, y, x.
  [[nodiscard]] const std::vector<Int3>& gained() const { return gained_; }
  [[nodiscard]] const std::vector<Int3>& lost() const { return lost_; }

 private:
  struct Part {
    Int3 low{}, size{};
    std::vector<Kind> kind;  ///< x fastest
    [[nodiscard]] std::size_t at(const Int3& local) const {
      return (static_cast<std::size_t>(local[2]) * static_cast<std::size_t>(size[1]) +
              static_cast<std::size_t>(local[1])) *
                 static_cast<std::size_t>(size[0]) +
             static_cast<std::size_t>(local[0]);
    }
    [[nodiscard]] std::optional<Int3> covered_place(const Int3& node, const NodeMap& nodes) const;
    [[nodiscard]] bool covers(const Int3& node, const NodeMap& nodes) const {
      return covered_place(node, nodes).has_value();
    }
  };
  void lay(const Asked& asked, const std::array<Real3, 2>& corners);
  void find_band(int dimension, int threads);
  void follow(const Asked& asked);
  /// Places that one part has covered, and the other one has not, for all that is known without asking for images.
  [[nodiscard]] static std::vector<Int3> difference(const Part& part, const Part& other, int threads);

  Part now_, before_;
  bool differ_in_band_ = false;  ///< alone
  std::vector<Int3> gained_, lost_;
  Pose pose_{};
  double way_ = 0;          ///< that the surface has gone since the part was laid, at most
  std::vector<float> due_;  ///< [at]: the way up to which what is known of a place of the band stays true
  std::vector<Place> band_;
};

}  // namespace fluvia
