// SPDX-License-Identifier: Apache-2.0
#include "fluvia/backend/levels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include "fluvia/backend/level_memory.hpp"
#include "fluvia/backend/level_openings.hpp"
#include "fluvia/backend/moving_walls_of_levels.hpp"
#include "fluvia/base/error.hpp"
#include "fluvia/case/physics/registered_physics.hpp"
#include "fluvia/domain/levels/host_level_exchange.hpp"
#include "fluvia/domain/levels/levels_solver.hpp"
#include "fluvia/initial/acceleration_field.hpp"
#include "fluvia/initial/initial_fields.hpp"
#include "fluvia/initial/scalar_fields.hpp"
#include "fluvia/solver/bodies/moving_bodies.hpp"
#include "fluvia/solver/links/wall_links.hpp"
#include "fluvia/solver/local_viscosity.hpp"
#include "fluvia/solver/plan/collision_choice.hpp"
#include "fluvia/solver/plan/half_lattice.hpp"
#include "fluvia/solver/plan/scheme.hpp"
#include "fluvia/solver/scalars/scalar_links.hpp"

namespace fluvia {

namespace {

/// Steps that the finest level takes before what the next coarser one has can come to it, and so the most of a pass.
constexpr int steps_between_exchanges = 2;

[[noreturn]] void refuse(const Case& c, const std::string& key, const std::string& problem) {
  throw_input(fmt::format("{}: {}: {}", c.place(key), key, problem));
}

/// Refuses what no level can have yet.
void check_case(const Case& c, const std::string& device) {
  if (c.numerics.steps_per_pass > steps_between_exchanges)
    refuse(c, "numerics.steps_per_pass",
           fmt::format("'{}' with [[refine]]: the finest level exchanges populations with the next coarser one after "
                       "every two of its steps, and others after each; at most {}",
                       c.numerics.steps_per_pass, steps_between_exchanges));
  if (c.numerics.steps_per_pass > 1 && device != "cpu")
    refuse(c, "numerics.steps_per_pass",
           fmt::format("'{}' with [[refine]]: on a GPU levels take one step at a time; remove it",
                       c.numerics.steps_per_pass));
  if (stores_half(c) || c.numerics.lattice == "D3Q13")
    refuse(c, "numerics.lattice", "'D3Q13' has no levels of refinement; use D3Q19 or D3Q27");
  if (c.numerics.scheme != "auto") require_populations(parse_scheme(c.numerics.scheme));
}

/// Refuses what scalars of levels cannot have.
void check_scalars(const Case& c) {
  if (c.scalars.empty()) return;
  if (!c.solids.empty())
    refuse(c, "solid[0]", "solids in which scalars spread are not possible with [[refine]] yet; remove one of both");
  for (std::size_t k = 0; k < c.scalars.size(); ++k) {
    const ScalarLatticeFacts& lattice = facts_of_scalar_lattice(c.scalars[k].lattice, c.domain.dimension);
    if (&lattice != &facts_of_scalar_lattice("auto", c.domain.dimension))
      refuse(c, fmt::format("scalar[{}].lattice", k),
             fmt::format("'{}' has no levels of refinement, whose scalars move along the axes; use \"auto\"",
                         lattice.name));
  }
}

/// Refuses what bodies on levels cannot have.
void check_bodies_on(const Case& c, const std::string& device) {
  if (!c.bodies.empty() && device != "cpu")
    refuse(c, "numerics.device",
           fmt::format("'{}': with [[refine]] bodies move on CPUs only; use cpu, or auto", c.numerics.device));
}

/// Settings with which all levels are computed. What is left open becomes what does well at interfaces.
Case common_settings(const Problem& problem, const std::string& device) {
  const Case& c = problem.settings;
  Case settings = c;
  settings.refine.clear();
  settings.numerics.device = device;
  settings.numerics.is_level = true;
  settings.numerics.steps_per_pass = 1;
  if (settings.numerics.scheme == "auto") settings.numerics.scheme = "compact-pull";
  if (settings.numerics.collision == "auto")
    settings.numerics.collision = choose_collision(lattice_of(c), c.numerics.equilibrium, problem.units.tau,
                                                   problem.units.reference_velocity, interfaces_of(problem))
                                      .collision;
  return settings;
}

/// Limits of a viscosity that follows from the shear rate, for all levels: what a case leaves open is as small as the
/// coarsest level can have it, and as large as the finest.
void set_common_limits(const Units& coarsest, int finest, Case& settings) {
  if (!settings.physics.rheology) return;
  Case::Physics::Rheology& fluid = *settings.physics.rheology;
  const Units of_finest = units_of_level(coarsest, finest);
  const LocalViscosity least = make_local_viscosity(settings, coarsest),
                       most = make_local_viscosity(settings, of_finest);
  if (least.least_is_default) fluid.least_viscosity = coarsest.si_viscosity(least.least);
  if (most.most_is_default) fluid.most_viscosity = of_finest.si_viscosity(most.most);
}

/// Leaves a level the conditions of surfaces that it meets, or whose sponges it reaches into, and planes of symmetry,
/// which cut no links. What no level meets stays with the coarsest, which says so.
void keep_met_conditions(const std::vector<std::vector<bool>>& met, std::size_t l, LevelProblem& level) {
  const std::vector<std::string>& surfaces = level.geometry.surfaces;
  std::erase_if(level.settings.boundaries, [&](const Case::Boundary& b) {
    const core::ConditionFacts& facts = facts_of_boundary(b.type);
    const auto s = static_cast<std::size_t>(std::find(surfaces.begin(), surfaces.end(), b.surface) - surfaces.begin());
    if (!facts.acts || (facts.mirrors_on_faces && s < surface_id::wall)) return false;
    const auto meets = [s](const std::vector<bool>& of_level) { return s < of_level.size() && of_level[s]; };
    return !meets(met[l]) && (l > 0 || std::any_of(met.begin(), met.end(), meets));
  });
}

std::vector<const Geometry*> geometries(const std::vector<LevelProblem>& levels) {
  std::vector<const Geometry*> all;
  for (const LevelProblem& level : levels) all.push_back(&level.geometry);
  return all;
}

}  // namespace

Units units_of_level(const Units& coarsest, int level) {
  return coarsest.of_level(level);
}

LevelProblems divide_into_levels(const Problem& problem, const std::string& device) {
  const Case& c = problem.settings;
  check_case(c, device);
  check_scalars(c);
  check_bodies_on(c, device);
  LevelProblems divided{make_level_map(c, problem.grid(), problem.geometry), {}};
  Case common = common_settings(problem, device);
  set_common_limits(problem.units, divided.map.finest(), common);
  for (int l = 0; l <= divided.map.finest(); ++l) {
    LevelProblem& level = divided.levels.emplace_back();
    level.settings = common;
    if (l == divided.map.finest())
      level.settings.numerics.steps_per_pass = std::max(1, c.numerics.steps_per_pass);
    else
      level.settings.bodies.clear();  // they move on the finest
    level.units = units_of_level(problem.units, l);
    level.grid = divided.map.grid(l);
    level.geometry = build_level_geometry(c, divided.map, l, problem.geometry);
  }
  auto met = check_level_conditions(c, divided.map, geometries(divided.levels));
  share_openings(lattice_of(c), met, divided.levels);
  for (std::size_t l = 0; l < divided.levels.size(); ++l) keep_met_conditions(met, l, divided.levels[l]);
  check_bodies(divided.levels.back().problem());
  return divided;
}

namespace {

/// WallMassCorrection::weight of the links of a level to bodies, where these begin.
double body_weight(const LevelProblem& level, const LatticeFacts& lattice) {
  if (level.settings.bodies.empty()) return 0;
  MovingBodies bodies(level.problem(), lattice.velocities, 1);
  bodies.start_at(0);
  double weight = 0;
  for (const BodyLink& link : bodies.links()) weight += 2 * lattice.weights[link.direction];
  return weight;
}

/// WallMassCorrection::weight of the links of a level.
double wall_weight(const LevelProblem& level, const LatticeFacts& lattice) {
  const double of_bodies = body_weight(level, lattice);
  if (wall_rule(level.settings, level.geometry) == core::WallRule::half_way) return of_bodies;
  Links links;
  links.at =
      collect_cut_links(level.geometry, lattice.velocities, interpolated_surfaces(level.settings, level.geometry));
  return of_bodies + supply_weight(level.geometry, lattice.name, links);
}

std::vector<Plan> plans_of(const LevelProblems& divided, const Case& c, const LevelDevice& device) {
  if (const int parts = device.domain().blocks; parts > 1 && c.numerics.steps_per_pass > 1)
    refuse(c, "numerics.steps_per_pass",
           fmt::format("'{}' with [[refine]] in {} parts, which exchange populations after each step; remove it",
                       c.numerics.steps_per_pass, parts));
  std::vector<Plan> plans;
  for (const LevelProblem& level : divided.levels) plans.push_back(device.plan(level.problem()));
  return plans;
}

/// Faces of the box that are openings.
std::array<bool, 6> open_faces(const LevelProblem& coarsest) {
  std::array<bool, 6> open{};
  for (const Opening& opening : coarsest.geometry.openings)
    if (opening.surface < surface_id::wall) open[static_cast<std::size_t>(opening.surface)] = true;
  return open;
}

/// A level and the next finer one of a case, without what walls do there.
domain::LevelPair pair_of(const LevelProblems& divided, std::size_t l) {
  const Geometry &coarse = divided.levels[l].geometry, &fine = divided.levels[l + 1].geometry;
  return {divided.map,
          static_cast<int>(l),
          coarse.nodes,
          fine.nodes,
          coarse.beside,
          fine.beside,
          open_faces(divided.levels.front())};
}

/// What passes of a scalar between a level and the next finer one of a case. Its links lie along axes.
domain::LevelLinks links_of_scalar(const LevelProblems& divided, std::size_t l, const ScalarMethod& scalar,
                                   domain::PlaceOrder order) {
  const Problem problem = divided.levels[l].problem();
  const Geometry& coarse = divided.levels[l].geometry;
  const std::vector<ScalarAtSurface> surfaces = scalar_surfaces(problem, scalar);
  domain::LevelPair pair = pair_of(divided, l);
  pair.wall_between = [&](const Int3& node, const Int3& offset) -> std::optional<double> {
    const int surface = coarse.surface_of(node, offset);
    if (surfaces[static_cast<std::size_t>(surface)].is_adiabatic()) return {};
    return 0.5;
  };
  pair.reflects = false;
  const ScalarLatticeFacts& facts = *scalar.lattice;
  const LatticeFacts lattice{facts.name, facts.dimension, facts.directions, facts.velocities, facts.weights};
  domain::LevelLinks links = domain::find_level_links(pair, lattice, order);
  domain::require_balance(links, pair);
  return links;
}

/// What passes between each level and the next finer one of a case.
std::vector<domain::LevelLinks> links_of(const Case& c, const LevelProblems& divided, const LatticeFacts& lattice,
                                         domain::PlaceOrder order) {
  const auto moving_wall = find_moving_walls(c, divided, lattice.name);
  const auto measured_surface = find_measured_surfaces(c, divided);
  std::vector<domain::LevelLinks> links;
  for (std::size_t l = 0; l + 1 < divided.levels.size(); ++l) {
    const Geometry& coarse = divided.levels[l].geometry;
    const std::vector<bool> interpolated = interpolated_surfaces(divided.levels[l].settings, coarse);
    domain::LevelPair pair = pair_of(divided, l);
    pair.wall_between = [&](const Int3& node, const Int3& offset) -> std::optional<double> {
      const auto surface = static_cast<std::size_t>(coarse.surface_of(node, offset));
      if (!interpolated[surface]) return {};
      return coarse.distance_of(node, offset);
    };
    pair.moving_wall = moving_wall;
    pair.measured_surface = measured_surface;
    pair.slides = find_sliding_walls(c, coarse);
    links.push_back(domain::find_level_links(pair, lattice, order));
    domain::require_balance(links.back(), pair);
    for (const ScalarMethod& scalar : make_scalars(divided.levels[l].settings, divided.levels[l].units))
      links.back().scalars.push_back(links_of_scalar(divided, l, scalar, order));
  }
  return links;
}

/// The cuts of each level.
std::vector<std::vector<std::uint64_t>> cuts_of(const LevelProblems& divided, const Domain& domain) {
  std::vector<std::vector<std::uint64_t>> cuts;
  for (std::size_t l = 0; l < divided.levels.size(); ++l) try {
      cuts.push_back(domain_cuts(divided.levels[l].geometry.nodes, domain));
    } catch (const Error& error) {
      throw Error(error.code(), fmt::format("refine: on level {}: {}", l, error.what()));
    }
  return cuts;
}

/// Numbers of the parts that a member of a communicator has.
std::vector<int> parts_of(const Domain& domain, const Communicator& member) {
  if (domain.is_on_ranks()) return {member.number()};
  std::vector<int> all(static_cast<std::size_t>(domain.blocks));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

}  // namespace

ConnectedLevels connect_levels(const LevelProblems& divided, const LatticeFacts& lattice,
                               const std::vector<domain::LevelLinks>& links, const Domain& domain, bool packs_values,
                               const std::vector<int>& parts) {
  ConnectedLevels connected;
  const auto cuts = cuts_of(divided, domain);
  for (std::size_t l = 0; l < divided.levels.size(); ++l) {
    const NodeMap& nodes = divided.levels[l].geometry.nodes;
    std::vector<Block>& blocks = connected.blocks.emplace_back();
    for (const int part : parts) {
      blocks.push_back(domain.is_whole() ? whole_domain(nodes) : make_block(nodes, lattice.velocities, cuts[l], part));
      blocks.back().level = static_cast<int>(l);
    }
  }
  for (std::size_t l = 0; l < links.size(); ++l) {
    connected.shares.push_back(domain::shares_of(links[l], {cuts[l], cuts[l + 1]}, parts));
    const std::vector<domain::LevelShare>& shares = connected.shares.back();
    for (std::size_t p = 0; p < parts.size(); ++p) {
      Block &coarse = connected.blocks[l][p], &fine = connected.blocks[l + 1][p];
      add_level_neighbours(shares[p], coarse, fine);
      if (packs_values) add_value_neighbours(shares[p], coarse, fine);
    }
  }
  return connected;
}

Plan joined_plan(const LevelProblems& divided, const std::vector<Plan>& plans) {
  std::vector<const NodeMap*> nodes;
  std::vector<double> spacings;
  for (const LevelProblem& level : divided.levels) {
    nodes.push_back(&level.geometry.nodes);
    spacings.push_back(level.units.spacing);
  }
  return domain::joined_plan(plans, nodes, spacings);
}

namespace {

/// Refuses fields of a case that are no numbers, or too fast, at nodes of finer levels; those at nodes of the coarsest
/// were looked at before.
void check_fields(const LevelProblems& divided) {
  for (std::size_t l = 1; l < divided.levels.size(); ++l) {
    const Problem problem = divided.levels[l].problem();
    try {
      (void)InitialFields(problem).check(problem);
      (void)AccelerationField(problem).check(problem);
      for (std::size_t k = 0; k < problem.settings.scalars.size(); ++k) (void)ScalarFields(problem, k).check(problem);
    } catch (const Error& error) {
      throw Error(error.code(), fmt::format("refine: on level {}: {}", l, error.what()));
    }
  }
}

}  // namespace

Plan plan_levels(const Problem& problem, const LevelDevice& device) {
  LevelProblems divided = divide_into_levels(problem, device.name());
  std::vector<Plan> plans = plans_of(divided, problem.settings, device);
  const bool tells = problem.communicator.number() == 0;  // others' plans are for nobody
  if (!device.prepares() || !tells) return joined_plan(divided, plans);
  std::vector<domain::LevelLinks> links =
      links_of(problem.settings, divided, *plans.front().flow().lattice, device.order());
  PreparedLevels prepared{std::move(divided), std::move(plans), std::move(links)};
  return fit_levels(problem, device, prepared).plan;
}

PreparedLevels prepare_levels(const Problem& problem, const LevelDevice& device,
                              const std::function<void(Plan&)>& check) {
  LevelProblems divided = divide_into_levels(problem, device.name());
  check_fields(divided);
  std::vector<Plan> plans = plans_of(divided, problem.settings, device);
  if (check) {
    Plan all = joined_plan(divided, plans);
    check(all);
    if (!all.refusal.empty()) throw_resource(all.refusal);
  }
  std::vector<domain::LevelLinks> links =
      links_of(problem.settings, divided, *plans.front().flow().lattice, device.order());
  return {std::move(divided), std::move(plans), std::move(links)};
}

namespace {

/// What is known of the whole before geometries go to their solvers.
WholeLevels whole_of(const PreparedLevels& prepared, const Case& c, Geometry coarsest) {
  WholeLevels whole{c, std::move(coarsest), prepared.divided.map, {}, {}, {}};
  for (const LevelProblem& level : prepared.divided.levels) {
    domain::SolvedLevel& solved = whole.levels.emplace_back();
    solved.units = level.units;
    solved.grid = level.grid;
    solved.wall_weight = wall_weight(level, *prepared.plans.front().flow().lattice);
  }
  for (const domain::LevelLinks& between : prepared.links) whole.exchanged.push_back(between.size());
  return whole;
}

std::unique_ptr<Solver> solver_of(WholeLevels whole, std::shared_ptr<domain::Stepping> stepping) {
  return std::make_unique<domain::LevelsSolver>(whole.settings, std::move(whole.coarsest), std::move(*whole.map),
                                                std::move(whole.levels), whole.exchanged, std::move(stepping),
                                                std::move(whole.plan));
}

/// Makes the solvers of blocks, [level][part], which take the geometries of their levels.
std::vector<std::vector<std::unique_ptr<BlockSolver>>> make_blocks(PreparedLevels prepared,
                                                                   const std::vector<std::vector<Block>>& blocks,
                                                                   LevelDevice& device, Communicator& communicator) {
  std::vector<std::vector<std::unique_ptr<BlockSolver>>> solvers;
  for (std::size_t l = 0; l < blocks.size(); ++l) {
    LevelProblem& level = prepared.divided.levels[l];
    solvers.push_back(device.make({level.settings, level.units, std::move(level.geometry), communicator},
                                  std::move(prepared.plans[l]), blocks[l]));
  }
  return solvers;
}

/// Gives a level its solver, whichever it is.
template <class OfLevel>
void take_solver(domain::SolvedLevel& level, std::unique_ptr<OfLevel> solver) {
  level.opening_nodes =
      domain::count_opening_nodes(solver->geometry(), [&](const Observable& what) { return solver->sums_of(what); });
  level.solver = std::move(solver);
}

}  // namespace

std::unique_ptr<Solver> make_levels_solver(OwningProblem own, LevelDevice& device,
                                           const std::function<void(Plan&)>& check) {
  PreparedLevels prepared = prepare_levels(own, device, check);
  const FittingLevels fitting = device.prepares() ? fit_levels_if_needed(own, device, prepared) : FittingLevels{};
  LevelDevice& used = fitting.device ? *fitting.device : device;
  ConnectedLevels all = connect_levels(prepared.divided, *prepared.plans.front().flow().lattice, prepared.links,
                                       used.domain(), used.packs_values(), parts_of(used.domain(), own.communicator));
  WholeLevels whole = whole_of(prepared, own.settings, std::move(own.geometry));
  if (fitting.device) whole.plan = fitting.plan;
  auto solvers = make_blocks(std::move(prepared), all.blocks, used, own.communicator);
  for (std::size_t l = 0; l < solvers.size(); ++l)
    if (solvers[l].size() == 1)
      take_solver(whole.levels[l], std::move(solvers[l].front()));
    else
      take_solver(whole.levels[l], std::make_unique<domain::DomainSolver>(
                                       std::make_unique<domain::LocalGroup>(std::move(solvers[l]), used.halos(l))));
  return solver_of(std::move(whole), used.connect(std::move(all.shares)));
}

domain::RankParts make_level_parts(OwningProblem own, LevelDevice& device, const std::function<void(Plan&)>& check,
                                   WholeLevels* whole) {
  Communicator& communicator = own.communicator;
  PreparedLevels prepared = prepare_levels(Problem(own).alone(), device, check);
  ConnectedLevels here =
      connect_levels(prepared.divided, *prepared.plans.front().flow().lattice, prepared.links, device.domain(),
                     device.packs_values(), parts_of(device.domain(), communicator));
  if (whole != nullptr) *whole = whole_of(prepared, own.settings, std::move(own.geometry));
  domain::RankParts parts;
  for (auto& blocks : make_blocks(std::move(prepared), here.blocks, device, communicator))
    parts.blocks.push_back(std::move(blocks.front()));
  for (auto& shares : here.shares) parts.shares.push_back(std::move(shares.front()));
  return parts;
}

std::unique_ptr<Solver> join_levels(WholeLevels whole, std::vector<std::unique_ptr<domain::DomainSolver>> solvers,
                                    std::shared_ptr<domain::Stepping> stepping) {
  for (std::size_t l = 0; l < solvers.size(); ++l) take_solver(whole.levels[l], std::move(solvers[l]));
  return solver_of(std::move(whole), std::move(stepping));
}

std::unique_ptr<Solver> make_levels_in_parts(const Problem& problem, int parts) {
  return make_levels_solver({problem.settings, problem.units, problem.geometry},
                            *levels_on_cpu("", {parts, BlockPlace::devices}));
}

std::vector<PartitionFacts> partitions_of_levels(const Problem& problem, const Plan& plan) {
  const LevelProblems divided = divide_into_levels(problem, plan.device);
  const auto cuts = cuts_of(divided, plan.domain);
  std::vector<PartitionFacts> facts;
  for (std::size_t l = 0; l < cuts.size(); ++l)
    facts.push_back(partition_facts(divided.levels[l].geometry.nodes, plan.flow().lattice->velocities, cuts[l]));
  return facts;
}

PartitionFacts joined_partition(const std::vector<PartitionFacts>& levels) {
  PartitionFacts all = levels.front();
  for (std::size_t l = 1; l < levels.size(); ++l)
    for (std::size_t p = 0; p < all.nodes.size(); ++p) {
      all.nodes[p] += levels[l].nodes[p] << l;
      all.halo_nodes[p] += levels[l].halo_nodes[p] << l;
      all.halo_populations[p] += levels[l].halo_populations[p] << l;
      all.neighbours[p] = std::max(all.neighbours[p], levels[l].neighbours[p]);
    }
  return all;
}

}  // namespace fluvia
