// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/bodies/moving_bodies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "fluvia/base/error.hpp"
#include "fluvia/geometry/layers/layer.hpp"
#include "fluvia/solver/bodies/contact.hpp"

namespace fluvia {

namespace {

constexpr double most_mach = 0.3;
/// Nodes between a body and those of other levels: what crosses between levels, or its slope, comes from nodes at most
/// two away from there.
constexpr double least_gap_to_levels = 3;

}  // namespace

std::array<Real3, 2> MovingBodies::Body::extent(const Pose& at) const {
  constexpr double far = std::numeric_limits<double>::max();
  std::array<Real3, 2> corners{Real3{far, far, far}, Real3{-far, -far, -far}};
  for (const RoundedBox& part : shape.parts) {
    const Real3 half = 0.5 * (part.high - part.low), there = at.in_box(0.5 * (part.low + part.high) - center);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      double reach = part.radius;
      for (std::size_t own = 0; own < 3; ++own) reach += half[own] * std::abs(at.axes[own][axis]);
      corners[0][axis] = std::min(corners[0][axis], there[axis] - reach);
      corners[1][axis] = std::max(corners[1][axis], there[axis] + reach);
    }
  }
  return corners;
}

/// The largest speed of its surface, or a little more.
double MovingBodies::Body::speed(const Pose& at) const {
  double fastest = 0;
  for (const RoundedBox& part : shape.parts)
    for (int corner = 0; corner < 8; ++corner) {
      Real3 arm;
      for (std::size_t a = 0; a < 3; ++a) arm[a] = ((corner >> a & 1) != 0 ? part.high : part.low)[a] - center[a];
      const double own = norm(at.velocity_at(at.in_box(arm)));
      fastest = std::max(fastest, own + norm(at.angular_velocity) * part.radius);
    }
  return fastest;
}

std::array<Real3, 2> MovingBodies::Body::roughly(const Pose& at, double& speed) const {
  std::array<Real3, 2> corners{at.center, at.center};
  speed = 0;
  for (int corner = 0; corner < 8; ++corner) {
    Real3 arm;
    for (std::size_t a = 0; a < 3; ++a) arm[a] = whole[static_cast<std::size_t>(corner >> a & 1)][a] - center[a];
    const Real3 there = at.in_box(arm);
    speed = std::max(speed, norm(at.velocity_at(there)));
    for (std::size_t a = 0; a < 3; ++a) {
      corners[0][a] = std::min(corners[0][a], there[a]);
      corners[1][a] = std::max(corners[1][a], there[a]);
    }
  }
  return corners;
}

MovingBodies::MovingBodies(const Problem& problem, const std::vector<Int3>& velocities, int threads)
    : velocities_(velocities), surfaces_(problem.geometry.surfaces), units_(problem.units), threads_(threads) {
  const Case& c = problem.settings;
  if (c.bodies.empty()) return;
  nodes_ = &problem.geometry.nodes;
  const Grid grid = grid_ = problem.grid();
  level_ = problem.geometry.level;
  if (level_ > 0) other_levels_ = problem.geometry.beside;
  fluid_ = {nodes_, nodes_->fluid_nodes == static_cast<std::uint64_t>(nodes_->size[0]) *
                                               static_cast<std::uint64_t>(nodes_->size[1]) *
                                               static_cast<std::uint64_t>(nodes_->size[2])};
  any_free_ =
      std::any_of(c.bodies.begin(), c.bodies.end(), [](const Case::Body& body) { return body.free.has_value(); });
  for (const Int3& velocity : velocities_) lengths_.push_back(norm(geometry::link_vector(velocity)));
  for (std::size_t k = 0; k < c.bodies.size(); ++k) {
    const Case::Body& body = c.bodies[k];
    const std::string key = fmt::format("body[{}]", k);
    BodyShape shape = make_body_shape(c, grid, body.surface);
    BodyMeasure measure = any_free_ ? measure_body(shape, grid.dimension) : BodyMeasure();
    Real3 center = body.motion.center ? geometry::to_lattice(grid, *body.motion.center) : shape.middle;
    if (grid.dimension == 2) center[2] = 0.5;
    BodyCourse course = [&] {
      if (!body.free) return BodyCourse(RigidMotion(c, body.motion, key + ".motion", units_, center));
      const FreeMotion free(c, *body.free, key + ".free", units_, grid, measure);
      center = free.center();
      return BodyCourse(free);
    }();
    bodies_.push_back(
        {body.surface, c.place(key) + ": " + key, std::move(shape), std::move(measure), center, std::move(course)});
  }
  for (Body& body : bodies_) body.whole = body.extent(Pose{body.center});
  begin();
  check_level_at_start();
}

int MovingBodies::with_surface(int surface) const {
  for (std::size_t k = 0; k < bodies_.size(); ++k)
    if (surfaces_[index(surface)] == bodies_[k].surface) return static_cast<int>(k);
  return -1;
}

void MovingBodies::refuse(const Body& body, std::int64_t step, const std::string& problem) const {
  throw_input(fmt::format("{}: '{}' {} at step {} (time {:.6g})", body.key, body.surface, problem, step >> level_,
                          units_.si_time(static_cast<double>(step))));
}

Pose MovingBodies::in_box(const Body& body, const Pose& free) const {
  Pose pose = free;
  const auto end = nodes_->periodic.begin() + nodes_->dimension;
  if (std::find(nodes_->periodic.begin(), end, true) == end) return pose;
  const std::array<Real3, 2> corners = body.extent(pose);
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (nodes_->periodic[axis] && static_cast<int>(axis) < nodes_->dimension) {
      const double size = nodes_->size[axis], middle = 0.5 * (corners[0][axis] + corners[1][axis]);
      pose.center[axis] -= size * std::floor(middle / size);
    }
  return pose;
}

void MovingBodies::check_step(int number, std::int64_t step) const {
  const Body& body = bodies_[index(number)];
  check(body, in_box(body, body.course.begin(step).pose), step);
}

/// Whether what reaches so far lies in the box along an axis; whether the box has room for it beside its own image.
bool MovingBodies::is_inside(const std::array<Real3, 2>& corners, std::size_t axis) const {
  constexpr double rounding = 1e-9;  // a piston touches walls of the box, wherever this has its origin
  return corners[0][axis] >= -rounding && corners[1][axis] <= nodes_->size[axis] + rounding;
}
bool MovingBodies::fits(const std::array<Real3, 2>& corners, std::size_t axis) const {
  return corners[1][axis] - corners[0][axis] + 2 * BodyCover::margin + 2 <= nodes_->size[axis];
}

/// Throws Error(input) for a pose that a body cannot have.
void MovingBodies::check(const Body& body, const Pose& pose, std::int64_t step) const {
  if (!std::isfinite(norm(pose.center) + norm(pose.velocity)))
    refuse(body, step,
           body.course.is_free() ? "has no place any more, since the flow or its motion is unstable,"
                                 : "has no place, since a formula has no value,");
  check_levels(body, pose, step);
  // The box around the body is good enough to say of most poses that nothing is wrong, and soon asked.
  double speed = 0;
  std::array<Real3, 2> corners = body.roughly(pose, speed);
  bool is_good = std::sqrt(inverse_cs2) * speed <= most_mach;
  for (std::size_t axis = 0; static_cast<int>(axis) < nodes_->dimension; ++axis)
    is_good = is_good && (nodes_->periodic[axis] ? fits(corners, axis) : is_inside(corners, axis));
  if (is_good) return;
  corners = body.extent(pose);
  for (int a = 0; a < nodes_->dimension; ++a) {
    const auto axis = static_cast<std::size_t>(a);
    const int size = nodes_->size[axis];
    if (!nodes_->periodic[axis] && !is_inside(corners, axis))
      refuse(
          body, step,
          fmt::format("leaves the box along {}, where it would reach from node {:.4g} to {:.4g} of {}; keep it inside, "
                      "or end the run before,",
                      "xyz"[a], corners[0][axis], corners[1][axis], size));
    if (nodes_->periodic[axis] && !fits(corners, axis))
      refuse(
          body, step,
          fmt::format("and its own image beyond the periodic faces along {} lie too near to each other: it is {:.4g} "
                      "nodes long, the box {}; take a larger box",
                      "xyz"[a], corners[1][axis] - corners[0][axis], size));
  }
  if (const double mach = std::sqrt(inverse_cs2) * body.speed(pose); mach > most_mach)
    refuse(body, step,
           fmt::format("moves with Mach {:.3g}, and the flow is that of an incompressible fluid up to about {}; take a "
                       "smaller units.lattice_velocity or time_step",
                       mach, most_mach));
}

/// Throws Error(input) for a body that does not begin where the finest level is.
void MovingBodies::check_level_at_start() const {
  if (level_ == 0) return;
  const Int3 shape = tile_shape(nodes_->dimension);
  for (const Body& body : bodies_) {
    const std::array<Real3, 2> corners = body.extent(in_box(body, body.state.pose));
    Int3 tile;
    for (std::size_t a = 0; a < 3; ++a)
      tile[a] = static_cast<int>(std::floor(0.5 * (corners[0][a] + corners[1][a]) / shape[a]));
    if (nodes_->tile_at(tile) == empty_tile)
      refuse(body, 0,
             "begins outside of the finest level of refinement, where bodies move; let regions of [[refine]] take in "
             "all of its way,");
  }
}

/// Throws Error(input) for a pose at which a body is too near to what other levels of refinement compute.
void MovingBodies::check_levels(const Body& body, const Pose& pose, std::int64_t step) const {
  if (other_levels_.tiles().empty()) return;
  const std::array<Real3, 2> corners = body.extent(pose);
  const Int3 shape = tile_shape(nodes_->dimension);
  const double reach = 0.5 * norm(Real3{shape[0] - 1.0, shape[1] - 1.0, shape[2] - 1.0});
  const auto distance_at = [&](const Real3& place) { return body.shape.distance(body.center + pose.in_body(place)); };
  for (const FluidBeside::Tile& tile : other_levels_.tiles()) {
    Int3 first{};
    bool is_near = true;
    for (std::size_t a = 0; static_cast<int>(a) < nodes_->dimension; ++a) {
      const int size = nodes_->size[a];
      first[a] = shape[a] * tile.position[a];
      const double apart = 0.5 * (corners[0][a] + corners[1][a] - shape[a]) - first[a];
      if (nodes_->periodic[a])
        first[a] += size * static_cast<int>(std::floor(apart / size + 0.5));  // the nearest image
      is_near = is_near && first[a] < corners[1][a] + least_gap_to_levels &&
                first[a] + shape[a] > corners[0][a] - least_gap_to_levels;
    }
    if (!is_near) continue;
    const Real3 middle{first[0] + 0.5 * shape[0], first[1] + 0.5 * shape[1], first[2] + 0.5 * shape[2]};
    if (distance_at(middle) > reach + least_gap_to_levels) continue;
    for (std::uint64_t left = tile.mask; left != 0; left &= left - 1) {
      const Int3 local = tile_local(nodes_->dimension, std::countr_zero(left));
      const Real3 place = geometry::node_centre({first[0] + local[0], first[1] + local[1], first[2] + local[2]});
      if (distance_at(place) < least_gap_to_levels)
        refuse(body, step,
               fmt::format("comes nearer than {} nodes to a coarser level at {}; let regions of [[refine]] take in all "
                           "of its way, or end the run before,",
                           least_gap_to_levels, geometry::format_point(geometry::to_case(grid_, place))));
    }
  }
}

bool MovingBodies::covers(const Int3& node) const {
  return std::any_of(bodies_.begin(), bodies_.end(),
                     [&](const Body& body) { return body.cover.covers(node, *nodes_); });
}

std::optional<MovingBodies::Meeting> MovingBodies::meeting(const Int3& node, const Int3& step) const {
  const NodeMap::Landing end = nodes_->land({node[0] + step[0], node[1] + step[1], node[2] + step[2]});
  if (!end.inside) return {};
  for (int k = 0; k < count(); ++k) {
    const Body& body = bodies_[index(k)];
    const std::optional<Int3> there = body.cover.covered_place(end.node, *nodes_);
    if (!there) continue;
    const Real3 to = geometry::node_centre(*there);
    const Real3 from = to - Real3{1.0 * step[0], 1.0 * step[1], 1.0 * step[2]};
    if (body.shape.distance(body.in_rest(from)) <= 0) return Meeting{k, 0, body.pose.velocity_at(from)};
    const double part = body.shape.cuts->entry(body.in_rest(from), body.in_rest(to));
    return Meeting{k, part, body.pose.velocity_at(from + part * (to - from))};
  }
  return {};
}

bool MovingBodies::covered_by_others(const Body& body, const Int3& node) const {
  return count() > 1 && std::any_of(bodies_.begin(), bodies_.end(), [&](const Body& other) {
           return &other != &body && other.cover.covers(node, *nodes_);
         });
}

/// Throws where a node is covered by two bodies.
void MovingBodies::check_meetings() const {
  for (std::size_t k = 1; k < bodies_.size(); ++k) {
    const BodyCover& cover = bodies_[k].cover;
    for (std::size_t other = 0; other < k; ++other) {
      const BodyCover& with = bodies_[other].cover;
      const auto apart = [&](std::size_t axis) {  // not for bodies near a periodic face, whose nodes are asked
        return !nodes_->periodic[axis] &&
               (cover.end()[axis] <= with.low()[axis] || with.end()[axis] <= cover.low()[axis]);
      };
      if (apart(0) || apart(1) || apart(2)) continue;
      for (std::size_t tile = 0; tile < cover.tiles(); ++tile) {
        if (cover.covered(tile) == 0) continue;
        const Int3 first = cover.node_of(tile);
        for (std::uint64_t left = cover.covered(tile); left != 0; left &= left - 1) {
          const Int3 local = tile_local(nodes_->dimension, std::countr_zero(left));
          const Int3 node = fluid_.node_at({first[0] + local[0], first[1] + local[1], first[2] + local[2]});
          if (with.covers(node, *nodes_))
            refuse(bodies_[k], step_,
                   fmt::format("meets '{}', and bodies cannot touch yet; keep them apart, or end the run before,",
                               bodies_[other].surface));
        }
      }
    }
  }
}

/// Whether no link that a body cuts begins or ends in another, or is cut by it, too.
bool MovingBodies::are_apart() const {
  constexpr double apart = 2;  // more than the longest link
  std::vector<std::array<Real3, 2>> extents;
  for (const Body& body : bodies_) extents.push_back(body.extent(body.pose));
  const auto meet = [&](const std::array<Real3, 2>& one, const std::array<Real3, 2>& other, std::size_t axis) {
    const auto meet_moved = [&](double way) {
      return one[0][axis] <= other[1][axis] + way + apart && other[0][axis] + way <= one[1][axis] + apart;
    };
    const double size = nodes_->size[axis];
    return meet_moved(0) || (nodes_->periodic[axis] && (meet_moved(-size) || meet_moved(size)));
  };
  for (std::size_t k = 1; k < extents.size(); ++k)
    for (std::size_t other = 0; other < k; ++other) {
      bool do_meet = true;
      for (std::size_t axis = 0; static_cast<int>(axis) < nodes_->dimension; ++axis)
        do_meet = do_meet && meet(extents[k], extents[other], axis);
      if (do_meet) return false;
    }
  return true;
}

bool MovingBodies::have_formulas() const {
  return std::none_of(bodies_.begin(), bodies_.end(),
                      [](const Body& body) { return body.shape.cuts->formulas().empty(); });
}

/// Finds what bodies cover, and their links, where they are now.
void MovingBodies::place(bool anew) {
  have_moved_ = anew;
  for (Body& body : bodies_) {
    const Pose pose = in_box(body, body.state.pose);
    check(body, pose, step_);
    have_moved_ = have_moved_ || !(pose == body.pose);
    body.last_pose = std::exchange(body.pose, pose);
    if (anew) body.last_pose = pose;
  }
  if (!have_moved_) return;
  for (Body& body : bodies_)
    body.cover.move_to({body.shape, body.center, body.pose, body.whole, fluid_, threads_}, body.extent(body.pose));
  check_meetings();
  std::swap(links_, last_links_);
  links_are_left_ = leaves_links_ && are_apart() && !are_near_walls();
  if (links_are_left_) return links_.clear();
  links_found_ = 0;  // the vector stays as long as it is, so that new links need not be made before they are known
  for (int k = 0; k < count(); ++k) find_links(k);
  links_.resize(links_found_);
  keep_nearest_of_through_links();
  keep_own_links();
}

/// Of what was found at nodes beside this part only what ends in it stays, apart from its own.
void MovingBodies::keep_own_links() {
  links_of_others_.clear();
  if (part_.is_whole()) return;
  std::erase_if(links_, [&](const BodyLink& link) {
    if (part_.owns(node_of(link))) return false;
    if (!link.is_through && part_.owns(end_of(link))) links_of_others_.push_back(link);
    return true;
  });
}

/// Gives free bodies the velocities with which they go on from where they are now.
void MovingBodies::push(std::span<const SurfaceForce> felt) {
  std::vector<BodyLoad> loads(bodies_.size());
  std::vector<ContactBody> touching;
  for (std::size_t k = 0; k < bodies_.size(); ++k) {
    const Body& body = bodies_[k];
    loads[k].force = felt[k].force;
    loads[k].torque = felt[k].torque;
    const Pose pose = in_box(body, body.state.pose);
    touching.push_back({&body.shape, &body.measure, body.center, pose, body.extent(pose), body.course.is_free()});
  }
  add_contacts(touching, *nodes_, units_.viscosity, loads);
  for (std::size_t k = 0; k < bodies_.size(); ++k) bodies_[k].course.push(bodies_[k].state, loads[k]);
}

void MovingBodies::set_velocity(int number, const Real3& velocity, const Real3& angular_velocity) {
  Body& body = bodies_[index(number)];
  BodyState state = body.state;
  body.course.set_velocity(state, velocity, angular_velocity);
  const Pose pose = in_box(body, state.pose);
  check(body, pose, step_);
  body.state = state;
  body.pose = pose;
}

void MovingBodies::save(int number, std::span<double> out) const {
  for (std::size_t k = 0; k < bodies_.size(); ++k) out[k] = bodies_[k].state.packed()[index(number)];
}

void MovingBodies::load(int number, std::span<const double> in) {
  for (std::size_t k = 0; k < bodies_.size(); ++k) {
    std::array<double, BodyState::numbers> numbers = bodies_[k].state.packed();
    numbers[index(number)] = in[k];
    bodies_[k].state = BodyState::unpacked(numbers);
  }
}

bool MovingBodies::was_covered(const Int3& node) const {
  return std::any_of(bodies_.begin(), bodies_.end(),
                     [&](const Body& body) { return body.cover.covered_before(node, *nodes_); });
}

void MovingBodies::find_changes() {
  newly_covered_.clear();
  uncovered_.clear();
  neighbours_.clear();
  neighbours_of_others_.clear();
  if (!have_moved_) return;
  for (const Body& body : bodies_) {
    for (const Int3& place : body.cover.gained()) {
      const NodeMap::Landing at = nodes_->land(place);
      if (at.inside && part_.owns(at.node) && nodes_->is_fluid(at.node) && !was_covered(at.node))
        newly_covered_.push_back(at.node);
    }
    const std::vector<Int3>& lost = body.cover.lost();
    constexpr std::size_t least = 64;  // nodes that are worth several threads
    const std::size_t pieces = lost.size() < least ? 1 : static_cast<std::size_t>(threads_);
    std::vector<Lost> found(pieces);
#pragma omp parallel for schedule(static, 1) num_threads(static_cast <int>(pieces)) if (pieces > 1)
    for (std::size_t p = 0; p < pieces; ++p)
      for (std::size_t k = lost.size() * p / pieces; k < lost.size() * (p + 1) / pieces; ++k)
        look_at_lost(body, lost[k], found[p]);
    for (const Lost& piece : found) {
      for (UncoveredNode node : piece.nodes) {
        node.first += static_cast<std::uint32_t>(neighbours_.size());
        uncovered_.push_back(node);
      }
      neighbours_.insert(neighbours_.end(), piece.neighbours.begin(), piece.neighbours.end());
      neighbours_of_others_.insert(neighbours_of_others_.end(), piece.neighbours_of_others.begin(),
                                   piece.neighbours_of_others.end());
    }
  }
}

/// Adds a place that a body does not cover any more, and its neighbours, if it is a node of fluid now.
void MovingBodies::look_at_lost(const Body& body, const Int3& place, Lost& lost) const {
  const NodeMap::Landing at = nodes_->land(place);
  if (!at.inside || !part_.sees(at.node) || !nodes_->is_fluid(at.node) || covers(at.node)) return;
  const bool is_own = part_.owns(at.node);
  UncoveredNode node{at.node, body.pose.velocity_at(geometry::node_centre(place)),
                     static_cast<std::uint32_t>(lost.neighbours.size()), 0};
  for (std::size_t k = 1; k < velocities_.size(); ++k) {
    const Int3& c = velocities_[k];
    const NodeMap::Landing there = nodes_->land({place[0] + c[0], place[1] + c[1], place[2] + c[2]});
    if (!there.inside || !(is_own || part_.owns(there.node))) continue;
    if (!nodes_->is_fluid(there.node) || covers(there.node) || was_covered(there.node)) continue;
    (is_own ? lost.neighbours : lost.neighbours_of_others).push_back(there.node);
    ++node.count;
  }
  if (is_own) lost.nodes.push_back(node);
}

void MovingBodies::begin() {
  for (Body& body : bodies_) body.state = body.course.begin(0);
}

void MovingBodies::start_at(std::int64_t step) {
  step_ = step;
  for (Body& body : bodies_) {
    body.course.take_up(body.state, step);
    body.cover.forget();
  }
  links_.clear();
  place(true);
  find_changes();
}

void MovingBodies::move_to(std::int64_t step, std::span<const SurfaceForce> felt) {
  step_ = step;
  for (Body& body : bodies_) body.course.go(body.state, step);
  if (any_free_) push(felt);
  place(false);
  find_changes();
}

void check_bodies(const Problem& problem) {
  const Case& c = problem.settings;
  if (c.bodies.empty()) return;
  MovingBodies bodies(problem, {}, 1);
  std::int64_t last = c.run.steps.value_or(0) << problem.geometry.level;
  if (c.run.time) last = static_cast<std::int64_t>(*c.run.time / problem.units.time_step);
  constexpr std::int64_t times = 2000;
  for (int body = 0; body < bodies.count(); ++body)
    for (std::int64_t k = 0; k <= times; ++k) bodies.check_step(body, last * k / times);
  bodies.start_at(0);
}

}  // namespace fluvia
