// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/links/wall_links.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "fluvia/base/error.hpp"
#include "fluvia/case/physics/registered_physics.hpp"
#include "fluvia/core/boundary/registry.hpp"
#include "fluvia/solver/links/cut_links.hpp"

namespace fluvia {

namespace {

/// One cut link: its node's place, the direction towards the wall, the distance in 8 bits.
struct PlacedLink {
  std::uint64_t place;
  std::uint8_t direction, distance;
};

std::uint8_t to_byte(double distance) {
  return static_cast<std::uint8_t>(std::clamp(std::lround(distance * 256), 1L, 256L) - 1);
}

std::vector<bool> interpolated_surfaces(const Case& c, const Geometry& geometry) {
  std::vector<bool> wanted(geometry.surfaces.size());
  for (std::size_t s = 0; s < wanted.size(); ++s) {
    const auto found = std::find_if(c.boundaries.begin(), c.boundaries.end(),
                                    [&](const Case::Boundary& b) { return b.surface == geometry.surfaces[s]; });
    wanted[s] = is_interpolated(geometry, static_cast<int>(s),
                                found == c.boundaries.end() ? core::boundary_facts(0) : facts_of_boundary(found->type));
  }
  return wanted;
}

std::vector<PlacedLink> place_links(const Geometry& geometry, const std::vector<Int3>& velocities,
                                    const std::vector<CutLink>& cut,
                                    const std::function<std::uint64_t(const Int3& node)>& place_of) {
  std::vector<PlacedLink> links(cut.size());
#pragma omp parallel for schedule(static)
  for (std::size_t k = 0; k < cut.size(); ++k) {
    const Int3 node = geometry.nodes.node_position(geometry.nodes.tiles[cut[k].tile], cut[k].bit);
    const int towards = core::opposite(cut[k].direction);
    links[k] = {place_of(node), static_cast<std::uint8_t>(towards),
                to_byte(geometry.distance_of(node, velocities[towards]))};
  }
  std::sort(links.begin(), links.end(), [](const PlacedLink& a, const PlacedLink& b) {
    return std::pair(a.place, a.direction) < std::pair(b.place, b.direction);
  });
  return links;
}

/// Links by direction.
using DirectionCounts = std::vector<std::uint64_t>;

void count(const std::vector<CutLink>& links, DirectionCounts& counts) {
  for (const CutLink& link : links) ++counts[link.direction];
}

/// WallMassCorrection::weight of so many links: no order of sums.
double weight_of(const DirectionCounts& counts, double node_volume, const std::vector<double>& weights) {
  double weight = 0;
  for (std::size_t i = 0; i < weights.size(); ++i)
    weight += 2 * node_volume * weights[i] * static_cast<double>(counts[i]);
  return weight;
}

using LinkIterator = std::vector<PlacedLink>::const_iterator;

/// Calls visit(begin, end) for the links of every so many places: 1, those of a node; 64, of a block.
template <class Visit>
void for_each_run(LinkIterator begin, LinkIterator end, std::uint64_t places, const Visit& visit) {
  while (begin != end) {
    const std::uint64_t run = begin->place / places;
    const auto next = std::find_if(begin, end, [&](const PlacedLink& l) { return l.place / places != run; });
    visit(begin, next);
    begin = next;
  }
}

/// Appends the record of links of one block.
void append_record(LinkIterator begin, LinkIterator end, const core::WallWords& about,
                   std::vector<std::uint32_t>& words) {
  std::uint64_t mask = 0;
  for (auto link = begin; link != end; ++link) mask |= std::uint64_t{1} << link->place % 64;
  words.push_back(static_cast<std::uint32_t>(mask));
  words.push_back(static_cast<std::uint32_t>(mask >> 32));
  std::vector<std::uint8_t> opposed;
  for_each_run(begin, end, 1, [&](LinkIterator link, LinkIterator last) {
    const std::size_t first = words.size();
    words.resize(first + static_cast<std::size_t>(about.count()), 0);
    const auto put = [&](int bit, std::uint32_t value) { words[first + bit / 32] |= value << bit % 32; };
    std::vector<std::uint8_t> second(static_cast<std::size_t>(about.pairs), 0);
    std::uint32_t cut = 0;
    for (; link != last; ++link) {  // in the order of directions
      const int pair = (link->direction - 1) / 2;
      put(about.cut_bit(link->direction), 1);
      cut |= 1u << link->direction;
      if ((about.opposed(cut) >> (2 * pair + 1) & 1u) != 0)
        second[static_cast<std::size_t>(pair)] = link->distance;
      else
        put(about.distance_bit(pair), link->distance);
    }
    if (about.opposed(cut) == 0) return;
    words[first + static_cast<std::size_t>(about.count()) - 1] |=
        static_cast<std::uint32_t>(opposed.size() / second.size()) << about.rank_bit;
    opposed.insert(opposed.end(), second.begin(), second.end());
  });
  const std::size_t first = words.size();
  words.resize(first + (opposed.size() + 3) / 4, 0);
  if (!opposed.empty()) std::memcpy(words.data() + first, opposed.data(), opposed.size());
}

}  // namespace

core::WallRule wall_rule(const Case& c, const Geometry& geometry) {
  if (!geometry.distance_of) return core::WallRule::half_way;
  return c.walls.accuracy == "viscosity-independent" ? core::WallRule::viscosity_independent
                                                     : core::WallRule::interpolated;
}

bool is_interpolated(const Geometry& geometry, int surface, const core::ConditionFacts& facts) {
  return geometry.distance_of && surface >= surface_id::wall && facts.sticks;
}

double stored_wall_distance(const Geometry& geometry, const Int3& node, const Int3& offset) {
  return core::wall_distance<double>(to_byte(geometry.distance_of(node, offset)));
}

WallLinks make_wall_links(const Case& c, const Geometry& geometry, const std::string& lattice, std::uint64_t places,
                          const std::function<std::uint64_t(const Int3& node)>& place_of, const Block& block,
                          Communicator& communicator) {
  WallLinks walls;
  if (wall_rule(c, geometry) == core::WallRule::half_way) return walls;
  const std::vector<Int3> velocities = lattice_velocities(lattice);
  const std::vector<bool> wanted = interpolated_surfaces(c, geometry);
  const TileRange& own = block.tiles;
  const auto links_of = [&](const TileRange& tiles) { return collect_cut_links(geometry, velocities, wanted, tiles); };
  std::vector<CutLink> cut = links_of(own);
  DirectionCounts counts(velocities.size(), 0);
  count(cut, counts);
  communicator.sum(counts);
  if (communicator.count() == 1)  // nobody else looks at what other parts own
    for (const TileRange& others : {TileRange{0, own.first}, TileRange{own.end, geometry.nodes.tiles.size()}})
      if (others.count() > 0) count(links_of(others), counts);
  walls.supply.weight = weight_of(counts, geometry.nodes.node_volume(), lattice_weights(lattice));
  for (const TileRange& halo : block.stepped_halo_tiles())
    for (const CutLink& link : links_of(halo))
      if (block.takes(link.tile, link.bit)) cut.push_back(link);
  const std::vector<PlacedLink> links = place_links(geometry, velocities, cut, place_of);
  if (walls.supply.weight > 0) walls.first.assign((places + 63) / 64, core::no_walls);
  if (links.empty()) return walls;
  const core::WallWords about(static_cast<int>(velocities.size() - 1) / 2);
  for_each_run(links.begin(), links.end(), 64, [&](LinkIterator begin, LinkIterator end) {
    if (walls.words.size() >= core::no_walls)
      throw_resource("[walls]: there are too many cut links for 32-bit numbers; use method = \"half-way\"");
    walls.first[begin->place / 64] = static_cast<std::uint32_t>(walls.words.size());
    append_record(begin, end, about, walls.words);
  });
  walls.words.shrink_to_fit();
  return walls;
}

double WallMassCorrection::set(double mass) {
  constexpr double most = 1e-3, steps = 1099511627776.0;  // 2^40
  const double wanted = weight > 0 ? mass / weight : 0;
  per_weight = static_cast<float>(std::round(std::clamp(wanted, -most, most) * steps) / steps);
  return per_weight * weight;
}

std::uint64_t most_wall_bytes(const Case& c, const Geometry& geometry, const std::string& lattice,
                              Communicator& communicator) {
  if (!geometry.distance_of) return 0;
  const std::vector<Int3> velocities = lattice_velocities(lattice);
  const core::WallWords about(static_cast<int>(velocities.size() - 1) / 2);
  const std::uint64_t groups = (geometry.nodes.box_nodes() + 63) / 64;
  std::uint64_t nodes = 0, opposed = 0;
  for (const CutLinkCount& part :
       count_cut_links(geometry, velocities, interpolated_surfaces(c, geometry), communicator)) {
    nodes += part.nodes;  // those of several surfaces several times
    opposed += part.opposed;
  }
  if (nodes == 0) return 0;
  return 4 * groups + 12 * std::min(groups, nodes) + 4 * static_cast<std::uint64_t>(about.count()) * nodes +
         static_cast<std::uint64_t>(about.pairs) * opposed;
}

}  // namespace fluvia
