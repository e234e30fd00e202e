// SPDX-License-Identifier: Apache-2.0
// Bodies that move through the nodes (docs/decisions/0053): which nodes they cover at a step, where their surfaces meet
// links, and which nodes they uncover. The geometry holds all nodes that they sweep as fluid, so that storage never
// changes; nodes that are covered hold a fluid at rest, which nobody sees.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fluvia/solver/bodies/body_course.hpp"
#include "fluvia/solver/bodies/body_cover.hpp"
#include "fluvia/solver/bodies/body_measure.hpp"
#include "fluvia/solver/bodies/body_shape.hpp"
#include "fluvia/solver/bodies/links/part_nodes.hpp"
#include "fluvia/solver/observables.hpp"

namespace fluvia {

/// A link from a node of fluid that the surface of a body cuts. MovingBodies says where, and how fast that is.
struct BodyLink {
  Int3 node;               ///< of the grid, beyond the box where the body is there over a periodic face
  std::uint8_t direction;  ///< from the node to the surface
  std::uint8_t body;
  /// Whether the body does not cover the end. That is fluid, too, beyond a corner of the body or where it is thin: its
  /// own link to this node is cut then, by this body or another one. Or:
  bool is_through;
  /// Whether the end lies in a wall at rest between which and the body there is no node: the body's face goes on there.
  bool is_at_wall;
  double part;  ///< of the link, from the node
};

/// What a body takes from the fluid over a link along `c`, in the frame of its surface, which has a velocity there,
/// where deviations of so much leave towards it and come back.
inline Real3 force_over_link(const Int3& c, const Real3& velocity, double sent, double returned) {
  Real3 taken;
  for (std::size_t a = 0; a < 3; ++a) taken[a] = (sent + returned) * c[a] - (sent - returned) * velocity[a];
  return taken;
}

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
  /// From the next start_at() on, links and nodes are those of this part of the domain; bodies are where they are for
  /// all parts. The geometry may have been left with what is around the part.
  void keep_to(const Block& part) { part_ = PartNodes(*nodes_, part); }
  [[nodiscard]] const PartNodes& part() const { return part_; }
  [[nodiscard]] bool empty() const { return bodies_.empty(); }
  /// The body with this surface, a number of Geometry::surfaces; -1: none.
  [[nodiscard]] int with_surface(int surface) const;
  /// Where a body is now, with its middle in the box along periodic axes.
  [[nodiscard]] const Pose& pose(int body) const { return bodies_[index(body)].pose; }
  /// Where it was a step ago, while the last exchange went over its links; as pose() before the first step.
  [[nodiscard]] const Pose& last_pose(int body) const { return bodies_[index(body)].last_pose; }
  /// Its center at rest, where its surface is as the case gives it.
  [[nodiscard]] const Real3& center(int body) const { return bodies_[index(body)].center; }
  [[nodiscard]] bool any_free() const { return any_free_; }
  /// All that a body is now; its place goes on over periodic faces.
  [[nodiscard]] const BodyState& state(int body) const { return bodies_[index(body)].state; }

  /// Leaves links to a GPU, which finds them by formulas(), if all bodies have some: links() are empty from then on
  /// at steps where links_are_left().
  void leave_links() { leaves_links_ = have_formulas(); }
  /// Not where bodies come so near to each other that one may have a say in the links of another, nor where they touch
  /// walls or nearly do, whose links then belong to bodies.
  [[nodiscard]] bool links_are_left() const { return links_are_left_; }
  /// Whether all bodies are made of parts with formulas that GPUs have, too.
  [[nodiscard]] bool have_formulas() const;
  /// What links of a body are found by: parts of it at rest, what it covers, links along its axes, and how far from the
  /// middle of a tile a surface can be that they reach.
  [[nodiscard]] std::vector<core::BodyPart> formulas(int body) const {
    return bodies_[index(body)].shape.cuts->formulas();
  }
  [[nodiscard]] const BodyCover& cover(int body) const { return bodies_[index(body)].cover; }
  [[nodiscard]] std::vector<LinkWay> ways(int body) const;
  [[nodiscard]] double reach_of_links() const;
  [[nodiscard]] const FluidNodes& fluid() const { return fluid_; }

  /// Lets all bodies begin anew, at step 0.
  void begin();
  /// Takes the bodies up where they are at a step, as if they had been nowhere before: all that they cover is
  /// newly_covered(). Bodies that are free, or are steered, are where load() put them.
  void start_at(std::int64_t step);
  /// Moves the bodies on to the next step, of which the number is given. `felt`: what the fluid does to each, about the
  /// center of its pose; read for those that are free. Throws Error(input) if one meets another or leaves the box.
  void move_to(std::int64_t step, std::span<const SurfaceForce> felt);
  /// Lets a body go on with these velocities of its center, and about it. links() have them then. Throws Error(input)
  /// beyond Mach 0.3.
  void set_velocity(int body, const Real3& velocity, const Real3& angular_velocity);
  /// One of BodyState::numbers numbers of each body, to go on from.
  void save(int number, std::span<double> out) const;
  void load(int number, std::span<const double> in);

  /// Links that surfaces cut at this step, by the body, and for each by tiles around it in the order of z, y, x, then
  /// of nodes in tiles of the box, then of directions: that order, and so sums over links, depend on no scheme.
  [[nodiscard]] const std::vector<BodyLink>& links() const { return links_; }
  /// Those that begin at nodes of other parts, and end in nodes of this one that are covered.
  [[nodiscard]] const std::vector<BodyLink>& links_of_others() const { return links_of_others_; }
  /// The tile of the node of one of links(), in canonical order.
  [[nodiscard]] std::uint32_t tile_of(const BodyLink& link) const {
    const Int3 x = node_of(link), shape = tile_shape(nodes_->dimension);
    return nodes_->directory[nodes_->directory_index({x[0] / shape[0], x[1] / shape[1], x[2] / shape[2]})];
  }
  /// The node of a link, and the one at its end, in the box.
  [[nodiscard]] Int3 node_of(const BodyLink& link) const { return fluid_.node_at(link.node); }
  [[nodiscard]] Int3 end_of(const BodyLink& link) const {
    const Int3& c = velocities_[link.direction];
    return fluid_.node_at({link.node[0] + c[0], link.node[1] + c[1], link.node[2] + c[2]});
  }
  /// Where a link meets the surface, lattice units; beyond the box where it crosses a periodic face.
  [[nodiscard]] Real3 place_of(const BodyLink& link) const {
    return geometry::node_centre(link.node) + link.part * geometry::link_vector(velocities_[link.direction]);
  }
  /// The velocity of the surface there, for one of links().
  [[nodiscard]] Real3 velocity_of(const BodyLink& link) const { return pose(link.body).velocity_at(place_of(link)); }
  /// What of it goes along the link. It is the same all along the link, as a body is rigid.
  [[nodiscard]] double speed_along(const BodyLink& link) const {
    const Int3& c = velocities_[link.direction];
    const Real3 velocity = pose(link.body).velocity_at(geometry::node_centre(link.node));
    return c[0] * velocity[0] + c[1] * velocity[1] + c[2] * velocity[2];
  }
  /// Whether links() and what is covered are other ones than a step ago.
  [[nodiscard]] bool have_moved() const { return have_moved_; }
  /// The links a step ago, over which the last exchange went; none after start_at().
  [[nodiscard]] const std::vector<BodyLink>& last_links() const { return have_moved_ ? last_links_ : links_; }
  [[nodiscard]] const std::vector<Int3>& newly_covered() const { return newly_covered_; }
  [[nodiscard]] const std::vector<UncoveredNode>& uncovered() const { return uncovered_; }
  [[nodiscard]] const std::vector<Int3>& neighbours() const { return neighbours_; }
  /// Nodes of this part that are neighbours of nodes which other parts have uncovered(); some several times.
  [[nodiscard]] const std::vector<Int3>& neighbours_of_others() const { return neighbours_of_others_; }
  /// Where a surface lies between a node and one that it covers.
  struct Meeting {
    int body;
    double part;  ///< of the step
    Real3 velocity;
  };
  /// Where a step of no more than a link, from a node of the box, meets the surface of a body that covers the node to
  /// which it leads; none where no body does.
  [[nodiscard]] std::optional<Meeting> meeting(const Int3& node, const Int3& step) const;
  /// Whether a node of the box is covered at this step.
  [[nodiscard]] bool covers(const Int3& node) const;

  /// Throws Error(input) if a body that is told leaves the box at a step, comes too near to other levels of refinement,
  /// is too large for the box, or its surface is faster than Mach 0.3; a free one, at the first.
  void check_step(int body, std::int64_t step) const;
  [[nodiscard]] int count() const { return static_cast<int>(bodies_.size()); }

 private:
  struct Body {
    std::string surface, key;
    BodyShape shape;
    BodyMeasure measure;  ///< empty unless some body is free
    Real3 center;         ///< at rest
    BodyCourse course;
    BodyState state{};
    Pose pose{}, last_pose{};
    BodyCover cover{};
    std::array<Real3, 2> whole{};  ///< corners of a box around it at rest
    /// Where a place of the body at its pose was before it moved.
    [[nodiscard]] Real3 in_rest(const Real3& place) const { return center + pose.in_body(place); }
    [[nodiscard]] std::array<Real3, 2> extent(const Pose& at) const;
    [[nodiscard]] double speed(const Pose& at) const;
    /// Where it reaches, and how fast its surface is, at most, by the box around it.
    [[nodiscard]] std::array<Real3, 2> roughly(const Pose& at, double& speed) const;
  };
  static std::size_t index(int body) { return static_cast<std::size_t>(body); }

  void place(bool anew);
  void push(std::span<const SurfaceForce> felt);
  [[nodiscard]] Pose in_box(const Body& body, const Pose& pose) const;
  [[nodiscard]] bool is_inside(const std::array<Real3, 2>& corners, std::size_t axis) const;
  [[nodiscard]] bool fits(const std::array<Real3, 2>& corners, std::size_t axis) const;
  void check(const Body& body, const Pose& pose, std::int64_t step) const;
  void check_levels(const Body& body, const Pose& pose, std::int64_t step) const;
  void check_level_at_start() const;
  class LinkSearch;
  void find_links(int number);
  void keep_nearest_of_through_links();
  void keep_own_links();
  void find_changes();
  [[nodiscard]] bool was_covered(const Int3& node) const;
  /// Nodes that a body does not cover any more, and their neighbours.
  struct Lost {
    std::vector<UncoveredNode> nodes;
    std::vector<Int3> neighbours, neighbours_of_others;
  };
  void look_at_lost(const Body& body, const Int3& place, Lost& lost) const;
  void check_meetings() const;
  [[nodiscard]] bool are_apart() const;
  /// Whether a link may lead along a body into a wall.
  [[nodiscard]] bool are_near_walls() const;
  [[nodiscard]] bool covered_by_others(const Body& body, const Int3& node) const;
  [[noreturn]] void refuse(const Body& body, std::int64_t step, const std::string& problem) const;

  const NodeMap* nodes_ = nullptr;
  std::vector<Int3> velocities_;
  std::vector<std::string> surfaces_;
  Units units_;
  int threads_ = 1;
  std::int64_t step_ = 0;
  bool have_moved_ = true, any_free_ = false, leaves_links_ = false, links_are_left_ = false;
  Grid grid_;
  int level_ = 0;             ///< of refinement
  FluidBeside other_levels_;  ///< fluid that they compute beside this one
  FluidNodes fluid_;
  PartNodes part_;
  std::vector<Body> bodies_;
  std::vector<BodyLink> links_, last_links_, links_of_others_;
  std::size_t links_found_ = 0;               ///< of links_, while they are found
  std::vector<std::vector<BodyLink>> found_;  ///< [thread], room that stays from step to step
  std::vector<double> lengths_;               ///< of the links of each direction
  std::vector<Int3> newly_covered_, neighbours_, neighbours_of_others_;
  std::vector<UncoveredNode> uncovered_;
};

/// Throws Error(input) for bodies that would leave the box, come too near to other levels of refinement than that of
/// the problem, meet at the start, or move too fast, at any of many times of the run; what happens between these times
/// ends the run when it happens.
void check_bodies(const Problem& problem);

}  // namespace fluvia
