// SPDX-License-Identifier: Apache-2.0
// The oracle for bodies that move through a periodic box: interpolated bounce-back at the surface where it is, nodes
// that bodies cover and uncover, forces in the frame of the wall. It defines what kernels for bodies have to compute.
#pragma once
#include <vector>

#include "reference/bodies/rigid_body.hpp"

namespace reference::bodies {

class BodySolver {
 public:
  BodySolver(const Physics& physics, const Int3& size, std::vector<RigidBody> with)
      : bodies(std::move(with)), collision_(physics), size_(size) {
    const auto count = static_cast<std::size_t>(size[0]) * size[1] * size[2];
    populations_.assign(count, lattice().w);
    collided_ = populations_;
    owner_ = find_owners();
  }

  [[nodiscard]] const Lattice& lattice() const { return collision_.lattice(); }
  [[nodiscard]] std::size_t nodes() const { return populations_.size(); }
  [[nodiscard]] bool is_fluid(std::size_t n) const { return owner_[n] < 0; }
  [[nodiscard]] NodeState state(std::size_t n) const { return collision_.state_of(populations_[n]); }
  [[nodiscard]] Real3 position(std::size_t n) const {
    const Int3 c = node(n);
    return {c[0] + 0.5, c[1] + 0.5, lattice().dimension == 3 ? c[2] + 0.5 : 0};
  }
  void set(const NodeState& state) {
    for (Populations& f : populations_) f = collision_.equilibrium(state);
  }
  /// Of all fluid nodes.
  [[nodiscard]] Real3 momentum() const {
    Real3 sum{};
    for (std::size_t n = 0; n < nodes(); ++n)
      if (is_fluid(n)) add(sum, momentum_of(n), 1);
    return sum;
  }
  /// What the last step took from the momentum of the fluid, over cut links and by nodes that were covered, less what
  /// uncovered ones brought.
  [[nodiscard]] const Real3& taken() const { return taken_; }

  /// Collide, return at surfaces, stream, move, refill.
  void step() {
    taken_ = {};
    for (RigidBody& body : bodies) body.force = body.torque = {};
    for (std::size_t n = 0; n < nodes(); ++n)
      if (is_fluid(n)) collided_[n] = collision_.collide(populations_[n]);
    auto next = populations_;
    for (std::size_t n = 0; n < nodes(); ++n)
      if (is_fluid(n))
        for (int k = 0; k < lattice().size(); ++k) send(n, k, next);
    populations_ = std::move(next);
    for (RigidBody& body : bodies) body.move();
    const std::vector<int> before = std::move(owner_);
    owner_ = find_owners();
    for (std::size_t n = 0; n < nodes(); ++n)
      if (before[n] < 0 && owner_[n] >= 0) add(taken_, momentum_of(n), 1);
    refill(before);
  }

  std::vector<RigidBody> bodies;

 private:
  static void add(Real3& to, const Real3& what, double times) {
    for (int a = 0; a < 3; ++a) to[a] += times * what[a];
  }
  [[nodiscard]] Int3 node(std::size_t n) const {
    const auto i = static_cast<int>(n);
    return {i % size_[0], i / size_[0] % size_[1], i / size_[0] / size_[1]};
  }
  [[nodiscard]] std::size_t neighbour(std::size_t n, int k) const {
    Int3 c = node(n);
    for (int a = 0; a < 3; ++a) c[a] = (c[a] + lattice().c[k][a] + size_[a]) % size_[a];
    return (static_cast<std::size_t>(c[2]) * size_[1] + c[1]) * size_[0] + c[0];
  }
  [[nodiscard]] Real3 momentum_of(std::size_t n) const {
    Real3 sum{};
    for (int k = 0; k < lattice().size(); ++k)
      for (int a = 0; a < 3; ++a) sum[a] += populations_[n][k] * lattice().c[k][a];
    return sum;
  }
  /// From the centre of a body, by the nearest of its periodic images.
  [[nodiscard]] Real3 from_centre(const RigidBody& body, const Real3& place) const {
    Real3 d{};
    for (int a = 0; a < lattice().dimension; ++a) {
      d[a] = place[a] - body.centre[a];
      d[a] -= size_[a] * std::floor(d[a] / size_[a] + 0.5);
    }
    return d;
  }
  [[nodiscard]] std::vector<int> find_owners() const {
    std::vector<int> owners(nodes(), -1);
    for (std::size_t n = 0; n < nodes(); ++n)
      for (std::size_t b = 0; b < bodies.size(); ++b)
        if (bodies[b].distance_at(from_centre(bodies[b], position(n))) <= 0) owners[n] = static_cast<int>(b);
    return owners;
  }

  void send(std::size_t n, int k, std::vector<Populations>& next) {
    const std::size_t to = neighbour(n, k);
    double& back = next[n][lattice().opposite[k]];
    if (owner_[to] >= 0) {
      RigidBody& body = bodies[static_cast<std::size_t>(owner_[to])];
      return give_back(n, k, body, part_of_link(body, position(n), lattice().c[k], 1), back);
    }
    RigidBody* met = nullptr;
    double nearest = 2;
    for (RigidBody& body : bodies) {
      const double inside = part_inside(body, position(n), lattice().c[k]);
      if (inside > 1) continue;
      const double part = part_of_link(body, position(n), lattice().c[k], inside);
      if (part < nearest) nearest = part, met = &body;
    }
    if (met)
      give_back(n, k, *met, nearest, back);
    else
      next[to][k] = collided_[n][k];
  }
  /// f+ + q (f*+ - f+) + kappa n- + (1 + kappa)/2 S- - 3 w rho c.u_w with kappa = 0, the density of the node, and the
  /// velocity where the link meets the surface. The force is that in the frame of the wall, so that a body that moves
  /// with the fluid feels none of the mass that it covers (Wen et al. 2014).
  void give_back(std::size_t n, int k, RigidBody& body, double q, double& back) {
    const Int3& c = lattice().c[k];
    Real3 place = position(n);
    for (int a = 0; a < 3; ++a) place[a] += q * c[a];
    const Real3 arm = from_centre(body, place), wall = body.velocity_at(arm);
    double cu = 0;
    for (int a = 0; a < 3; ++a) cu += c[a] * wall[a];
    back = collision_.interpolated(populations_[n], collided_[n], k, q, 0, false) -
           3 * lattice().w[k] * state(n).density * cu;
    Real3 force{};
    for (int a = 0; a < 3; ++a) {
      force[a] = collided_[n][k] * (c[a] - wall[a]) - back * (-c[a] - wall[a]);
      taken_[a] += (collided_[n][k] + back) * c[a];
    }
    add(body.force, force, 1);
    add(body.torque, fluvia::cross(arm, force), 1);
  }
  [[nodiscard]] double distance_along(const RigidBody& body, const Real3& from, const Int3& c, double part) const {
    Real3 at = from;
    for (int a = 0; a < 3; ++a) at[a] += part * c[a];
    return body.distance_at(from_centre(body, at));
  }
  /// A part of a link between nodes of fluid that lies in a body, a convex one; 2: none does.
  [[nodiscard]] double part_inside(const RigidBody& body, const Real3& from, const Int3& c) const {
    const double length = std::sqrt(c[0] * c[0] + c[1] * c[1] + c[2] * c[2]);
    if (distance_along(body, from, c, 0) + distance_along(body, from, c, 1) > length) return 2;
    double low = 0, high = 1;
    for (int s = 0; s < 80; ++s) {
      const double a = low + (high - low) / 3, b = high - (high - low) / 3;
      (distance_along(body, from, c, a) < distance_along(body, from, c, b) ? high : low) =
          distance_along(body, from, c, a) < distance_along(body, from, c, b) ? b : a;
    }
    constexpr double touching = -1e-9;  // is not cutting
    return distance_along(body, from, c, low) <= touching ? low : 2;
  }
  /// Where a link first meets the surface, in parts of its length; `inside`: a part that lies in the body.
  [[nodiscard]] double part_of_link(const RigidBody& body, const Real3& from, const Int3& c, double inside) const {
    constexpr int samples = 16;
    double low = 0, high = inside;
    for (int s = 1; s <= samples; ++s)
      if (distance_along(body, from, c, inside * s / samples) <= 0) {
        high = inside * s / samples;
        low = inside * (s - 1) / samples;
        break;
      }
    for (int s = 0; s < 40; ++s) (distance_along(body, from, c, (low + high) / 2) <= 0 ? high : low) = (low + high) / 2;
    return std::max(high, 1e-3);
  }

  /// Nodes that were covered get the mean density and stress of their neighbours that are fluid at both times, and the
  /// velocity of the body that covered them (Grad's approximation).
  void refill(const std::vector<int>& before) {
    const std::vector<Populations> old = populations_;
    for (std::size_t n = 0; n < nodes(); ++n) {
      if (before[n] < 0 || owner_[n] >= 0) continue;
      const RigidBody& body = bodies[static_cast<std::size_t>(before[n])];
      double density = 0;
      Tensor stress{};
      int count = 0;
      for (int k = 0; k < lattice().size(); ++k) {
        const std::size_t beside = neighbour(n, k);
        if (beside == n || before[beside] >= 0 || owner_[beside] >= 0) continue;
        ++count;
        density += collision_.state_of(old[beside]).density;
        const Tensor p = collision_.stress(old[beside]);
        for (int a = 0; a < 3; ++a)
          for (int b = 0; b < 3; ++b) stress[a][b] += p[a][b];
      }
      const Real3 wall = body.velocity_at(from_centre(body, position(n)));
      Populations& f = populations_[n] = collision_.equilibrium({count > 0 ? density / count : 1, wall});
      for (int k = 0; k < lattice().size() && count > 0; ++k)
        for (int a = 0; a < 3; ++a)
          for (int b = 0; b < 3; ++b)
            f[k] += 4.5 * lattice().w[k] * (lattice().c[k][a] * lattice().c[k][b] - (a == b ? 1.0 / 3 : 0)) *
                    stress[a][b] / count;
      add(taken_, momentum_of(n), -1);
    }
  }

  Collision collision_;
  Int3 size_;
  std::vector<Populations> populations_, collided_;
  std::vector<int> owner_;  ///< body that covers a node; -1: fluid
  Real3 taken_{};
};

}  // namespace reference::bodies
