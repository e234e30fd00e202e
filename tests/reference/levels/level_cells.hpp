// SPDX-License-Identifier: Apache-2.0
// The cells of one level of the reference solver with levels: what they are, where their links lead, one step of them.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "reference/reference_collision.hpp"

namespace reference::levels {

/// What a cell of a level is.
enum class Kind : std::uint8_t {
  none,   ///< belongs to another level, or is outside of all
  own,    ///< fluid that this level computes
  ghost,  ///< a place in a coarser cell next to those of this level: populations pass through it
  solid   ///< to the spacing of this level, which may also say so where other levels compute
};

/// The box, in cells of level 0, and what its faces are: periodic along an axis, or walls across it.
struct Box {
  Int3 size{1, 1, 1};
  Bool3 periodic{true, true, true};
  double lid = 0;    ///< velocity along x of the upper face across the last axis, lattice units
  double floor = 0;  ///< that of the lower one
  /// Slip length (cells of level 0) of the faces across the last axis, lower and upper; negative: the fluid sticks.
  std::array<double, 2> slip{-1, -1};
  double sponge = 0;  ///< depth, in cells of level 0, of a layer before the upper face across x that damps
  /// Whether a wall without thickness, at rest, lies between two places (spacings of level 0); empty: there is none.
  std::function<bool(const Real3& from, const Real3& to)> is_barred;
};

/// Where a population comes to on a link, and what moving walls add to it.
struct Arrival {
  Int3 cell{};
  int direction = 0;
  double added = 0;
};

/// All cells of one level, in the whole box; spacing 1 / 2^level.
class Cells {
 public:
  Cells(const Box& box, Physics physics, int level) : level_(level), box_(box) {
    collision_.emplace(on_level(std::move(physics), level));
    begin(collision_->lattice());
  }
  /// Cells of anything else that moves along the links of a lattice. `collide`: what the populations of a cell, by its
  /// index, become.
  using Collide = std::function<Populations(std::size_t n, const Populations& populations)>;
  Cells(const Box& box, const Lattice& lattice, Collide collide, int level)
      : level_(level), box_(box), collide_(std::move(collide)) {
    begin(lattice);
  }

 private:
  void begin(const Lattice& of) {
    lattice_ = of;
    for (int a = 0; a < lattice().dimension; ++a) size_[a] = box_.size[a] << level_;
    const auto count = static_cast<std::size_t>(size_[0]) * size_[1] * size_[2];
    kinds.assign(count, Kind::none);
    is_finer.assign(count, false);
    populations.assign(count, Populations(lattice().w));
    collided = populations;
    means_.resize(count);
  }

 public:
  [[nodiscard]] int level() const { return level_; }
  [[nodiscard]] double spacing() const { return 1.0 / (1 << level_); }
  [[nodiscard]] const Int3& size() const { return size_; }
  [[nodiscard]] const Lattice& lattice() const { return lattice_; }
  [[nodiscard]] const Collision& collision() const { return *collision_; }
  [[nodiscard]] std::size_t index(const Int3& c) const {
    return (static_cast<std::size_t>(c[2]) * size_[1] + c[1]) * size_[0] + c[0];
  }
  [[nodiscard]] Int3 cell(std::size_t index) const {
    const auto n = static_cast<int>(index);
    return {n % size_[0], n / size_[0] % size_[1], n / size_[0] / size_[1]};
  }
  [[nodiscard]] Kind kind(const Int3& c) const { return kinds[index(c)]; }
  /// The middle of a cell, spacings of level 0.
  [[nodiscard]] Real3 position(const Int3& c) const {
    return {(c[0] + 0.5) * spacing(), (c[1] + 0.5) * spacing(),
            lattice().dimension == 3 ? (c[2] + 0.5) * spacing() : 0};
  }

  /// The cell there, on the other side of periodic faces; none beyond the others.
  [[nodiscard]] std::optional<Int3> inside(Int3 c) const {
    for (int a = 0; a < lattice().dimension; ++a) {
      if (c[a] >= 0 && c[a] < size_[a]) continue;
      if (!box_.periodic[a]) return std::nullopt;
      c[a] = (c[a] + size_[a]) % size_[a];
    }
    return c;
  }
  /// Where what leaves a cell along a link comes to: the next cell, or, reversed by a wall, the same.
  [[nodiscard]] Arrival follow(const Int3& from, int direction) const {
    const Int3& c = lattice().c[direction];
    const auto to = inside({from[0] + c[0], from[1] + c[1], from[2] + c[2]});
    const bool barred = is_barred(from, c);
    if (to && kind(*to) != Kind::solid && !barred) return {*to, direction, 0};
    if (barred) return {from, lattice().opposite[direction], 0};
    const Real3 u = wall_velocity(from, c);
    return {from, lattice().opposite[direction],
            -6 * lattice().w[direction] * (c[0] * u[0] + c[1] * u[1] + c[2] * u[2])};
  }
  /// Velocity of the wall that cuts a link of a cell, half-way along it; of a solid cell beside it.
  [[nodiscard]] Real3 wall_velocity(const Int3& from, const Int3& c) const {
    for (int a = 0; a < lattice().dimension; ++a) {
      if (box_.periodic[a] || (from[a] + c[a] >= 0 && from[a] + c[a] < size_[a])) continue;
      const int last = lattice().dimension - 1;
      return {from[last] + c[last] >= size_[last] ? box_.lid : from[last] + c[last] < 0 ? box_.floor : 0, 0, 0};
    }
    if (!solid_velocity) return {};
    Real3 at = position(from);
    for (int a = 0; a < lattice().dimension; ++a) at[a] += 0.5 * spacing() * c[a];
    return solid_velocity(at);
  }
  /// Where what arrives at a cell along a link came from.
  [[nodiscard]] Arrival came_from(const Int3& to, int direction) const {
    return follow(to, lattice().opposite[direction]);
  }

  /// Whether what leaves a cell along a link is turned round by a face along which the fluid slides.
  [[nodiscard]] bool slides(const Int3& from, const Int3& c) const {
    const int last = lattice().dimension - 1, to = from[last] + c[last];
    return !box_.periodic[last] && (to < 0 || to >= size_[last]) && box_.slip[to < 0 ? 0 : 1] >= 0;
  }
  /// Density and velocity of a cell, with half of its forces, after its walls and its sponge.
  [[nodiscard]] NodeState state(std::size_t n) const {
    Populations f = populations[n];
    slide(n, f);
    damp(n, f);
    NodeState state = collision_->state_of(f);
    const Real3 own = force_of(n);
    for (int a = 0; a < lattice().dimension; ++a)
      state.velocity[a] += 0.5 * own[a] / collision_->reference_density(state.density);
    return state;
  }

  /// Walls act, cells are given forces of their own, then they collide.
  void collide() {
    if (collide_) {
      for (std::size_t n = 0; n < kinds.size(); ++n)
        if (kinds[n] == Kind::own) collided[n] = collide_(n, populations[n]);
      return;
    }
    for (std::size_t n = 0; n < kinds.size(); ++n)
      if (kinds[n] == Kind::own) slide(n, populations[n]);
    for (std::size_t n = 0; n < kinds.size() && box_.sponge > 0; ++n) {
      const std::optional<NodeState> mean = damp(n, populations[n]);
      if (mean) means_[n] = mean;
    }
    const Real3 of_all = collision_->physics().force;
    for (std::size_t n = 0; n < kinds.size(); ++n) {
      if (kinds[n] != Kind::own) continue;
      if (!own_force) {
        collided[n] = collision_->collide(populations[n]);
        continue;
      }
      const Real3 own = force_of(n);
      collision_->set_force({of_all[0] + own[0], of_all[1] + own[1], of_all[2] + own[2]});
      const Populations kicked = collision_->kicked(populations[n], own);
      collision_->set_force(of_all);
      collided[n] = collision_->collide(kicked);
    }
  }
  /// Streams between own cells and walls; other populations stay for the interfaces to write.
  void stream() {
    for (std::size_t n = 0; n < kinds.size(); ++n) {
      if (kinds[n] != Kind::own) continue;
      for (int i = 0; i < lattice().size(); ++i) {
        const Arrival back = came_from(cell(n), i);
        if (kind(back.cell) != Kind::own) continue;
        // A link that a wall cuts comes from the cell itself, where it left the other way.
        populations[n][i] = collided[index(back.cell)][lattice().opposite[back.direction]] + back.added;
      }
    }
  }
  /// Sets a cell to a flow with these derivatives, du[a][b] = d u_b / d x_a in lattice units of level 0, so that its
  /// deviation from equilibrium is that of Chapman and Enskog (Krueger et al. 2017, eq. 4.35).
  void set(std::size_t n, const NodeState& state, const Tensor& du) {
    const double tau = collision_->physics().tau;
    Populations& f = populations[n] = collision_->equilibrium(state);
    for (int i = 0; i < lattice().size(); ++i)
      for (int a = 0; a < 3; ++a) {
        for (int b = 0; b < 3; ++b)
          f[i] -= 3 * lattice().w[i] * tau * state.density * spacing() * du[a][b] *
                  (lattice().c[i][a] * lattice().c[i][b] - (a == b ? 1.0 / 3 : 0));
        f[i] -= 1.5 * lattice().w[i] * lattice().c[i][a] * collision_->physics().force[a];
      }
  }

  std::vector<Kind> kinds;
  std::vector<bool> is_finer;            ///< belongs to finer levels
  std::vector<Populations> populations;  ///< before the collision
  std::vector<Populations> collided;     ///< after it
  /// Of a place (spacings of level 0), beside the force of all: lattice units of level 0; empty: none.
  std::function<Real3(const Real3&)> own_force;
  /// Of a place (spacings of level 0), that of the surface of a solid there; empty: they are at rest.
  std::function<Real3(const Real3&)> solid_velocity;

 private:
  /// Of what faces along which the fluid slides have turned round, f_i -= 2 s w_i c_i.a, where c has no part across
  /// the face, sum w_i c_i (c_i.a) = sum c_i f_i over these links, and s = L / (L + tau - 1/2).
  void slide(std::size_t n, Populations& f) const {
    const int last = lattice().dimension - 1;
    for (const int side : {-1, 1}) {
      const double length = std::ldexp(box_.slip[side < 0 ? 0 : 1], level_);
      if (length < 0) continue;
      const double share = length / (length + collision_->physics().tau - 0.5);
      std::vector<int> links;
      for (int i = 0; i < lattice().size(); ++i) {
        const Int3& c = lattice().c[i];
        if (c[last] == -side && slides(cell(n), {-c[0], -c[1], -c[2]})) links.push_back(i);
      }
      for (int a = 0; a < last; ++a) {
        double carried = 0, weight = 0;
        for (const int i : links) {
          carried += lattice().c[i][a] * f[i];
          weight += lattice().w[i] * lattice().c[i][a] * lattice().c[i][a];
        }
        for (const int i : links) f[i] -= 2 * share * lattice().w[i] * lattice().c[i][a] * carried / weight;
      }
    }
  }
  /// f -= chi (f^eq of the cell - f^eq of its running means), chi = 12 c_s / depth (d / depth)^3 on level 0, where the
  /// first factor is at most 1/2, and half as much in each step of the next finer level; not at the face itself.
  /// Returns the means, which follow the cell.
  std::optional<NodeState> damp(std::size_t n, Populations& f) const {
    const double depth = std::ldexp(box_.sponge, level_), before = size_[0] - cell(n)[0] - 0.5;
    if (kinds[n] != Kind::own || before >= depth || before < 1) return std::nullopt;
    const double c = std::sqrt(1.0 / 3), rate = c / (2 * depth);
    const NodeState now = collision_->state_of(f);
    NodeState mean = means_[n].value_or(now);
    mean.density += rate * (now.density - mean.density);
    for (int a = 0; a < 3; ++a) mean.velocity[a] += rate * (now.velocity[a] - mean.velocity[a]);
    const double share = 1 - before / depth, strongest = std::min(0.5, 12 * c / box_.sponge);
    const double chi = static_cast<float>(strongest * share * share * share * spacing());  // that is how it is kept
    const Populations from = collision_->equilibrium(now), to = collision_->equilibrium(mean);
    for (int i = 0; i < lattice().size(); ++i) f[i] += chi * (to[i] - from[i]);
    return mean;
  }
  /// The force of a cell beside that of all, in lattice units of the level: half of the next coarser level's.
  [[nodiscard]] Real3 force_of(std::size_t n) const {
    if (!own_force) return {};
    Real3 force = own_force(position(cell(n)));
    for (double& f : force) f *= spacing();
    return force;
  }
  /// tau - 1/2 doubles and forces halve with each level: acoustic scaling.
  static Physics on_level(Physics physics, int level) {
    const double scale = 1 << level;
    physics.tau = 0.5 + scale * (physics.tau - 0.5);
    for (double& f : physics.force) f /= scale;
    Rheology& fluid = physics.rheology;
    for (auto& [name, number] : fluid.numbers) {
      if (name.ends_with("viscosity")) number *= scale;
      if (name == "relaxation_time") number *= scale;
      if (name == "consistency") number *= std::pow(scale, fluid.numbers.at("flow_index"));
    }
    fluid.least *= scale;
    fluid.most *= scale;
    physics.is_level = true;
    physics.magic = std::min(physics.magic, 1.1 * (physics.tau - 0.5));  // so that tau- is at most 1.6
    return physics;
  }
  [[nodiscard]] bool is_barred(const Int3& from, const Int3& c) const {
    if (!box_.is_barred) return false;
    const Real3 x = position(from);
    return box_.is_barred(x, {x[0] + spacing() * c[0], x[1] + spacing() * c[1], x[2] + spacing() * c[2]});
  }
  int level_;
  Box box_;
  Int3 size_{1, 1, 1};
  Lattice lattice_;
  std::optional<Collision> collision_;
  Collide collide_;
  std::vector<std::optional<NodeState>> means_;  ///< of cells in the sponge
};

}  // namespace reference::levels
