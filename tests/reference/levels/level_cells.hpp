// SPDX-License-Identifier: Apache-2.0
// The cells of one level of the reference solver with levels: what they are, where their links lead, one step of them.
#pragma once
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
  solid
};

/// The box, in cells of level 0, and what its faces are: periodic along an axis, or walls across it.
struct Box {
  Int3 size{1, 1, 1};
  Bool3 periodic{true, true, true};
  double lid = 0;  ///< velocity along x of the upper face across the last axis, lattice units
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
  Cells(const Box& box, Physics physics, int level)
      : level_(level), box_(box), collision_(on_level(std::move(physics), level)) {
    for (int a = 0; a < lattice().dimension; ++a) size_[a] = box.size[a] << level;
    const auto count = static_cast<std::size_t>(size_[0]) * size_[1] * size_[2];
    kinds.assign(count, Kind::none);
    populations.assign(count, Populations(lattice().w));
    collided = populations;
  }

  [[nodiscard]] int level() const { return level_; }
  [[nodiscard]] double spacing() const { return 1.0 / (1 << level_); }
  [[nodiscard]] const Int3& size() const { return size_; }
  [[nodiscard]] const Lattice& lattice() const { return collision_.lattice(); }
  [[nodiscard]] const Collision& collision() const { return collision_; }
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
    if (to && kind(*to) != Kind::solid) return {*to, direction, 0};
    const int last = lattice().dimension - 1;
    const bool lid = from[last] + c[last] >= size_[last];
    return {from, lattice().opposite[direction], lid ? -6 * lattice().w[direction] * c[0] * box_.lid : 0};
  }
  /// Where what arrives at a cell along a link came from.
  [[nodiscard]] Arrival came_from(const Int3& to, int direction) const {
    return follow(to, lattice().opposite[direction]);
  }

  /// Density and velocity of a cell, with half of its forces.
  [[nodiscard]] NodeState state(std::size_t n) const {
    NodeState state = collision_.state_of(populations[n]);
    const Real3 own = force_of(n);
    for (int a = 0; a < lattice().dimension; ++a)
      state.velocity[a] += 0.5 * own[a] / collision_.reference_density(state.density);
    return state;
  }

  /// Cells are given forces of their own, then they collide.
  void collide() {
    const Real3 of_all = collision_.physics().force;
    for (std::size_t n = 0; n < kinds.size(); ++n) {
      if (kinds[n] != Kind::own) continue;
      if (!own_force) {
        collided[n] = collision_.collide(populations[n]);
        continue;
      }
      const Real3 own = force_of(n);
      collision_.set_force({of_all[0] + own[0], of_all[1] + own[1], of_all[2] + own[2]});
      const Populations kicked = collision_.kicked(populations[n], own);
      collision_.set_force(of_all);
      collided[n] = collision_.collide(kicked);
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
    const double tau = collision_.physics().tau;
    Populations& f = populations[n] = collision_.equilibrium(state);
    for (int i = 0; i < lattice().size(); ++i)
      for (int a = 0; a < 3; ++a) {
        for (int b = 0; b < 3; ++b)
          f[i] -= 3 * lattice().w[i] * tau * state.density * spacing() * du[a][b] *
                  (lattice().c[i][a] * lattice().c[i][b] - (a == b ? 1.0 / 3 : 0));
        f[i] -= 1.5 * lattice().w[i] * lattice().c[i][a] * collision_.physics().force[a];
      }
  }

  std::vector<Kind> kinds;
  std::vector<Populations> populations;  ///< before the collision
  std::vector<Populations> collided;     ///< after it
  /// Of a place (spacings of level 0), beside the force of all: lattice units of level 0; empty: none.
  std::function<Real3(const Real3&)> own_force;

 private:
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
    return physics;
  }
  int level_;
  Box box_;
  Int3 size_{1, 1, 1};
  Collision collision_;
};

}  // namespace reference::levels
