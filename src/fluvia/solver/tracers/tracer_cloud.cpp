// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/tracers/tracer_cloud.hpp"

#include <algorithm>
#include <cmath>

#include "fluvia/base/error.hpp"
#include "fluvia/base/text.hpp"
#include "fluvia/solver/links/surface_roles.hpp"

namespace fluvia {

namespace {

/// How far around a place the nodes lie that decide about a point there: the corners of a cell, and the node behind one
/// beside a wall. A point goes less than half a node in a step: 0.6 is the largest Mach number.
constexpr int reach_of_cell = 2;
/// Times that a way is mirrored before the point stays where it was.
constexpr int most_reflections = 4;
constexpr std::size_t numbers_of_point = 9, numbers_of_departure = 7, numbers_of_head = 4;

}  // namespace

TracerCloud::TracerCloud(const Problem& problem, const NodeCells& cells, std::size_t number)
    : cells_(cells),
      emitter_(problem, cells, number),
      draws_(~std::uint64_t{number}),
      sticks_(problem.geometry.surfaces.size(), 0) {
  const Case& c = problem.settings;
  const Case::Tracer& tracer = c.tracers[number];
  const Units& units = problem.units;
  const std::string key = "tracer[" + std::to_string(number) + "]";
  for (const std::string& name : tracer.stick)
    if (const int surface = find_surface(problem.geometry, name); surface >= 0)
      sticks_[static_cast<std::size_t>(surface)] = 1;
  radius_ = units.length(tracer.radius);
  every_ = std::int64_t{tracer.every} << problem.geometry.level;
  const double diffusivity = tracer.diffusivity * units.time_step / (units.spacing * units.spacing);
  walk_ = std::sqrt(6 * diffusivity);
  const auto steps = static_cast<double>(every_);
  constexpr double longest = 0.5;  // nodes; so far points see surfaces
  if (walk_ * std::sqrt(steps) > longest) {
    const double most = longest * longest / 6 / steps * units.spacing * units.spacing / units.time_step;
    throw_input(c.place(key + ".diffusivity") + ": " + key + ".diffusivity: '" + format_real(tracer.diffusivity) +
                "' takes points more than half a node in " + std::to_string(tracer.every) + " steps; give at most " +
                format_real(most) + ", a smaller 'every', or a shorter time step");
  }
}

void TracerCloud::want(NearVelocities& near, std::int64_t step) const {
  if (emitter_.count_at(step) > appeared_) emitter_.want(near);
  for (const TracerPoint& point : points_)
    if (point.stuck_to < 0) near.want(point.place, reach_of_cell + static_cast<int>(every_ + 1) / 2);
}

void TracerCloud::begin(std::int64_t step, std::span<const Real3> velocities) {
  at_ = step;
  emit(step, velocities);
}

void TracerCloud::emit(std::int64_t step, std::span<const Real3> velocities) {
  const std::uint64_t due = emitter_.count_at(step);
  if (due <= appeared_) return;
  emitter_.take(velocities);
  const std::size_t first = points_.size();
  const std::uint64_t first_id = appeared_;
  points_.resize(first + due - appeared_);
  appeared_ = due;
  const auto count = static_cast<std::int64_t>(points_.size() - first);
#pragma omp parallel for schedule(static)
  for (std::int64_t k = 0; k < count; ++k) {
    TracerPoint& point = points_[first + static_cast<std::size_t>(k)];
    point.id = first_id + static_cast<std::uint64_t>(k);
    point.born = static_cast<double>(step);
    point.place = emitter_.place_of(point.id, velocities);
    point.velocity = cells_.velocity(point.place, velocities);
  }
}

void TracerCloud::wrap(Real3& place) const {
  const NodeMap& nodes = cells_.nodes();
  for (int a = 0; a < nodes.dimension; ++a) {
    if (!nodes.periodic[a]) continue;
    const double size = nodes.size[a];
    if (place[a] < 0) place[a] += size;
    if (place[a] >= size) place[a] -= size;
    // Adding the size may round up to it.
    if (place[a] >= size) place[a] = 0;
  }
}

/// What the faces of the box do to a way that ends beyond them; false if the point goes no further.
bool TracerCloud::meet_faces(const Real3& from, Landing& landing) const {
  const NodeMap& nodes = cells_.nodes();
  for (int a = 0; a < nodes.dimension; ++a) {
    if (nodes.periodic[a]) continue;
    for (const int side : {0, 1}) {
      const double end = side == 0 ? 0 : nodes.size[a];
      double& at = landing.place[a];
      const double before = side == 0 ? at - end : end - at;  // distance from the face, negative beyond it
      if (before >= radius_ && before >= 0) continue;
      const int surface = cells_.surface_beyond(landing.place, 2 * a + side);
      const bool is_mirror = nodes.mirrors[static_cast<std::size_t>(2 * a + side)];
      if (!is_mirror && cells_.surface(surface).is_opening) {
        if (before >= 0) continue;
        const double way = from[a] - at;
        landing.part = way == 0 ? 1 : std::clamp((from[a] - end) / way, 0.0, 1.0);
        landing.place = from + landing.part * (landing.place - from);
        landing.opening = surface;
        return false;
      }
      if (!is_mirror && sticks_[static_cast<std::size_t>(surface)] != 0 && before <= reach_of(surface)) {
        if (before < 0) at = end;
        landing.stuck_to = surface;
        return false;
      }
      if (before < 0) at = 2 * end - at;
    }
  }
  return true;
}

/// What surfaces in the box do to a way that ends in them; false if the point goes no further, or need not.
bool TracerCloud::meet_walls(const Real3& from, Landing& landing) const {
  Real3 inside = landing.place;
  wrap(inside);
  const auto beside = cells_.beside(inside);
  if (!beside || beside->surface < 0) {
    if (cells_.in_fluid(inside)) return false;
    // So deep in what is solid, behind a sharp edge, there is no surface near; half of the way ends beside one.
    landing.place = 0.5 * (from + landing.place);
    return true;
  }
  const bool sticks = sticks_[static_cast<std::size_t>(beside->surface)] != 0;
  const double gradient = norm(beside->inwards);
  if (sticks && beside->distance <= radius_) {
    landing.stuck_to = beside->surface;
    if (beside->distance < 0 && gradient > 0)
      landing.place = landing.place - (beside->distance / (gradient * gradient)) * beside->inwards;
    return false;
  }
  if (beside->distance >= 0) return false;
  if (cells_.surface(beside->surface).is_opening) {
    const auto before = cells_.beside(from);
    const double first = before ? std::max(0.0, before->distance) : 1;
    landing.part = first / (first - beside->distance);
    landing.place = from + landing.part * (landing.place - from);
    landing.opening = beside->surface;
    return false;
  }
  // The mirror image at the surface, which is a plane within the way but for its curvature.
  if (!(gradient > 0)) {
    landing.place = from;
    return false;
  }
  landing.place = landing.place - (2 * beside->distance / (gradient * gradient)) * beside->inwards;
  return true;
}

TracerCloud::Landing TracerCloud::land(const Real3& from, Real3 to) const {
  Landing landing{to, -1, -1, 1};
  bool goes_on = true;
  for (int k = 0; k < most_reflections && goes_on; ++k)
    goes_on = meet_faces(from, landing) && meet_walls(from, landing);
  if (goes_on) landing = {from, -1, -1, 1};
  wrap(landing.place);
  return landing;
}

TracerCloud::Landing TracerCloud::move(const TracerPoint& point, std::int64_t step,
                                       std::span<const Real3> velocities) const {
  const auto time = static_cast<double>(step - at_);
  const Landing predicted = land(point.place, point.place + time * point.velocity);
  // A way that ends at a surface is short: its first velocity does.
  const bool ends = predicted.opening >= 0 || predicted.stuck_to >= 0;
  const Real3 then = ends ? point.velocity : cells_.velocity(predicted.place, velocities);
  Real3 to = point.place + (0.5 * time) * (point.velocity + then);
  if (walk_ > 0)
    for (int a = 0; a < cells_.nodes().dimension; ++a)
      to[a] += walk_ * std::sqrt(time) *
               (2 * draws_(point.id, static_cast<std::uint64_t>(step), static_cast<std::uint64_t>(a)) - 1);
  return land(point.place, to);
}

void TracerCloud::advance(std::int64_t step, std::span<const Real3> velocities) {
  const auto count = static_cast<std::int64_t>(points_.size());
  std::vector<Landing> landings(points_.size());
#pragma omp parallel for schedule(static)
  for (std::int64_t k = 0; k < count; ++k) {
    TracerPoint& point = points_[static_cast<std::size_t>(k)];
    Landing& landing = landings[static_cast<std::size_t>(k)];
    if (point.stuck_to >= 0) continue;
    landing = move(point, step, velocities);
    if (landing.opening >= 0) continue;
    point.place = landing.place;
    point.stuck_to = landing.stuck_to;
    point.velocity = landing.stuck_to >= 0 ? Real3{} : cells_.velocity(point.place, velocities);
  }
  std::size_t kept = 0;
  for (std::size_t k = 0; k < points_.size(); ++k) {
    const Landing& landing = landings[k];
    if (landing.opening < 0) {
      points_[kept++] = points_[k];
      continue;
    }
    const double time = static_cast<double>(at_) + landing.part * static_cast<double>(step - at_);
    departures_.push_back({points_[k].id, time, points_[k].born, landing.place, landing.opening});
  }
  points_.resize(kept);
  at_ = step;
  emit(step, velocities);
}

std::uint64_t TracerCloud::stuck_to(int surface) const {
  return static_cast<std::uint64_t>(std::count_if(points_.begin(), points_.end(),
                                                  [&](const TracerPoint& point) { return point.stuck_to == surface; }));
}

std::uint64_t TracerCloud::moving() const {
  return stuck_to(-1);
}

std::uint64_t TracerCloud::left_by(int surface) const {
  return static_cast<std::uint64_t>(std::count_if(
      departures_.begin(), departures_.end(), [&](const TracerDeparture& left) { return left.surface == surface; }));
}

std::vector<double> TracerCloud::state() const {
  std::vector<double> state{static_cast<double>(appeared_), static_cast<double>(points_.size()),
                            static_cast<double>(departures_.size()), static_cast<double>(at_)};
  state.reserve(numbers_of_head + numbers_of_point * points_.size() + numbers_of_departure * departures_.size());
  for (const TracerPoint& p : points_)
    for (const double number : {static_cast<double>(p.id), p.born, p.place[0], p.place[1], p.place[2], p.velocity[0],
                                p.velocity[1], p.velocity[2], static_cast<double>(p.stuck_to)})
      state.push_back(number);
  for (const TracerDeparture& d : departures_)
    for (const double number : {static_cast<double>(d.id), d.time, d.born, d.place[0], d.place[1], d.place[2],
                                static_cast<double>(d.surface)})
      state.push_back(number);
  return state;
}

bool TracerCloud::restore(std::span<const double> state) {
  if (state.size() < numbers_of_head || !(state[1] >= 0) || !(state[2] >= 0)) return false;
  const auto points = static_cast<std::size_t>(state[1]), departures = static_cast<std::size_t>(state[2]);
  if (state.size() != numbers_of_head + numbers_of_point * points + numbers_of_departure * departures) return false;
  appeared_ = static_cast<std::uint64_t>(state[0]);
  at_ = static_cast<std::int64_t>(state[3]);
  points_.clear();
  departures_.clear();
  const double* at = state.data() + numbers_of_head;
  for (std::size_t k = 0; k < points; ++k, at += numbers_of_point)
    points_.push_back({static_cast<std::uint64_t>(at[0]),
                       at[1],
                       {at[2], at[3], at[4]},
                       {at[5], at[6], at[7]},
                       static_cast<int>(at[8])});
  for (std::size_t k = 0; k < departures; ++k, at += numbers_of_departure)
    departures_.push_back(
        {static_cast<std::uint64_t>(at[0]), at[1], at[2], {at[3], at[4], at[5]}, static_cast<int>(at[6])});
  return true;
}

}  // namespace fluvia
