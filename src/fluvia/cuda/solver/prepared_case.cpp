// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cuda/solver/prepared_case.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <numeric>

#include "fluvia/solver/links/cut_links.hpp"
#include "fluvia/solver/links/node_records.hpp"
#include "fluvia/solver/plan/passes.hpp"
#include "fluvia/solver/plan/scheme.hpp"

namespace fluvia::cuda {
namespace {

template <class Value>
std::uint64_t memory_of(const std::vector<Value>& values) {
  return values.size() * sizeof(Value);
}

/// Appends the largest subtrees of tiles in a range that have at most so many levels.
void append_pieces(const TileRange& range, std::uint32_t most_levels, std::vector<kernels::SumPiece>& pieces) {
  for (std::uint64_t t = range.first; t < range.end;) {
    auto level = std::min(most_levels, static_cast<std::uint32_t>(std::countr_zero(t | std::uint64_t{1} << 63)));
    while (t + (std::uint64_t{1} << level) > range.end) --level;
    pieces.push_back({static_cast<std::uint32_t>(t), level});
    t += std::uint64_t{1} << level;
  }
}

std::uint32_t piece_levels(std::uint64_t tiles) {
  return std::min<std::uint32_t>(kernels::most_sum_levels,
                                 static_cast<std::uint32_t>(std::bit_width(tiles / sum_blocks)));
}

/// What a part of the domain exchanges with others; lists of populations are not needed any more then.
void find_halo_populations(const NodeMap& nodes, const std::vector<Int3>& velocities, PreparedCase& prepared,
                           const std::vector<NodeRecord>& records, const FitTables& fits,
                           const std::function<std::uint32_t(std::uint64_t)>& storage_index_of) {
  const std::vector<HaloMemory> memory = halo_memory(prepared.setup, records, fits, prepared.block);
  const ValueBytes bytes{prepared.facts.storage_bytes, prepared.facts.arithmetic_bytes};
  if (what_crosses(prepared.specification.scheme) == Crosses::nodes) {
    const bool returns = prepared.specification.walls != core::WallRule::half_way;
    list_numbers_of_nodes(nodes, velocities, {prepared.facts.numbers, returns ? bytes.number / bytes.population : 0},
                          prepared.block);
  }
  const auto number = static_cast<std::uint64_t>(bytes.number);
  const auto of_scalars = [&](bool leaving) {
    return scalar_message_bytes(prepared.scalars, prepared.block.neighbours.size(), leaving, number);
  };
  prepared.leaving = make_leaving(prepared.block, memory, storage_index_of, bytes, of_scalars(true));
  prepared.arriving = make_arriving(prepared.block, memory, storage_index_of, bytes, of_scalars(false));
  prepared.scalars_leaving = list_scalar_messages(prepared.scalars, prepared.leaving.messages, true, number);
  prepared.scalars_arriving = list_scalar_messages(prepared.scalars, prepared.arriving.messages, false, number);
  prepared.forwarded = find_forwarded(prepared.block, memory, bytes);
  for (Neighbour& neighbour : prepared.block.neighbours) {
    std::vector<HaloPopulation>().swap(neighbour.arrives);
    std::vector<HaloPopulation>().swap(neighbour.leaves);
    neighbour.halo.clear();
  }
}

/// Forces of the nodes that are stepped: own ones, and as much of the halo as passes take along.
NodeForceArrays make_forces(const Problem& problem, const PreparedCase& prepared, const NodeMap& nodes) {
  std::vector<std::uint32_t> tiles(prepared.block.tiles.count());
  std::iota(tiles.begin(), tiles.end(), static_cast<std::uint32_t>(prepared.block.tiles.first));
  for (const PreparedCase::StoredTile& of_halo : prepared.halo) tiles.push_back(of_halo.tile);
  return {AccelerationField(problem.alone()), problem.geometry.nodes, tiles, prepared.layout->wall_storage_indices(),
          [&](const Int3& node) {
            return prepared.layout->wall_storage_index(nodes,
                                                       prepared.part ? prepared.part->node_position(node) : node);
          }};
}

/// Scalars by the storage indices of the flow.
void make_scalar_arrays(const Problem& problem, const Plan& plan, PreparedCase& prepared) {
  if (plan.scalars.empty()) return;
  const NodeMap& all = problem.geometry.nodes;
  if (prepared.part) prepared.scalar_map = stored_nodes(all, prepared.block);
  const NodeMap& nodes = prepared.part ? prepared.scalar_map : all;
  const ScalarNodes of = prepared.part ? ScalarNodes(all, nodes, prepared.block) : ScalarNodes(all);
  const Layout& layout = *prepared.layout;
  prepared.first_scalar_node = of.first_own();
  const auto storage_index_of = [&](const Int3& at) {
    return static_cast<std::uint32_t>(
        prepared.part ? layout.wall_storage_index(prepared.part->nodes, prepared.part->node_position(at))
                      : layout.wall_storage_index(nodes, at));
  };
  prepared.scalar_nodes.resize(nodes.fluid_nodes);
#pragma omp parallel for schedule(static)
  for (std::size_t t = 0; t < nodes.tiles.size(); ++t) {
    std::uint64_t n = nodes.tiles[t].first_node;
    for (std::uint64_t rest = nodes.tiles[t].mask; rest != 0; rest &= rest - 1, ++n)
      prepared.scalar_nodes[n] = storage_index_of(nodes.node_position(nodes.tiles[t], std::countr_zero(rest)));
  }
  for (std::size_t k = 0; k < plan.scalars.size(); ++k)
    prepared.scalars.emplace_back(problem, k, plan.scalars[k], of, prepared.scalar_nodes, layout.wall_storage_indices())
        .take_levels(prepared.block, k, all, storage_index_of);
  prepared.touched = TouchedBlocks(prepared.scalars);
  for (const ScalarArrays& scalar : prepared.scalars)
    if (!scalar.method.solids.empty()) append_solid_array(scalar.method, scalar.solids.count(), prepared.arrays);
}

}  // namespace

MonitoredLinks find_monitored(const NodeMap& nodes, const BoundarySetup& setup, const TileRange& own,
                              const std::function<std::uint32_t(std::uint64_t)>& storage_index_of) {
  MonitoredLinks monitored;
  monitored.on_gpu.resize(setup.surfaces.size());
  monitored.tiles.resize(setup.surfaces.size());
  // In canonical order: those of a tile are together.
  for (const auto& [link, faces, twelfths] : measured_links(setup.links.at, setup.shared, setup.monitored, own)) {
    auto& tiles = monitored.on_gpu[link.surface];
    auto& known = monitored.tiles[link.surface];
    std::size_t k = known.size();
    const auto has_share = [faces = faces, twelfths = twelfths](const PreparedCase::MonitoredTile& tile) {
      return tile.faces == faces && tile.twelfths == twelfths;
    };
    while (k > 0 && known[k - 1].tile == link.tile && !has_share(known[k - 1])) --k;
    if (k == 0 || known[k - 1].tile != link.tile) {
      known.push_back({link.tile, faces, twelfths});
      const Int3 p = nodes.node_position(nodes.tiles[link.tile], 0);
      tiles.push_back({storage_index_of(link.tile), {p[0], p[1], p[2]}, {}});
      k = known.size();
    }
    tiles[k - 1].directions[link.bit] |= 1u << link.direction;
  }
  return monitored;
}

std::vector<std::uint32_t> nodes_with_links(const std::vector<kernels::MonitoredTile>& tiles) {
  std::vector<std::uint32_t> nodes;
  for (const kernels::MonitoredTile& tile : tiles)
    nodes.push_back(static_cast<std::uint32_t>(
        std::count_if(std::begin(tile.directions), std::end(tile.directions), [](auto d) { return d != 0; })));
  return nodes;
}

std::uint64_t PreparedCase::key_bytes() const {
  return specification.stochastic ? static_cast<std::uint64_t>(most_keys(specification)) * sizeof(core::StepKey) : 0;
}

std::uint64_t PreparedCase::geometry_bytes() const {
  return layout->bytes() + memory_of(first_nodes) + leaving.bytes(facts.parities) + arriving.bytes(facts.parities) +
         exchanged_at_border.bytes(facts.parities) + exchanged.bytes(facts.parities) + key_bytes();
}

std::uint64_t PreparedCase::own_population_bytes() const {
  std::uint64_t elements = 0;
  for (const Range& range : layout->own_elements()) elements += range.count;
  return elements * static_cast<std::uint64_t>(facts.storage_bytes);
}

std::uint64_t PreparedCase::summed_tiles_bytes() const {
  return memory_of(storage_indices) + memory_of(pieces);
}

std::uint64_t PreparedCase::boundary_bytes() const {
  std::uint64_t bytes = memory_of(boundaries.records) + memory_of(setup.surfaces) + memory_of(boundaries.tiles) +
                        memory_of(boundaries.first_records) + boundaries.fits.size().bytes(facts.arithmetic_bytes) +
                        kept_bytes() + stages_bytes() + wall_bytes() + body_bytes() +
                        forces.bytes(facts.arithmetic_bytes);
  for (const auto& tiles : monitored) bytes += memory_of(tiles);
  return bytes;
}

/// Bytes of both lists of walls and of what walls give; a part without walls has the first list if others have some.
std::uint64_t PreparedCase::wall_bytes() const {
  return walls.first.empty() ? 0 : memory_of(walls.first) + memory_of(walls.words) + sizeof(float);
}

std::uint64_t PreparedCase::scalar_sums() const {
  std::uint64_t most = 0;
  for (const ScalarArrays& scalar : scalars) {
    most = std::max(most, scalar.flow_blocks());
    for (std::size_t solid = 0; solid < scalar.method.solids.size(); ++solid) {
      const ScalarArrays::Blocks of_solid = scalar.blocks_of(solid);
      most = std::max<std::uint64_t>(most, of_solid.end - of_solid.first);
    }
  }
  return (most + kernels::summed_scalar_blocks - 1) / kernels::summed_scalar_blocks;
}

std::uint64_t PreparedCase::scalar_bytes() const {
  std::uint64_t bytes = memory_of(touched.numbers) + touched.bytes(static_cast<std::size_t>(facts.arithmetic_bytes)) +
                        scalar_sums() * sizeof(kernels::ScalarSums) + scalars_leaving.bytes(1) +
                        scalars_arriving.bytes(1);
  for (const ScalarArrays& scalar : scalars) bytes += scalar.bytes(facts.arithmetic_bytes);
  return bytes;
}

std::uint64_t PreparedCase::references_bytes() const {
  return std::min(chunk_tiles, tile_count) * sizeof(kernels::TileReference);
}

/// Moments of the arithmetic type, or four numbers of an initial state.
std::uint64_t PreparedCase::exchange_bytes() const {
  return std::min(chunk_tiles, tile_count) * kernels::nodes_per_tile *
         std::max<std::uint64_t>(Moments::numbers(true) * static_cast<std::uint64_t>(facts.arithmetic_bytes),
                                 4 * sizeof(double));
}

std::uint64_t PreparedCase::sums_bytes() const {
  std::uint64_t bytes = pieces.size() * sizeof(kernels::NodeSums);
  for (const auto& tiles : monitored) bytes = std::max<std::uint64_t>(bytes, tiles.size() * sizeof(kernels::LinkSums));
  return bytes;
}

namespace {

void list_exchanged(const std::vector<Int3>& velocities, const NodeMap& domain,
                    const std::function<std::uint32_t(std::uint64_t)>& storage_index_of, PreparedCase& prepared) {
  const TileRange& own = prepared.block.tiles;
  const auto is_border = [&](std::uint32_t tile) {
    return prepared.part && prepared.part->roles[prepared.part->tile(domain.tiles[tile])] == TileRole::border;
  };
  std::vector<ExchangedPair> at_border, others;
  for (const ExchangedPair& pair :
       exchanged_pairs(domain, velocities, [&](std::uint32_t tile) { return own.contains(tile); }))
    (is_border(pair.first.tile) && is_border(pair.second.tile) ? at_border : others).push_back(pair);
  prepared.exchanged_at_border = make_exchanged_arrays(std::move(at_border), storage_index_of);
  prepared.exchanged = make_exchanged_arrays(std::move(others), storage_index_of);
}

/// Takes room for as much as bodies have to be told of where they begin.
void take_room_for_bodies(const Problem& problem, const Plan& plan, const StorageIndexOfTile& storage_index_of,
                          PreparedCase& prepared) {
  const LatticeFacts& lattice = *plan.flow().lattice;
  MovingBodies bodies(problem, lattice.velocities, plan.threads);
  bodies.start_at(0);
  const std::uint64_t links = bodies.links().size();
  prepared.specification.finds_links = bodies.have_formulas();
  BodySearchRoom search;
  if (prepared.specification.finds_links) {
    bodies.leave_links();
    bodies.start_at(0);
    BodySearchArrays arrays(storage_index_of, lattice.velocities, lattice.weights);
    arrays.take(bodies);
    search = BodySearchRoom::around(arrays, links);
  }
  BodyArrays arrays(problem.geometry.nodes, storage_index_of, lattice.weights, plan.threads);
  arrays.take_links(bodies);
  arrays.take_changes(bodies);
  prepared.body_room = BodyRoom::around(arrays, links, static_cast<std::size_t>(prepared.facts.arithmetic_bytes));
  prepared.body_room.search = search;
}

}  // namespace

PreparedCase prepare_case(const Problem& problem, const Plan& plan, const Block* block) {
  const Case& c = problem.settings;
  PreparedCase prepared;
  const NodeMap& domain = problem.geometry.nodes;
  prepared.setup = make_boundary_setup(problem.alone(), plan.flow().lattice->name);
  prepared.block = block != nullptr ? *block : whole_domain(domain);
  const TileRange& own = prepared.block.tiles;
  if (block != nullptr) prepared.part = make_block_nodes(domain, plan.flow().lattice->velocities, *block);
  const NodeMap& nodes = prepared.part ? prepared.part->nodes : domain;
  prepared.tile_count = own.count();
  Specification& s = prepared.specification;
  s.lattice = plan.flow().lattice->name;
  s.collision = plan.flow().collision->name;
  s.equilibrium = plan.flow().equilibrium->name;
  s.format = plan.format->name;
  s.scheme = *plan.scheme;
  s.tile = plan.tile;
  s.steps_per_pass = plan.steps_per_pass;
  s.threads = c.numerics.gpu_threads;
  s.rows = c.numerics.gpu_rows;
  s.blocks = c.numerics.gpu_blocks;
  s.force = plan.flow().force;
  s.own_forces = c.physics.has_acceleration_field();
  for (const ScalarMethod& scalar : plan.scalars) {
    s.scalars.push_back(scalar.lattice->name);
    s.scalars_act = s.scalars_act || scalar.expansion != 0;
    s.solids = s.solids || !scalar.solids.empty();
  }
  s.bodies = !c.bodies.empty();
  s.viscosity = plan.flow().viscosity.model;
  s.stochastic = plan.rounding == core::Rounding::stochastic;
  s.rows = block_rows(s);  // which ask whether threads are given
  s.threads = block_threads(s);
  s.changes = s.steps_per_pass > 1 && changing_boundary(c, domain.dimension) != nullptr;
  if (s.steps_per_pass > 1 || kernels_of(s.scheme).completes) s.conditions = plan.flow().conditions;
  if (s.scheme.keeps_moments()) s.walls = wall_rule(c, problem.geometry);  // what they return has a place of its own
  if (s.steps_per_pass > 1 || kernels_of(s.scheme).steps_by_pass) s.pass = pass_row(s);
  prepared.facts = facts_of(s);
  s.mirrors = domain.has_mirrors();  // though this part may meet none
  prepared.layout = make_layout(nodes, s, prepared.part ? prepared.part->roles : TileRoles{});
  const Layout& layout = *prepared.layout;
  prepared.extent = layout.extent();
  if (s.stochastic) prepared.first_nodes = layout.first_nodes(nodes);
  for (std::uint32_t& first : prepared.first_nodes) first += prepared.part ? prepared.part->first_node() : 0;
  const auto storage_index_of = [&](std::uint64_t tile) {
    return layout.storage_index_of(nodes, prepared.part ? prepared.part->tile(domain.tiles[tile]) : tile);
  };
  const auto takes = [&](std::uint32_t tile, int bit) { return prepared.block.takes(tile, bit); };
  std::vector<NodeRecord> records = node_records(prepared.setup);
  FitTables fits = plane_fits(prepared.setup, records);
  prepared.arrays = make_node_arrays(domain, plan.distributions, prepared.setup, records);
  append_scalar_arrays(domain, plan.scalars, prepared.arrays);
  make_scalar_arrays(problem, plan, prepared);
  if (prepared.part)
    find_halo_populations(domain, plan.flow().lattice->velocities, prepared, records, fits, storage_index_of);
  if (!kernels_of(s.scheme).completes)
    list_exchanged(plan.flow().lattice->velocities, domain, storage_index_of, prepared);
  prepared.boundaries =
      make_boundary_arrays(prepared.setup, std::move(records), std::move(fits), storage_index_of, takes);
  s.conditions = prepared.boundaries.conditions;
  prepared.layout->mark_conditions(prepared.boundaries);
  prepared.layout->set_parameters(plan.flow().parameters);
  if (prepared.part) prepared.layout->place_in_domain(domain, prepared.part->first_layer);
  MonitoredLinks monitored = find_monitored(domain, prepared.setup, own, storage_index_of);
  prepared.monitored = std::move(monitored.on_gpu);
  prepared.monitored_tiles = std::move(monitored.tiles);
  for (std::uint64_t tile = own.first; tile < own.end; ++tile)
    prepared.storage_indices.push_back(storage_index_of(tile));
  if (prepared.block.steps > 1)
    for (const NodeMap::Tile& tile : stepped_halo(domain, prepared.block).tiles) {
      const std::uint32_t number = domain.directory[domain.directory_index(tile.position)];
      prepared.halo.push_back({number, storage_index_of(number)});
    }
  append_pieces(own, piece_levels(own.count()), prepared.pieces);
  prepared.walls = make_wall_links(
      c, problem.geometry, s.lattice, layout.wall_storage_indices(),
      [&](const Int3& node) {
        return layout.wall_storage_index(nodes, prepared.part ? prepared.part->node_position(node) : node);
      },
      prepared.block, communicator_of_one());
  if (s.own_forces) prepared.forces = make_forces(problem, prepared, nodes);
  if (!c.bodies.empty()) take_room_for_bodies(problem, plan, storage_index_of, prepared);
  // All parts have the kernels of the whole domain, and so its bits.
  s.walls = prepared.walls.supply.weight > 0 ? wall_rule(c, problem.geometry) : core::WallRule::half_way;
  return prepared;
}

void plan_memory(const PreparedCase& prepared, bool snapshots, std::uint64_t free_bytes, Plan& plan) {
  plan.population_bytes = prepared.population_bytes();
  plan.beginning_bytes = prepared.beginning_bytes();
  plan.scalar_bytes = prepared.scalar_bytes();
  plan.geometry_bytes = prepared.geometry_bytes();
  plan.boundary_bytes = prepared.boundary_bytes();
  plan.other_bytes = prepared.other_bytes();
  // Scalars and bodies are read where they are, so that output holds up the stepping.
  const bool stays = prepared.scalars.empty() && !prepared.specification.bodies;
  plan.snapshot_bytes = snapshots && stays ? prepared.snapshot_bytes() : 0;
  const std::uint64_t spare = free_bytes / 64;  // for stacks, graphs, and whoever else uses the GPU
  plan.snapshot_fits = true;
  plan.snapshot_fits = plan.snapshot_bytes == 0 || plan.total_bytes() + spare <= free_bytes;
  plan.staging_bytes = prepared.exchange_bytes() * (plan.snapshot_bytes > 0 && plan.snapshot_fits ? 2 : 1) +
                       prepared.body_room.host_bytes();
}

}  // namespace fluvia::cuda
