// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/bodies/contact.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fluvia/core/lattice/lattice.hpp"
#include "fluvia/geometry/generate/root.hpp"

namespace fluvia {

namespace {

constexpr double range = 1;        // nodes, of gaps in which something acts
constexpr double least_gap = 0.1;  // nodes: smaller ones resist as much as this one

/// A side of a gap.
struct Side {
  const ContactBody* body;  ///< null for a wall of the box, which rests
  BodyLoad* load;           ///< null if nothing is to be added
};

double radius_of(const ContactBody* body, int dimension) {
  constexpr double flat = std::numeric_limits<double>::infinity();
  if (body == nullptr) return flat;
  return body->measure->area > 0 ? dimension * body->measure->volume / body->measure->area : flat;
}

class Gap {
 public:
  Gap(Side one, Side other, int dimension, double viscosity) : one_(one), other_(other) {
    const double radius = 1 / (1 / radius_of(one.body, dimension) + 1 / radius_of(other.body, dimension));
    squeezed_ = (dimension == 2 ? 6 : 3) * viscosity * radius;
  }
  /// What acts on a part of the surface of the first side at a place; `normal` leads from the other side to it.
  void act(const Real3& place, const Real3& shift, double area, double gap, const Real3& normal) const {
    if (gap >= range) return;
    const double soft = core::sound_speed_squared * (1 - gap / range) * (1 - gap / range);
    const double h = std::max(gap, least_gap);
    const double resistance = squeezed_ * (1 / (h * h) - 1 / (range * range)) * area;
    const Real3 own = one_.body->pose.velocity_at(place);
    const Real3 across = other_.body != nullptr ? other_.body->pose.velocity_at(place - shift) : Real3{};
    add(one_, place, soft * area * normal, resistance, normal, own - across);
    add(other_, place - shift, -soft * area * normal, resistance, normal, across - own);
  }

 private:
  /// The velocity of the center is that of the step to come, of which the body's motion takes care.
  static void add(const Side& side, const Real3& place, const Real3& push, double resistance, const Real3& normal,
                  const Real3& approach) {
    if (side.load == nullptr) return;
    const Pose& pose = side.body->pose;
    const Real3 of_others = approach - pose.velocity;
    side.load->contact_force = side.load->contact_force + push - resistance * dot(normal, of_others) * normal;
    const Real3 all = push - resistance * dot(normal, approach) * normal;
    side.load->contact_torque = side.load->contact_torque + cross(place - pose.center, all);
    for (std::size_t a = 0; a < 3; ++a)
      side.load->resistance[a] = side.load->resistance[a] + resistance * normal[a] * normal;
  }

  Side one_, other_;
  double squeezed_;
};

/// How far, in multiples of the box, the image of a body that is nearest to another one lies from it.
Real3 shift_between(const ContactBody& from, const ContactBody& to, const NodeMap& nodes) {
  Real3 shift{};
  for (std::size_t a = 0; a < 3; ++a) {
    if (!nodes.periodic[a] || static_cast<int>(a) >= nodes.dimension) continue;
    const double apart = 0.5 * (from.extent[0][a] + from.extent[1][a] - to.extent[0][a] - to.extent[1][a]);
    shift[a] = nodes.size[a] * std::floor(apart / nodes.size[a] + 0.5);
  }
  return shift;
}

/// Whether two bodies, of which the first is moved back by `shift`, may have a gap in which something acts.
bool are_near(const ContactBody& one, const Real3& shift, const ContactBody& other, int dimension) {
  for (std::size_t a = 0; static_cast<int>(a) < dimension; ++a)
    if (one.extent[0][a] - shift[a] > other.extent[1][a] + range ||
        one.extent[1][a] - shift[a] < other.extent[0][a] - range)
      return false;
  return true;
}

/// Lets the surface of one body act on another one, by half, since that of the other acts on it.
void act_between(const Side& one, const Side& other, const NodeMap& nodes, double viscosity) {
  const ContactBody &from = *one.body, &to = *other.body;
  const Real3 shift = shift_between(from, to, nodes);
  if (!are_near(from, shift, to, nodes.dimension)) return;
  const Gap gap(one, other, nodes.dimension, viscosity);
  for (const SurfacePoint& point : from.measure->points) {
    const Real3 place = from.pose.in_box(point.place - from.rest), there = place - shift;
    bool is_beside = true;
    for (std::size_t a = 0; static_cast<int>(a) < nodes.dimension; ++a)
      is_beside = is_beside && there[a] > to.extent[0][a] - range && there[a] < to.extent[1][a] + range;
    if (!is_beside) continue;
    const Real3 at_rest = to.rest + to.pose.in_body(there);
    if (to.shape->distance(at_rest) >= range) continue;
    const double distance = to.shape->near_distance(at_rest);
    if (distance >= range) continue;
    constexpr double step = 1e-3;
    const Real3 normal =
        to.pose.turned(geometry::unit_gradient(to.shape->near_distance, at_rest, step, nodes.dimension));
    gap.act(place, shift, 0.5 * point.area, distance, normal);
  }
}

void act_at_walls(const Side& side, const NodeMap& nodes, double viscosity) {
  const ContactBody& body = *side.body;
  const Gap gap(side, {nullptr, nullptr}, nodes.dimension, viscosity);
  for (std::size_t a = 0; static_cast<int>(a) < nodes.dimension; ++a) {
    if (nodes.periodic[a]) continue;
    for (const bool upper : {false, true}) {
      const auto distance = [&](const Real3& place) { return upper ? nodes.size[a] - place[a] : place[a]; };
      if (distance(body.extent[upper ? 1 : 0]) >= range) continue;
      Real3 normal{};
      normal[a] = upper ? -1 : 1;
      for (const SurfacePoint& point : body.measure->points) {
        const Real3 place = body.pose.in_box(point.place - body.rest);
        gap.act(place, {}, point.area, distance(place), normal);
      }
    }
  }
}

}  // namespace

void add_contacts(std::span<const ContactBody> bodies, const NodeMap& nodes, double viscosity,
                  std::span<BodyLoad> loads) {
  const auto side = [&](std::size_t k) { return Side{&bodies[k], bodies[k].is_free ? &loads[k] : nullptr}; };
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    if (bodies[k].is_free) act_at_walls(side(k), nodes, viscosity);
    for (std::size_t other = 0; other < bodies.size(); ++other)
      if (other != k && (bodies[k].is_free || bodies[other].is_free))
        act_between(side(k), side(other), nodes, viscosity);
  }
}

}  // namespace fluvia
