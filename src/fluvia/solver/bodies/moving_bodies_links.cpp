// SPDX-License-Identifier: Apache-2.0
// Which links bodies cut.
#include <omp.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "fluvia/core/lattice/lattice.hpp"
#include "fluvia/solver/bodies/moving_bodies.hpp"

namespace fluvia {

namespace {

/// Surfaces that nearly touch a node count as this far from it, in parts of the link.
constexpr double least_part = core::least_part_of_link;
/// So much more is looked at than reaches the surface, for rounding.
constexpr double look_beyond = 1e-6;

/// Calls visit(bit) for each bit of a mask.
template <class Visit>
void for_each_bit(std::uint64_t mask, const Visit& visit) {
  for (; mask != 0; mask &= mask - 1) visit(std::countr_zero(mask));
}

}  // namespace

/// Looks for the links that a body cuts from nodes of tiles beside its surface, each of which is asked by itself:
/// a link between two nodes of fluid from both of its ends, by the same sums, so that they agree.
class MovingBodies::LinkSearch {
 public:
  LinkSearch(const MovingBodies& of, int number)
      : of_(of),
        body_(of.bodies_[index(number)]),
        number_(static_cast<std::uint8_t>(number)),
        geometry_(TileGeometry::of(of.nodes_->dimension)),
        all_directions_((1U << of.velocities_.size()) - 2),
        ways_(of.ways(number)),
        longest_(*std::max_element(of.lengths_.begin(), of.lengths_.end())),
        reach_(of.reach_of_links()) {
    const Int3 shape = tile_shape(of.nodes_->dimension);
    for (std::size_t a = 0; a < 3; ++a) half_[a] = 0.5 * shape[a];
  }

  /// Appends the links from nodes of a tile, in the order of the nodes' tiles in the box and bits there, then of
  /// directions.
  void search(std::size_t tile, std::vector<BodyLink>& links) {
    const BodyCover& cover = body_.cover;
    first_ = cover.node_of(tile);
    if (of_.fluid_.is_in_box(first_) && !of_.part_.sees(first_)) return;
    const std::uint64_t open = of_.fluid_.of_tile(first_) & ~cover.covered(tile);
    if (open == 0) return;
    const Real3 middle{first_[0] + half_[0], first_[1] + half_[1], first_[2] + half_[2]};
    around_ = body_.shape.cuts->around(body_.in_rest(middle), reach_);
    if (around_.parts == 0) return;
    const BodyCover::Around tiles = cover.around(tile);
    find_directions(tiles.covered, open);
    if (around_.has_chords) find_chords(tiles, open);
    find_walls(open);
    const auto search_from = [&](int bit) { search_from_node(bit, links); };
    const std::uint64_t nodes = to_covered_nodes_ | through_nodes_ | nodes_at_walls_;
    if (of_.fluid_.is_in_box(first_)) return for_each_bit(nodes, search_from);
    for (const int bit : in_order(nodes)) search_from(bit);
  }

  /// Whether a node of a tile that may be no further than a link from the surface has something solid beside it, so
  /// that find_walls() may find links there.
  [[nodiscard]] bool is_near_wall(std::size_t tile) {
    const BodyCover& cover = body_.cover;
    first_ = cover.node_of(tile);
    OfTilesAround<std::uint64_t> walls{};
    if (!find_solid(walls)) return false;
    std::uint64_t beside_walls = 0;
    for (const std::uint64_t nodes : walls) beside_walls |= nodes;
    const BodyCover::Around tiles = cover.around(tile);
    bool is_near = false;
    for_each_bit(beside_walls & of_.fluid_.of_tile(first_) & ~cover.covered(tile), [&](int bit) {
      const NodeAround& node = geometry_.around[static_cast<std::size_t>(bit)][tile_around(0, 0, 0)];
      // Who finds links must follow from where the body is, not from how it came there, as what the cover knows does.
      is_near = is_near || (cover.gap(tiles, node) <= longest_ &&
                            body_.shape.distance(body_.in_rest(geometry::node_centre(place_of(bit)))) <= longest_);
    });
    return is_near;
  }

 private:
  /// For all nodes at once, the directions to nodes that are covered.
  void find_directions(const OfTilesAround<std::uint64_t>& covered, std::uint64_t open) {
    to_covered_nodes_ = through_nodes_ = 0;
    to_covered_.fill(0);
    met_beside_.fill(0);
    if (std::all_of(covered.begin(), covered.end(), [](std::uint64_t mask) { return mask == 0; })) return;
    met_beside_ = of_.nodes_->dimension == 2 ? neighbours_in<2>(covered) : neighbours_in<3>(covered);
    for (std::size_t k = 1; k < ways_.size(); ++k) {
      to_covered_[k] = met_beside_[around_of(of_.velocities_[k])] & open;
      to_covered_nodes_ |= to_covered_[k];
    }
  }

  /// For all nodes at once, the directions that lead into walls at rest between which and the body there is no node: a
  /// step along the wall meets the body, the rest of the link, and all of it, leads into the wall. Else the nodes at
  /// the rim of a piston would feel a smaller face than the tube is wide.
  void find_walls(std::uint64_t open) {
    at_wall_.fill(0);
    nodes_at_walls_ = 0;
    if ((to_covered_nodes_ | through_nodes_) == 0) return;
    OfTilesAround<std::uint64_t> walls{};
    if (!find_solid(walls)) return;
    for (std::size_t k = 1; k < ways_.size(); ++k) {
      const Int3& c = of_.velocities_[k];
      for (unsigned axes = 1; axes < 7; ++axes) {  // of a part of the link
        Int3 along = c, across = c;
        for (std::size_t a = 0; a < 3; ++a) ((axes >> a & 1U) != 0 ? across : along)[a] = 0;
        if (along == Int3{} || across == Int3{}) continue;
        at_wall_[k] |= met_beside_[around_of(along)] & walls[around_of(across)];
      }
      at_wall_[k] &= walls[around_of(c)] & open;
      nodes_at_walls_ |= at_wall_[k];
    }
  }
  /// Nodes of the tile at hand from which a step there leads into what is solid or beyond the box; false if none does.
  bool find_solid(OfTilesAround<std::uint64_t>& walls) const {
    const Int3 shape = tile_shape(of_.nodes_->dimension), &size = of_.nodes_->size;
    const int depth = of_.nodes_->dimension == 3 ? 1 : 0;
    bool is_inside = of_.fluid_.is_full;
    for (std::size_t a = 0; static_cast<int>(a) < of_.nodes_->dimension; ++a)
      is_inside = is_inside && first_[a] >= shape[a] && first_[a] + 2 * shape[a] <= size[a];
    if (is_inside) return false;
    OfTilesAround<std::uint64_t> solid{};
    std::uint64_t any = 0;
    for (int z = -depth; z <= depth; ++z)
      for (int y = -1; y <= 1; ++y)
        for (int x = -1; x <= 1; ++x)
          any |= solid[tile_around(x, y, z)] =
              ~of_.fluid_.of_tile({first_[0] + x * shape[0], first_[1] + y * shape[1], first_[2] + z * shape[2]});
    if (any == 0) return false;
    walls = depth == 0 ? neighbours_in<2>(solid) : neighbours_in<3>(solid);
    return true;
  }
  static std::size_t around_of(const Int3& c) { return tile_around(c[0], c[1], c[2]); }

  /// The chords of links from nodes that are so near to the surface, and to what is not flat of it, that they can have
  /// some.
  void find_chords(const BodyCover::Around& tiles, std::uint64_t open) {
    const BodyCover& cover = body_.cover;
    chords_.clear();
    for_each_bit(open, [&](int bit) {
      const auto& beside = geometry_.around[static_cast<std::size_t>(bit)];
      const double gap = cover.gap(tiles, beside[tile_around(0, 0, 0)]);
      if (gap > longest_) return;
      const Int3 node = place_of(bit);
      std::uint32_t others = all_directions_ & ~of_bit(to_covered_, bit);
      others = body_.shape.cuts->with_chords(around_, body_.in_rest(geometry::node_centre(node)), ways_, others);
      for_each_bit(others, [&](int direction) {
        const auto k = static_cast<std::size_t>(direction);
        const std::size_t back = opposite(k);
        const Int3& c = of_.velocities_[k];
        const NodeAround end = beside[tile_around(c[0], c[1], c[2])];
        const bool is_here = end.tile == tile_around(0, 0, 0);
        if (is_here && back < k) return;  // the end asks for both
        if (gap + cover.gap(tiles, end) > of_.lengths_[k]) return;
        const std::optional<Chord> chord = chord_along(node, k);
        if (!chord) return;
        const auto add = [&](int from, std::size_t along) {
          chords_.push_back({from, along, along < opposite(along) ? chord->entry : 1 - chord->exit});
          through_nodes_ |= std::uint64_t{1} << from;
          met_beside_[around_of(of_.velocities_[along])] |= std::uint64_t{1} << from;
        };
        add(bit, k);
        if (is_here) add(end.bit, back);
      });
    });
  }

  /// What a link between two nodes of fluid has in the body, if that lies between them. Both ends ask for the way from
  /// the same one.
  [[nodiscard]] std::optional<Chord> chord_along(const Int3& node, std::size_t k) const {
    const std::size_t back = opposite(k);
    const Int3& c = of_.velocities_[k];
    const Int3 end{node[0] + c[0], node[1] + c[1], node[2] + c[2]};
    const Real3 from = body_.in_rest(geometry::node_centre(k < back ? node : end));
    const std::optional<Chord> chord = body_.shape.cuts->chord(around_, from, ways_[std::min(k, back)]);
    if (!chord || of_.covered_by_others(body_, of_.fluid_.node_at(end)) ||
        of_.covered_by_others(body_, of_.fluid_.node_at(node)))
      return {};
    return chord;
  }
  static std::size_t opposite(std::size_t direction) {
    return static_cast<std::size_t>(core::opposite(static_cast<int>(direction)));
  }

  void search_from_node(int bit, std::vector<BodyLink>& links) const {
    const Int3 node = place_of(bit);
    if (of_.covered_by_others(body_, of_.fluid_.node_at(node))) return;
    const std::uint32_t directions = of_bit(to_covered_, bit), at_wall = of_bit(at_wall_, bit);
    constexpr double half_way = 0.5;
    double part[32];
    if (directions != 0)
      body_.shape.cuts->entries(around_, body_.in_rest(geometry::node_centre(node)), ways_, directions, part);
    std::uint32_t through = 0;
    if ((through_nodes_ >> bit & 1) != 0)
      for (const ChordOfLink& chord : chords_)
        if (chord.bit == bit) {
          through |= 1U << chord.direction;
          part[chord.direction] = chord.part;
        }
    for_each_bit(at_wall, [&](int k) { part[k] = half_way; });
    for_each_bit(directions | through | at_wall, [&](int k) {
      const bool is_at_wall = (at_wall >> k & 1) != 0;
      links.push_back({node, static_cast<std::uint8_t>(k), number_, is_at_wall || (through >> k & 1) != 0, is_at_wall,
                       std::max(least_part, part[static_cast<std::size_t>(k)])});
    });
  }

  /// Directions by nodes: those of one node.
  [[nodiscard]] std::uint32_t of_bit(const std::array<std::uint64_t, 32>& nodes, int bit) const {
    std::uint32_t directions = 0;
    for (std::size_t k = 1; k < ways_.size(); ++k) directions |= static_cast<std::uint32_t>(nodes[k] >> bit & 1) << k;
    return directions;
  }
  [[nodiscard]] Int3 place_of(int bit) const {
    const Int3& local = geometry_.local[static_cast<std::size_t>(bit)];
    return {first_[0] + local[0], first_[1] + local[1], first_[2] + local[2]};
  }

  /// Nodes of a tile of the grid of which some lie beyond a face of the box.
  [[nodiscard]] std::vector<int> in_order(std::uint64_t nodes) const {
    std::vector<std::pair<std::array<int, 4>, int>> order;
    const int dimension = of_.nodes_->dimension;
    const Int3 shape = tile_shape(dimension);
    for_each_bit(nodes, [&](int bit) {
      const Int3 x = of_.fluid_.node_at(place_of(bit));
      order.push_back({{x[2] / shape[2], x[1] / shape[1], x[0] / shape[0],
                        tile_bit(dimension, {x[0] % shape[0], x[1] % shape[1], x[2] % shape[2]})},
                       bit});
    });
    std::sort(order.begin(), order.end());
    std::vector<int> bits;
    for (const auto& [at, bit] : order) bits.push_back(bit);
    return bits;
  }

  struct ChordOfLink {
    int bit;
    std::size_t direction;
    double part;
  };
  const MovingBodies& of_;
  const Body& body_;
  std::uint8_t number_;
  const TileGeometry& geometry_;
  std::uint32_t all_directions_;  ///< but that of rest
  std::vector<LinkWay> ways_;     ///< [direction]
  double longest_, reach_;
  Real3 half_{};
  // Of the tile at hand.
  Int3 first_{};
  BodyCuts::Around around_{};
  std::array<std::uint64_t, 32> to_covered_{}, at_wall_{};  ///< [direction]
  OfTilesAround<std::uint64_t> met_beside_{};               ///< nodes from which a step there meets the body
  std::uint64_t to_covered_nodes_ = 0, through_nodes_ = 0, nodes_at_walls_ = 0;
  std::vector<ChordOfLink> chords_;
};

std::vector<LinkWay> MovingBodies::ways(int body) const {
  std::vector<LinkWay> all;
  for (const Int3& c : velocities_) all.emplace_back(pose(body).along_axes(geometry::link_vector(c)));
  return all;
}

double MovingBodies::reach_of_links() const {
  const Int3 shape = tile_shape(nodes_->dimension);
  double square = 0;
  for (const int nodes : shape) square += 0.25 * (nodes - 1) * (nodes - 1);
  return std::sqrt(square) + *std::max_element(lengths_.begin(), lengths_.end()) + look_beyond;
}

bool MovingBodies::are_near_walls() const {
  for (int number = 0; number < count(); ++number) {
    const std::vector<std::uint32_t>& tiles = bodies_[index(number)].cover.beside();
    bool is_near = false;
#pragma omp parallel num_threads(threads_) reduction(|| : is_near)
    {
      LinkSearch search(*this, number);
#pragma omp for schedule(static)
      for (std::size_t k = 0; k < tiles.size(); ++k) is_near = is_near || search.is_near_wall(tiles[k]);
    }
    if (is_near) return true;
  }
  return false;
}

/// Finds the links that a body cuts. Each thread takes as many tiles as the others, one after the other.
void MovingBodies::find_links(int number) {
  if (velocities_.empty()) return;  // who only asks what is covered
  const std::vector<std::uint32_t>& tiles = bodies_[index(number)].cover.beside();
  constexpr std::size_t least_tiles = 64;  // that are worth several threads
  const int most = tiles.size() < least_tiles ? 1 : threads_;
  found_.resize(static_cast<std::size_t>(threads_));
  for (std::vector<BodyLink>& found : found_) found.clear();
  std::vector<std::size_t> first(found_.size() + 1, links_found_);
#pragma omp parallel num_threads(most)
  {
    const auto team = static_cast<std::size_t>(omp_get_num_threads());
    const auto thread = static_cast<std::size_t>(omp_get_thread_num());
    LinkSearch search(*this, number);
    for (std::size_t k = tiles.size() * thread / team; k < tiles.size() * (thread + 1) / team; ++k)
      search.search(tiles[k], found_[thread]);
#pragma omp barrier
#pragma omp single
    {
      for (std::size_t t = 0; t < found_.size(); ++t) first[t + 1] = first[t] + found_[t].size();
      if (links_.size() < first.back()) links_.resize(first.back());
    }
    std::copy(found_[thread].begin(), found_[thread].end(),
              links_.begin() + static_cast<std::ptrdiff_t>(first[thread]));
  }
  links_found_ = first.back();
}

/// Of links that two bodies cut between two nodes of fluid the one that is met first stays.
void MovingBodies::keep_nearest_of_through_links() {
  if (count() < 2) return;
  std::map<std::array<int, 4>, std::size_t> known;
  std::vector<bool> is_dropped(links_.size(), false);
  for (std::size_t k = 0; k < links_.size(); ++k) {
    const BodyLink& link = links_[k];
    if (!link.is_through) continue;
    const Int3 node = node_of(link);
    const auto [at, is_new] = known.try_emplace({node[0], node[1], node[2], link.direction}, k);
    if (is_new) continue;
    const bool nearer = link.part < links_[at->second].part;
    is_dropped[nearer ? at->second : k] = true;
    if (nearer) at->second = k;
  }
  std::erase_if(links_,
                [&](const BodyLink& link) { return is_dropped[static_cast<std::size_t>(&link - links_.data())]; });
}

}  // namespace fluvia
