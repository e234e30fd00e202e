// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/tracers/emitter.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "fluvia/base/error.hpp"
#include "fluvia/base/text.hpp"
#include "fluvia/geometry/map/link_search.hpp"
#include "fluvia/solver/links/surface_roles.hpp"

namespace fluvia {

namespace {

/// Places that are tried before a region counts as without fluid, and in a run before the last one is taken.
constexpr std::uint64_t most_attempts = 4096;
/// How far inside an opening points appear, nodes.
constexpr double inside_opening = 1e-6;

Real3 to_nodes(const Problem& problem, const Real3& place) {
  Real3 at = (1 / problem.units.spacing) * (place - problem.geometry.origin);
  if (problem.geometry.nodes.dimension == 2) at[2] = 0.5;
  return at;
}

std::string text_of(const Real3& place) {
  return "(" + format_real(place[0]) + ", " + format_real(place[1]) + ", " + format_real(place[2]) + ")";
}

}  // namespace

Emitter::Emitter(const Problem& problem, const NodeCells& cells, std::size_t number) : cells_(cells), draws_(number) {
  const Case& c = problem.settings;
  const Case::Tracer& tracer = c.tracers[number];
  const std::string key = "tracer[" + std::to_string(number) + "]";
  const double step = problem.units.time_step;
  if (tracer.rate) rate_ = *tracer.rate * step;
  count_ = static_cast<std::uint64_t>(tracer.count.value_or(0));
  start_ = tracer.start / step;
  if (tracer.end) end_ = *tracer.end / step;
  if (!tracer.from.empty()) {
    const int surface = find_surface(problem.geometry, tracer.from);
    const Opening* opening = find_opening(problem.geometry, surface);
    if (opening == nullptr) {
      std::vector<std::string> names;
      for (const Opening& each : problem.geometry.openings) names.push_back(each.name);
      throw_input(c.place(key + ".from") + ": " + key + ".from: '" + shorten(tracer.from) +
                  "' is no opening, through which points could come in" + did_you_mean(tracer.from, names) +
                  (names.empty() ? "; use 'box' or 'sphere'" : " (openings: " + join(names) + ")"));
    }
    find_nodes(problem.geometry, *opening);
    return;
  }
  if (tracer.box) {
    lower_ = to_nodes(problem, (*tracer.box)[0]);
    upper_ = to_nodes(problem, (*tracer.box)[1]);
  } else {
    sphere_radius_ = problem.units.length(tracer.sphere->radius);
    const Real3 center = to_nodes(problem, tracer.sphere->center);
    lower_ = upper_ = center;
    for (int a = 0; a < problem.geometry.nodes.dimension; ++a) {
      lower_[a] -= *sphere_radius_;
      upper_[a] += *sphere_radius_;
    }
  }
  for (std::uint64_t attempt = 0; attempt < most_attempts; ++attempt)
    if (const std::optional<Real3> place = draw(0, attempt, {})) {
      known_ = *place;
      return;
    }
  const Int3 size = problem.geometry.nodes.size;
  const std::string place = key + (tracer.box ? ".box" : ".sphere");
  throw_input(
      c.place(place) + ": " + place +
      ": there is no fluid in it, but points appear in fluid only; the box of the flow goes from " +
      text_of(problem.geometry.origin) + " to " +
      text_of(problem.geometry.origin + problem.units.spacing * Real3{1.0 * size[0], 1.0 * size[1], 1.0 * size[2]}));
}

void Emitter::find_nodes(const Geometry& geometry, const Opening& opening) {
  const NodeMap& nodes = geometry.nodes;
  Plane plane{opening.centroid, opening.normal, 0, {}, {}, {}, {}};
  for (int a = 1; a < nodes.dimension; ++a)
    if (std::abs(opening.normal[a]) > std::abs(opening.normal[plane.axis])) plane.axis = a;
  Int3 offset{};
  offset[plane.axis] = opening.normal[plane.axis] > 0 ? 1 : -1;
  const std::vector<Int3> offsets{offset};
  LinkSearch search(nodes, offsets);
  for (std::uint64_t t = 0; t < nodes.tiles.size(); ++t)
    search.visit_tile(t, [&](const NodeWithCuts& at) {
      if (geometry.surface_of(at.node, offset) != opening.surface) return;
      plane.nodes.push_back({static_cast<std::uint32_t>(t), static_cast<std::uint8_t>(at.bit)});
      plane.index.push_back(nodes.node_index(at.node));
    });
  plane.speed.assign(plane.nodes.size(), 0.0);
  plane.sums.assign(plane.nodes.size(), 0.0);
  plane_ = std::move(plane);
}

std::uint64_t Emitter::count_at(std::int64_t step) const {
  const auto now = static_cast<double>(step);
  if (now < start_ || (plane_ && plane_->nodes.empty())) return 0;
  if (!rate_) return count_;
  const double until = end_ ? std::min(now, *end_) : now;
  return static_cast<std::uint64_t>(std::floor(*rate_ * (until - start_)));
}

void Emitter::want(NearVelocities& near) const {
  if (!plane_) return;
  for (const NodeMap::Node& node : plane_->nodes) {
    constexpr int reach = 3;
    near.want(position(node), reach);
  }
}

Real3 Emitter::position(const NodeMap::Node& node) const {
  const Int3 x = cells_.nodes().node_position(cells_.nodes().tiles[node.tile], node.bit);
  return {x[0] + 0.5, x[1] + 0.5, x[2] + 0.5};
}

void Emitter::take(std::span<const Real3> velocities) {
  if (!plane_) return;
  double sum = 0;
  for (std::size_t k = 0; k < plane_->nodes.size(); ++k) {
    plane_->speed[k] = std::max(0.0, -dot(velocities[static_cast<std::size_t>(plane_->index[k])], plane_->normal));
    plane_->sums[k] = sum += plane_->speed[k];
  }
}

Real3 Emitter::draw_at_opening(const NodeMap::Node& node, double one, double two) const {
  const NodeMap& nodes = cells_.nodes();
  Real3 place = position(node);
  const double side = plane_->normal[plane_->axis] > 0 ? 1 : -1;
  const double offsets[] = {one - 0.5, two - 0.5};
  int next = 0;
  for (int a = 0; a < nodes.dimension; ++a)
    if (a != plane_->axis) place[a] += offsets[next++];
  // Along the axis to the plane, but not behind the link that the opening cuts.
  const double to_plane =
      side * dot(plane_->centroid - place, plane_->normal) / plane_->normal[plane_->axis] - inside_opening;
  place[plane_->axis] += side * std::clamp(to_plane, -0.5, half_way_along_link - inside_opening);
  return place;
}

std::optional<Real3> Emitter::draw(std::uint64_t point, std::uint64_t attempt,
                                   std::span<const Real3> velocities) const {
  const auto number = [&](std::uint64_t k) { return draws_(point, attempt, k); };
  if (!plane_) {
    Real3 place{};
    for (int a = 0; a < 3; ++a) place[a] = lower_[a] + number(static_cast<std::uint64_t>(a)) * (upper_[a] - lower_[a]);
    if (sphere_radius_) {
      const Real3 from_center = place - 0.5 * (lower_ + upper_);
      if (norm(from_center) > *sphere_radius_) return std::nullopt;
    }
    return cells_.in_fluid(place) ? std::optional(place) : std::nullopt;
  }
  const std::vector<double>& sums = plane_->sums;
  const double inflow = sums.back(), chosen = number(0);
  std::size_t k = 0;
  if (inflow > 0)
    k = static_cast<std::size_t>(std::upper_bound(sums.begin(), sums.end(), chosen * inflow) - sums.begin());
  else
    k = static_cast<std::size_t>(chosen * static_cast<double>(sums.size()));
  k = std::min(k, sums.size() - 1);
  const Real3 place = draw_at_opening(plane_->nodes[k], number(1), number(2));
  if (!cells_.in_fluid(place)) return std::nullopt;
  if (!(inflow > 0)) return place;
  // The chance to have come here, speed of the node, times that to stay is the speed at the place.
  constexpr double most = 2;
  const double speed = -dot(cells_.velocity(place, velocities), plane_->normal);
  return number(3) * most * plane_->speed[k] < speed ? std::optional(place) : std::nullopt;
}

Real3 Emitter::place_of(std::uint64_t point, std::span<const Real3> velocities) const {
  for (std::uint64_t attempt = 0; attempt < most_attempts; ++attempt)
    if (const std::optional<Real3> place = draw(point, attempt, velocities)) return *place;
  return plane_ ? position(plane_->nodes.front()) : known_;
}

}  // namespace fluvia
