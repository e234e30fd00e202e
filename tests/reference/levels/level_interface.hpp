// SPDX-License-Identifier: Apache-2.0
// What passes between a level and the next finer one in the reference solver: linear explosion whose slopes follow the
// place and the time at which a population crosses. Post-collision populations pass unscaled; a coarse cell's is the
// mean of those of its 2^D children, so that mass and momentum are kept to round-off. Found by following every
// population on its way, without any knowledge of faces, edges and corners.
#pragma once
#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "reference/levels/level_cells.hpp"
#include "reference/levels/sliding_rows.hpp"

namespace reference::levels {

/// A coarse cell, and how many cells it lies from the one around a fine place.
struct Standing {
  Int3 cell{};
  Int3 away{};
};

/// The coarse cell that stands for a fine place: the one around it, or, where that is solid, the nearest fluid one that
/// the place sees; of those as near the one along the first axes. None if there is none.
inline std::optional<Standing> stands_for(const Cells& coarse, const Cells& fine, const Int3& place) {
  const int dimension = coarse.lattice().dimension;
  Int3 around{0, 0, 0};
  for (int a = 0; a < dimension; ++a) around[a] = place[a] / 2;
  if (coarse.kind(around) == Kind::own) return Standing{around, {}};
  const auto sees = [&](const Int3& away) {
    for (int k = 1; k <= 2; ++k) {
      const auto there = fine.inside({place[0] + k * away[0], place[1] + k * away[1], place[2] + k * away[2]});
      if (!there || fine.kind(*there) == Kind::solid) return false;
      Int3 cell{0, 0, 0}, target{0, 0, 0};
      for (int a = 0; a < dimension; ++a) cell[a] = (*there)[a] / 2, target[a] = around[a] + away[a];
      if (cell == *coarse.inside(target)) return true;
    }
    return false;
  };
  std::optional<Standing> best;
  double least = 0;
  for (int n = 0; n < 27; ++n) {
    const Int3 away{n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1};
    if (dimension == 2 && away[2] != 0) continue;
    const auto cell = coarse.inside({around[0] + away[0], around[1] + away[1], around[2] + away[2]});
    if (!cell || coarse.kind(*cell) != Kind::own || !sees(away)) continue;
    double distance = 0;
    for (int a = 0; a < dimension; ++a) {
      distance += std::pow(away[a] - (place[a] % 2 - 0.5) / 2, 2);
      if (away[a] != 0) distance += 1e-6 * (1 << a);
    }
    if (best && distance >= least) continue;
    best = Standing{*cell, away};
    least = distance;
  }
  return best;
}

class Interface {
 public:
  /// Cells of `coarse` that are neither its own nor solid are the finer level's.
  Interface(Cells& coarse, Cells& fine)
      : coarse_(coarse),
        fine_(fine),
        children_(1 << coarse.lattice().dimension),
        at_rest_(coarse.lattice().find({0, 0, 0})),
        sliding_(coarse) {
    for (std::size_t n = 0; n < coarse.kinds.size(); ++n)
      if (coarse.kinds[n] == Kind::own && is_beside_fine(coarse.cell(n))) trace_entering(coarse.cell(n));
    for (std::size_t n = 0; n < fine.kinds.size(); ++n) {
      if (fine.kinds[n] == Kind::own) trace_leaving(fine.cell(n));
      if (fine.kinds[n] == Kind::ghost && coarse.kind(parent(fine.cell(n))) == Kind::solid) trace_orphan(fine.cell(n));
    }
    balance();
    sliding_.share();
  }

  /// Links whose sources and sinks differ: 0, or the lists are wrong.
  [[nodiscard]] int unbalanced() const { return unbalanced_; }
  [[nodiscard]] std::size_t entering() const { return entering_.size(); }

  /// After the coarse collision: what each child of a coarse cell carries across.
  void explode() {
    for (Part& p : parts_) {
      p.value = coarse_.collided[p.cell][p.of];
      for (int a = 0; a < coarse_.lattice().dimension; ++a)
        if (p.offset[a] != 0) p.value += p.offset[a] * slope(p.cell, p.slope_of, a);
    }
  }
  /// After the coarse streaming: coarse links begin with what coarse cells bring, less what is on its way to fine ones.
  void begin() {
    for (CoarseLink& link : links_) link.sum = link.from_coarse ? coarse_.populations[link.cell][link.direction] : 0;
    for (const Share& share : shares_)
      links_[share.link].sum += share.sign * (parts_[share.part].value + share.added) / children_;
    sliding_.begin([&](std::size_t part) { return parts_[part].value / children_; });
  }
  /// After the fine collision of step 0 or 1.
  void take_leaving(int step) {
    for (const Leaving& l : leaving_)
      if (l.step == step)
        (l.row != nullptr ? l.row->sum : links_[static_cast<std::size_t>(l.link)].sum) +=
            (fine_.collided[l.cell][l.direction] + l.added) / children_;
    for (Passing& p : passing_)
      if (p.left == step) p.value = fine_.collided[p.from][p.from_direction] + p.added;
  }
  /// After the fine streaming of step 0 or 1.
  void put_entering(int step) {
    for (const Entering& e : entering_)
      if (e.step == step) fine_.populations[e.to][e.direction] = parts_[e.part].value + e.added;
    for (const Passing& p : passing_)
      if (p.arrived == step) fine_.populations[p.to][p.direction] = p.value;
  }
  /// After two fine steps: coarse links get what has arrived.
  void end() {
    std::vector<double> moved;
    for (const Transfer& t : transfers_) moved.push_back(t.part * links_[t.from].sum);
    for (std::size_t k = 0; k < transfers_.size(); ++k) {
      links_[transfers_[k].from].sum -= moved[k];
      links_[transfers_[k].to].sum += moved[k] + transfers_[k].added;
    }
    for (const CoarseLink& link : links_) coarse_.populations[link.cell][link.direction] = link.sum;
    sliding_.end();
  }

 private:
  /// A number made of a population of a coarse cell, and of slopes there of it or of another one.
  struct Part {
    std::size_t cell = 0;
    int of = 0, slope_of = 0;
    Real3 offset{};  ///< from the middle of the cell
    double value = 0;
  };
  /// A part that comes to a fine cell in a fine step, and what moving walls add to it.
  struct Entering {
    std::size_t part = 0, to = 0;
    int direction = 0, step = 0;
    double added = 0;
  };
  /// A part that a coarse link gets (1) or loses (-1), with what moving walls add to it, divided by the number of
  /// children.
  struct Share {
    std::size_t part = 0, link = 0;
    int sign = 0;
    double added = 0;
  };
  /// The way of a population from a fine place in a coarse cell to a fine cell.
  struct Way {
    Int3 place{};
    int from_direction = 0;
    Int3 to{};
    int direction = 0, step = 0;
    Int3 moved{};  ///< in fine links
    bool bounced = false;
    double added = 0;  ///< by moving walls
  };
  struct Leaving {
    std::size_t cell = 0;
    int direction = 0, step = 0, link = 0;
    double added = 0;
    SlidingRows::Row* row = nullptr;  ///< in place of a link
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
    std::vector<double> added{};  ///< by moving walls, to each part that they have turned round
  };
  /// Where walls stand between two coarse cells: what the link between them has too much for the one back. Moving walls
  /// take back what they have added, as its direction is turned once more.
  struct Transfer {
    std::size_t from = 0, to = 0;
    double part = 0, added = 0;
  };

  [[nodiscard]] bool is_fine(const Int3& coarse_cell) const {
    const Kind kind = coarse_.kind(coarse_cell);
    return kind == Kind::none;
  }
  [[nodiscard]] bool is_beside_fine(const Int3& c) const {
    for (int n = 0; n < 27; ++n) {
      const Int3 step{n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1};
      if (coarse_.lattice().dimension == 2 && step[2] != 0) continue;
      const auto there = coarse_.inside({c[0] + step[0], c[1] + step[1], c[2] + step[2]});
      if (there && coarse_.is_finer[coarse_.index(*there)]) return true;
    }
    return false;
  }
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
      std::vector<Way> ways;
      std::vector<Int3> stopped;
      for (int k = 0; k < children_; ++k) {
        if (const auto way = follow(child(cell, k), j))
          ways.push_back(*way);
        else
          stopped.push_back(child(cell, k));
      }
      if (is_fine(target.cell))
        enter_whole(cell, j, ways, stopped);
      else if (target.direction != j)
        enter_beside_wall(cell, j, ways);
      else
        for (const Way& way : ways) give(enter(way, {cell, {}}, false), target.cell, target.direction, -1);
    }
  }
  /// All of a population leaves. What the finer walls stop stays with the cell without momentum, and goes on along the
  /// link back as if the flow did; if nothing enters it is all sent back.
  void enter_whole(const Int3& cell, int j, const std::vector<Way>& ways, const std::vector<Int3>& stopped) {
    const int back = coarse_.lattice().opposite[j];
    const std::size_t first = parts_.size();
    Real3 sum{};
    for (const Way& way : ways) {
      const std::size_t part = enter(way, {cell, {}}, false);
      for (int a = 0; a < 3; ++a) sum[a] += parts_[part].offset[a];
    }
    if (stopped.empty())
      for (std::size_t n = first; n < parts_.size(); ++n)
        for (int a = 0; a < 3; ++a) parts_[n].offset[a] -= sum[a] / children_;
    for (const Int3& place : stopped) {
      Part stays{coarse_.index(cell), j, j, {}, 0};
      for (int a = 0; a < 3; ++a) stays.offset[a] = -sum[a] / static_cast<double>(stopped.size());
      give(add(stays), cell, ways.empty() ? back : at_rest_, 1, added_to_stopped(cell, place, j));
      if (ways.empty()) continue;
      const Int3& c = coarse_.lattice().c[j];
      const auto next = fine_.inside({place[0] + c[0], place[1] + c[1], place[2] + c[2]});
      const bool at_once = next && coarse_.is_finer[coarse_.index(parent(*next))];
      Part virtual_part{coarse_.index(cell), back, back, middle(place), 0};
      for (int a = 0; a < 3; ++a) virtual_part.offset[a] += (at_once ? 0.75 : 1.25) * c[a];
      const std::size_t part = add(virtual_part);
      give(part, cell, back, 1);
      give(part, cell, at_rest_, -1);
    }
  }
  /// What moving walls add to a population of a fine place in a coarse cell that they turn round, or that is solid
  /// beside a fluid one in the cell.
  [[nodiscard]] double added_to_stopped(const Int3& cell, const Int3& place, int j) const {
    Arrival at{place, j};
    if (fine_.kind(place) == Kind::ghost)
      for (int step = 0; step < 2 && at.direction == j; ++step) at = fine_.follow(at.cell, at.direction);
    if (at.direction != j || fine_.kind(place) == Kind::ghost) return at.added;
    for (int k = 0; k < children_; ++k) {
      const Int3 beside = child(cell, k);
      const Int3 step{place[0] - beside[0], place[1] - beside[1], place[2] - beside[2]};
      const auto& velocities = fine_.lattice().c;
      if (fine_.kind(beside) != Kind::ghost ||
          std::find(velocities.begin(), velocities.end(), step) == velocities.end())
        continue;
      const Real3 u = fine_.wall_velocity(beside, step);
      const Int3& c = fine_.lattice().c[j];
      return -6 * fine_.lattice().w[j] * (c[0] * u[0] + c[1] * u[1] + c[2] * u[2]);
    }
    return 0;
  }
  /// Parts of what a coarse wall sends back come to fine cells. The link back loses what the coarse flow would bring
  /// there in place of what the fine cells do; the cell, without momentum, the difference from what enters.
  void enter_beside_wall(const Int3& cell, int j, const std::vector<Way>& ways) {
    const int back = coarse_.lattice().opposite[j];
    for (const Way& way : ways) {
      if (coarse_.slides(cell, coarse_.lattice().c[j])) {
        sliding_.of(cell, coarse_.lattice().c[way.direction]).parts.push_back(enter(way, {cell, {}}, true));
        continue;
      }
      give(enter(way, {cell, {}}, true), cell, at_rest_, -1);
      Part expected{coarse_.index(cell), j, back, middle(way.place), 0};
      if (way.bounced) expected.slope_of = expected.of = coarse_.lattice().opposite[way.direction];
      for (int a = 0; a < 3; ++a)
        expected.offset[a] += way.bounced ? 0.5 * way.moved[a] + 0.25 * coarse_.lattice().c[way.direction][a]
                                          : 0.25 * (2 * way.step - 1) * coarse_.lattice().c[j][a];
      const std::size_t part = add(expected);
      give(part, cell, back, -1, way.bounced ? way.added : coarse_.follow(cell, j).added);
      give(part, cell, at_rest_, 1, way.added);
    }
  }
  /// A fine place in a solid coarse cell, which another cell stands for: what that gets and gives has no momentum.
  void trace_orphan(const Int3& place) {
    const Standing foster = stands_for(coarse_, fine_, place).value();
    for (int j = 0; j < coarse_.lattice().size(); ++j)
      if (const auto way = follow(place, j)) give(enter(*way, foster, true), foster.cell, at_rest_, -1);
  }
  /// None if it comes to no fine cell within a coarse step.
  [[nodiscard]] std::optional<Way> follow(const Int3& place, int j) const {
    if (coarse_.lattice().c[j] == Int3{0, 0, 0} || fine_.kind(place) != Kind::ghost) return std::nullopt;
    Way way{place, j, place, j};
    for (; way.step < 2; ++way.step) {
      const Arrival next = fine_.follow(way.to, way.direction);
      const bool bounced = next.direction != way.direction;
      for (int a = 0; a < 3; ++a) way.moved[a] += bounced ? 0 : fine_.lattice().c[way.direction][a];
      way.bounced = way.bounced || bounced;
      way.added += next.added;
      way.to = next.cell;
      way.direction = next.direction;
      if (fine_.kind(way.to) == Kind::own) return way;
    }
    return std::nullopt;
  }
  /// Lists what enters. `by_end`: behind a wall that turns it round, it is what would come from beyond the wall.
  std::size_t enter(const Way& way, const Standing& source, bool by_end) {
    const bool turned = by_end && way.bounced;
    const int j = turned ? way.direction : way.from_direction;
    Part part{coarse_.index(source.cell), j, j, middle(way.place), 0};
    const Int3& c = coarse_.lattice().c[j];
    for (int a = 0; a < coarse_.lattice().dimension; ++a) {
      part.offset[a] += 0.25 * (2 * way.step - 1) * c[a] - source.away[a];
      if (turned) part.offset[a] += 0.5 * (way.moved[a] - (way.step + 1) * c[a]);
    }
    entering_.push_back({add(part), fine_.index(way.to), way.direction, way.step, turned ? 0 : way.added});
    return entering_.back().part;
  }
  std::size_t add(const Part& part) {
    parts_.push_back(part);
    return parts_.size() - 1;
  }
  void give(std::size_t part, const Int3& cell, int direction, int sign, double added = 0) {
    const std::size_t link = link_at(cell, direction);
    ++(sign > 0 ? links_[link].arrived : links_[link].lost);
    if (sign > 0 && added != 0) links_[link].added.push_back(added);
    shares_.push_back({part, link, sign, added});
  }
  /// The middle of a fine place, from that of the coarse cell around it.
  [[nodiscard]] Real3 middle(const Int3& place) const {
    Real3 at{};
    for (int a = 0; a < coarse_.lattice().dimension; ++a) at[a] = (place[a] % 2 - 0.5) / 2;
    return at;
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
        const int back = coarse_.lattice().opposite[at.direction];
        if (const Int3& c = coarse_.lattice().c[back]; coarse_.slides(parent(at.cell), c)) {
          leaving_.push_back({fine_.index(cell), i, left, 0, 0,
                              &sliding_.of(parent(at.cell), coarse_.lattice().c[coarse_.lattice().opposite[i]])});
          continue;
        }
        const bool in_solid = coarse_.kind(parent(at.cell)) == Kind::solid;
        const std::size_t link =
            link_at(stands_for(coarse_, fine_, at.cell).value().cell, in_solid ? at_rest_ : at.direction);
        ++links_[link].arrived;
        if (at.added != 0) links_[link].added.push_back(at.added);
        leaving_.push_back({fine_.index(cell), i, left, static_cast<int>(link), at.added});
      }
  }
  /// A coarse link is made of as many parts as a coarse cell has children. Where walls stand between two coarse cells
  /// what one link misses the link back has too much.
  void balance() {
    std::vector<int> count;
    for (const CoarseLink& link : links_)
      count.push_back((link.from_coarse ? children_ : 0) - link.lost + link.arrived);
    std::vector<int> left = count;
    for (std::size_t to = 0; to < count.size(); ++to) {
      if (count[to] >= children_) continue;
      const Arrival from = coarse_.came_from(coarse_.cell(links_[to].cell), links_[to].direction);
      const auto back = index_.find({coarse_.index(from.cell), from.direction});
      if (back == index_.end()) continue;
      const std::vector<double>& turned = links_[back->second].added;
      double added = 0;
      for (const double a : turned) added += a / static_cast<double>(turned.size());
      for (; left[to] < children_; ++left[to], --left[back->second])
        transfers_.push_back({back->second, to, 1.0 / count[back->second], -added / children_});
    }
    for (const int n : left) unbalanced_ += n != children_;
  }

  /// Derivative of a coarse population along an axis: between both neighbours, or to the one that there is.
  [[nodiscard]] double slope(std::size_t cell, int direction, int axis) const {
    const double here = coarse_.collided[cell][direction];
    double sum = 0;
    int sides = 0;
    for (const int side : {-1, 1}) {
      Int3 c = coarse_.cell(cell);
      c[axis] += side;
      const auto neighbour = coarse_.inside(c);
      if (!neighbour || coarse_.kind(*neighbour) != Kind::own) continue;
      sum += side * (coarse_.collided[coarse_.index(*neighbour)][direction] - here);
      ++sides;
    }
    return sides == 0 ? 0 : sum / sides;
  }

  Cells& coarse_;
  Cells& fine_;
  int children_;
  int at_rest_;  ///< the direction of what does not move
  std::vector<Part> parts_;
  std::vector<Entering> entering_;
  std::vector<Share> shares_;
  std::vector<Leaving> leaving_;
  std::vector<Passing> passing_;
  std::vector<CoarseLink> links_;
  std::vector<Transfer> transfers_;
  std::map<std::pair<std::size_t, int>, std::size_t> index_;
  SlidingRows sliding_;
  int unbalanced_ = 0;
};

}  // namespace reference::levels
