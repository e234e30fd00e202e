// SPDX-License-Identifier: Apache-2.0
// Bodies that move through the nodes (docs/decisions/0053): which nodes they cover at a step, where their surfaces meet
// links, and which nodes they uncover. The geometry holds all nodes that they sweep as fluid, so that storage never
// changes; nodes that are covered hold a fluid at rest, which nobody sees.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "fluvia/solver/bodies/body_shape.hpp"
#include "fluvia/solver/bodies/rigid_motion.hpp"

namespace fluvia {

/// A link from a node of fluid that the surface of a body cuts.
struct BodyLink {
  Int3 node, end;  ///< both in the box
  Real3 place;     ///< where it meets the surface, lattice units; beyond the box where it crosses a periodic face
  Real3 velocity;  ///< of the surface there
  double part;     ///< of the link, from the node
  std::uint8_t direction;  ///< from the node to the surface
  std::uint8_t body;
  /// Whether the end is fluid, too, beyond a corner of the body or where it is thin: its own link to this node is cut
  /// then, by this body or another one. Else the body covers it.
  bool is_through;
};

/// A node that was covered a step ago, and is not now.
struct UncoveredNode {
  Int3 node;
  Real3 velocity;              ///< of the body that covered it
  std::uint32_t first, count;  ///< its neighbours that are fluid at both times, in MovingBodies::neighbours()
};

/// The bodies of a case, and where they are.
class MovingBodies {
 public:
  MovingBodies() = default;
  /// None for a case without bodies. The geometry must outlive them. `threads`: that look for links. Throws
  /// Error(input).
  MovingBodies(const Problem& problem, const std::vector<Int3>& velocities, int threads);
  /// Bodies of which nothing but their poses is asked.
  explicit MovingBodies(const Problem& problem) : MovingBodies(problem, {}, 1) {}

  [[nodiscard]] bool empty() const { return bodies_.empty(); }
  /// The body with this surface, a number of Geometry::surfaces; -1: none.
  [[nodiscard]] int with_surface(int surface) const;
  /// The pose at a step, with the middle of the body in the box along periodic axes.
  [[nodiscard]] Pose pose_at(int body, std::int64_t step) const;
  /// The pose at the step of move_to().
  [[nodiscard]] const Pose& pose(int body) const { return bodies_[index(body)].pose; }

  /// Puts the bodies where they are at a step, as if they had been nowhere before: all that they cover is
  /// newly_covered().
  void start_at(std::int64_t step);
  /// Moves the bodies on to the next step. Throws Error(input) if one meets another or leaves the box.
  void move_to(std::int64_t step);

  /// Links that surfaces cut at this step, by the body, and for each in the order of z, y, x of their nodes, then of
  /// directions: that order, and so sums over links, depend on no scheme.
  [[nodiscard]] const std::vector<BodyLink>& links() const { return links_; }
  /// Whether links() and what is covered are other ones than a step ago.
  [[nodiscard]] bool have_moved() const { return have_moved_; }
  /// The links a step ago, over which the last exchange went; none after start_at().
  [[nodiscard]] const std::vector<BodyLink>& last_links() const { return last_links_; }
  [[nodiscard]] const std::vector<Int3>& newly_covered() const { return newly_covered_; }
  [[nodiscard]] const std::vector<UncoveredNode>& uncovered() const { return uncovered_; }
  [[nodiscard]] const std::vector<Int3>& neighbours() const { return neighbours_; }
  /// Whether a node of the box is covered at this step.
  [[nodiscard]] bool covers(const Int3& node) const;

  /// Throws Error(input) if a body leaves the box at a step, is too large for it, or its surface is faster than
  /// Mach 0.3. Returns the largest speed of a surface.
  double check_pose(int body, std::int64_t step) const;
  [[nodiscard]] int count() const { return static_cast<int>(bodies_.size()); }

 private:
  /// Nodes that a body covers, in a part of the grid around it that may reach beyond periodic faces.
  struct Cover {
    Int3 low{}, size{};
    std::vector<std::uint8_t> state;  ///< x fastest; one of what follows
    /// near: fluid that may have links to the body; absent: no fluid of the domain, though the surface is near.
    static constexpr std::uint8_t open = 0, covered = 1, near = 2, absent = 3;
    std::vector<float> gap;  ///< of nodes that are near, at most their distance from the surface
    [[nodiscard]] std::size_t at(const Int3& local) const {
      return (static_cast<std::size_t>(local[2]) * static_cast<std::size_t>(size[1]) +
              static_cast<std::size_t>(local[1])) *
                 static_cast<std::size_t>(size[0]) +
             static_cast<std::size_t>(local[0]);
    }
    /// Whether it covers a node of the box.
    [[nodiscard]] bool covers(const Int3& node, const NodeMap& nodes) const;
  };
  struct Body {
    std::string surface, key;
    BodyShape shape;
    Real3 center;  ///< at rest
    RigidMotion motion;
    Pose pose;
    Cover cover, before;
    /// Where a place of the body at its pose was before it moved.
    [[nodiscard]] Real3 in_rest(const Real3& place) const { return center + pose.in_body(place); }
    [[nodiscard]] std::array<Real3, 2> extent(const Pose& at) const;
    [[nodiscard]] double speed(const Pose& at) const;
  };
  static std::size_t index(int body) { return static_cast<std::size_t>(body); }

  [[nodiscard]] bool is_fluid(const Int3& place) const;
  void place_at(std::int64_t step);
  void cover(Body& body) const;
  void find_links(int number);
  void keep_nearest_of_through_links();
  void find_changes();
  void check_meetings() const;
  [[nodiscard]] bool covered_by_others(const Body& body, const Int3& node) const;
  [[noreturn]] void refuse(const Body& body, std::int64_t step, const std::string& problem) const;

  const NodeMap* nodes_ = nullptr;
  std::vector<Int3> velocities_;
  std::vector<std::string> surfaces_;
  Units units_;
  int threads_ = 1;
  std::int64_t step_ = 0;
  bool have_moved_ = true;
  std::vector<Body> bodies_;
  std::vector<BodyLink> links_, last_links_;
  std::vector<Int3> newly_covered_, neighbours_;
  std::vector<UncoveredNode> uncovered_;
};

/// Throws Error(input) for bodies that would leave the box, meet at the start, or move too fast, at any of many times
/// of the run; what happens between these times ends the run when it happens.
void check_bodies(const Problem& problem);

}  // namespace fluvia
