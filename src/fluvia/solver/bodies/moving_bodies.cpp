// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/bodies/moving_bodies.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "fluvia/base/error.hpp"
#include "fluvia/core/lattice/lattice.hpp"

namespace fluvia {

namespace {

/// Longest link of any lattice, and fluid beyond it around a body.
constexpr double longest_link = 1.7320508075688774;
constexpr int margin = 3;
/// Surfaces that nearly touch a node count as this far from it, in parts of the link.
constexpr double least_part = 1e-3;
constexpr double most_mach = 0.3;

int modulo(int i, int n) {
  const int rest = i % n;
  return rest < 0 ? rest + n : rest;
}

}  // namespace

bool MovingBodies::Cover::covers(const Int3& node, const NodeMap& nodes) const {
  Int3 local;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    local[axis] = node[axis] - low[axis];
    if (nodes.periodic[axis]) local[axis] = modulo(local[axis], nodes.size[axis]);
    if (local[axis] < 0 || local[axis] >= size[axis]) return false;
  }
  return state[at(local)] == covered;
}

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

MovingBodies::MovingBodies(const Problem& problem, const std::vector<Int3>& velocities, int threads)
    : velocities_(velocities), surfaces_(problem.geometry.surfaces), units_(problem.units), threads_(threads) {
  const Case& c = problem.settings;
  if (c.bodies.empty()) return;
  nodes_ = &problem.geometry.nodes;
  const Grid grid = problem.grid();
  for (std::size_t k = 0; k < c.bodies.size(); ++k) {
    const Case::Body& body = c.bodies[k];
    const std::string key = fmt::format("body[{}]", k);
    BodyShape shape = make_body_shape(c, grid, body.surface);
    Real3 center = body.motion.center ? geometry::to_lattice(grid, *body.motion.center) : shape.middle;
    if (grid.dimension == 2) center[2] = 0.5;
    bodies_.push_back({body.surface,
                       c.place(key) + ": " + key,
                       std::move(shape),
                       center,
                       RigidMotion(c, body.motion, key + ".motion", units_, center),
                       {},
                       {},
                       {}});
  }
}

int MovingBodies::with_surface(int surface) const {
  for (std::size_t k = 0; k < bodies_.size(); ++k)
    if (surfaces_[index(surface)] == bodies_[k].surface) return static_cast<int>(k);
  return -1;
}

void MovingBodies::refuse(const Body& body, std::int64_t step, const std::string& problem) const {
  throw_input(fmt::format("{}: '{}' {} at step {} (time {:.6g})", body.key, body.surface, problem, step,
                          units_.si_time(static_cast<double>(step))));
}

Pose MovingBodies::pose_at(int number, std::int64_t step) const {
  const Body& body = bodies_[index(number)];
  Pose pose = body.motion.at(step);
  const std::array<Real3, 2> corners = body.extent(pose);
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (nodes_->periodic[axis] && static_cast<int>(axis) < nodes_->dimension) {
      const double size = nodes_->size[axis], middle = 0.5 * (corners[0][axis] + corners[1][axis]);
      pose.center[axis] -= size * std::floor(middle / size);
    }
  return pose;
}

double MovingBodies::check_pose(int number, std::int64_t step) const {
  const Body& body = bodies_[index(number)];
  const Pose pose = pose_at(number, step);
  const std::array<Real3, 2> corners = body.extent(pose);
  if (!std::isfinite(norm(pose.center) + norm(pose.velocity)))
    refuse(body, step, "has no place, since a formula has no value,");
  for (int a = 0; a < nodes_->dimension; ++a) {
    const auto axis = static_cast<std::size_t>(a);
    const int size = nodes_->size[axis];
    if (!nodes_->periodic[axis] && !(corners[0][axis] >= 0 && corners[1][axis] <= size))
      refuse(
          body, step,
          fmt::format("leaves the box along {}, where it would reach from node {:.4g} to {:.4g} of {}; keep it inside, "
                      "or end the run before,",
                      "xyz"[a], corners[0][axis], corners[1][axis], size));
    if (nodes_->periodic[axis] && corners[1][axis] - corners[0][axis] + 2 * margin + 2 > size)
      refuse(
          body, step,
          fmt::format("and its own image beyond the periodic faces along {} lie too near to each other: it is {:.4g} "
                      "nodes long, the box {}; take a larger box",
                      "xyz"[a], corners[1][axis] - corners[0][axis], size));
  }
  const double fastest = body.speed(pose);
  if (const double mach = std::sqrt(inverse_cs2) * fastest; mach > most_mach)
    refuse(body, step,
           fmt::format("moves with Mach {:.3g}, and the flow is that of an incompressible fluid up to about {}; take a "
                       "smaller units.lattice_velocity or time_step",
                       mach, most_mach));
  return fastest;
}

bool MovingBodies::covers(const Int3& node) const {
  return std::any_of(bodies_.begin(), bodies_.end(),
                     [&](const Body& body) { return body.cover.covers(node, *nodes_); });
}

bool MovingBodies::covered_by_others(const Body& body, const Int3& node) const {
  return count() > 1 && std::any_of(bodies_.begin(), bodies_.end(), [&](const Body& other) {
           return &other != &body && other.cover.covers(node, *nodes_);
         });
}

/// Whether a place of the grid, which may lie beyond periodic faces, is a node of fluid.
bool MovingBodies::is_fluid(const Int3& place) const {
  const NodeMap::Landing at = nodes_->land(place);
  return at.inside && nodes_->is_fluid(at.node);
}

/// Finds what a body covers row by row. As distances change by no more than the way, most nodes need none.
void MovingBodies::cover(Body& body) const {
  const std::array<Real3, 2> corners = body.extent(body.pose);
  Cover& cover = body.cover;
  for (int a = 0; a < 3; ++a) {
    const auto axis = static_cast<std::size_t>(a);
    const bool flat = a >= nodes_->dimension;
    cover.low[axis] = flat ? 0 : static_cast<int>(std::floor(corners[0][axis])) - margin;
    cover.size[axis] = flat ? 1 : static_cast<int>(std::floor(corners[1][axis])) + margin + 1 - cover.low[axis];
  }
  const auto rows = static_cast<std::int64_t>(cover.size[1]) * cover.size[2];
  cover.state.assign(static_cast<std::size_t>(rows) * static_cast<std::size_t>(cover.size[0]), Cover::open);
  cover.gap.resize(cover.state.size());
#pragma omp parallel for schedule(dynamic, 16) num_threads(threads_) if (rows > 256)
  for (std::int64_t row = 0; row < rows; ++row) {
    const int y = static_cast<int>(row % cover.size[1]), z = static_cast<int>(row / cover.size[1]);
    std::uint8_t* const state = cover.state.data() + cover.at({0, y, z});
    float* const gap = cover.gap.data() + cover.at({0, y, z});
    for (int x = 0; x < cover.size[0];) {
      const Real3 place{cover.low[0] + x + 0.5, cover.low[1] + y + 0.5, cover.low[2] + z + 0.5};
      const double distance = body.shape.distance(body.in_rest(place));
      // A hair less than may be skipped, for rounding.
      const double sure = (distance <= 0 ? -distance : distance - longest_link) - 1e-6;
      const int end = std::min(cover.size[0], x + std::max(1, static_cast<int>(std::floor(sure)) + 1));
      const std::uint8_t kind = distance <= 0                    ? Cover::covered
                                : distance > longest_link + 1e-6 ? Cover::open
                                                                 : Cover::near;
      std::fill(state + x, state + end, kind);
      if (kind == Cover::near) gap[x] = static_cast<float>(distance) - 1e-5F;  // for rounding
      // How near the surface is at least follows from where it was asked for.
      for (int at = x; at < end && kind != Cover::open; ++at)
        if (std::abs(distance) - (at - x) <= longest_link + 1e-6 &&
            !is_fluid({cover.low[0] + at, cover.low[1] + y, cover.low[2] + z}))
          state[at] = Cover::absent;
      x = end;
    }
  }
}

void MovingBodies::find_links(int number) {
  const Body& body = bodies_[index(number)];
  const Cover& cover = body.cover;
  const auto rows = static_cast<std::int64_t>(cover.size[1]) * cover.size[2];
  // Nodes at the rim of the part lie too far away for a link, though distances may be too small to say so.
  const auto is_rim = [&](std::size_t axis, int at) {
    return static_cast<int>(axis) < nodes_->dimension && (at == 0 || at + 1 == cover.size[axis]);
  };
  std::vector<double> lengths;
  for (const Int3& c : velocities_) lengths.push_back(norm(geometry::link_vector(c)));
  std::vector<std::vector<BodyLink>> found(static_cast<std::size_t>(threads_));
#pragma omp parallel num_threads(threads_) if (rows > 256)
  {
    const int team = omp_get_num_threads(), thread = omp_get_thread_num();
    std::vector<BodyLink>& mine = found[static_cast<std::size_t>(thread)];
    for (std::int64_t row = rows * thread / team; row < rows * (thread + 1) / team; ++row) {
      const int y = static_cast<int>(row % cover.size[1]), z = static_cast<int>(row / cover.size[1]);
      if (is_rim(1, y) || is_rim(2, z)) continue;
      const std::uint8_t* const state = cover.state.data() + cover.at({0, y, z});
      for (int x = 1; x + 1 < cover.size[0]; ++x) {
        if (state[x] != Cover::near) continue;
        const Int3 node{cover.low[0] + x, cover.low[1] + y, cover.low[2] + z};
        const NodeMap::Landing here = nodes_->land(node);
        if (covered_by_others(body, here.node)) continue;
        const double gap = cover.gap[cover.at({x, y, z})];
        const Real3 from = geometry::node_centre(node), own = body.in_rest(from);
        for (std::size_t k = 1; k < velocities_.size(); ++k) {
          const Int3& c = velocities_[k];
          const std::size_t beyond = cover.at({x + c[0], y + c[1], z + c[2]});
          const std::uint8_t kind = cover.state[beyond];
          if (kind != Cover::covered && (kind != Cover::near || gap + cover.gap[beyond] > lengths[k])) continue;
          const Int3 end{node[0] + c[0], node[1] + c[1], node[2] + c[2]};
          const NodeMap::Landing there = nodes_->land(end);
          double part = 0;
          if (kind == Cover::covered) {
            part = body.shape.entry(own, body.in_rest(geometry::node_centre(end)));
          } else {
            if (covered_by_others(body, there.node)) continue;
            // Both ends ask for the same way, so that both have a link or none.
            const bool forward = k < static_cast<std::size_t>(core::opposite(static_cast<int>(k)));
            const Real3 other = body.in_rest(geometry::node_centre(end));
            const std::optional<Chord> chord = forward ? body.shape.chord(own, other) : body.shape.chord(other, own);
            if (!chord) continue;
            part = forward ? chord->entry : 1 - chord->exit;
          }
          part = std::max(least_part, part);
          const Real3 place = from + part * geometry::link_vector(c);
          mine.push_back({here.node, there.node, place, body.pose.velocity_at(place), part,
                          static_cast<std::uint8_t>(k), static_cast<std::uint8_t>(number), kind != Cover::covered});
        }
      }
    }
  }
  for (const std::vector<BodyLink>& part : found) links_.insert(links_.end(), part.begin(), part.end());
}

/// Of links that two bodies cut between two nodes of fluid the one that is met first stays.
void MovingBodies::keep_nearest_of_through_links() {
  if (count() < 2) return;
  std::map<std::array<int, 4>, std::size_t> known;
  std::vector<bool> is_dropped(links_.size(), false);
  for (std::size_t k = 0; k < links_.size(); ++k) {
    const BodyLink& link = links_[k];
    if (!link.is_through) continue;
    const auto [at, is_new] = known.try_emplace({link.node[0], link.node[1], link.node[2], link.direction}, k);
    if (is_new) continue;
    const bool nearer = link.part < links_[at->second].part;
    is_dropped[nearer ? at->second : k] = true;
    if (nearer) at->second = k;
  }
  std::erase_if(links_,
                [&](const BodyLink& link) { return is_dropped[static_cast<std::size_t>(&link - links_.data())]; });
}

/// Throws where a node is covered by two bodies.
void MovingBodies::check_meetings() const {
  for (std::size_t k = 1; k < bodies_.size(); ++k) {
    const Cover& cover = bodies_[k].cover;
    for (std::size_t other = 0; other < k; ++other) {
      const auto apart = [&](std::size_t axis) {  // not for bodies near a periodic face, whose nodes are asked
        const Cover& o = bodies_[other].cover;
        return !nodes_->periodic[axis] &&
               (cover.low[axis] + cover.size[axis] <= o.low[axis] || o.low[axis] + o.size[axis] <= cover.low[axis]);
      };
      if (apart(0) || apart(1) || apart(2)) continue;
      for (int z = 0; z < cover.size[2]; ++z)
        for (int y = 0; y < cover.size[1]; ++y)
          for (int x = 0; x < cover.size[0]; ++x) {
            if (cover.state[cover.at({x, y, z})] != Cover::covered) continue;
            const NodeMap::Landing at = nodes_->land({cover.low[0] + x, cover.low[1] + y, cover.low[2] + z});
            if (at.inside && bodies_[other].cover.covers(at.node, *nodes_))
              refuse(bodies_[k], step_,
                     fmt::format("meets '{}', and bodies cannot touch yet; keep them apart, or end the run before,",
                                 bodies_[other].surface));
          }
    }
  }
}

void MovingBodies::place_at(std::int64_t step) {
  step_ = step;
  have_moved_ = false;
  for (int k = 0; k < count(); ++k) {
    check_pose(k, step);
    Body& body = bodies_[index(k)];
    const Pose pose = pose_at(k, step);
    have_moved_ = have_moved_ || body.cover.state.empty() || !(pose == body.pose);
    body.pose = pose;
  }
  if (!have_moved_) {
    last_links_ = links_;
    return;
  }
  for (Body& body : bodies_) {
    std::swap(body.before, body.cover);
    cover(body);
  }
  check_meetings();
  std::swap(links_, last_links_);
  links_.clear();
  for (int k = 0; k < count(); ++k) find_links(k);
  keep_nearest_of_through_links();
}

void MovingBodies::find_changes() {
  newly_covered_.clear();
  uncovered_.clear();
  neighbours_.clear();
  if (!have_moved_) return;
  const auto was_covered = [&](const Int3& node) {
    return std::any_of(bodies_.begin(), bodies_.end(),
                       [&](const Body& body) { return body.before.covers(node, *nodes_); });
  };
  // Covered places of one cover that are not covered in another one of the body, for all that is known without asking
  // for the image in the box.
  const auto for_each_new = [&](const Cover& cover, const Cover& other, const auto& visit) {
    const Int3 shift{cover.low[0] - other.low[0], cover.low[1] - other.low[1], cover.low[2] - other.low[2]};
    const auto is_in = [&](std::size_t axis, int at) { return at >= 0 && at < other.size[axis]; };
    for (int z = 0; z < cover.size[2]; ++z)
      for (int y = 0; y < cover.size[1]; ++y) {
        const std::uint8_t* const state = cover.state.data() + cover.at({0, y, z});
        const bool has_row = !other.state.empty() && is_in(1, y + shift[1]) && is_in(2, z + shift[2]);
        const std::size_t row = has_row ? other.at({0, y + shift[1], z + shift[2]}) : 0;
        for (int x = 0; x < cover.size[0]; ++x) {
          if (state[x] != Cover::covered) continue;
          const int there = x + shift[0];
          if (has_row && is_in(0, there) && other.state[row + static_cast<std::size_t>(there)] == Cover::covered)
            continue;
          visit(Int3{cover.low[0] + x, cover.low[1] + y, cover.low[2] + z});
        }
      }
  };
  for (const Body& body : bodies_) {
    for_each_new(body.cover, body.before, [&](const Int3& place) {
      const NodeMap::Landing at = nodes_->land(place);
      if (at.inside && nodes_->is_fluid(at.node) && !was_covered(at.node)) newly_covered_.push_back(at.node);
    });
    if (body.before.state.empty()) continue;
    for_each_new(body.before, body.cover, [&](const Int3& place) {
      const NodeMap::Landing at = nodes_->land(place);
      if (!at.inside || !nodes_->is_fluid(at.node) || covers(at.node)) return;
      UncoveredNode node{at.node, body.pose.velocity_at(geometry::node_centre(place)),
                         static_cast<std::uint32_t>(neighbours_.size()), 0};
      for (std::size_t k = 1; k < velocities_.size(); ++k) {
        const Int3& c = velocities_[k];
        const NodeMap::Landing there = nodes_->land({place[0] + c[0], place[1] + c[1], place[2] + c[2]});
        if (!there.inside || !nodes_->is_fluid(there.node) || covers(there.node) || was_covered(there.node)) continue;
        neighbours_.push_back(there.node);
        ++node.count;
      }
      uncovered_.push_back(node);
    });
  }
}

void MovingBodies::start_at(std::int64_t step) {
  for (Body& body : bodies_) body.cover = {};
  links_.clear();
  place_at(step);
  find_changes();
}

void MovingBodies::move_to(std::int64_t step) {
  place_at(step);
  find_changes();
}

void check_bodies(const Problem& problem) {
  const Case& c = problem.settings;
  if (c.bodies.empty()) return;
  MovingBodies bodies(problem);
  std::int64_t last = c.run.steps.value_or(0);
  if (c.run.time) last = static_cast<std::int64_t>(*c.run.time / problem.units.time_step);
  constexpr std::int64_t times = 2000;
  for (int body = 0; body < bodies.count(); ++body)
    for (std::int64_t k = 0; k <= times; ++k) bodies.check_pose(body, last * k / times);
  bodies.start_at(0);
}

}  // namespace fluvia
