// SPDX-License-Identifier: Apache-2.0
// The slow fp64 solver for flows on levels: cells of level l + 1 have half the edge and take two steps in one of level
// l. It defines what Fluvia's kernels for levels have to compute.
#pragma once
#include <deque>
#include <stdexcept>

#include "reference/levels/level_interface.hpp"

namespace reference::levels {

/// The level, 0 being the coarsest, at each cell of level 0; and whether a place (spacings of level 0) is solid.
struct Scene {
  Box box;
  Physics physics;
  std::function<int(const Int3&)> level = [](const Int3&) { return 0; };
  std::function<bool(const Real3&)> solid = [](const Real3&) { return false; };
  std::function<Real3(const Real3&)> own_force{};       ///< Cells::own_force
  std::function<Real3(const Real3&)> solid_velocity{};  ///< Cells::solid_velocity
};

class LevelSolver {
 public:
  /// Throws std::invalid_argument if levels of cells that touch differ by more than one.
  explicit LevelSolver(const Scene& scene)
      : LevelSolver(scene, [&](int level) { return Cells(scene.box, scene.physics, level); }) {}
  /// Of cells that are made level by level.
  LevelSolver(const Scene& scene, const std::function<Cells(int level)>& make) : scene_(scene) {
    int finest = 0;
    for_each_cell(scene.box.size, [&](const Int3& c) { finest = std::max(finest, scene.level(c)); });
    for (int l = 0; l <= finest; ++l) levels_.push_back(make(l));
    for (Cells& cells : levels_) {
      cells.own_force = scene.own_force;
      cells.solid_velocity = scene.solid_velocity;
    }
    for (Cells& cells : levels_) sort_cells(cells);
    for (Cells& cells : levels_) mark_ghosts(cells);
    for (int l = 0; l < finest; ++l) interfaces_.emplace_back(levels_[l], levels_[l + 1]);
  }

  void step() { advance(0); }
  /// What takes its steps with this flow, each before the flow takes it.
  void carry(LevelSolver& passenger) { passenger_ = &passenger; }
  [[nodiscard]] std::deque<Cells>& levels() { return levels_; }
  [[nodiscard]] const std::deque<Cells>& levels() const { return levels_; }
  [[nodiscard]] const std::deque<Interface>& interfaces() const { return interfaces_; }

  /// Calls function(cells, index) for every cell that is computed.
  template <class Function>
  void for_each(Function function) const {
    for (const Cells& cells : levels_)
      for (std::size_t n = 0; n < cells.kinds.size(); ++n)
        if (cells.kinds[n] == Kind::own) function(cells, n);
  }
  /// Volume of a cell, in cells of level 0.
  [[nodiscard]] static double volume(const Cells& cells) {
    return std::pow(cells.spacing(), cells.lattice().dimension);
  }
  [[nodiscard]] double mass() const {
    double sum = 0;
    for_each([&](const Cells& cells, std::size_t n) {
      for (const double f : cells.populations[n]) sum += volume(cells) * f;
    });
    return sum;
  }
  [[nodiscard]] Real3 momentum() const {
    Real3 sum{};
    for_each([&](const Cells& cells, std::size_t n) {
      for (int i = 0; i < cells.lattice().size(); ++i)
        for (int a = 0; a < 3; ++a) sum[a] += volume(cells) * cells.populations[n][i] * cells.lattice().c[i][a];
    });
    return sum;
  }

 private:
  template <class Function>
  static void for_each_cell(const Int3& size, Function function) {
    Int3 c{};
    for (c[2] = 0; c[2] < size[2]; ++c[2])
      for (c[1] = 0; c[1] < size[1]; ++c[1])
        for (c[0] = 0; c[0] < size[0]; ++c[0]) function(c);
  }
  /// The level at a cell of any level.
  [[nodiscard]] int level_at(const Cells& cells, const Int3& c) const {
    Int3 coarsest{0, 0, 0};
    for (int a = 0; a < cells.lattice().dimension; ++a) coarsest[a] = c[a] >> cells.level();
    return scene_.level(coarsest);
  }
  void sort_cells(Cells& cells) const {
    for_each_cell(cells.size(), [&](const Int3& c) {
      const int level = level_at(cells, c);
      cells.is_finer[cells.index(c)] = level > cells.level();
      if (level < cells.level()) return;
      // Walls of a level go on where finer ones begin.
      cells.kinds[cells.index(c)] = scene_.solid(cells.position(c)) ? Kind::solid
                                    : level > cells.level()         ? Kind::none
                                                                    : Kind::own;
    });
  }
  /// Children of coarser cells, beside cells of this level, are what populations pass through, if they are fluid to
  /// the spacing of this level.
  void mark_ghosts(Cells& cells) const {
    std::vector<std::pair<std::size_t, Kind>> marks;
    for_each_cell(cells.size(), [&](const Int3& c) {
      const int level = level_at(cells, c);
      if (level == cells.level()) return;
      const int depth = cells.lattice().dimension == 3 ? 1 : 0;
      bool beside = false;
      // A coarse cell has ghosts if it touches one that is finer: so has each of its children.
      Int3 corner{0, 0, 0};
      for (int a = 0; a < cells.lattice().dimension; ++a) corner[a] = c[a] / 2 * 2;
      for (int z = -depth; z <= 2 * depth; ++z)
        for (int y = -1; y <= 2; ++y)
          for (int x = -1; x <= 2; ++x) {
            const auto near = cells.inside({corner[0] + x, corner[1] + y, corner[2] + z});
            if (!near) continue;
            const int other = level_at(cells, *near);
            beside = beside || other == cells.level();
            if (other == cells.level() && level < other - 1)
              throw std::invalid_argument("levels of cells that touch differ by more than one");
          }
      if (level != cells.level() - 1) return;
      // What comes back from a solid at the interface may meet another one that is farther away.
      if (scene_.solid(cells.position(c)))
        marks.emplace_back(cells.index(c), Kind::solid);
      else if (beside)
        marks.emplace_back(cells.index(c), Kind::ghost);
    });
    for (const auto& [n, kind] : marks) cells.kinds[n] = kind;
    if (cells.level() == 0) return;
    // A ghost for which no coarse cell stands ends the flow.
    std::vector<std::size_t> lone;
    for (std::size_t n = 0; n < cells.kinds.size(); ++n)
      if (cells.kinds[n] == Kind::ghost &&
          !stands_for(levels_[static_cast<std::size_t>(cells.level()) - 1], cells, cells.cell(n)))
        lone.push_back(n);
    for (const std::size_t n : lone) cells.kinds[n] = Kind::solid;
  }
  /// One step of a level, and the two of the next finer one within it.
  void advance(std::size_t l, int step = 0) {
    if (passenger_ != nullptr) passenger_->begin(l, step);
    begin(l, step);
    if (l == interfaces_.size()) return;
    advance(l + 1, 0);
    advance(l + 1, 1);
    if (passenger_ != nullptr) passenger_->interfaces_[l].end();
    interfaces_[l].end();
  }
  void begin(std::size_t l, int step) {
    Cells& cells = levels_[l];
    Interface* const coarser = l > 0 ? &interfaces_[l - 1] : nullptr;
    Interface* const finer = l < interfaces_.size() ? &interfaces_[l] : nullptr;
    cells.collide();
    if (coarser != nullptr) coarser->take_leaving(step);
    if (finer != nullptr) finer->explode();
    cells.stream();
    if (coarser != nullptr) coarser->put_entering(step);
    if (finer != nullptr) finer->begin();
  }

  Scene scene_;
  std::deque<Cells> levels_;
  std::deque<Interface> interfaces_;
  LevelSolver* passenger_ = nullptr;
};

}  // namespace reference::levels
