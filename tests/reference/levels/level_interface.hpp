// SPDX-License-Identifier: Apache-2.0
// What passes between a level and the next finer one in the reference solver: linear explosion whose slopes follow the
// place and the time at which a population crosses. Post-collision populations pass unscaled; a coarse cell's is the
// mean of those of its 2^D children, so that mass and momentum are kept to round-off. Found by following every
// population on its way, without any knowledge of faces, edges and corners.
#pragma once
#include <algorithm>
#include <cstddef>
#include <map>
#include <numeric>
#include <string>
#include <utility>

#include "reference/levels/level_cells.hpp"

namespace reference::levels {

class Interface {
 public:
  /// Cells of `coarse` that are neither its own nor solid are the finer level's.
  Interface(Cells& coarse, Cells& fine) : coarse_(coarse), fine_(fine), children_(1 << coarse.lattice().dimension) {
    for (std::size_t n = 0; n < coarse.kinds.size(); ++n)
      if (coarse.kinds[n] == Kind::own && is_beside_fine(coarse.cell(n))) trace_entering(coarse.cell(n));
    for (std::size_t n = 0; n < fine.kinds.size(); ++n)
      if (fine.kinds[n] == Kind::own) trace_leaving(fine.cell(n));
    balance();
  }

  /// Links whose sources and sinks differ although no solid is near: 0, or the lists are wrong.
  [[nodiscard]] int unbalanced() const { return unbalanced_; }
  [[nodiscard]] std::size_t entering() const { return entering_.size(); }

  /// After the coarse collision: what each child of a coarse cell carries across.
  void explode() {
    for (Entering& e : entering_) {
      e.value = coarse_.collided[e.cell][e.from_direction] + e.added;
      for (int a = 0; a < coarse_.lattice().dimension; ++a)
        if (e.offset[a] != 0) e.value += e.offset[a] * slope(e, a);
    }
  }
  /// After the coarse streaming: coarse links begin with what coarse cells bring, less what is on its way to fine ones.
  void begin() {
    for (CoarseLink& link : links_) link.sum = link.from_coarse ? coarse_.populations[link.cell][link.direction] : 0;
    for (const Entering& e : entering_) {
      if (e.link < 0) continue;
      CoarseLink& link = links_[static_cast<std::size_t>(e.link)];
      link.sum += (e.returns ? e.value : e.added - e.value) / children_;
    }
  }
  /// After the fine collision of step 0 or 1.
  void take_leaving(int step) {
    for (const Leaving& l : leaving_)
      if (l.step == step)
        links_[static_cast<std::size_t>(l.link)].sum += (fine_.collided[l.cell][l.direction] + l.added) / children_;
    for (Passing& p : passing_)
      if (p.left == step) p.value = fine_.collided[p.from][p.from_direction] + p.added;
  }
  /// After the fine streaming of step 0 or 1.
  void put_entering(int step) {
    for (const Entering& e : entering_)
      if (!e.returns && e.step == step) fine_.populations[e.to][e.direction] = e.value;
    for (const Passing& p : passing_)
      if (p.arrived == step) fine_.populations[p.to][p.direction] = p.value;
  }
  /// After two fine steps: coarse links get what has arrived.
  void end() {
    std::vector<double> moved;
    for (const Transfer& t : transfers_) moved.push_back(t.part * links_[t.from].sum);
    for (std::size_t k = 0; k < transfers_.size(); ++k) {
      links_[transfers_[k].from].sum -= moved[k];
      links_[transfers_[k].to].sum += moved[k];
    }
    for (const CoarseLink& link : links_) coarse_.populations[link.cell][link.direction] = link.sum;
  }

 private:
  /// A child of a coarse cell whose population comes to a fine cell in fine step `step`, or, where it `returns`, back
  /// to a coarse link.
  struct Entering {
    std::size_t cell = 0;
    int from_direction = 0;
    std::size_t to = 0;
    int direction = 0, step = 0;
    bool returns = false;
    int link = -1;  ///< coarse link that loses or, where it returns, gains it; -1: none
    double added = 0;
    Real3 offset{};  ///< from the middle of the coarse cell, for the slope
    double value = 0;
  };
  struct Leaving {
    std::size_t cell = 0;
    int direction = 0, step = 0, link = 0;
    double added = 0;
  };
  /// A population that crosses a corner of the coarse cells between two fine ones.
  struct Passing {
    std::size_t from = 0, to = 0;
    int from_direction = 0, direction = 0, left = 0, arrived = 0;
    double added = 0, value = 0;
  };
  /// A coarse link that gets something else than what streams there.
  struct CoarseLink {
    std::size_t cell = 0;
    int direction = 0;
    bool from_coarse = false;
    int lost = 0, arrived = 0;
    double sum = 0;
  };
  /// Where solids cross the interface: what a link has too much for one that has too little.
  struct Transfer {
    std::size_t from = 0, to = 0;
    double part = 0;
  };

  [[nodiscard]] bool is_fine(const Int3& coarse_cell) const {
    const Kind kind = coarse_.kind(coarse_cell);
    return kind == Kind::none;
  }
  [[nodiscard]] bool is_beside_fine(const Int3& c) const { return fine_.kind(child(c, 0)) == Kind::ghost; }
  [[nodiscard]] Int3 child(const Int3& c, int k) const {
    Int3 fine{0, 0, 0};
    for (int a = 0; a < coarse_.lattice().dimension; ++a) fine[a] = 2 * c[a] + (k >> a & 1);
    return fine;
  }
  [[nodiscard]] Int3 parent(const Int3& c) const {
    Int3 coarse{0, 0, 0};
    for (int a = 0; a < coarse_.lattice().dimension; ++a) coarse[a] = c[a] / 2;
    return coarse;
  }

  std::size_t link_at(const Int3& cell, int direction) {
    const auto key = std::make_pair(coarse_.index(cell), direction);
    const auto [place, is_new] = index_.try_emplace(key, links_.size());
    if (is_new) links_.push_back({key.first, direction, !is_fine(coarse_.came_from(cell, direction).cell)});
    return place->second;
  }

  void trace_entering(const Int3& cell) {
    const Lattice& lattice = coarse_.lattice();
    for (int j = 0; j < lattice.size(); ++j) {
      if (lattice.c[j] == Int3{0, 0, 0}) continue;
      const Arrival target = coarse_.follow(cell, j);
      const bool whole = is_fine(target.cell);  // all of the cell's population goes to the finer level
      const std::size_t first = entering_.size();
      for (int k = 0; k < children_; ++k) add_child(cell, j, k, target, whole);
      if (!whole) continue;
      const auto count = static_cast<double>(entering_.size() - first);
      if (entering_.size() - first != static_cast<std::size_t>(children_)) ++unbalanced_;
      Real3 mean{};
      for (std::size_t n = first; n < entering_.size(); ++n)
        for (int a = 0; a < 3; ++a) mean[a] += entering_[n].offset[a] / count;
      for (std::size_t n = first; n < entering_.size(); ++n)
        for (int a = 0; a < 3; ++a) entering_[n].offset[a] -= mean[a];
    }
  }
  void add_child(const Int3& cell, int j, int k, const Arrival& target, bool whole) {
    const Lattice& lattice = coarse_.lattice();
    Arrival at{child(cell, k), j, 0};
    int step = 0;
    for (; step < 2; ++step) {
      const Arrival next = fine_.follow(at.cell, at.direction);
      at = {next.cell, next.direction, at.added + next.added};
      if (fine_.kind(at.cell) == Kind::own) break;
    }
    const bool arrives = step < 2;
    if (!arrives && !whole) return;  // it goes on to a coarse cell, as the coarse link says
    Entering e;
    e.cell = coarse_.index(cell);
    e.from_direction = j;
    e.to = fine_.index(at.cell);
    e.direction = at.direction;
    e.step = std::min(step, 1);
    e.returns = !arrives;
    e.added = at.added;
    for (int a = 0; a < lattice.dimension; ++a)
      e.offset[a] = ((k >> a & 1) - 0.5) / 2 + 0.25 * (2 * e.step - 1) * lattice.c[j][a];
    if (e.returns) {
      e.link = static_cast<int>(link_at(parent(at.cell), at.direction));
      ++links_[static_cast<std::size_t>(e.link)].arrived;
    } else if (!whole) {
      e.link = static_cast<int>(link_at(target.cell, target.direction));
      ++links_[static_cast<std::size_t>(e.link)].lost;
    }
    entering_.push_back(e);
  }
  void trace_leaving(const Int3& cell) {
    for (int i = 0; i < fine_.lattice().size(); ++i)
      for (int left = 0; left < 2; ++left) {
        Arrival at = fine_.follow(cell, i);
        if (fine_.kind(at.cell) != Kind::ghost) continue;
        int step = left + 1;
        for (; step < 2; ++step) {
          const Arrival next = fine_.follow(at.cell, at.direction);
          at = {next.cell, next.direction, at.added + next.added};
          if (fine_.kind(at.cell) == Kind::own) break;
        }
        if (step < 2) {
          passing_.push_back({fine_.index(cell), fine_.index(at.cell), i, at.direction, left, step, at.added});
          continue;
        }
        const std::size_t link = link_at(parent(at.cell), at.direction);
        ++links_[link].arrived;
        leaving_.push_back({fine_.index(cell), i, left, static_cast<int>(link), at.added});
      }
  }
  /// A coarse link is made of as many parts as a coarse cell has children, unless solids cross the interface there;
  /// then what is too much goes to the nearest links of the same speed that have too little.
  void balance() {
    // The order of links, which decides between those that are as near, is that of cells and velocities.
    std::vector<std::size_t> order(links_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return std::pair(links_[a].cell, links_[a].direction) < std::pair(links_[b].cell, links_[b].direction);
    });
    std::vector<int> count, left;
    for (const CoarseLink& link : links_)
      count.push_back((link.from_coarse ? children_ : 0) - link.lost + link.arrived);
    left = count;
    for (const std::size_t to : order)
      while (left[to] < children_) {
        const std::size_t from = nearest_surplus(to, left, order);
        if (from == links_.size()) {
          ++unbalanced_;
          break;
        }
        --left[from];
        ++left[to];
        transfers_.push_back({from, to, 1.0 / count[from]});
      }
    for (const int n : left) unbalanced_ += n > children_;
  }
  [[nodiscard]] std::size_t nearest_surplus(std::size_t to, const std::vector<int>& left,
                                            const std::vector<std::size_t>& order) const {
    const Lattice& lattice = coarse_.lattice();
    std::size_t best = links_.size();
    int least = 0;
    const Int3 here = coarse_.cell(links_[to].cell);
    for (const std::size_t k : order) {
      if (left[k] <= children_ || lattice.w[links_[k].direction] != lattice.w[links_[to].direction]) continue;
      const Int3 there = coarse_.cell(links_[k].cell);
      int distance = 0;
      for (int a = 0; a < 3; ++a) distance += (there[a] - here[a]) * (there[a] - here[a]);
      if (best < links_.size() && distance >= least) continue;
      best = k;
      least = distance;
    }
    return best;
  }

  /// Derivative of a coarse population along an axis: between both neighbours, or to the one that there is.
  [[nodiscard]] double slope(const Entering& e, int axis) const {
    const double here = coarse_.collided[e.cell][e.from_direction];
    double sum = 0;
    int sides = 0;
    for (const int side : {-1, 1}) {
      Int3 c = coarse_.cell(e.cell);
      c[axis] += side;
      const auto neighbour = coarse_.inside(c);
      if (!neighbour || coarse_.kind(*neighbour) != Kind::own) continue;
      sum += side * (coarse_.collided[coarse_.index(*neighbour)][e.from_direction] - here);
      ++sides;
    }
    return sides == 0 ? 0 : sum / sides;
  }

  Cells& coarse_;
  Cells& fine_;
  int children_;
  std::vector<Entering> entering_;
  std::vector<Leaving> leaving_;
  std::vector<Passing> passing_;
  std::vector<CoarseLink> links_;
  std::vector<Transfer> transfers_;
  std::map<std::pair<std::size_t, int>, std::size_t> index_;
  int unbalanced_ = 0;
};

}  // namespace reference::levels
