// SPDX-License-Identifier: Apache-2.0
// A scalar that a flow on levels carries along, in the reference solver: its populations pass between levels as those
// of the flow do. Walls let nothing through.
#pragma once
#include <vector>

#include "reference/levels/level_solver.hpp"
#include "reference/scalars/scalar_lattice.hpp"

namespace reference::levels {

/// Lattice units of level 0.
struct ScalarOnLevels {
  std::string lattice = "D2Q5";
  double diffusivity = 0.05, magic = 0.25, source = 0;
};

/// The scalar of a flow, which carries it from then on: D doubles, and a source halves, with each level.
class ScalarLevels {
 public:
  ScalarLevels(const Scene& scene, LevelSolver& flow, const ScalarOnLevels& physics)
      : flow_(flow),
        physics_(physics),
        lattice_(scalars::make_scalar_lattice(physics.lattice)),
        solver_(scene, [&](int level) {
          return Cells(
              scene.box, lattice_.directions,
              [this, level](std::size_t n, const Populations& g) { return collided(level, n, g); }, level);
        }) {
    flow.carry(solver_);
  }
  ScalarLevels(const ScalarLevels&) = delete;
  ScalarLevels& operator=(const ScalarLevels&) = delete;

  /// T = sum g + S/2.
  [[nodiscard]] double value(const Cells& cells, std::size_t n) const {
    double sum = source(cells.level()) / 2;
    for (const double g : cells.populations[n]) sum += g;
    return sum;
  }
  /// Begins in equilibrium with a field and the velocity with which the flow begins (places in spacings of level 0).
  template <class Field, class Velocity>
  void set(const Field& field, const Velocity& velocity) {
    for (Cells& cells : solver_.levels())
      for (std::size_t n = 0; n < cells.kinds.size(); ++n) {
        if (cells.kinds[n] != Kind::own) continue;
        const Real3 x = cells.position(cells.cell(n)), u = velocity(x);
        const double value = field(x), half = source(cells.level()) / 2;
        for (int i = 0; i < cells.lattice().size(); ++i)
          cells.populations[n][static_cast<std::size_t>(i)] =
              equilibrium(i, value, u) - cells.lattice().w[static_cast<std::size_t>(i)] * half;
      }
  }
  [[nodiscard]] const LevelSolver& solver() const { return solver_; }
  /// What all cells hold.
  [[nodiscard]] double total() const {
    double sum = 0;
    solver_.for_each([&](const Cells& cells, std::size_t n) { sum += LevelSolver::volume(cells) * value(cells, n); });
    return sum;
  }

 private:
  [[nodiscard]] double source(int level) const { return physics_.source / (1 << level); }
  [[nodiscard]] Real3 velocity(int level, std::size_t n) const {
    return flow_.levels()[static_cast<std::size_t>(level)].state(n).velocity;
  }
  [[nodiscard]] double equilibrium(int i, double value, const Real3& u) const {
    const auto k = static_cast<std::size_t>(i);
    double along = 0;
    for (std::size_t a = 0; a < 3; ++a) along += lattice_.directions.c[k][a] * u[a];
    return lattice_.directions.w[k] * value * (1 + along / lattice_.sound_squared);
  }
  /// Two relaxation times (Ginzburg 2005); D = c_s^2 (1/omega- - 1/2).
  [[nodiscard]] Populations collided(int level, std::size_t n, const Populations& g) const {
    const double odd_time = physics_.diffusivity * (1 << level) / lattice_.sound_squared;
    const double minus = 1 / (0.5 + odd_time), plus = 1 / (0.5 + physics_.magic / odd_time), s = source(level);
    const Real3 u = velocity(level, n);
    double value = s / 2;
    for (const double each : g) value += each;
    Populations after = g;
    for (int i = 0; i < lattice_.directions.size(); ++i) {
      const int o = lattice_.directions.opposite[static_cast<std::size_t>(i)];
      const auto k = static_cast<std::size_t>(i), back = static_cast<std::size_t>(o);
      const double n_there = g[k] - equilibrium(i, value, u), n_back = g[back] - equilibrium(o, value, u);
      after[k] = g[k] - plus * (n_there + n_back) / 2 - minus * (n_there - n_back) / 2 +
                 (1 - plus / 2) * lattice_.directions.w[k] * s;
    }
    return after;
  }

  LevelSolver& flow_;
  ScalarOnLevels physics_;
  scalars::ScalarLattice lattice_;
  LevelSolver solver_;
};

}  // namespace reference::levels
