// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/links/node_records.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <span>
#include <tuple>

#include "fluvia/base/error.hpp"
#include "fluvia/case/physics/registered_physics.hpp"
#include "fluvia/core/boundary/registry.hpp"

namespace fluvia {

namespace {
/// The mean direction of the normals that were added up; exactly along an axis if all of them were.
void normalise(float (&normal)[3]) {
  const double length =
      std::sqrt(static_cast<double>(normal[0]) * normal[0] + static_cast<double>(normal[1]) * normal[1] +
                static_cast<double>(normal[2]) * normal[2]);
  if (length == 0) return;
  for (float& n : normal) n = static_cast<float>(n / length);
}

using RecordKey = std::tuple<std::uint32_t, std::uint8_t, std::uint16_t>;  ///< tile, bit, surface

bool sees_opening(const BoundarySetup& setup, int surface) {
  return core::boundary_facts(setup.surfaces[static_cast<std::size_t>(surface)].kind).sees_opening();
}

/// Tells openings that meet in a node which links the others cut. `records`: those of a node follow each other.
void set_others(std::vector<NodeRecord>& records) {
  const auto meet = [](const NodeRecord& a, const NodeRecord& b) { return a.tile == b.tile && a.bit == b.bit; };
  for (std::size_t first = 0, end = 0; first < records.size(); first = end) {
    while (end < records.size() && meet(records[first], records[end])) ++end;
    for (std::size_t k = first; k < end; ++k)
      for (std::size_t l = first; l < end; ++l) {
        core::CutLinks& links = records[k].links;
        if (k != l && records[k].is_opening && records[l].is_opening)
          links.opening.others = links.opening.others | records[l].links.directions;
      }
  }
}
}  // namespace

int kept_by(const BoundarySetup& setup, const NodeRecord& record) {
  if (record.links.damping > 0) return core::Sponge::memory_size;
  return core::boundary_facts(setup.surfaces[record.surface].kind).memory;
}

std::vector<NodeRecord> node_records(const BoundarySetup& setup) {
  std::vector<NodeRecord> records;
  const Links& links = setup.links;
  for (std::size_t k = 0; k < links.size(); ++k) {
    const CutLink& link = links.at[k];
    if (!setup.acts[link.surface]) continue;
    NodeRecord& record = records.emplace_back();
    record.tile = link.tile;
    record.bit = link.bit;
    record.surface = link.surface;
    record.links.directions = 1u << link.direction;
    if (!links.normal.empty()) std::copy_n(links.normal[k].begin(), 3, record.links.normal);
    if (sees_opening(setup, link.surface)) {
      record.is_opening = true;
      record.links.opening = {};
      if (!links.depth.empty()) record.links.opening.depth = links.depth[k];
    } else {
      std::copy_n(links.velocity[k].begin(), 3, record.links.velocity);
    }
  }
  for (const CutLink& link : setup.seconds) {
    NodeRecord& record = records.emplace_back();
    record.tile = link.tile;
    record.bit = link.bit;
    record.surface = link.surface;
    record.is_opening = true;
    record.links.directions = 1u << link.direction;
    record.links.normal[link.surface / 2] = link.surface % 2 == 0 ? -1.0f : 1.0f;
    record.links.opening = {};
  }
  for (const UpstreamNode& node : watched_nodes(setup.upstream, links.at)) {
    NodeRecord& record = records.emplace_back();
    record.tile = node.upstream_tile;
    record.bit = node.upstream_bit;
    record.surface = node.surface;
    record.is_opening = true;
    record.links.opening = {};
  }
  for (const BoundarySetup::SpongeNode& node : setup.sponge) {
    NodeRecord& record = records.emplace_back();
    record.tile = node.tile;
    record.bit = node.bit;
    record.surface = node.surface;
    record.links.directions = ~0u;
    record.links.damping = node.damping;
    std::copy_n(node.normal.begin(), 3, record.links.normal);
  }
  constexpr int after_conditions = 3;
  const auto order = [&](const NodeRecord& r) {
    return r.links.damping > 0 ? after_conditions : core::boundary_facts(setup.surfaces[r.surface].kind).order;
  };
  std::vector<bool> changes(setup.surfaces.size(), false);
  for (const ChangingProfile& profile : setup.changing) changes[static_cast<std::size_t>(profile.surface)] = true;
  const auto key = [&](const NodeRecord& r) {
    Real3 velocity{};
    if (!r.is_opening) std::copy_n(r.links.velocity, 3, velocity.begin());
    return std::tuple(r.tile, r.bit, order(r), setup.ranks[r.surface], r.surface,
                      changes[r.surface] ? r.links.directions : 0u, velocity[0], velocity[1], velocity[2]);
  };
  std::sort(records.begin(), records.end(), [&](const NodeRecord& a, const NodeRecord& b) {
    return std::pair(key(a), a.links.directions) < std::pair(key(b), b.links.directions);
  });
  std::size_t size = 0;
  for (const NodeRecord& record : records) {
    if (size > 0 && key(records[size - 1]) == key(record)) {
      core::CutLinks& merged = records[size - 1].links;
      merged.directions |= record.links.directions;
      for (int a = 0; a < 3; ++a) merged.normal[a] += record.links.normal[a];
    } else {
      records[size++] = record;
    }
  }
  records.resize(size);
  set_others(records);
  constexpr std::uint64_t most_numbers = std::numeric_limits<std::int32_t>::max();
  std::uint64_t memory = 0;
  for (NodeRecord& record : records) {
    normalise(record.links.normal);
    const int kept = kept_by(setup, record);
    if (kept == 0) continue;
    record.links.memory = static_cast<std::uint32_t>(memory);
    memory += static_cast<std::uint64_t>(kept);
    if (memory > most_numbers)
      throw_resource(
          "boundary: conditions and sponges keep more numbers than 31 bits count; use a thinner sponge or a larger "
          "spacing");
  }
  std::map<RecordKey, NodeRecord*> by_key;
  if (!setup.upstream.empty())
    for (NodeRecord& record : records)
      if (!(record.links.damping > 0)) by_key[{record.tile, record.bit, record.surface}] = &record;
  for (const UpstreamNode& node : setup.upstream) {
    core::CutLinks& links_of_node = by_key.at({node.tile, node.bit, node.surface})->links;
    core::CutLinks& above = by_key.at({node.upstream_tile, node.upstream_bit, node.surface})->links;
    links_of_node.opening.upstream = above.memory;
    links_of_node.opening.upstream_distance = node.distance;
    if (above.directions == 0) std::copy_n(links_of_node.normal, 3, above.normal);
  }
  return records;
}

FitTables plane_fits(const BoundarySetup& setup, std::vector<NodeRecord>& records) {
  if (setup.points.empty()) return {};
  std::map<RecordKey, NodeRecord*> by_key;
  for (NodeRecord& record : records)
    if (!(record.links.damping > 0)) by_key[{record.tile, record.bit, record.surface}] = &record;
  FitBuilder builder(facts_of_lattice(setup.lattice).velocities, facts_of_lattice(setup.lattice).weights);
  for_each_node_of_openings(setup.points, [&](std::span<const OpeningPoint> around) {
    core::CutLinks& links = by_key.at({around[0].tile, around[0].bit, around[0].surface})->links;
    const FitBuilder::Fit fit = builder.add(around, links.memory, [&](const OpeningPoint& p) {
      return by_key.at({p.other_tile, p.other_bit, p.surface})->links.memory;
    });
    links.opening.batches = fit.batches;
    links.opening.first_points = fit.first_points;
    links.opening.first_coefficients = fit.first_coefficients;
  });
  return std::move(builder.tables());
}

std::vector<std::uint32_t> changing_links(const BoundarySetup& setup, const std::vector<NodeRecord>& records) {
  if (setup.changing.empty()) return {};
  using Key = std::tuple<std::uint32_t, std::uint8_t, std::uint16_t, std::uint32_t>;  // as above, and directions
  std::map<Key, std::uint32_t> known;
  for (const ChangingProfile& profile : setup.changing)
    for (const std::uint32_t k : profile.links) {
      const CutLink& link = setup.links.at[k];
      known[{link.tile, link.bit, link.surface, 1u << link.direction}] = k;
    }
  std::vector<std::uint32_t> links;
  for (const NodeRecord& record : records) {
    const auto found = known.find({record.tile, record.bit, record.surface, record.links.directions});
    links.push_back(found == known.end() ? ProfileRecords::no_link : found->second);
  }
  return links;
}

std::vector<HaloMemory> halo_memory(const BoundarySetup& setup, const std::vector<NodeRecord>& records,
                                    const FitTables& fits, const Block& block) {
  std::vector<HaloMemory> halo_populations(block.neighbours.size());
  const auto append = [&](const NodeRecord& record, std::vector<std::uint32_t>& list) {
    for (int n = 0; n < kept_by(setup, record); ++n)
      list.push_back(record.links.memory + static_cast<std::uint32_t>(n));
  };
  if (block.steps > 1) {
    for (std::size_t k = 0; k < halo_populations.size(); ++k) {
      const Neighbour& neighbour = block.neighbours[k];
      const Halo arriving = part_of(block.halo, neighbour.tiles);
      for (const NodeRecord& record : records) {
        if (record.links.memory == core::no_memory) continue;
        if (contains(arriving, record.tile, record.bit)) append(record, halo_populations[k].arrives);
        if (contains(neighbour.halo, record.tile, record.bit)) append(record, halo_populations[k].leaves);
      }
    }
    return halo_populations;
  }
  if (setup.upstream.empty() && fits.points.empty()) return halo_populations;
  std::map<std::uint32_t, const NodeRecord*> keepers;
  for (const NodeRecord& record : records)
    if (record.links.memory != core::no_memory) keepers[record.links.memory] = &record;
  // By where they are kept, which both sides know alike; several nodes may read the same.
  std::vector<std::set<std::uint32_t>> arrives(halo_populations.size()), leaves(halo_populations.size());
  for (const NodeRecord& record : records) {
    const auto reads = [&](std::uint32_t memory) {
      const NodeRecord& other = *keepers.at(memory);
      for (std::size_t k = 0; k < halo_populations.size(); ++k) {
        const TileRange &here = block.tiles, &there = block.neighbours[k].tiles;
        if (here.contains(record.tile) && there.contains(other.tile)) arrives[k].insert(memory);
        if (here.contains(other.tile) && there.contains(record.tile)) leaves[k].insert(memory);
      }
    };
    if (!record.is_opening) continue;
    const core::OpeningNode& opening = record.links.opening;
    if (opening.upstream != core::no_memory) reads(opening.upstream);
    for (std::uint32_t b = 0; b < opening.batches; ++b)
      for (const std::uint32_t at : fits.points[opening.first_points + b].at)
        if (at < core::moving_point) reads(at);
  }
  for (std::size_t k = 0; k < halo_populations.size(); ++k) {
    for (const std::uint32_t memory : arrives[k]) append(*keepers.at(memory), halo_populations[k].arrives);
    for (const std::uint32_t memory : leaves[k]) append(*keepers.at(memory), halo_populations[k].leaves);
  }
  return halo_populations;
}

std::size_t memory_size(const BoundarySetup& setup, const std::vector<NodeRecord>& records) {
  std::size_t size = 0;
  for (const NodeRecord& record : records) size += static_cast<std::size_t>(kept_by(setup, record));
  return size;
}

}  // namespace fluvia
