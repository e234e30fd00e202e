// SPDX-License-Identifier: Apache-2.0
#include "fluvia/geometry/map/widest_way.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <optional>

#include "fluvia/geometry/map/link_search.hpp"

namespace fluvia::geometry {

namespace {

/// A set of fluid nodes: a mask for each tile.
using NodeSet = std::vector<std::uint64_t>;
constexpr std::uint64_t most_nodes = std::uint64_t{1} << 25;

/// Looks for ways between openings through nodes that are so many steps from walls.
class WaySearch {
 public:
  WaySearch(const Geometry& geometry, const std::vector<const core::ConditionFacts*>& facts,
            const std::array<bool, 6>& open_faces, const std::function<int(const Int3& node)>& level_of)
      : geometry_(geometry), nodes_(geometry.nodes), facts_(facts), open_faces_(open_faces) {
    NodeSet all(nodes_.tiles.size());
    for (std::size_t t = 0; t < all.size(); ++t) all[t] = nodes_.tiles[t].mask;
    opening_nodes_.resize(geometry.openings.size());
    find_openings();
    away_.push_back(std::move(all));
    if (level_of) find_levels(level_of);
  }

  /// For each opening, whether a way through nodes where the flow is this wide leads to another opening; then for each
  /// of these periodic axes, whether one leads on without end.
  [[nodiscard]] std::vector<bool> joined(int width, const Bool3& axes) {
    const NodeSet wide = places_of(width);
    const std::size_t count = geometry_.openings.size();
    std::vector<bool> result(count + 3, false);
    NodeSet seen(wide.size(), 0);
    for (std::size_t k = 0; k < count; ++k) {
      if (result[k]) continue;
      fill(wide, opening_nodes_[k], seen);
      for (std::size_t other = 0; other < count; ++other)
        if (other != k && touches(seen, opening_nodes_[other])) result[k] = result[other] = true;
      std::fill(seen.begin(), seen.end(), 0);
    }
    for (int axis = 0; axis < 3; ++axis)
      if (axes[axis]) result[count + static_cast<std::size_t>(axis)] = is_endless(wide, axis);
    return result;
  }

 private:
  struct Place {
    std::uint32_t tile;
    std::uint8_t bit;
  };
  enum class Beyond { fluid, open, wall };

  void find_levels(const std::function<int(const Int3& node)>& level_of) {
    for (std::size_t t = 0; t < nodes_.tiles.size(); ++t)
      for (std::uint64_t rest = nodes_.tiles[t].mask; rest != 0; rest &= rest - 1) {
        const int bit = std::countr_zero(rest);
        const auto level = static_cast<std::size_t>(level_of(nodes_.node_position(nodes_.tiles[t], bit)));
        while (at_level_.size() <= level) at_level_.emplace_back(nodes_.tiles.size(), 0);
        at_level_[level][t] |= std::uint64_t{1} << bit;
      }
  }
  /// The nodes where the flow is this wide, in nodes of the level that is there.
  NodeSet places_of(int width) {
    if (at_level_.empty()) return coarse_places_of(width);
    NodeSet wide(nodes_.tiles.size(), 0);
    for (std::size_t level = 0; level < at_level_.size(); ++level) {
      const NodeSet here = coarse_places_of((width + (1 << level) - 1) >> level);
      for (std::size_t t = 0; t < wide.size(); ++t) wide[t] |= here[t] & at_level_[level][t];
    }
    return wide;
  }
  /// The nodes where the flow is this wide, in nodes of the geometry.
  NodeSet coarse_places_of(int width) {
    const NodeSet& far = away((width - 1) / 2);
    NodeSet wide = far;
    if (width % 2 == 0)
      for (std::size_t t = 0; t < wide.size(); ++t)
        for (std::uint64_t rest = far[t]; rest != 0; rest &= rest - 1)
          if (!is_thick(far, t, std::countr_zero(rest))) wide[t] &= ~(rest & -rest);
    return wide;
  }
  static bool contains(const NodeSet& set, const Place& p) { return (set[p.tile] >> p.bit & 1) != 0; }
  static bool touches(const NodeSet& set, const std::vector<Place>& places) {
    return std::any_of(places.begin(), places.end(), [&](const Place& p) { return contains(set, p); });
  }

  /// What lies one step from a node; `place` is set to the fluid node there.
  Beyond step(const Int3& node, int axis, int side, Place& place) const {
    Int3 offset{};
    offset[axis] = side;
    Int3 there = node;
    there[axis] += side;
    if (nodes_.barring_surface(node, offset) >= 0) return Beyond::wall;
    const NodeMap::Landing landing = nodes_.land(there);
    if (landing.inside)
      if (const auto fluid = nodes_.find_fluid(landing.node)) {
        place = {fluid->tile, fluid->bit};
        return Beyond::fluid;
      }
    if (!landing.inside && open_faces_[static_cast<std::size_t>(2 * axis + (side > 0 ? 1 : 0))]) return Beyond::open;
    return facts_[static_cast<std::size_t>(geometry_.surface_of(node, offset))]->sticks ? Beyond::wall : Beyond::open;
  }
  /// How many times a step goes round the box along a periodic axis: -1, 0 or 1.
  [[nodiscard]] int rounds(const Int3& node, int axis, int side) const {
    const int there = node[axis] + side;
    return nodes_.periodic[axis] && (there < 0 || there >= nodes_.size[axis]) ? side : 0;
  }
  template <class Visit>
  void for_each_step(const Place& from, const Visit& visit) const {
    const Int3 node = nodes_.node_position(nodes_.tiles[from.tile], from.bit);
    for (int axis = 0; axis < nodes_.dimension; ++axis)
      for (const int side : {-1, 1}) {
        Place place{};
        const Beyond beyond = step(node, axis, side, place);
        visit(axis, beyond, place);
      }
  }
  void find_openings() {
    const std::vector<Int3> offsets = axis_offsets(nodes_.dimension);
    LinkSearch search(nodes_, offsets);
    const auto visit = [&](const NodeWithCuts& at) {
      at.for_each_cut([&](std::size_t offset) {
        const int surface = geometry_.surface_of(at.node, offsets[offset]);
        for (std::size_t k = 0; k < opening_nodes_.size(); ++k)
          if (geometry_.openings[k].surface == surface)
            opening_nodes_[k].push_back({static_cast<std::uint32_t>(at.tile), static_cast<std::uint8_t>(at.bit)});
      });
    };
    for (std::size_t t = 0; t < nodes_.tiles.size(); ++t) search.visit_tile(t, visit);
  }
  /// The nodes from which so many steps along axes lead to no wall.
  const NodeSet& away(int steps) {
    while (static_cast<int>(away_.size()) <= steps) {
      const NodeSet& last = away_.back();
      NodeSet next = last;
      const bool is_first = away_.size() == 1;
#pragma omp parallel for schedule(static)
      for (std::size_t t = 0; t < last.size(); ++t)
        for (std::uint64_t rest = last[t]; rest != 0; rest &= rest - 1) {
          const Place place{static_cast<std::uint32_t>(t), static_cast<std::uint8_t>(std::countr_zero(rest))};
          bool stays = true;
          for_each_step(place, [&](int, Beyond beyond, const Place& other) {
            stays = stays && (beyond == Beyond::fluid ? contains(last, other) : !is_first || beyond == Beyond::open);
          });
          if (!stays) next[t] &= ~(rest & -rest);
        }
      away_.push_back(std::move(next));
    }
    return away_[static_cast<std::size_t>(steps)];
  }
  /// Whether the set is two nodes thick or more, along every axis.
  bool is_thick(const NodeSet& set, std::size_t tile, int bit) const {
    Bool3 thick{};
    for_each_step({static_cast<std::uint32_t>(tile), static_cast<std::uint8_t>(bit)}, [&](int axis, Beyond beyond,
                                                                                          const Place& other) {
      thick[axis] = thick[axis] || beyond == Beyond::open || (beyond == Beyond::fluid && contains(set, other));
    });
    for (int axis = 0; axis < nodes_.dimension; ++axis)
      if (!thick[axis]) return false;
    return true;
  }
  void fill(const NodeSet& wide, const std::vector<Place>& from, NodeSet& seen) const {
    std::vector<Place> front;
    const auto take = [&](const Place& p) {
      if (!contains(wide, p) || contains(seen, p)) return;
      seen[p.tile] |= std::uint64_t{1} << p.bit;
      front.push_back(p);
    };
    for (const Place& p : from) take(p);
    while (!front.empty()) {
      const Place p = front.back();
      front.pop_back();
      for_each_step(p, [&](int, Beyond beyond, const Place& other) {
        if (beyond == Beyond::fluid) take(other);
      });
    }
  }

  /// Whether some way through the set comes back to where it was after another number of rounds along the axis.
  [[nodiscard]] bool is_endless(const NodeSet& wide, int axis) const {
    std::vector<std::int16_t> round(wide.size() * nodes_per_tile, 0);
    const auto round_of = [&](const Place& p) -> std::int16_t& {
      return round[p.tile * std::size_t{nodes_per_tile} + p.bit];
    };
    NodeSet seen(wide.size(), 0);
    std::vector<Place> front;
    const auto take = [&](const Place& p, int rounds) {
      seen[p.tile] |= std::uint64_t{1} << p.bit;
      round_of(p) = static_cast<std::int16_t>(rounds);
      front.push_back(p);
    };
    for (std::size_t t = 0; t < wide.size(); ++t)
      for (std::uint64_t rest = wide[t] & ~seen[t]; rest != 0; rest = wide[t] & ~seen[t]) {
        take({static_cast<std::uint32_t>(t), static_cast<std::uint8_t>(std::countr_zero(rest))}, 0);
        while (!front.empty()) {
          const Place p = front.back();
          front.pop_back();
          const Int3 node = nodes_.node_position(nodes_.tiles[p.tile], p.bit);
          for (int a = 0; a < nodes_.dimension; ++a)
            for (const int side : {-1, 1}) {
              Place other{};
              if (step(node, a, side, other) != Beyond::fluid || !contains(wide, other)) continue;
              const int there = round_of(p) + (a == axis ? rounds(node, a, side) : 0);
              if (!contains(seen, other)) take(other, there);
              if (round_of(other) != there) return true;
            }
        }
      }
    return false;
  }

  const Geometry& geometry_;
  const NodeMap& nodes_;
  const std::vector<const core::ConditionFacts*>& facts_;
  const std::array<bool, 6>& open_faces_;
  std::vector<std::vector<Place>> opening_nodes_;  ///< [opening], its nodes
  std::vector<NodeSet> at_level_;                  ///< [level], the nodes that it computes; empty: there are none
  std::vector<NodeSet> away_;                      ///< [steps], the nodes that far away from walls
};

}  // namespace

NarrowestPlace find_narrowest_place(const Geometry& geometry, const std::vector<const core::ConditionFacts*>& facts,
                                    const std::array<bool, 6>& open_faces, const Bool3& driven, int most,
                                    const std::function<int(const Int3& node)>& level_of) {
  const bool is_driven = driven[0] || driven[1] || driven[2];
  if (geometry.openings.size() < 2 && !is_driven) return {};
  if (geometry.nodes.half || geometry.nodes.fluid_nodes > most_nodes) return {};
  WaySearch search(geometry, facts, open_faces, level_of);
  const std::vector<bool> at_all = search.joined(1, driven);
  const auto is_cut_off = [&](const std::vector<bool>& joined) {
    for (std::size_t k = 0; k < joined.size(); ++k)
      if (at_all[k] && !joined[k]) return std::optional(k);
    return std::optional<std::size_t>();
  };
  const auto words = [&](std::size_t way) {
    const std::size_t count = geometry.openings.size();
    return way < count ? "what passes '" + geometry.openings[way].name + "'"
                       : std::string("what flows along ") + "xyz"[way - count];
  };
  NarrowestPlace place;
  for (int width = most; width > 1; --width) {
    const auto cut_off = is_cut_off(search.joined(width, driven));
    if (!cut_off) break;
    place = {words(*cut_off), width - 1};
  }
  return place;
}

}  // namespace fluvia::geometry
