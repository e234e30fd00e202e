// SPDX-License-Identifier: Apache-2.0
#include "fluvia/backend/levels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <string>
#include <utility>

#include "fluvia/backend/level_openings.hpp"
#include "fluvia/base/error.hpp"
#include "fluvia/case/physics/registered_physics.hpp"
#include "fluvia/domain/levels/levels_solver.hpp"
#include "fluvia/initial/acceleration_field.hpp"
#include "fluvia/initial/initial_fields.hpp"
#include "fluvia/solver/links/wall_links.hpp"
#include "fluvia/solver/local_viscosity.hpp"
#include "fluvia/solver/plan/collision_choice.hpp"
#include "fluvia/solver/plan/half_lattice.hpp"
#include "fluvia/solver/plan/scheme.hpp"

namespace fluvia {

namespace {

/// Relaxation time of odd moments beyond which TRT is unstable at an interface (measured, docs/decisions/0051).
constexpr double most_odd_time = 2.2;

[[noreturn]] void refuse(const Case& c, const std::string& key, const std::string& problem) {
  throw_input(fmt::format("{}: {}: {}", c.place(key), key, problem));
}

/// Refuses what no level can have yet.
void check_case(const Case& c) {
  if (c.numerics.steps_per_pass > 1)
    refuse(c, "numerics.steps_per_pass",
           fmt::format("'{}' with [[refine]]: levels exchange populations after each step; remove it",
                       c.numerics.steps_per_pass));
  if (stores_half(c) || c.numerics.lattice == "D3Q13")
    refuse(c, "numerics.lattice", "'D3Q13' has no levels of refinement; use D3Q19 or D3Q27");
  if (c.numerics.scheme != "auto") require_splittable(parse_scheme(c.numerics.scheme));
}

/// Settings with which all levels are computed. What is left open becomes what does well at interfaces.
Case common_settings(const Problem& problem, const std::string& device) {
  const Case& c = problem.settings;
  Case settings = c;
  settings.refine.clear();
  settings.numerics.device = device;
  settings.numerics.steps_per_pass = 1;
  if (settings.numerics.scheme == "auto") settings.numerics.scheme = "compact-pull";
  if (settings.numerics.collision == "auto")
    settings.numerics.collision = choose_collision(lattice_of(c), c.numerics.equilibrium, problem.units.tau,
                                                   problem.units.reference_velocity, true)
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

/// Leaves a level the conditions of surfaces that it meets, and planes of symmetry, which cut no links. What no level
/// meets stays with the coarsest, which says so.
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

void check_flow(const Case& c, const Plan& coarsest) {
  const Distribution& flow = coarsest.flow();
  if (std::string(flow.collision->name) != "trt") return;
  const double odd = 0.5 + c.numerics.magic / (1 / flow.omega() - 0.5);
  if (odd > most_odd_time)
    refuse(c, "numerics.collision",
           fmt::format("'trt' with magic = {:.4g} relaxes odd moments in {:.3g} steps of the coarsest level, and is "
                       "unstable beside finer levels beyond {:.2g}; use \"auto\"",
                       c.numerics.magic, odd, most_odd_time));
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
  check_case(c);
  LevelProblems divided{make_level_map(c, problem.grid(), problem.geometry), {}};
  Case common = common_settings(problem, device);
  set_common_limits(problem.units, divided.map.finest(), common);
  for (int l = 0; l <= divided.map.finest(); ++l) {
    LevelProblem& level = divided.levels.emplace_back();
    level.settings = common;
    level.units = units_of_level(problem.units, l);
    level.grid = divided.map.grid(l);
    level.geometry = build_level_geometry(c, divided.map, l, problem.geometry);
  }
  const auto met = check_level_conditions(c, divided.map, geometries(divided.levels));
  share_openings(met, lattice_of(c), divided.levels);
  for (std::size_t l = 0; l < divided.levels.size(); ++l) keep_met_conditions(met, l, divided.levels[l]);
  return divided;
}

namespace {

/// WallMassCorrection::weight of the links of a level.
double wall_weight(const LevelProblem& level, const LatticeFacts& lattice) {
  if (wall_rule(level.settings, level.geometry) == core::WallRule::half_way) return 0;
  Links links;
  links.at =
      collect_cut_links(level.geometry, lattice.velocities, interpolated_surfaces(level.settings, level.geometry));
  return supply_weight(level.geometry, lattice.name, links);
}

std::vector<Plan> plans_of(const LevelProblems& divided, const Case& c, const LevelDevice& device) {
  std::vector<Plan> plans;
  for (const LevelProblem& level : divided.levels) plans.push_back(device.plan(level.problem()));
  check_flow(c, plans.front());
  return plans;
}

/// The levels as blocks that know what passes between them.
struct ConnectedLevels {
  std::vector<Block> blocks;
  std::vector<domain::LevelLinks> links;  ///< between each level and the next finer one
};

/// Faces of the box that are openings.
std::array<bool, 6> open_faces(const LevelProblem& coarsest) {
  std::array<bool, 6> open{};
  for (const Opening& opening : coarsest.geometry.openings)
    if (opening.surface < surface_id::wall) open[static_cast<std::size_t>(opening.surface)] = true;
  return open;
}

ConnectedLevels connected(const LevelProblems& divided, const LatticeFacts& lattice, domain::PlaceOrder order) {
  ConnectedLevels connected;
  std::vector<Block>& blocks = connected.blocks;
  for (std::size_t l = 0; l < divided.levels.size(); ++l) {
    Block& block = blocks.emplace_back(whole_domain(divided.levels[l].geometry.nodes));
    block.number = block.level = static_cast<int>(l);
  }
  for (std::size_t l = 0; l + 1 < divided.levels.size(); ++l) {
    const domain::LevelPair pair{divided.map, static_cast<int>(l), divided.levels[l].geometry.nodes,
                                 divided.levels[l + 1].geometry.nodes, open_faces(divided.levels.front())};
    std::vector<domain::LevelLinks>& links = connected.links;
    links.push_back(domain::find_level_links(pair, lattice.velocities, lattice.weights, order));
    domain::require_balance(links.back(), pair);
    Neighbour finer, coarser;
    finer.block = static_cast<int>(l) + 1;
    finer.link = ExchangeLink::fine_to_coarse;
    finer.arrives = links.back().coarse_writes;
    finer.leaves = links.back().coarse_reads;
    coarser.block = static_cast<int>(l);
    coarser.link = ExchangeLink::coarse_to_fine;
    coarser.arrives = coarser.leaves = links.back().fine_places;
    blocks[l].neighbours.push_back(std::move(finer));
    blocks[l + 1].neighbours.push_back(std::move(coarser));
  }
  return connected;
}

Plan joined(const LevelProblems& divided, const std::vector<Plan>& plans) {
  std::vector<const NodeMap*> nodes;
  std::vector<double> spacings;
  for (const LevelProblem& level : divided.levels) {
    nodes.push_back(&level.geometry.nodes);
    spacings.push_back(level.units.spacing);
  }
  return domain::joined_plan(plans, nodes, spacings);
}

/// Refuses fields of a case that are no numbers, or too fast, at nodes of finer levels; those at nodes of the coarsest
/// were looked at before.
void check_fields(const LevelProblems& divided) {
  for (std::size_t l = 1; l < divided.levels.size(); ++l) {
    const Problem problem = divided.levels[l].problem();
    try {
      (void)InitialFields(problem).check(problem);
      (void)AccelerationField(problem).check(problem);
    } catch (const Error& error) {
      throw Error(error.code(), fmt::format("refine: on level {}: {}", l, error.what()));
    }
  }
}

/// The plan of levels with what they take of a device that tells only then.
Plan prepared(const LevelProblems& divided, std::vector<Plan> plans, const Case& c, const LevelDevice& device) {
  const ConnectedLevels levels = connected(divided, *plans.front().flow().lattice, device.order());
  for (std::size_t l = 0; l < plans.size(); ++l)
    device.prepare(divided.levels[l].problem(), levels.blocks[l], plans[l]);
  Plan all = joined(divided, plans);
  for (std::size_t l = 0; l < levels.links.size(); ++l) {
    all.other_bytes += device.exchange_bytes(levels.links[l], plans[l]);
    all.levels[l + 1].exchanged = levels.links[l].size() << l;
  }
  all.refusal = device.refusal(c, all);
  return all;
}

}  // namespace

Plan plan_levels(const Problem& problem, const LevelDevice& device) {
  const LevelProblems divided = divide_into_levels(problem, device.name());
  const std::vector<Plan> plans = plans_of(divided, problem.settings, device);
  return device.prepares() ? prepared(divided, plans, problem.settings, device) : joined(divided, plans);
}

std::unique_ptr<Solver> make_levels_solver(OwningProblem own, LevelDevice& device,
                                           const std::function<void(Plan&)>& check) {
  LevelProblems divided = divide_into_levels(own, device.name());
  check_fields(divided);
  const std::vector<Plan> plans = plans_of(divided, own.settings, device);
  if (check) {
    Plan all = joined(divided, plans);
    check(all);
    if (!all.refusal.empty()) throw_resource(all.refusal);
  }
  const LatticeFacts& lattice = *plans.front().flow().lattice;
  const ConnectedLevels all = connected(divided, lattice, device.order());
  std::vector<domain::SolvedLevel> levels;
  for (std::size_t l = 0; l < plans.size(); ++l) {
    LevelProblem& level = divided.levels[l];
    domain::SolvedLevel& solved = levels.emplace_back();
    solved.units = level.units;
    solved.grid = level.grid;
    solved.wall_weight = wall_weight(level, lattice);
    solved.solver = device.make({level.settings, level.units, std::move(level.geometry)}, plans[l], all.blocks[l]);
  }
  std::vector<std::uint64_t> exchanged;
  for (const domain::LevelLinks& between : all.links) exchanged.push_back(between.size());
  return std::make_unique<domain::LevelsSolver>(own.settings, std::move(own.geometry), std::move(divided.map),
                                                std::move(levels), exchanged, device.connect(all.links));
}

}  // namespace fluvia
