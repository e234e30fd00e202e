// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/links/wall_links.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <iterator>
#include <utility>

#include "fluvia/base/error.hpp"
#include "fluvia/case/physics/registered_physics.hpp"
#include "fluvia/core/boundary/registry.hpp"
#include "fluvia/solver/links/sheet_links.hpp"

namespace fluvia {

namespace {

std::uint8_t to_byte(double distance) {
  return static_cast<std::uint8_t>(std::clamp(std::lround(distance * 256), 1L, 256L) - 1);
}

/// Links with the storage indices of their nodes, in their order and that of directions.
std::vector<StoredWall> stored_walls(const Geometry& geometry, const Links& cut,
                                     const StorageIndexOfNode& storage_index_of) {
  std::vector<StoredWall> links(cut.size());
#pragma omp parallel for schedule(static)
  for (std::size_t k = 0; k < cut.size(); ++k) {
    const CutLink& link = cut.at[k];
    links[k] = {storage_index_of(geometry.nodes.node_position(geometry.nodes.tiles[link.tile], link.bit)),
                static_cast<std::uint8_t>(core::opposite(link.direction)), cut.distance[k]};
  }
  std::sort(links.begin(), links.end());
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

using LinkIterator = std::span<const StoredWall>::iterator;

/// Calls visit(begin, end) for the links of every so many storage indices: 1, those of a node; 64, of a block.
template <class Visit>
void for_each_run(LinkIterator begin, LinkIterator end, std::uint64_t indices, const Visit& visit) {
  while (begin != end) {
    const std::uint64_t run = begin->storage_index / indices;
    const auto next = std::find_if(begin, end, [&](const StoredWall& l) { return l.storage_index / indices != run; });
    visit(begin, next);
    begin = next;
  }
}

/// Appends the record of links of one block.
void append_record(std::span<const StoredWall> links, const core::WallWords& about, std::vector<std::uint32_t>& words) {
  std::uint64_t mask = 0;
  for (const StoredWall& link : links) mask |= std::uint64_t{1} << link.storage_index % 64;
  words.push_back(static_cast<std::uint32_t>(mask));
  words.push_back(static_cast<std::uint32_t>(mask >> 32));
  std::vector<std::uint8_t> opposed;
  for_each_run(links.begin(), links.end(), 1, [&](LinkIterator link, LinkIterator last) {
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

core::WallRule wall_rule(const Case& c, const Geometry& geometry) {
  if (!geometry.distance_of) return core::WallRule::half_way;
  return c.walls.accuracy == "viscosity-independent" ? core::WallRule::viscosity_independent
                                                     : core::WallRule::interpolated;
}

bool is_interpolated(const Geometry& geometry, int surface, const core::ConditionFacts& facts) {
  return geometry.distance_of && surface >= surface_id::wall && surface != geometry.level_surface && facts.sticks &&
         !facts.models_friction;
}

double stored_wall_distance(const Geometry& geometry, const Int3& node, const Int3& offset) {
  return core::wall_distance<double>(to_byte(geometry.distance_of(node, offset)));
}

std::vector<std::uint8_t> wall_distances(const Geometry& geometry, const std::vector<Int3>& velocities,
                                         const std::vector<CutLink>& links, const std::vector<bool>& interpolated) {
  const std::uint8_t half_way = to_byte(0.5);
  std::vector<std::uint8_t> distance(links.size());
#pragma omp parallel for schedule(static)
  for (std::size_t k = 0; k < links.size(); ++k) {
    const Int3& c = velocities[links[k].direction];
    const Int3 node = geometry.nodes.node_position(geometry.nodes.tiles[links[k].tile], links[k].bit);
    distance[k] =
        interpolated[links[k].surface] ? to_byte(geometry.distance_of(node, {-c[0], -c[1], -c[2]})) : half_way;
  }
  return distance;
}

WallLinks make_wall_links(const Case& c, const Geometry& geometry, const std::string& lattice, std::uint64_t indices,
                          const StorageIndexOfNode& storage_index_of, const Block& block, Communicator& communicator) {
  if (wall_rule(c, geometry) == core::WallRule::half_way) return {};
  const std::vector<Int3>& velocities = facts_of_lattice(lattice).velocities;
  const std::vector<bool> wanted = interpolated_surfaces(c, geometry);
  const TileRange& own = block.tiles;
  const auto links_of = [&](const TileRange& tiles) {
    return without_sheets(geometry.nodes, velocities, collect_cut_links(geometry, velocities, wanted, tiles));
  };
  Links cut;
  cut.at = links_of(own);
  DirectionCounts counts(velocities.size(), 0);
  count(cut.at, counts);
  communicator.sum(counts);
  if (communicator.count() == 1)  // nobody else looks at what other parts own
    for (const TileRange& others : {TileRange{0, own.first}, TileRange{own.end, geometry.nodes.tiles.size()}})
      if (others.count() > 0) count(links_of(others), counts);
  for (const TileRange& halo : block.stepped_halo_tiles())
    for (const CutLink& link : links_of(halo))
      if (block.takes(link.tile, link.bit)) cut.at.push_back(link);
  cut.distance = wall_distances(geometry, velocities, cut.at, wanted);
  WallLinks walls;
  walls.supply.weight = weight_of(counts, geometry.nodes.node_volume(), facts_of_lattice(lattice).weights);
  walls.store(geometry, lattice, cut, indices, storage_index_of);
  return walls;
}

WallLinks make_wall_links(const Geometry& geometry, const std::string& lattice, const Links& links,
                          std::uint64_t indices, const StorageIndexOfNode& storage_index_of) {
  WallLinks walls;
  walls.supply.weight = supply_weight(geometry, lattice, links);
  walls.store(geometry, lattice, links, indices, storage_index_of);
  return walls;
}

double supply_weight(const Geometry& geometry, const std::string& lattice, const Links& links) {
  const std::vector<double>& weights = facts_of_lattice(lattice).weights;
  DirectionCounts counts(weights.size(), 0);
  count(links.at, counts);
  return weight_of(counts, geometry.nodes.node_volume(), weights);
}

void WallLinks::store(const Geometry& geometry, const std::string& lattice, const Links& cut, std::uint64_t indices,
                      const StorageIndexOfNode& storage_index_of) {
  if (supply.weight > 0) first.assign((indices + 63) / 64, core::no_walls);
  pairs = static_cast<int>(facts_of_lattice(lattice).velocities.size() - 1) / 2;
  const std::vector<StoredWall> links = stored_walls(geometry, cut, storage_index_of);
  const std::span<const StoredWall> all(links);
  for_each_run(all.begin(), all.end(), 64, [&](LinkIterator begin, LinkIterator end) {
    append(begin->storage_index / 64, {begin, end});
  });
  words.shrink_to_fit();
}

void WallLinks::append(std::uint64_t block, std::span<const StoredWall> links) {
  if (words.size() >= core::no_walls)
    throw_resource("[walls]: there are too many cut links for 32-bit numbers; use method = \"half-way\"");
  first[block] = static_cast<std::uint32_t>(words.size());
  append_record(links, core::WallWords(pairs), words);
}

std::size_t WallLinks::record_words(std::uint64_t block) const {
  if (first[block] == core::no_walls) return 0;
  const core::WallWords about(pairs);
  const std::uint32_t* const record = words.data() + first[block];
  const std::uint64_t mask = std::uint64_t{record[1]} << 32 | record[0];
  const auto nodes = static_cast<std::size_t>(std::popcount(mask)), count = static_cast<std::size_t>(about.count());
  std::size_t opposed = 0;
  for (std::size_t k = 0; k < nodes; ++k) opposed += about.opposed(about.cut(record + 2 + k * count)) != 0 ? 1 : 0;
  return 2 + nodes * count + (opposed * static_cast<std::size_t>(pairs) + 3) / 4;
}

std::vector<StoredWall> WallLinks::links_of(std::uint64_t block) const {
  std::vector<StoredWall> links;
  if (first[block] == core::no_walls) return links;
  const core::WallWords about(pairs);
  const std::uint32_t* const record = words.data() + first[block];
  const auto count = static_cast<std::size_t>(about.count());
  const std::uint64_t mask = std::uint64_t{record[1]} << 32 | record[0];
  const std::uint32_t* node = record + 2;
  const std::uint32_t* const behind = node + static_cast<std::size_t>(std::popcount(mask)) * count;
  const auto* const second = reinterpret_cast<const unsigned char*>(behind);
  for (std::uint64_t bits = mask; bits != 0; bits &= bits - 1, node += count) {
    const std::uint32_t cut = about.cut(node), opposed = about.opposed(cut);
    for (std::uint32_t rest = cut; rest != 0; rest &= rest - 1) {
      const int direction = std::countr_zero(rest), pair = (direction - 1) / 2;
      const bool is_second = direction % 2 == 0 && (opposed >> (2 * pair + 1) & 1u) != 0;
      const auto rank = static_cast<std::size_t>(about.rank_among_opposed(node)) * static_cast<std::size_t>(pairs);
      links.push_back({block * 64 + static_cast<std::uint64_t>(std::countr_zero(bits)),
                       static_cast<std::uint8_t>(direction),
                       is_second ? second[rank + static_cast<std::size_t>(pair)]
                                 : static_cast<std::uint8_t>(about.distance(node, pair))});
    }
  }
  return links;
}

std::vector<std::uint64_t> WallLinks::replace(std::vector<std::uint64_t> nodes, const Geometry& geometry,
                                              const Links& links, const StorageIndexOfNode& storage_index_of) {
  const std::vector<StoredWall> fresh = stored_walls(geometry, links, storage_index_of);
  std::sort(nodes.begin(), nodes.end());
  std::vector<std::uint64_t> blocks;
  auto next = fresh.begin();
  for (auto node = nodes.begin(); node != nodes.end();) {
    const std::uint64_t block = *node / 64;
    const auto end = std::find_if(node, nodes.end(), [&](std::uint64_t n) { return n / 64 != block; });
    const std::vector<StoredWall> before = links_of(block);
    std::vector<StoredWall> now;
    std::copy_if(before.begin(), before.end(), std::back_inserter(now),
                 [&](const StoredWall& wall) { return !std::binary_search(node, end, wall.storage_index); });
    for (; next != fresh.end() && next->storage_index / 64 == block; ++next) now.push_back(*next);
    std::sort(now.begin(), now.end());
    node = end;
    if (now == before) continue;
    blocks.push_back(block);
    const std::uint32_t at = first[block];
    const std::size_t room = record_words(block), old_size = words.size();
    first[block] = core::no_walls;
    unused_ += room;
    if (now.empty()) continue;
    append(block, now);
    if (words.size() - old_size > room) continue;
    unused_ -= words.size() - old_size;
    std::copy(words.begin() + static_cast<std::ptrdiff_t>(old_size), words.end(), words.begin() + at);
    words.resize(old_size);
    first[block] = at;
  }
  return blocks;
}

void WallLinks::pack() {
  std::vector<std::uint32_t> packed;
  packed.reserve(words.size() - unused_);
  for (std::uint64_t block = 0; block < first.size(); ++block) {
    const std::size_t size = record_words(block);
    if (size == 0) continue;
    const auto record = words.begin() + first[block];
    first[block] = static_cast<std::uint32_t>(packed.size());
    packed.insert(packed.end(), record, record + static_cast<std::ptrdiff_t>(size));
  }
  words = std::move(packed);
  unused_ = 0;
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
  const std::vector<Int3>& velocities = facts_of_lattice(lattice).velocities;
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
