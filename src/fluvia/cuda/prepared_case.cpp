// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cuda/prepared_case.hpp"

#include <algorithm>
#include <bit>

#include "fluvia/solver/cut_links.hpp"
#include "fluvia/solver/physical_parameters.hpp"

namespace fluvia::cuda {
namespace {

template <class Value>
std::uint64_t bytes_of(const std::vector<Value>& values) {
  return values.size() * sizeof(Value);
}

std::vector<std::vector<kernels::MonitoredTile>> monitored_tiles(const NodeMap& nodes, const PreparedCase& prepared) {
  std::vector<std::vector<kernels::MonitoredTile>> monitored(prepared.setup.surfaces.size());
  std::vector<std::uint32_t> last(monitored.size(), empty_tile);
  for (const CutLink& link : prepared.setup.links.at) {  // canonical order: those of a tile are together
    if (!prepared.setup.monitored[link.surface]) continue;
    auto& tiles = monitored[link.surface];
    if (link.tile != last[link.surface]) {
      last[link.surface] = link.tile;
      const Int3 p = nodes.node_position(nodes.tiles[link.tile], 0);
      tiles.push_back({prepared.place_of(nodes, link.tile), {p[0], p[1], p[2]}, {}});
    }
    tiles.back().directions[link.bit] |= 1u << link.direction;
  }
  return monitored;
}

core::Uint32 box_index(const NodeMap& nodes, const Int3& x) {
  return core::box_index(static_cast<core::Uint32>(x[0]), static_cast<core::Uint32>(x[1]),
                         static_cast<core::Uint32>(x[2]), static_cast<core::Uint32>(nodes.size[0]),
                         static_cast<core::Uint32>(nodes.size[1]));
}

/// kernels::RoundingArguments::first_nodes: of compact tiles, or of sites that are numbered without the box.
std::vector<std::uint32_t> nodes_of_places(const NodeMap& nodes, const Scheme& scheme, const CompactLayout& compact,
                                           const SiteLayout& sites) {
  std::vector<std::uint32_t> result;
  if (scheme.is_compact()) {
    for (const std::uint32_t tile : compact.canonical)
      result.push_back(box_index(nodes, nodes.node_position(nodes.tiles[tile], 0)));
  } else if (scheme.addressing == core::Addressing::matrix) {
    for (const NodeMap::Tile& tile : nodes.tiles)
      for (std::uint64_t rest = tile.mask; rest != 0; rest &= rest - 1)
        result.push_back(box_index(nodes, nodes.node_position(tile, std::countr_zero(rest))));
  } else if (scheme.addressing == core::Addressing::fluid_index) {
    result.resize(sites.count.stored);
    for (std::uint32_t node = 0; node < sites.index.size(); ++node)
      if (sites.index[node] != core::no_site) result[sites.index[node]] = node;
  }
  return result;
}

/// Walls by the places at which kernels look for them: sites, tiles and bits, or elements of a slot of a dense box.
WallLinks placed_walls(const Case& c, const Geometry& geometry, const PreparedCase& prepared) {
  const Specification& s = prepared.specification;
  const NodeMap& nodes = geometry.nodes;
  if (s.scheme.has_sites())
    return make_wall_links(c, geometry, s.lattice, prepared.sites.count.stored,
                           [&](const Int3& x) { return site_of(prepared.sites, nodes, s.scheme, s.tile, x); });
  if (s.scheme.is_compact())
    return make_wall_links(c, geometry, s.lattice, nodes.tiles.size() * nodes_per_tile, [&](const Int3& x) {
      const Int3 shape = tile_shape(nodes.dimension);
      const std::uint32_t tile =
          nodes.directory[nodes.directory_index({x[0] / shape[0], x[1] / shape[1], x[2] / shape[2]})];
      const int bit = tile_bit(nodes.dimension, {x[0] % shape[0], x[1] % shape[1], x[2] % shape[2]});
      return std::uint64_t{prepared.compact.place_of(tile)} * nodes_per_tile + static_cast<std::uint64_t>(bit);
    });
  const std::uint64_t pitch = prepared.dense.box.pitch, ny = prepared.dense.box.size[1];
  return make_wall_links(c, geometry, s.lattice, prepared.dense.stride, [&](const Int3& x) {
    return static_cast<std::uint64_t>(x[0]) +
           pitch * (static_cast<std::uint64_t>(x[1]) + ny * static_cast<std::uint64_t>(x[2]));
  });
}

}  // namespace

std::uint64_t PreparedCase::counter_bytes() const {
  return specification.scheme.is_sliding() ? 2 * cuda::counter_bytes(slide, tile_count) : 0;
}

std::uint64_t PreparedCase::key_bytes() const {
  return specification.stochastic ? graph_steps * sizeof(core::StepKey) : 0;
}

std::size_t PreparedCase::fetch_bytes() const {
  if (facts.storage_bytes != 2) return 64;
  if (specification.scheme.addressing == core::Addressing::dense) return 128;
  if (!specification.scheme.is_compact()) return 64;
  std::uint64_t inner = 0;
  for (const kernels::Tile& tile : compact.records) inner += (tile.flags & kernels::tile_is_inner) != 0 ? 1 : 0;
  return inner > compact.records.size() / 2 ? 32 : 64;
}

std::uint64_t PreparedCase::geometry_bytes() const {
  return bytes_of(dense.segments) + bytes_of(dense.words) + bytes_of(compact.records) + bytes_of(compact.neighbours) +
         bytes_of(compact.margin) + sites.bytes() + bytes_of(first_nodes) + counter_bytes() + key_bytes();
}

std::uint64_t PreparedCase::boundary_bytes() const {
  std::uint64_t bytes = bytes_of(boundaries.records) + bytes_of(setup.surfaces) + bytes_of(boundaries.tiles) +
                        bytes_of(boundaries.first_records) + memory_bytes() + walls.bytes();
  for (const auto& tiles : monitored) bytes += bytes_of(tiles);
  return bytes;
}

std::uint64_t PreparedCase::references_bytes() const {
  return std::min(chunk_tiles, tile_count) * sizeof(kernels::TileReference);
}

/// Ten moments of the arithmetic type, or four numbers of an initial state.
std::uint64_t PreparedCase::exchange_bytes() const {
  return std::min(chunk_tiles, tile_count) * kernels::nodes_per_tile *
         std::max<std::uint64_t>(10 * static_cast<std::uint64_t>(facts.arithmetic_bytes), 4 * sizeof(double));
}

std::uint64_t PreparedCase::sums_bytes() const {
  std::uint64_t bytes = sum_blocks * sizeof(kernels::NodeSums);
  for (const auto& tiles : monitored) bytes = std::max<std::uint64_t>(bytes, tiles.size() * sizeof(kernels::LinkSums));
  return bytes;
}

std::uint32_t PreparedCase::place_of(const NodeMap& nodes, std::uint64_t tile) const {
  return numbers_fluid_tiles(specification.scheme)
             ? compact.place_of(tile)
             : static_cast<std::uint32_t>(nodes.directory_index(nodes.tiles[tile].position));
}

PreparedCase prepare_case(const Case& c, const Units& units, const Geometry& geometry, const Plan& plan) {
  PreparedCase prepared;
  const NodeMap& nodes = geometry.nodes;
  prepared.setup = make_boundary_setup(c, units, geometry, plan.lattice);
  prepared.tile_count = nodes.tiles.size();
  Specification& s = prepared.specification;
  s.lattice = plan.lattice;
  s.collision = plan.collision;
  s.equilibrium = plan.equilibrium;
  s.format = plan.format;
  s.scheme = parse_scheme(plan.scheme);
  s.tile = plan.tile;
  s.threads = c.numerics.gpu_threads;
  s.blocks = c.numerics.gpu_blocks;
  s.force = has_force(c);
  s.viscosity = plan.viscosity.model;
  s.stochastic = plan.rounding == core::Rounding::stochastic;
  s.boundaries = std::find(prepared.setup.acts.begin(), prepared.setup.acts.end(), true) != prepared.setup.acts.end();
  if (s.scheme.stepping == core::Stepping::rows) s.threads = row_threads(s, (nodes.size[0] + 1) / 2);
  s.threads = block_threads(s);
  prepared.facts = facts_of(s);
  if (s.scheme.has_sites()) {
    prepared.sites = make_site_layout(nodes, s.scheme, lattice_velocities(plan.lattice), plan.tile);
    prepared.population_elements = prepared.sites.count.elements;
  } else if (s.scheme.is_compact()) {
    const bool folded = s.scheme.is_sliding() && nodes.periodic[nodes.dimension - 1];
    prepared.compact =
        make_compact_layout(nodes, prepared.facts.directions, prepared.facts.tile_neighbour_bits, folded);
    s.cut_tiles = prepared.compact.cut_tiles;
    prepared.population_elements = prepared.compact.elements;
    if (s.scheme.is_sliding()) {
      prepared.slide = plan_slide(prepared.compact, tiles_at_a_time(s));
      prepared.second_offset = prepared.slide.shift * prepared.facts.directions;
      prepared.population_elements += prepared.second_offset;
    }
  } else {
    prepared.dense = make_dense_layout(nodes, lattice_velocities(plan.lattice));
    prepared.population_elements = prepared.dense.elements;
  }
  if (s.stochastic) prepared.first_nodes = nodes_of_places(nodes, s.scheme, prepared.compact, prepared.sites);
  if (s.scheme.copies == 2) {
    prepared.second_offset = prepared.population_elements;
    prepared.population_elements *= 2;
  }
  prepared.boundaries =
      make_boundary_layout(prepared.setup, [&](std::uint64_t tile) { return prepared.place_of(nodes, tile); });
  prepared.monitored = monitored_tiles(nodes, prepared);
  prepared.walls = placed_walls(c, geometry, prepared);
  if (!prepared.walls.empty()) s.walls = wall_rule(c, geometry);
  return prepared;
}

namespace {

/// Elements of items whose place on the GPU is among those of a slab; their places become those in the slab. Items are
/// in the order of places.
template <class Item>
Range move_into(const Slab& slab, std::vector<Item>& items, std::size_t first) {
  Range range{first, 0};
  for (; first < items.size() && items[first].place < slab.first_place + slab.places; ++first, ++range.count)
    items[first].place -= slab.first_place;
  return range;
}

}  // namespace

void cut_into_slabs(PreparedCase& prepared, const NodeMap& nodes, std::uint64_t count) {
  Slabs slabs = make_slabs(nodes, static_cast<std::uint64_t>(prepared.facts.directions), count);
  prepared.sites.types = slab_types(slabs, prepared.sites.types);
  std::size_t boundary = 0;
  std::vector<std::size_t> monitored(prepared.monitored.size(), 0);
  for (Slab& slab : slabs.slabs) {
    slab.boundary_tiles = move_into(slab, prepared.boundaries.tiles, boundary);
    boundary += slab.boundary_tiles.count;
    for (std::size_t s = 0; s < monitored.size(); ++s) {
      slab.monitored.push_back(move_into(slab, prepared.monitored[s], monitored[s]));
      monitored[s] += slab.monitored.back().count;
    }
  }
  prepared.second_offset = slabs.copy_elements();
  prepared.population_elements = 2 * slabs.copy_elements() + slabs.kept_elements();
  prepared.slabs = std::move(slabs);
}

void cut_to_fit(PreparedCase& prepared, const NodeMap& nodes, std::uint64_t memory) {
  const std::uint64_t whole = prepared.total_bytes(), others = whole - prepared.population_bytes();
  if (!prepared.specification.scheme.swaps || whole <= memory) return;
  const std::uint64_t most = tile_layers(nodes);
  const auto fits = [&](std::uint64_t count) {
    const Slabs slabs = outline_slabs(nodes, static_cast<std::uint64_t>(prepared.facts.directions), count);
    return (2 * slabs.copy_elements() + slabs.kept_elements()) * prepared.facts.storage_bytes + others +
               slabs.types_of_neighbours() <=
           memory;
  };
  std::uint64_t count = 2;
  while (count < most && !(can_make_slabs(nodes, count) && fits(count))) ++count;
  if (can_make_slabs(nodes, count)) cut_into_slabs(prepared, nodes, count);
}

void plan_memory(const PreparedCase& prepared, bool snapshots, std::uint64_t free_bytes, Plan& plan) {
  if (!prepared.slabs.empty()) {
    const auto value = static_cast<std::uint64_t>(prepared.facts.storage_bytes);
    plan.slabs = static_cast<int>(prepared.slabs.slabs.size());
    plan.host_bytes = prepared.slabs.host_elements() * value;
    plan.transfer_bytes = prepared.slabs.step_elements() * value;
  }
  plan.population_bytes = prepared.population_bytes();
  plan.geometry_bytes = prepared.geometry_bytes();
  plan.boundary_bytes = prepared.boundary_bytes();
  plan.other_bytes = prepared.other_bytes();
  plan.snapshot_bytes = snapshots ? prepared.snapshot_bytes() : 0;
  const std::uint64_t spare = free_bytes / 64;  // for stacks, graphs, and whoever else uses the GPU
  plan.snapshot_fits = true;
  plan.snapshot_fits = plan.snapshot_bytes == 0 || (prepared.slabs.empty() && plan.total_bytes() + spare <= free_bytes);
  plan.staging_bytes = prepared.exchange_bytes() * (plan.snapshot_bytes > 0 && plan.snapshot_fits ? 2 : 1);
}

}  // namespace fluvia::cuda
