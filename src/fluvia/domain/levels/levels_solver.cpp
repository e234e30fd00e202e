// SPDX-License-Identifier: Apache-2.0
#include "fluvia/domain/levels/levels_solver.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>
#include <utility>

#include "fluvia/base/error.hpp"
#include "fluvia/domain/levels/level_view.hpp"
#include "fluvia/solver/blocks/tile_sums.hpp"
#include "fluvia/solver/bodies/moving_bodies.hpp"
#include "fluvia/solver/saved_numbers.hpp"

namespace fluvia::domain {

namespace {

/// A row for the populations of a level, or for what conditions keep on it, whose numbers begin with tiles of the map
/// of the coarsest level everywhere: canonical order goes through layers of tiles, and each layer of that map begins
/// the layers of the level inside.
NodeArray level_array(const NodeArray& row, int level, const NodeMap& of_level, const NodeMap& seen,
                      std::vector<std::uint64_t>& tiles) {
  NodeArray array = row;
  array.name = name_on_level(row.name, level);
  if (row.over == Over::fluid_nodes) array.over = Over::level_nodes;
  array.starts.clear();
  const int axis = seen.dimension - 1;
  std::uint64_t tile = 0;
  int last = -1;
  for (std::uint64_t t = 0; t < seen.tiles.size(); ++t) {
    const int layer = seen.tiles[t].position[axis];
    if (layer == last) continue;
    last = layer;
    // The first layer begins with all tiles before it, too, where the coarsest level has no fluid.
    if (!array.starts.empty())
      while (tile < of_level.tiles.size() && of_level.tiles[tile].position[axis] >> level < layer) ++tile;
    array.starts.push_back({t, row.entries(of_level, 0, tile).count});
    tiles.push_back(tile);
  }
  return array;
}

/// A component of wall_force_array().
template <class Sum>
auto& number_of(Sum& sum, int component) {
  return component < 3 ? sum.force[component] : sum.torque[component - 3];
}

}  // namespace

std::string name_on_level(const std::string& name, int level) {
  return level == 0 ? name : fmt::format("{}_{}", name, level);
}

std::vector<std::uint64_t> count_opening_nodes(const Geometry& level,
                                               const std::function<ObservableSums(const Observable&)>& sums_of) {
  std::vector<std::uint64_t> nodes;
  for (int k = 0; k < static_cast<int>(level.openings.size()); ++k) {
    const ObservableSums sums = sums_of(FlowThroughOpening{k});
    nodes.push_back(static_cast<std::uint64_t>(total(std::get<TileSums<OpeningSum>>(sums)).nodes));
  }
  return nodes;
}

Plan joined_plan(const std::vector<Plan>& plans, const std::vector<const NodeMap*>& nodes,
                 const std::vector<double>& spacings) {
  Plan plan = plans.front();
  plan.population_bytes = plan.scalar_bytes = plan.geometry_bytes = plan.boundary_bytes = plan.other_bytes =
      plan.staging_bytes = 0;
  plan.kernel_seconds = 0;
  for (std::size_t l = 0; l < plans.size(); ++l) {
    const Plan& own = plans[l];
    plan.population_bytes += own.population_bytes;
    plan.scalar_bytes += own.scalar_bytes;
    plan.geometry_bytes += own.geometry_bytes;
    plan.boundary_bytes += own.boundary_bytes;
    plan.other_bytes += own.other_bytes;
    plan.staging_bytes += own.staging_bytes;
    plan.kernel_seconds += own.kernel_seconds;
    LevelPlan& level = plan.levels.emplace_back();
    level.nodes = nodes[l]->fluid_nodes;
    level.spacing = spacings[l];
    level.tau = 1 / own.flow().omega();
    level.steps_per_pass = own.steps_per_pass;
    level.updates = std::exp2(l) * static_cast<double>(level.nodes);
    level.bytes = own.population_bytes + own.scalar_bytes + own.geometry_bytes + own.boundary_bytes;
  }
  return plan;
}

LevelsSolver::LevelsSolver(Case c, Geometry coarsest, LevelMap map, std::vector<SolvedLevel> levels,
                           const std::vector<std::uint64_t>& exchanged, std::shared_ptr<Stepping> stepping,
                           std::optional<Plan> plan)
    : case_(std::move(c)),
      geometry_(std::move(coarsest)),
      map_(std::move(map)),
      levels_(std::move(levels)),
      stepping_(std::move(stepping)) {
  std::vector<Plan> plans;
  std::vector<const NodeMap*> nodes;
  std::vector<double> spacings;
  for (const SolvedLevel& level : levels_) {
    seen_.push_back({level.solver.get(), level.units, level.grid});
    plans.push_back(level.solver->plan());
    nodes.push_back(&level.solver->geometry().nodes);
    spacings.push_back(level.units.spacing);
  }
  plan_ = joined_plan(plans, nodes, spacings);
  plan_.other_bytes += stepping_->bytes();
  for (std::size_t l = 0; l < exchanged.size(); ++l) plan_.levels[l + 1].exchanged = exchanged[l] << l;
  if (plan) {
    plan->kernel_seconds = plan_.kernel_seconds;
    plan_ = std::move(*plan);
  }
  list_arrays();
}

void LevelsSolver::list_arrays() {
  for (std::size_t l = 0; l < levels_.size(); ++l) {
    const auto own = solver(l).arrays();
    for (std::size_t a = 0; a < own.size(); ++a) {
      if (l > 0 && own[a].size == 0) continue;
      Stored stored{l, a};
      arrays_.push_back(
          level_array(own[a], static_cast<int>(l), solver(l).geometry().nodes, geometry_.nodes, stored.tiles));
      stored_.push_back(std::move(stored));
    }
  }
  for (const std::string& name : case_.monitors.forces)
    measured_.push_back(static_cast<int>(std::ranges::find(geometry_.surfaces, name) - geometry_.surfaces.begin()));
  if (const std::size_t walls = measured_.size() * (levels_.size() - 1); walls > 0)
    arrays_.push_back(wall_force_array(walls));
}

void LevelsSolver::step(std::int64_t count) {
  if (count > 0) loaded_forces_.clear();
  stepping_->step(count);
}

ForceSum LevelsSolver::force_between(std::size_t level, int surface) const {
  if (loaded_forces_.empty()) return total(stepping_->force_between_levels(level, {surface, {}}));
  const auto found = std::ranges::find(measured_, surface);
  if (found == measured_.end()) return {};
  return loaded_forces_[level * measured_.size() + static_cast<std::size_t>(found - measured_.begin())];
}

void LevelsSolver::step_apart(std::int64_t count) {
  for (; count > 0; --count)
    for (std::size_t l = 0; l < levels_.size(); ++l) solver(l).step(std::int64_t{1} << l);
}

void LevelsSolver::moments(std::uint64_t first_tile, std::uint64_t tile_count, bool with_stress, Moments& out) const {
  moments_of_levels(map_, seen_, {0, geometry_.nodes, {first_tile, first_tile + tile_count}}, with_stress, out);
}

std::unique_ptr<FlowState> LevelsSolver::seen_at(int level, const std::function<bool(const Int3& tile)>& tiles) const {
  return std::make_unique<LevelView>(map_, seen_, level, build_seen_geometry(case_, map_, level, geometry_, tiles));
}

std::uint64_t LevelsSolver::seen_node(std::size_t level, std::uint64_t node) const {
  const NodeMap& nodes = solver(level).geometry().nodes;
  const auto tile = std::upper_bound(nodes.tiles.begin(), nodes.tiles.end(), node,
                                     [](std::uint64_t n, const NodeMap::Tile& t) { return n < t.first_node; }) -
                    1;
  std::uint64_t rest = (*tile).mask;
  for (std::uint64_t k = (*tile).first_node; k < node; ++k) rest &= rest - 1;
  Int3 at = nodes.node_position(*tile, std::countr_zero(rest));
  for (std::size_t l = 0; l < level; ++l) at = map_.parent(at);
  const int depth = nodes.dimension == 3 ? 1 : 0;
  if (const std::int64_t index = geometry_.nodes.node_index(at); index >= 0) return static_cast<std::uint64_t>(index);
  for (int z = -depth; z <= depth; ++z)
    for (int y = -1; y <= 1; ++y)
      for (int x = -1; x <= 1; ++x) {
        Int3 there{at[0] + x, at[1] + y, at[2] + z};
        if (!geometry_.nodes.wrap(there)) continue;
        const std::int64_t index = geometry_.nodes.node_index(there);
        if (index >= 0) return static_cast<std::uint64_t>(index);
      }
  return 0;
}

Totals LevelsSolver::result(const FlowTotals&) const {
  Totals sum;
  bool found_bad = false;
  for (std::size_t l = 0; l < levels_.size(); ++l) {
    const Totals own = solver(l).totals();
    const double volume = std::exp2(-static_cast<double>(l) * geometry_.nodes.dimension);
    sum.mass += volume * own.mass;
    sum.momentum = sum.momentum + volume * own.momentum;
    sum.kinetic_energy += volume * own.kinetic_energy;
    if (l == 0 || own.max_speed > sum.max_speed) {
      sum.max_speed = own.max_speed;
      sum.max_speed_node = seen_node(l, own.max_speed_node);
    }
    sum.finite = sum.finite && own.finite;
    if (own.finite || found_bad) continue;
    found_bad = true;
    sum.bad_node = seen_node(l, own.bad_node);
  }
  return sum;
}

SurfaceForce LevelsSolver::result(const ForceOnSurface& what) const {
  SurfaceForce sum;
  const bool moves = bodies() != nullptr && bodies()->with_surface(what.surface) >= 0;
  for (std::size_t l = moves ? levels_.size() - 1 : 0; l < levels_.size(); ++l) {
    const double edge = std::exp2(-static_cast<double>(l));
    const SurfaceForce own = solver(l).surface_force(what.surface, (1 / edge) * what.center);
    const double area = std::pow(edge, geometry_.nodes.dimension - 1);
    sum.force = sum.force + area * own.force;
    sum.torque = sum.torque + area * edge * own.torque;
    if (l + 1 == levels_.size()) continue;
    const ForceSum between = force_between(l, what.surface);
    sum.force = sum.force + area * between.force;
    sum.torque = sum.torque + area * edge * (between.torque - cross((1 / edge) * what.center, between.force));
  }
  return sum;
}

OpeningFlow LevelsSolver::result(const FlowThroughOpening& what) const {
  OpeningFlow flow;
  double pressure = 0, nodes = 0;
  for (std::size_t l = 0; l < levels_.size(); ++l) {
    const double area = std::exp2(static_cast<double>(l) * (1 - geometry_.nodes.dimension));
    const OpeningFlow own = solver(l).opening_flow(what.opening);
    const double weight = area * static_cast<double>(levels_[l].opening_nodes[static_cast<std::size_t>(what.opening)]);
    flow.flow_rate += area * own.flow_rate;
    pressure += weight * own.mean_pressure;
    nodes += weight;
  }
  if (nodes > 0) flow.mean_pressure = pressure / nodes;
  return flow;
}

ScalarSummary LevelsSolver::result(const ScalarTotals& what) const {
  const double reference = plan_.scalars[static_cast<std::size_t>(what.scalar)].reference;
  ScalarSum sum;
  for (std::size_t l = 0; l < levels_.size(); ++l) {
    const double volume = std::exp2(-static_cast<double>(l) * geometry_.nodes.dimension);
    const ScalarSummary own = std::get<ScalarSummary>(solver(l).measure(what));
    const double steps = std::exp2(l);
    sum = sum + ScalarSum{volume * own.volume,         volume * own.volume * (own.mean - reference),
                          volume * steps * own.source, own.least - reference,
                          own.most - reference,        own.finite};
  }
  return summary_of(sum, reference);
}

ScalarPassage LevelsSolver::result(const ScalarThrough& what) const {
  // Fluxes are those of a step of each level, which has 2^level of them in one of the coarsest.
  ScalarPassage all;
  for (std::size_t l = 0; l < levels_.size(); ++l) {
    const double area = std::exp2(static_cast<double>(l) * (1 - geometry_.nodes.dimension));
    const ScalarPassage own = std::get<ScalarPassage>(solver(l).measure(what));
    all = all + ScalarPassage{area * own.rate, area * own.area};
  }
  return all;
}

Observation LevelsSolver::measure(const Observable& what) const {
  return std::visit([this](const auto& row) -> Observation { return result(row); }, what);
}

double LevelsSolver::give_mass(double mass) {
  const auto volume_of_steps = [&](std::size_t level) {
    return std::exp2(static_cast<double>(level) * (1 - geometry_.nodes.dimension));
  };
  double weight = 0, given = 0;
  for (std::size_t l = 0; l < levels_.size(); ++l) weight += volume_of_steps(l) * levels_[l].wall_weight;
  if (weight == 0) return 0;
  for (std::size_t l = 0; l < levels_.size(); ++l)
    if (levels_[l].wall_weight > 0)
      given += volume_of_steps(l) * solver(l).apply(WallMass{mass / weight * levels_[l].wall_weight});
  return given;
}

double LevelsSolver::set_scalar(const ScalarValue& change) {
  std::optional<Error> refused;
  bool acts = false;
  for (std::size_t l = 0; l < levels_.size(); ++l) try {
      solver(l).apply(change);
      acts = true;
    } catch (const Error& error) {  // a level that the surface does not meet has no condition of it
      if (error.code() != ExitCode::input) throw;
      refused = error;
    }
  if (!acts) throw *refused;
  return change.value;
}

double LevelsSolver::apply(const FlowChange& change) {
  if (const auto* const scalar = std::get_if<ScalarValue>(&change)) return set_scalar(*scalar);
  if (const auto* const walls = std::get_if<WallMass>(&change)) return give_mass(walls->mass);
  if (const auto* const body = std::get_if<BodyVelocity>(&change)) {
    const std::size_t finest = levels_.size() - 1;
    return solver(finest).apply(
        BodyVelocity{body->body, body->velocity, std::exp2(-static_cast<double>(finest)) * body->angular_velocity});
  }
  double acts = coarse().apply(change);
  // Lattice velocities and pressures are the same on all levels.
  for (std::size_t l = 1; l < levels_.size(); ++l) acts = std::max(acts, solver(l).apply(change));
  return acts;
}

void LevelsSolver::initialise(const InitialState& state) {
  loaded_forces_.assign(measured_.size() * (levels_.size() - 1), {});
  for (std::size_t l = 0; l < levels_.size(); ++l)
    solver(l).initialise([&](const Int3& node, double& density, Real3& velocity) {
      Int3 at = node;
      for (std::size_t k = 0; k < l; ++k) at = map_.parent(at);
      state(at, density, velocity);
    });
}

ArrayRange LevelsSolver::range_in_level(const ArrayRange& range) const {
  const Stored& stored = stored_[range.array];
  const std::vector<NodeArray::Start>& starts = arrays_[range.array].starts;
  const auto begin = [&](std::uint64_t tile) {
    const auto start =
        std::lower_bound(starts.begin(), starts.end(), tile,
                         [](const NodeArray::Start& s, std::uint64_t wanted) { return s.tile < wanted; });
    return start == starts.end() ? static_cast<std::uint64_t>(solver(stored.level).geometry().nodes.tiles.size())
                                 : stored.tiles[static_cast<std::size_t>(start - starts.begin())];
  };
  const std::uint64_t first = begin(range.first_tile);
  return {stored.array, range.component, first, begin(range.first_tile + range.tile_count) - first};
}

void LevelsSolver::save(const ArrayRange& range, std::span<std::byte> out) const {
  if (arrays_[range.array].over == Over::walls) {
    std::vector<double> numbers;
    for (std::size_t l = 0; l + 1 < levels_.size() && range.first_tile == 0; ++l)
      for (const int surface : measured_) {
        const ForceSum got = force_between(l, surface);
        numbers.push_back(number_of(got, range.component));
      }
    save_numbers<double>(numbers, out);
    return;
  }
  const ArrayRange own = range_in_level(range);
  if (own.tile_count > 0) solver(stored_[range.array].level).save(own, out);
}

void LevelsSolver::load(const ArrayRange& range, std::span<const std::byte> in) {
  if (arrays_[range.array].over == Over::walls) {
    if (range.first_tile > 0 || range.tile_count == 0) return;
    std::vector<double> numbers(arrays_[range.array].size);
    load_numbers<double>(in, numbers);
    loaded_forces_.resize(numbers.size());
    for (std::size_t k = 0; k < numbers.size(); ++k) number_of(loaded_forces_[k], range.component) = numbers[k];
    return;
  }
  const ArrayRange own = range_in_level(range);
  if (own.tile_count > 0) solver(stored_[range.array].level).load(own, in);
}

void LevelsSolver::resume_at(std::int64_t time_step) {
  for (std::size_t l = 0; l < levels_.size(); ++l) solver(l).resume_at(time_step << l);
}

}  // namespace fluvia::domain
