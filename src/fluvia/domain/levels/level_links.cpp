// SPDX-License-Identifier: Apache-2.0
#include "fluvia/domain/levels/level_links.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <tuple>
#include <unordered_map>

#include "fluvia/base/error.hpp"
#include "fluvia/core/lattice/lattice.hpp"
#include "fluvia/domain/levels/level_surroundings.hpp"

namespace fluvia::domain {

namespace {

using crossing::Arrival;
using crossing::Kind;
using crossing::Surroundings;

/// A list of places, each once.
class Places {
 public:
  Places(const NodeMap& nodes, std::vector<HaloPopulation>& list) : nodes_(nodes), list_(list) {}
  std::uint32_t at(const Int3& cell, int direction, bool is_cut) {
    const auto node = nodes_.find_fluid(cell);
    if (!node) throw Error(ExitCode::internal, "levels: a population passes where there is no fluid");
    const auto i = static_cast<std::uint8_t>(direction);
    const std::uint64_t key = std::uint64_t{node->tile} << 16 | std::uint64_t{node->bit} << 8 |
                              static_cast<std::uint64_t>(i) << 1 | static_cast<std::uint64_t>(is_cut);
    const auto [known, is_new] = index_.try_emplace(key, static_cast<std::uint32_t>(list_.size()));
    if (is_new) list_.push_back({node->tile, node->bit, i, is_cut, {node->tile, node->bit, i}});
    return known->second;
  }

 private:
  const NodeMap& nodes_;
  std::vector<HaloPopulation>& list_;
  std::unordered_map<std::uint64_t, std::uint32_t> index_;
};

class Tracer {
 public:
  Tracer(const LevelPair& levels, const std::vector<Int3>& velocities, const std::vector<double>& weights,
         PlaceOrder order)
      : levels_(levels),
        around_(levels, velocities),
        weights_(weights),
        order_(order),
        reads_(levels.coarse, links_.coarse_reads),
        writes_(levels.coarse, links_.coarse_writes),
        fine_(levels.fine, links_.fine_places) {}

  LevelLinks trace() {
    for (const NodeMap::Tile& tile : levels_.coarse.tiles) {
      if (around_.is_inside(levels_.level, tile.position)) continue;
      for (std::uint64_t rest = tile.mask; rest != 0; rest &= rest - 1)
        if (const Int3 cell = levels_.coarse.node_position(tile, std::countr_zero(rest)); around_.is_beside_fine(cell))
          trace_entering(cell);
    }
    for (const NodeMap::Tile& tile : levels_.fine.tiles) {
      if (around_.is_inside(levels_.level + 1, tile.position)) continue;
      for (std::uint64_t rest = tile.mask; rest != 0; rest &= rest - 1)
        trace_leaving(levels_.fine.node_position(tile, std::countr_zero(rest)));
    }
    balance();
    list_links();
    sort_places();
    return std::move(links_);
  }

 private:
  /// A coarse link, with what it loses and gains.
  struct Link {
    Int3 cell{};
    int direction = 0;
    bool from_coarse = false;
    int lost = 0, arrived = 0;
    std::vector<LevelLinks::LinkChild> children{};
    std::array<std::vector<std::uint32_t>, 2> leaving{};
    [[nodiscard]] int count(int of_cell) const { return (from_coarse ? of_cell : 0) - lost + arrived; }
  };

  std::uint32_t link_at(const Int3& cell, int direction) {
    const std::uint32_t number = writes_.at(cell, direction, comes_cut(cell, direction));
    if (number == known_.size()) {
      const Arrival back = around_.follow_coarse(cell, core::opposite(direction));
      known_.push_back({cell, direction, around_.coarse_kind(back.cell) == Kind::own});
    }
    return number;
  }
  /// Whether what arrives at a coarse cell along a direction lies where its storage reads cut links: whatever comes
  /// from no node of its own map, or over a plane of symmetry (exchanged_links.hpp).
  [[nodiscard]] bool comes_cut(const Int3& cell, int direction) const {
    const Arrival back = around_.follow_coarse(cell, core::opposite(direction));
    return back.bounced || back.mirrored || around_.is_fine(back.cell);
  }
  /// Whether the condition of an opening completes what arrives at a coarse cell along a direction, of what left the
  /// cell the other way: what crosses the interface there is none of its business.
  [[nodiscard]] bool is_completed(const Int3& cell, int direction) const {
    return around_.leaves_by_opening(levels_.coarse, cell, core::opposite(direction));
  }
  /// Where a population of a coarse cell is after its collision and the streaming that follows.
  std::uint32_t collided(const Int3& cell, int direction) {
    const Arrival to = around_.follow_coarse(cell, direction);
    if (to.bounced || around_.is_fine(to.cell)) return reads_.at(cell, core::opposite(direction), true);
    return reads_.at(to.cell, to.direction, to.mirrored);
  }
  void add_source(const Int3& cell, int direction) {
    LevelLinks::Source source{};
    source.at = collided(cell, direction);
    source.upper.fill(source.at);
    source.lower.fill(source.at);
    for (int a = 0; a < around_.dimension(); ++a) {
      int sides = 0;
      for (const int side : {-1, 1}) {
        const std::optional<Arrival> beside = around_.beside(cell, a, side, direction);
        if (!beside) continue;
        (side < 0 ? source.lower : source.upper)[static_cast<std::size_t>(a)] =
            collided(beside->cell, beside->direction);
        ++sides;
      }
      source.part[static_cast<std::size_t>(a)] = sides == 2 ? 0.5 : 1;
    }
    source.first_child = static_cast<std::uint32_t>(links_.children.size());
    links_.sources.push_back(source);
  }

  void trace_entering(const Int3& cell) {
    for (int j = 1; j < static_cast<int>(around_.velocities().size()); ++j) {
      const Arrival target = around_.follow_coarse(cell, j);
      const bool whole = around_.is_fine(target.cell);  // all of the cell's population goes to the finer level
      const std::size_t first = links_.children.size();
      for (int k = 0; k < around_.children(); ++k)
        add_child(cell, j, k, target, whole, links_.children.size() == first);
      if (!whole) continue;
      const std::size_t count = links_.children.size() - first;
      if (count != static_cast<std::size_t>(around_.children())) note_unbalanced(cell);
      for (std::size_t a = 0; a < 3; ++a) {
        double mean = 0;
        for (std::size_t n = first; n < first + count; ++n)
          mean += links_.children[n].offset[a] / static_cast<double>(count);
        for (std::size_t n = first; n < first + count; ++n) links_.children[n].offset[a] -= mean;
      }
    }
  }
  void add_child(const Int3& cell, int j, int k, const Arrival& target, bool whole, bool is_first) {
    Arrival at{around_.child(cell, k), j, false};
    int step = 0;
    std::optional<Int3> returned;  // from beyond an opening
    for (; step < 2; ++step) {
      const Arrival next = around_.follow_fine(at.cell, at.direction);
      if (next.bounced && around_.leaves_by_opening(levels_.fine, at.cell, at.direction)) returned = at.cell;
      at = next;
      if (around_.fine_kind(at.cell) == Kind::own) break;
    }
    const bool arrives = step < 2;
    if (!arrives && !whole) return;  // it goes on to a coarse cell, as the coarse link says
    if (is_first) add_source(cell, j);
    LevelLinks::Child child{LevelLinks::none, {}, static_cast<std::uint8_t>(std::min(step, 1))};
    for (int a = 0; a < around_.dimension(); ++a)
      child.offset[static_cast<std::size_t>(a)] =
          ((k >> a & 1) - 0.5) / 2 + 0.25 * (2 * child.step - 1) * around_.velocities()[static_cast<std::size_t>(j)][a];
    const auto number = static_cast<std::uint32_t>(links_.children.size());
    if (arrives) child.place = fine_.at(at.cell, at.direction, true);
    if (arrives && returned) continue_along_opening(child.place, *returned, at);
    if (!arrives && !is_completed(around_.parent(at.cell), at.direction)) {
      Link& link = known_at(around_.parent(at.cell), at.direction);
      ++link.arrived;
      link.children.push_back({number, true});
    } else if (arrives && !whole && !is_completed(target.cell, target.direction)) {
      Link& link = known_at(target.cell, target.direction);
      ++link.lost;
      link.children.push_back({number, false});
    }
    links_.children.push_back(child);
  }
  /// Lets what came from beyond an opening to `from`, a place in a coarse cell, go on along the opening: into the
  /// level, by the fewest axes along which it moves.
  void continue_along_opening(std::uint32_t place, const Int3& from, const Arrival& at) {
    const Int3& v = around_.velocities()[static_cast<std::size_t>(at.direction)];
    std::vector<Int3> steps;
    for (int axes = 1; axes < 8; ++axes) {
      Int3 step{};
      for (int a = 0; a < 3; ++a) step[a] = (axes >> a & 1) != 0 ? v[a] : 0;
      if (step != Int3{} && step != v) steps.push_back(step);
    }
    std::stable_sort(steps.begin(), steps.end(), [](const Int3& a, const Int3& b) {
      const auto axes = [](const Int3& s) { return (s[0] != 0) + (s[1] != 0) + (s[2] != 0); };
      return axes(a) < axes(b);
    });
    const auto arrival = [&](const Int3& step, int count) {
      const auto origin = around_.own_fine(from, step, count), to = around_.own_fine(at.cell, step, count);
      return origin && to ? fine_.at(*to, at.direction, false) : LevelLinks::none;
    };
    for (const Int3& step : steps)
      if (const std::uint32_t near = arrival(step, 1); near != LevelLinks::none) {
        links_.continued.push_back({place, near, arrival(step, 2)});
        return;
      }
  }
  Link& known_at(const Int3& cell, int direction) { return known_[link_at(cell, direction)]; }

  void trace_leaving(const Int3& cell) {
    for (int i = 1; i < static_cast<int>(around_.velocities().size()); ++i) {
      const Arrival out = around_.follow_fine(cell, i);
      if (around_.fine_kind(out.cell) != Kind::ghost) continue;
      // What leaves comes back, as from a half-way wall, to where populations of other levels arrive.
      const std::uint32_t from = fine_.at(cell, core::opposite(i), true);
      for (int left = 0; left < 2; ++left) {
        Arrival at = out;
        int step = left + 1;
        for (; step < 2; ++step) {
          at = around_.follow_fine(at.cell, at.direction);
          if (around_.fine_kind(at.cell) == Kind::own) break;
        }
        if (step < 2) {
          links_.passing.push_back({from, fine_.at(at.cell, at.direction, true)});  // it left in step 0
          continue;
        }
        if (is_completed(around_.parent(at.cell), at.direction)) continue;
        Link& link = known_at(around_.parent(at.cell), at.direction);
        ++link.arrived;
        link.leaving[static_cast<std::size_t>(left)].push_back(from);
      }
    }
  }

  /// A coarse link is made of as many parts as a coarse cell has children, unless solids cross the interface there;
  /// then what is too much goes to the nearest links of the same speed that have too little.
  void balance() {
    const int children = around_.children();
    const auto order = [&](std::uint32_t k) {
      const Int3& c = known_[k].cell;
      const Int3& v = around_.velocities()[static_cast<std::size_t>(known_[k].direction)];
      return std::tuple(c[2], c[1], c[0], v[0], v[1], v[2]);
    };
    std::vector<std::uint32_t> surplus, deficit;
    std::vector<int> left;
    for (std::uint32_t k = 0; k < known_.size(); ++k) {
      left.push_back(known_[k].count(children));
      if (left[k] > children) surplus.push_back(k);
      if (left[k] < children) deficit.push_back(k);
    }
    for (auto* list : {&surplus, &deficit})
      std::sort(list->begin(), list->end(), [&](auto a, auto b) { return order(a) < order(b); });
    for (const std::uint32_t to : deficit)
      while (left[to] < children) {
        const std::uint32_t from = nearest(to, surplus, left);
        if (from == LevelLinks::none) {
          note_unbalanced(known_[to].cell);
          break;
        }
        --left[from];
        ++left[to];
        links_.transfers.push_back({from, to, 1.0 / known_[from].count(children)});
      }
    for (const std::uint32_t k : surplus)
      if (left[k] > children) note_unbalanced(known_[k].cell);
  }
  [[nodiscard]] std::uint32_t nearest(std::uint32_t to, const std::vector<std::uint32_t>& surplus,
                                      const std::vector<int>& left) const {
    std::uint32_t best = LevelLinks::none;
    std::int64_t least = 0;
    const auto weight = [&](std::uint32_t k) { return weights_[static_cast<std::size_t>(known_[k].direction)]; };
    for (const std::uint32_t k : surplus) {
      if (left[k] <= around_.children() || weight(k) != weight(to)) continue;
      std::int64_t distance = 0;
      for (int a = 0; a < 3; ++a) {
        const std::int64_t d = known_[k].cell[a] - known_[to].cell[a];
        distance += d * d;
      }
      if (best != LevelLinks::none && distance >= least) continue;
      best = k;
      least = distance;
    }
    return best;
  }
  void note_unbalanced(const Int3& cell) {
    if (links_.unbalanced++ == 0) links_.examples = cell;
  }

  /// Turns the lists of links into consecutive ones.
  void list_links() {
    sort_links();
    for (const Link& link : known_) {
      LevelLinks::CoarseLink& listed = links_.links.emplace_back(ends());
      if (link.from_coarse)
        listed.streamed = reads_.at(link.cell, link.direction, comes_cut(link.cell, link.direction));
      links_.link_children.insert(links_.link_children.end(), link.children.begin(), link.children.end());
      for (std::size_t s = 0; s < 2; ++s)
        links_.leaving[s].insert(links_.leaving[s].end(), link.leaving[s].begin(), link.leaving[s].end());
    }
    links_.links.push_back(ends());
  }
  void sort_links() {
    const std::vector<std::uint32_t> number = sort(levels_.coarse, links_.coarse_writes);
    std::vector<Link> sorted(known_.size());
    for (std::size_t k = 0; k < known_.size(); ++k) sorted[number[k]] = std::move(known_[k]);
    known_ = std::move(sorted);
    for (LevelLinks::Transfer& transfer : links_.transfers) {
      transfer.from = number[transfer.from];
      transfer.to = number[transfer.to];
    }
  }
  /// Brings a list of places into the order in which storages have them. Returns, for each place, its new number.
  [[nodiscard]] std::vector<std::uint32_t> sort(const NodeMap& nodes, std::vector<HaloPopulation>& list) const {
    std::vector<std::uint32_t> order(list.size()), number(list.size());
    std::iota(order.begin(), order.end(), 0U);
    const auto key = [&](std::uint32_t k) {
      const HaloPopulation& p = list[k];
      Int3 at{static_cast<int>(p.bit), static_cast<int>(p.tile), 0};
      if (order_ == PlaceOrder::rows) at = nodes.node_position(nodes.tiles[p.tile], p.bit);
      return std::tuple(p.direction, p.is_cut, at[2], at[1], at[0]);
    };
    std::sort(order.begin(), order.end(), [&](auto a, auto b) { return key(a) < key(b); });
    std::vector<HaloPopulation> sorted;
    for (std::uint32_t k = 0; k < order.size(); ++k) {
      number[order[k]] = k;
      sorted.push_back(list[order[k]]);
    }
    list = std::move(sorted);
    return number;
  }
  void sort_places() {
    const std::vector<std::uint32_t> read = sort(levels_.coarse, links_.coarse_reads),
                                     fine = sort(levels_.fine, links_.fine_places);
    for (LevelLinks::Source& source : links_.sources) {
      source.at = read[source.at];
      for (std::uint32_t& k : source.upper) k = read[k];
      for (std::uint32_t& k : source.lower) k = read[k];
    }
    links_.sources.push_back({});
    links_.sources.back().first_child = static_cast<std::uint32_t>(links_.children.size());
    for (LevelLinks::Child& child : links_.children)
      if (child.place != LevelLinks::none) child.place = fine[child.place];
    for (LevelLinks::Passing& passing : links_.passing) {
      passing.from = fine[passing.from];
      passing.to = fine[passing.to];
    }
    for (LevelLinks::Continued& continued : links_.continued)
      for (std::uint32_t* const k : {&continued.place, &continued.near, &continued.far})
        if (*k != LevelLinks::none) *k = fine[*k];
    for (LevelLinks::CoarseLink& link : links_.links)
      if (link.streamed != LevelLinks::none) link.streamed = read[link.streamed];
    for (auto& list : links_.leaving)
      for (std::uint32_t& k : list) k = fine[k];
  }
  [[nodiscard]] LevelLinks::CoarseLink ends() const {
    return {
        LevelLinks::none,
        static_cast<std::uint32_t>(links_.link_children.size()),
        {static_cast<std::uint32_t>(links_.leaving[0].size()), static_cast<std::uint32_t>(links_.leaving[1].size())}};
  }

  const LevelPair& levels_;
  Surroundings around_;
  const std::vector<double>& weights_;
  PlaceOrder order_;
  LevelLinks links_;
  Places reads_, writes_, fine_;
  std::vector<Link> known_;
};

}  // namespace

LevelLinks find_level_links(const LevelPair& levels, const std::vector<Int3>& velocities,
                            const std::vector<double>& weights, PlaceOrder order) {
  return Tracer(levels, velocities, weights, order).trace();
}

std::size_t neighbour_of(const BlockSolver& solver, int level) {
  const ExchangeLink link = level > solver.block().level ? ExchangeLink::fine_to_coarse : ExchangeLink::coarse_to_fine;
  const auto& neighbours = solver.block().neighbours;
  for (std::size_t k = 0; k < neighbours.size(); ++k)
    if (neighbours[k].link == link) return k;
  throw Error(ExitCode::internal, "two levels do not agree about being neighbours");
}

void require_balance(const LevelLinks& links, const LevelPair& levels) {
  if (links.unbalanced == 0) return;
  const Grid grid = levels.map.grid(levels.level);
  const Int3 cell = links.examples.value_or(Int3{});
  Real3 place = grid.origin;
  for (int a = 0; a < 3; ++a) place[a] += grid.spacing * (cell[a] + 0.5);
  throw Error(
      ExitCode::internal,
      fmt::format("refine: between levels {} and {} what {} links lose and gain differs, first at ({:.6g}, {:.6g}, "
                  "{:.6g}); this is an error of Fluvia: move the region of [[refine]] there a little, and report it",
                  levels.level, levels.level + 1, links.unbalanced, place[0], place[1], place[2]));
}

}  // namespace fluvia::domain
