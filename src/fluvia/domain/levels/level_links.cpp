// SPDX-License-Identifier: Apache-2.0
#include "fluvia/domain/levels/level_links.hpp"

#include <algorithm>
#include <bit>
#include <optional>
#include <set>
#include <utility>

#include "fluvia/core/lattice/lattice.hpp"
#include "fluvia/domain/levels/level_forces.hpp"
#include "fluvia/domain/levels/level_places.hpp"
#include "fluvia/domain/levels/level_surroundings.hpp"
#include "fluvia/domain/levels/level_walls.hpp"
#include "fluvia/domain/levels/walls/sliding_walls.hpp"

namespace fluvia::domain {

namespace {

using crossing::Arrival;
using crossing::Bounce;
using crossing::Crossing;
using crossing::end_of;
using crossing::Kind;
using crossing::MeasuredWall;
using crossing::MovingWalls;
using crossing::number_places;
using crossing::Places;
using crossing::Reflection;
using crossing::SlidingWalls;
using crossing::sort_places;
using crossing::sort_sources;
using crossing::Stop;
using crossing::stop_of;
using crossing::Surroundings;
using crossing::WallForceLists;
using crossing::WallGain;
using CellAt = Surroundings::CellAt;

constexpr int at_rest = 0;  ///< the direction of what does not move

class Tracer {
 public:
  Tracer(const LevelPair& levels, const LatticeFacts& lattice, PlaceOrder order)
      : levels_(levels),
        around_(levels, lattice.velocities),
        walls_(levels, lattice),
        sliding_(levels, around_),
        forces_(levels, around_.children(), links_.forces),
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
    for (const Int3& place : orphans_) trace_orphan(place);
    for (const Int3& cell : sliding_.cells()) (void)link_at(cell, at_rest);
    balance();
    list_links();
    number_places(sort_places(levels_.coarse, order_, links_.coarse_reads),
                  sort_places(levels_.fine, order_, links_.fine_places), links_);
    if (order_ == PlaceOrder::rows) sort_sources(links_);
    return std::move(links_);
  }

 private:
  /// A coarse link, with what it loses and gains.
  struct Link {
    Int3 cell{};
    int direction = 0;
    bool from_coarse = false;
    int lost = 0, arrived = 0, given = 0;
    std::vector<LevelLinks::LinkChild> children{};
    std::array<std::vector<std::uint32_t>, 2> leaving{};
    std::vector<WallGain> gains{};       ///< of parts that it gets (+) or loses
    std::optional<MeasuredWall> wall{};  ///< that has turned round a part of it
    [[nodiscard]] int count(int of_cell) const { return (from_coarse ? of_cell : 0) - lost + arrived; }
  };

  [[nodiscard]] const Int3& velocity(int direction) const {
    return around_.velocities()[static_cast<std::size_t>(direction)];
  }
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
    const std::optional<Reflection> reflection = around_.reflection(cell, direction);
    const int known = reflection ? core::opposite(direction) : direction;
    add_source(collided(cell, known), cell, known);
    if (!reflection) return;
    LevelLinks::Source& source = links_.sources.back();
    for (std::size_t a = 0; a < 3; ++a)
      if (reflection->growth[a] != 0) source.part[a] = 0;
    const auto axis = static_cast<std::size_t>(reflection->axis);
    source.upper[axis] = collided(reflection->inner.cell, reflection->inner.direction);
    source.lower[axis] = source.at;
    source.part[axis] = 1;
  }
  /// The offset of a part of such a source from the middle of the cell, by the slopes of the source.
  [[nodiscard]] std::array<double, 3> by_slopes(std::array<double, 3> offset, const Int3& cell, int direction) const {
    if (const std::optional<Reflection> reflection = around_.reflection(cell, direction))
      offset[static_cast<std::size_t>(reflection->axis)] = reflection->part(offset);
    return offset;
  }
  /// A source whose value is one and whose slopes are those of a population of a cell.
  void add_source(std::uint32_t value, const Int3& cell, int direction) {
    LevelLinks::Source source{};
    source.at = value;
    const std::uint32_t centre = collided(cell, direction);
    source.upper.fill(centre);
    source.lower.fill(centre);
    for (int a = 0; a < around_.dimension(); ++a) {
      int sides = 0;
      for (const int side : {-1, 1}) {
        const std::optional<Arrival> beside = around_.beside(cell, a, side, direction);
        if (!beside) continue;
        (side < 0 ? source.lower : source.upper)[static_cast<std::size_t>(a)] =
            collided(beside->cell, beside->direction);
        ++sides;
      }
      source.part[static_cast<std::size_t>(a)] = sides == 2 ? 0.5 : around_.is_known(cell, direction) ? 1 : 0;
    }
    source.first_child = static_cast<std::uint32_t>(links_.children.size());
    links_.sources.push_back(source);
    last_source_.reset();
  }

  void trace_entering(const Int3& cell) {
    const CellAt own{cell, {}};
    for (int j = 1; j < static_cast<int>(around_.velocities().size()); ++j) {
      const Arrival target = around_.follow_coarse(cell, j);
      last_source_.reset();
      if (around_.is_fine(target.cell))
        explode_whole(own, j);
      else if (target.bounced)
        explode_beside_wall(own, j);
      else
        for (int k = 0; k < around_.children(); ++k)
          if (const std::optional<Crossing> crossing = around_.follow(around_.child(cell, k), j))
            note({add_child(*crossing, own, false), false}, target.cell, target.direction);
    }
  }
  /// All of a cell's population goes to the finer level. Parts that walls of that level let through to no fine node
  /// stay with the cell, at rest; and what these parts would bring on the way back goes on as the population is there.
  void explode_whole(const CellAt& own, int j) {
    const std::size_t first = links_.children.size();
    std::vector<Int3> missing;
    for (int k = 0; k < around_.children(); ++k) {
      const Int3 place = around_.child(own.cell, k);
      if (const std::optional<Crossing> crossing = around_.follow(place, j))
        (void)add_child(*crossing, own, false);
      else
        missing.push_back(place);
    }
    const std::size_t end = links_.children.size();
    std::array<double, 3> sum{};
    for (std::size_t n = first; n < end; ++n)
      for (std::size_t a = 0; a < 3; ++a) sum[a] += links_.children[n].offset[a];
    if (missing.empty()) {
      for (std::size_t n = first; n < end; ++n)
        for (std::size_t a = 0; a < 3; ++a) links_.children[n].offset[a] -= sum[a] / around_.children();
      return;
    }
    if (first == end) add_source(own.cell, j);
    std::array<double, 3> rest{};
    for (std::size_t a = 0; a < 3; ++a) rest[a] = -sum[a] / static_cast<double>(missing.size());
    const int back = core::opposite(j);
    const Int3& c = velocity(j);
    for (const Int3& place : missing) {
      const std::optional<Stop> stop = stop_of(around_, own.cell, place, j);
      const WallGain added = stop ? walls_.gain_of(*stop, j) : WallGain{};
      const std::optional<MeasuredWall> wall = stop ? forces_.fine_wall(*stop) : std::nullopt;
      const std::uint32_t part = add_part(rest);
      note({part, true}, own.cell, first == end ? back : at_rest, added);
      forces_.add(links_.forces.of_children, part, wall, own.cell, c, first == end ? 2 : 1);
      if (first == end)
        forces_.add_gain(wall, own.cell, c, added);
      else
        forces_.add_motion(wall, own.cell, added);
    }
    if (first == end) return;  // as before any wall
    for (const Int3& place : missing) {
      const CellAt source = around_.source_of(place, own, back);
      add_source(source.cell, back);
      std::array<double, 3> offset = offset_of(place, source, j, around_.leaves_at_once(place, c) ? 0 : 1);
      for (std::size_t a = 0; a < 3; ++a) offset[a] += c[a];
      const std::uint32_t part = add_part(by_slopes(offset, source.cell, back));
      note({part, true}, own.cell, back);
      note({part, false}, own.cell, at_rest);
      if (const std::optional<Stop> stop = stop_of(around_, own.cell, place, j))
        forces_.add(links_.forces.of_children, part, forces_.fine_wall(*stop), own.cell, c, 1);
    }
  }
  /// A wall sends a cell's population back, but parts of it come to finer nodes before. The link back loses what comes
  /// back of them. As that is not what they carry, the cell gets or gives the difference, without any momentum.
  void explode_beside_wall(const CellAt& own, int j) {
    const int back = core::opposite(j);
    const bool slides = sliding_.turns(own.cell, j), is_completed = slides || this->is_completed(own.cell, back);
    const WallGain of_wall = walls_.coarse_gain(own.cell, j);
    const std::optional<MeasuredWall> wall = forces_.coarse_wall(own.cell, velocity(j));
    std::vector<Crossing> crossings;
    for (int k = 0; k < around_.children(); ++k)
      if (const std::optional<Crossing> crossing = around_.follow(around_.child(own.cell, k), j)) {
        const std::uint32_t child = add_child(*crossing, own, slides || !is_completed);
        if (slides) sliding_.enter(own.cell, crossing->at.direction, child);
        if (is_completed) continue;
        note({child, false}, own.cell, at_rest);
        crossings.push_back(*crossing);
        // The node's own link counts all that left and comes back.
        forces_.add(links_.forces.of_children, child, wall, own.cell, velocity(j), crossing->turned ? 1 : -1);
        if (!crossing->turned) forces_.add_motion(wall, own.cell, -of_wall);
      }
    for (const Crossing& crossing : crossings) {
      // The condition of the coarse node completes the link back, so that what the link loses is complete, too. The
      // cell gets what the wall adds if that turned round what enters.
      const std::uint32_t part = add_expected(crossing, own, j);
      const WallGain on_way = walls_.gain_of(crossing);
      note({part, false}, own.cell, back, crossing.bounced ? on_way : of_wall.by_condition());
      note({part, true}, own.cell, at_rest, crossing.bounced ? on_way : of_wall.by_condition() - of_wall);
    }
  }
  /// Fluid of the finer spacing in a solid coarse cell gets and gives what crosses there through the coarse cell that
  /// stands for it, which so changes its mass, but not its momentum.
  void trace_orphan(const Int3& place) {
    const CellAt foster = around_.foster(place).value();
    for (int j = 1; j < static_cast<int>(around_.velocities().size()); ++j) {
      last_source_.reset();
      if (const std::optional<Crossing> crossing = around_.follow(place, j)) {
        const std::uint32_t child = add_child(*crossing, foster, true);
        note({child, false}, foster.cell, at_rest);
        forces_.add(links_.forces.of_children, child, wall_of(foster), foster.cell, velocity(crossing->at.direction),
                    -1);
      }
    }
  }
  /// The wall behind which the place of a coarse cell that another one stands for lies.
  [[nodiscard]] std::optional<MeasuredWall> wall_of(const CellAt& foster) const {
    return forces_.coarse_wall(foster.cell, {-foster.away[0], -foster.away[1], -foster.away[2]});
  }
  /// Lists what crosses, as a part of the cell that the place is in, or that stands for it. `by_end`: what a wall
  /// turned round is not what began there, but what would come from beyond the wall if the flow went on: that the wall
  /// is not half-way makes no difference then.
  std::uint32_t add_child(const Crossing& crossing, const CellAt& cell, bool by_end) {
    const bool turned = by_end && crossing.bounced;
    const int j = turned ? crossing.at.direction : crossing.direction;
    const CellAt source = around_.source_of(crossing.place, cell, j);
    if (last_source_ != std::pair(source, j)) add_source(source.cell, j);
    last_source_ = std::pair(source, j);
    const std::uint32_t to = fine_.at(crossing.at.cell, crossing.at.direction, true);
    if (crossing.returned) continue_along_opening(to, *crossing.returned, crossing.at);
    if (const WallGain added = walls_.gain_of(crossing); !turned && added.value != 0)
      links_.place_gains.push_back({to, added.surface, added.value});
    std::array<double, 3> offset = offset_of(crossing.place, source, j, crossing.step);
    for (std::size_t a = 0; turned && a < static_cast<std::size_t>(around_.dimension()); ++a)
      offset[a] += 0.5 * (crossing.way[a] - (crossing.step + 1) * velocity(j)[a]);
    links_.children.push_back({to, by_slopes(offset, source.cell, j), static_cast<std::uint8_t>(crossing.step)});
    const auto child = static_cast<std::uint32_t>(links_.children.size() - 1);
    if (const std::optional<Bounce>& turn = crossing.turned; turn && !by_end && !crossing.returned)
      forces_.turn(links_.forces.of_children, child, forces_.fine_wall({turn->cell, velocity(turn->direction)}),
                   cell.cell, velocity(turn->direction), walls_.gain_of(crossing));
    return child;
  }
  /// Of a link back from a wall: what it would have in place of what comes along the way of a crossing from the fine
  /// node, if the coarse flow went on there.
  std::uint32_t add_expected(const Crossing& crossing, const CellAt& own, int j) {
    if (!crossing.bounced) {
      add_source(collided(own.cell, j), own.cell, core::opposite(j));
      return add_part(offset_of(crossing.place, own, j, crossing.step));
    }
    const int leaving = core::opposite(crossing.at.direction);
    const CellAt source = around_.source_of(crossing.place, own, leaving);
    add_source(source.cell, leaving);
    std::array<double, 3> offset{};
    for (std::size_t a = 0; a < static_cast<std::size_t>(around_.dimension()); ++a)
      offset[a] =
          (crossing.place[a] % 2 - 0.5) / 2 - source.away[a] + 0.5 * crossing.way[a] - 0.25 * velocity(leaving)[a];
    return add_part(by_slopes(offset, source.cell, leaving));
  }
  /// A part of the last source that comes to no fine node.
  std::uint32_t add_part(const std::array<double, 3>& offset) {
    links_.children.push_back({LevelLinks::none, offset, 1});
    return static_cast<std::uint32_t>(links_.children.size() - 1);
  }
  /// From the middle of a coarse cell to where what a fine place has of a direction crosses in a fine step.
  [[nodiscard]] std::array<double, 3> offset_of(const Int3& place, const CellAt& source, int j, int step) const {
    std::array<double, 3> offset{};
    for (std::size_t a = 0; a < static_cast<std::size_t>(around_.dimension()); ++a)
      offset[a] = (place[a] % 2 - 0.5) / 2 - source.away[a] + 0.25 * (2 * step - 1) * velocity(j)[a];
    return offset;
  }
  /// A coarse link loses or gains a child, and what a wall that moves adds to it.
  void note(const LevelLinks::LinkChild& child, const Int3& cell, int direction, const WallGain& added = {}) {
    if (is_completed(cell, direction)) return;
    Link& link = known_at(cell, direction);
    ++(child.gained ? link.arrived : link.lost);
    link.children.push_back(child);
    gain(cell, direction, added, child.gained ? 1 : -1);
  }
  /// A part of a coarse link gets `times` what a wall adds.
  void gain(const Int3& cell, int direction, const WallGain& added, int times) {
    if (added.value == 0 || is_completed(cell, direction)) return;
    known_at(cell, direction).gains.push_back({added.surface, times * added.value, false, added.velocity});
  }
  /// Lets what came from beyond an opening to `from`, a place in a coarse cell, go on along the opening: into the
  /// level, by the fewest axes along which it moves.
  void continue_along_opening(std::uint32_t place, const Int3& from, const Arrival& at) {
    const auto arrival = [&](const Int3& step, int count) {
      const auto origin = around_.own_fine(from, step, count), to = around_.own_fine(at.cell, step, count);
      return origin && to ? fine_.at(*to, at.direction, false) : LevelLinks::none;
    };
    for (const Int3& step : around_.steps_along(at.direction))
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
        std::optional<Bounce> turned;
        int step = left + 1;
        for (; step < 2; ++step) {
          const Arrival next = around_.follow_fine(at.cell, at.direction);
          if (next.bounced) turned = Bounce{at.cell, at.direction};
          at = next;
          if (around_.fine_kind(at.cell) == Kind::own) break;
        }
        if (step < 2) {
          links_.passing.push_back({from, fine_.at(at.cell, at.direction, true)});  // it left in step 0
          continue;
        }
        Int3 cell = around_.parent(at.cell);
        int direction = at.direction;
        std::optional<CellAt> foster;
        if (!levels_.coarse.is_fluid(cell)) {
          orphans_.insert(at.cell);
          foster = around_.foster(at.cell);
          cell = foster.value().cell;
          direction = at_rest;
        }
        if (is_completed(cell, direction)) continue;
        if (sliding_.take(cell, direction, i, from, left)) continue;
        const WallGain added = turned ? walls_.fine_gain(turned->cell, turned->direction) : WallGain{};
        Link& link = known_at(cell, direction);
        ++link.arrived;
        link.leaving[static_cast<std::size_t>(left)].push_back(from);
        gain(cell, direction, added, 1);
        count_leaving(link, from, left, at.direction, turned, foster, added);
      }
    }
  }

  /// The momentum that walls get of what leaves to a coarse link, which, if the wall cuts it, counts what comes back.
  void count_leaving(Link& link, std::uint32_t from, int left, int direction, const std::optional<Bounce>& turned,
                     const std::optional<CellAt>& foster, const WallGain& added) {
    auto& list = links_.forces.of_leaving[static_cast<std::size_t>(left)];
    const Int3& c = velocity(turned ? turned->direction : direction);
    std::optional<MeasuredWall> wall;
    if (turned) wall = forces_.fine_wall({turned->cell, c});
    if (foster) {
      forces_.add(list, from, wall ? wall : wall_of(*foster), link.cell, c, 1);
      forces_.add_motion(wall, link.cell, added);
    } else if (const int back = core::opposite(link.direction); around_.follow_coarse(link.cell, back).bounced) {
      forces_.add(list, from, forces_.coarse_wall(link.cell, velocity(back)), link.cell, c, 1);
      forces_.add_motion(wall, link.cell, added);
    } else if (turned) {
      forces_.turn(list, from, wall, link.cell, c, added);
      link.wall = wall;
    }
  }

  /// A coarse link is made of as many parts as a coarse cell has children. Where walls of the finer level stand between
  /// two coarse cells, what passes between these misses parts on its way forth; as many are too much on the way back,
  /// and go there.
  void balance() {
    const int children = around_.children();
    for (std::uint32_t to = 0; to < known_.size(); ++to) {
      const int missing = children - known_[to].count(children);
      if (missing <= 0) continue;
      const Arrival from = around_.follow_coarse(known_[to].cell, core::opposite(known_[to].direction));
      const auto back = std::find_if(known_.begin(), known_.end(), [&](const Link& link) {
        return link.cell == from.cell && link.direction == from.direction;
      });
      if (back == known_.end() || back->count(children) != children + missing) {
        note_unbalanced(known_[to].cell);
        continue;
      }
      back->given = missing;
      for (int n = 0; n < missing; ++n)
        links_.transfers.push_back(
            {static_cast<std::uint32_t>(back - known_.begin()), to, 1.0 / back->count(children)});
      // What walls have turned round on its way is so once more.
      const auto from_number = static_cast<std::uint32_t>(back - known_.begin());
      forces_.add(links_.forces.of_links, from_number, back->wall, back->cell, velocity(back->direction),
                  2.0 * children * missing / back->count(children));
      for (const WallGain& g : back->gains) {
        const double value = -g.value * missing / static_cast<double>(back->gains.size());
        known_[to].gains.push_back({g.surface, value});
        forces_.add_gain(back->wall, back->cell, velocity(back->direction), {g.surface, value, false, g.velocity});
      }
    }
    for (const Link& link : known_)
      if (link.count(children) - link.given > children) note_unbalanced(link.cell);
  }
  void note_unbalanced(const Int3& cell) {
    if (links_.unbalanced++ == 0) links_.examples = cell;
  }

  /// Turns the lists of links into consecutive ones.
  void list_links() {
    const std::vector<std::uint32_t> number = sort_links();
    for (const Link& link : known_) {
      LevelLinks::CoarseLink& listed = links_.links.emplace_back(end_of(links_));
      if (link.from_coarse)
        listed.streamed = reads_.at(link.cell, link.direction, comes_cut(link.cell, link.direction));
      links_.link_children.insert(links_.link_children.end(), link.children.begin(), link.children.end());
      for (std::size_t s = 0; s < 2; ++s)
        links_.leaving[s].insert(links_.leaving[s].end(), link.leaving[s].begin(), link.leaving[s].end());
      for (const auto& [surface, value] : crossing::sums_by_surface(link.gains))
        links_.link_gains.push_back(
            {static_cast<std::uint32_t>(links_.links.size() - 1), surface, value / around_.children()});
    }
    sliding_.list(links_, [&](const Int3& cell) { return number[link_at(cell, at_rest)]; });
    links_.links.push_back(end_of(links_));
  }
  /// Returns the new number of each link.
  std::vector<std::uint32_t> sort_links() {
    std::vector<std::uint32_t> number = sort_places(levels_.coarse, order_, links_.coarse_writes);
    std::vector<Link> sorted(known_.size());
    for (std::size_t k = 0; k < known_.size(); ++k) sorted[number[k]] = std::move(known_[k]);
    known_ = std::move(sorted);
    for (LevelLinks::Transfer& transfer : links_.transfers) {
      transfer.from = number[transfer.from];
      transfer.to = number[transfer.to];
    }
    for (LevelLinks::WallForce& force : links_.forces.of_links) force.number = number[force.number];
    return number;
  }

  LevelLinks links_;
  const LevelPair& levels_;
  Surroundings around_;
  MovingWalls walls_;
  SlidingWalls sliding_;
  WallForceLists forces_;
  PlaceOrder order_;
  Places reads_, writes_, fine_;
  std::vector<Link> known_;
  std::set<Int3> orphans_;                             ///< fine places in solid coarse cells to which populations come
  std::optional<std::pair<CellAt, int>> last_source_;  ///< and the direction: of the list, if it may get more children
};

}  // namespace

LevelLinks find_level_links(const LevelPair& levels, const LatticeFacts& lattice, PlaceOrder order) {
  return Tracer(levels, lattice, order).trace();
}

}  // namespace fluvia::domain
