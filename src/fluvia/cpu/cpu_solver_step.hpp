// SPDX-License-Identifier: Apache-2.0
// CpuSolver: construction, time steps and boundaries. Included only by the files that instantiate it.
#pragma once
#include <omp.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <functional>
#include <utility>

#include "fluvia/core/boundary/registry.hpp"
#include "fluvia/core/collision/registry.hpp"
#include "fluvia/core/update.hpp"
#include "fluvia/cpu/cpu_solver.hpp"
#include "fluvia/cpu/flush_denormals.hpp"
#include "fluvia/cpu/published/group_indices.hpp"
#include "fluvia/solver/distribution.hpp"
#include "fluvia/solver/initial_state.hpp"
#include "fluvia/solver/links/exchanged_links.hpp"
#include "fluvia/solver/links/link_table.hpp"

namespace fluvia::cpu {

/// Groups between asking for memory and using it; measured, see docs/performance.md.
inline constexpr int prefetch_distance = 4;

template <class Groups, class Format>
CpuSolver<Groups, Format>::CpuSolver(OwningProblem problem, Plan plan, const Block* block)
    : plan_(std::move(plan)),
      geometry_(std::move(problem.geometry)),
      block_(block != nullptr ? *block : whole_domain(geometry_.nodes)),
      scheme_(*plan_.scheme),
      streaming_(streaming_table(scheme_.streaming, plan_.flow().lattice->name)),
      groups_([&, this] {
        if constexpr (std::is_constructible_v<Groups, const NodeMap&, const Plan&>) {
          return Groups(geometry_.nodes, plan_);
        } else {
          if (block_.tiles.count() == geometry_.nodes.tiles.size()) return Groups(geometry_.nodes, streaming_);
          const NodeMap stored = stored_nodes(geometry_.nodes, block_);
          if constexpr (std::is_constructible_v<Groups, const NodeMap&, const StreamingTable&, bool>)
            return Groups(stored, streaming_, true);
          else
            return Groups(stored, streaming_);
        }
      }()),
      physics_(find_physics<T>(plan_.flow().lattice->name, plan_.flow().collision->name, plan_.flow().equilibrium->name,
                               plan_.flow().force, plan_.flow().viscosity.model,
                               wall_rule(problem.settings, geometry_))),
      parameters_(collision_parameters<T>(plan_.flow())),
      weights_(plan_.flow().lattice->weights) {
  const Problem asked{problem.settings, problem.units, geometry_, problem.communicator};
  if constexpr (requires { groups_.index_rows(); })
    if (plan_.steps_per_pass > 1) groups_.index_rows();
  index_links(asked);
  make_scalars(asked);
  make_bodies(asked);
  // Questions about the whole domain are answered by the first rank.
  if (problem.communicator.number() > 0) keep_local_part(geometry_, block_);
  if constexpr (requires { groups_.pass_rows(); })
    if (!border_.level.empty()) find_border_layers();
  if constexpr (requires { groups_.ghost_copies(); })  // for schemes with two copies of ghosts
    streaming_.parities = std::max(streaming_.parities, groups_.ghost_copies());
  index_exchange();
  forces_ = NodeForces<T>(
      AccelerationField(asked), groups_.count(), plan_.threads,
      [this](std::uint64_t group) { return groups_.mask(group); },
      [this](std::uint64_t group, int lane) { return groups_.position(group, lane); });
  append_body_array(bodies_.count(), BodyState::numbers, arrays_);
  memory_ = Buffer((groups_.elements() * scheme_.copies + 2 * padding) * sizeof(Storage));
  touch_first();
  set_initial_state(*this, asked, block_);
  place_bodies(0);
}

/// Indexes the cut links of the domain for this solver. The list of links is freed before walls and populations take
/// memory.
template <class Groups, class Format>
void CpuSolver<Groups, Format>::index_links(const Problem& problem) {
  const auto storage_index_of = [this](const Int3& node) { return this->storage_index_of(node); };
  const auto element_of = [this](const Int3& node, const signed char* direction, core::Access access) {
    return this->element_of(node, direction, access);
  };
  const auto nodes_of = [this](std::uint64_t group, const std::function<void(const Int3&)>& visit) {
    for (std::uint64_t rest = groups_.mask(group); rest != 0; rest &= rest - 1)
      visit(groups_.position(group, std::countr_zero(rest)));
  };
  const NodeMap& nodes = geometry_.nodes;
  {
    const BoundarySetup setup = make_boundary_setup(problem, plan_.flow().lattice->name, block_.tiles);
    std::vector<NodeRecord> records = node_records(setup);
    FitTables fits = plane_fits(setup, records);
    arrays_ = make_node_arrays(nodes, plan_.distributions, setup, records);
    first_scalar_ = arrays_.size();
    std::vector<LevelExchangeIndex> level_exchanges;
    if constexpr (requires { groups_.pass_rows(); })
      if (plan_.steps_per_pass > 1) level_exchanges = index_level_exchanges();
    border_ = index_borders(setup, records, fits, arrays_, nodes, streaming_, block_, groups_.count(), storage_index_of,
                            element_of, nodes_of);
    border_.level_exchanges = std::move(level_exchanges);
    boundaries_ = index_boundaries(setup, std::move(records), nodes, block_, groups_.count(), storage_index_of);
    fit_coefficients_ = fits.coefficients_as<T>();
    boundaries_.fit_points = std::move(fits.points);
  }
  append_scalar_arrays(nodes, plan_.scalars, arrays_);
  kept_ = KeptArrays<T>(arrays_);
  walls_ = make_wall_links(problem.settings, geometry_, plan_.flow().lattice->name, groups_.count() * group_lanes,
                           storage_index_of, block_, problem.communicator);
  if (block_.steps > 1) {
    stepped_halo_ = stepped_halo(nodes, block_);
    stepped_halo_.directory = {};  // its tiles are not looked up
  }
}

template <class Groups, class Format>
void CpuSolver<Groups, Format>::take_links(const LinkTable& table) {
  const std::vector<std::uint32_t> tiles = table.changed_since(links_version_);
  links_version_ = table.version();
  if (tiles.empty()) return;
  const auto storage_index_of = [this](const Int3& node) { return this->storage_index_of(node); };
  const std::vector<std::uint64_t> indices = storage_indices_in(geometry_.nodes, tiles, block_, storage_index_of);
  replace_links(table, tiles, indices, geometry_.nodes, block_, storage_index_of, groups_.count(), boundaries_);
  if (walls_.first.empty()) return;
  const Links all = table.links_of(tiles).walls;
  Links walls;
  for (std::size_t k = 0; k < all.size(); ++k)
    if (block_.takes(all.at[k].tile, all.at[k].bit)) walls.append(all, k);
  walls_.replace(indices, geometry_, walls, storage_index_of);
  if (walls_.unused_words() > walls_.words.size() / 2) walls_.pack();
  walls_.supply.weight = supply_weight(geometry_, plan_.flow().lattice->name, table.walls());
}

template <class Groups, class Format>
std::uint64_t CpuSolver<Groups, Format>::exchanged_element(const Int3& node, int direction, const StepAccess& step,
                                                           [[maybe_unused]] bool is_cut) const {
  if constexpr (requires { groups_.element(node, step.c[0], core::Access{}); }) {
    return groups_.element(node, step.c[direction], (is_cut ? step.read_cut : step.read)[direction]);
  } else {
    const std::uint64_t number = storage_index_of(node);
    const int lane = static_cast<int>(number % group_lanes);
    ElementTable table;
    groups_.indices().reads(number - number % group_lanes, std::uint64_t{1} << lane, step, 1u << direction, table);
    return table[direction][lane];
  }
}

template <class Groups, class Format>
void CpuSolver<Groups, Format>::index_exchange() {
  const NodeMap& nodes = geometry_.nodes;
  const std::vector<ExchangedPair> pairs = exchanged_pairs(
      nodes, plan_.flow().lattice->velocities, [this](std::uint32_t tile) { return block_.tiles.contains(tile); });
  for (int parity = 0; parity < streaming_.parities; ++parity) {
    const StepAccess& step = streaming_.step[parity];
    const auto element = [&](const ExchangedEnd& end) {
      return exchanged_element(nodes.node_position(nodes.tiles[end.tile], end.bit), end.direction, step);
    };
    for (const ExchangedPair& pair : pairs)
      exchange_.swaps[parity].emplace_back(element(pair.first), element(pair.second));
  }
  if constexpr (requires { groups_.pass_rows(); })
    if (plan_.steps_per_pass > 1) index_exchange_of_passes(pairs);
}

/// Threads for so many pieces of work of so many groups: a barrier costs about as much as the update of a few thousand
/// nodes.
inline int useful_threads(std::uint64_t pieces, std::uint64_t groups_of_piece, int most) {
  constexpr std::uint64_t fewest_groups = 64;
  const std::uint64_t fewest = std::max<std::uint64_t>(1, fewest_groups / groups_of_piece);
  return static_cast<int>(std::clamp<std::uint64_t>(pieces / fewest, 1, static_cast<std::uint64_t>(most)));
}

template <class Groups, class Format>
void CpuSolver<Groups, Format>::swap_exchanged() {
  const std::vector<ExchangeIndex::Swap>& swaps = exchange_.swaps[updates_ % streaming_.parities];
  const int threads = useful_threads(swaps.size(), 1, plan_.threads);
  Storage* const populations = current();
#pragma omp parallel for schedule(static) num_threads(threads) if (threads > 1)
  for (std::size_t k = 0; k < swaps.size(); ++k) std::swap(populations[swaps[k].first], populations[swaps[k].second]);
}

/// Touches the memory of populations. Fresh pages are zero, which is a fluid at rest; the thread that will update a
/// group touches its pages first.
template <class Groups, class Format>
void CpuSolver<Groups, Format>::touch_first() {
  const std::uint64_t count = groups_.count();
#pragma omp parallel for schedule(static) num_threads(plan_.threads)
  for (std::uint64_t group = 0; group < count; ++group)
    for (int copy = 0; copy < scheme_.copies; ++copy)
      groups_.for_each_run(
          group, [&](std::uint64_t element) { const_cast<volatile Storage&>(memory(copy)[element]) = Storage(0); });
}

template <class Groups, class Format>
void CpuSolver<Groups, Format>::apply_boundaries(std::uint64_t group, T* f, const OfBoundaries& boundaries,
                                                 bool keep) const {
  if (!has_records(group)) return;
  const std::vector<BoundaryRecord>& records = boundaries.records;
  T* const memory = kept_.of(condition_numbers);
  typename NodeForces<T>::Block room;
  const T* const own = own_forces(group, room);
  auto first = std::lower_bound(records.begin(), records.end(), group,
                                [](const BoundaryRecord& r, std::uint64_t g) { return r.group < g; });
  while (first != records.end() && first->group == group) {
    auto last = first;
    while (last != records.end() && last->group == group && last->lane == first->lane) ++last;
    physics_.boundary(physics_.rates, f, own, &*first, static_cast<int>(last - first),
                      {boundaries_.fit_points.data(), fit_coefficients_.data(), boundaries.surfaces}, parameters_,
                      memory, keep ? memory : nullptr);
    first = last;
  }
}

template <class Groups, class Format>
void CpuSolver<Groups, Format>::collide_at_walls(std::uint64_t group, GroupPopulations& p, int lanes) const {
  typename NodeForces<T>::Block room;
  const T* const own = own_forces(group, room);
  if (scalars_) step_scalars(group, own, p, lanes);
  if (own != nullptr)  // what is kicked must be in the block
    for (int i = 0; i < access().directions; ++i) {
      T* const row = p.f + i * group_lanes;
      if (p.in[i] == row) continue;
      std::memcpy(row, p.in[i], sizeof(T) * static_cast<std::size_t>(lanes));
      std::fill(row + lanes, row + group_lanes, T(0));  // lanes that are not fluid stay finite
      p.in[i] = row;
    }
  if (!has_walls(group)) {
    if (own != nullptr) physics_.kick(own, T(1), p.f, parameters_);
    physics_.collide(physics_.rates, p.in, p.out, lanes, parameters_);
  } else {
    physics_.collide_at_walls(physics_, walls_.words.data() + walls_.first[group],
                              static_cast<T>(walls_.supply.per_weight), own, p.f, p.in, p.out, lanes, parameters_);
  }
}

template <class Groups, class Format>
void CpuSolver<Groups, Format>::step(std::int64_t count) {
  while (count > 0) {
    const auto steps = static_cast<int>(std::min<std::int64_t>(count, plan_.steps_per_pass));
    step_border(steps);
    step_interior(steps);
    talk_alone();
    count -= steps;
  }
}

template <class Groups, class Format>
void CpuSolver<Groups, Format>::step_border(int steps) {
  begun_ = steps;
  if constexpr (requires { groups_.pass_rows(); })
    if (is_pass(steps)) return pass(steps, Share::border);
  step_groups(Which::border);
}

template <class Groups, class Format>
void CpuSolver<Groups, Format>::step_interior(int steps) {
  if (!is_pass(steps))
    step_groups(border_.which.empty() ? Which::all : Which::interior);
  else if constexpr (requires { groups_.pass_rows(); })
    if (!border_.distance.empty()) pass(steps, Share::interior);
  begun_ = 0;
  ahead_.clear();
  const bool was_pass = is_pass(steps);
  time_step_ += steps;
  updates_ += steps;
  if (!was_pass) swap_exchanged();
  if constexpr (requires { groups_.pass_rows(); })
    if (!in_pass_.steps.empty()) end_exchange_in_pass();
  if (scalars_) scalars_->finish_step(time_step_);
}

template <class Groups, class Format>
void CpuSolver<Groups, Format>::step_groups(Which which) {
  if (which == Which::border && border_.leaving.empty()) return;
  const bool apart = scheme_.stepping == core::Stepping::apart;
  if (scheme_.steps_by_tile())
    advance_by_tile();
  else if (apart)
    advance(which, {staying(access()), current(), current(), step_ahead().key, of_boundaries()});
  else
    advance(which, step_ahead());
  if (apart) propagate();
}

/// Takes one step of some groups. Where there is one part only, no group is asked whether it is due.
template <class Groups, class Format>
void CpuSolver<Groups, Format>::advance(Which which, const Step& step) {
  if (which == Which::all)
    advance_groups<Which::all>(step);
  else if (which == Which::border)
    advance_groups<Which::border>(step);
  else
    advance_groups<Which::interior>(step);
}

template <class Groups, class Format>
template <Which which>
void CpuSolver<Groups, Format>::advance_groups(const Step& step) {
  const std::uint64_t groups = which == Which::border ? border_.leaving.size() : groups_.count();
  const int threads = useful_threads(groups, 1, plan_.threads);
#pragma omp parallel num_threads(threads) if (threads > 1)
  {
    const FlushDenormals flush;
    const auto thread = static_cast<std::uint64_t>(omp_get_thread_num()),
               team = static_cast<std::uint64_t>(omp_get_num_threads());
    advance_range<which>(step, groups * thread / team, groups * (thread + 1) / team);
  }
}

/// Takes one step of the groups [first, end) by this thread; for the border, of this part of the list of its groups.
template <class Groups, class Format>
template <Which which>
void CpuSolver<Groups, Format>::advance_range(const Step& step, std::uint64_t first, std::uint64_t end) const {
  struct Group {
    const Context& context;
    const Context* ahead;  ///< the group to be prefetched meanwhile
    std::uint64_t index;
    int lanes;
    bool in_block;  ///< something changes populations before the collision, so they must not be read from storage
  };
  struct Boundary {
    const CpuSolver& solver;
    const OfBoundaries& of_step;
    void apply(const Group& group, GroupPopulations& p) const {
      solver.apply_boundaries(group.index, p.f, of_step, true);
    }
  };
  struct Collision {
    const CpuSolver& solver;
    void collide(const Group& group, GroupPopulations& p) const { solver.collide(group.index, p, group.lanes); }
  };
  struct Stored : StepStorage<Groups, Format> {
    void load(const Group& group, GroupPopulations& p) const {
      StepStorage<Groups, Format>::load(group.context, group.ahead, group.in_block, p);
    }
    void store(const Group& group, GroupPopulations& p) const {
      StepStorage<Groups, Format>::store(group.context, group.index, p);
    }
  };
  constexpr bool from_list = which == Which::border;
  const auto is_due = [&](std::uint64_t g) {
    if constexpr (which == Which::near) {
      if (border_.distance[g] > step.reach || (border_.level[g] <= step.reach) != step.is_early) return false;
    } else if constexpr (which != Which::all) {
      if (border_.which[g] != which) return false;
    }
    return !Groups::has_empty_groups || groups_.mask(g) != 0;
  };
  const Stored storage{{groups_, step.access, step.source, step.target, rounds_stochastically() ? &step.key : nullptr}};
  // All groups of the border are in the list, so those that are due and follow each other do so there, too.
  const std::uint64_t end_group = !from_list || end == 0 ? end : border_.leaving[end - 1] + 1;
  std::uint64_t next = first;
  Context ring[prefetch_distance + 1];  // groups between prefetch and update
  std::uint64_t number[prefetch_distance + 1];
  int lanes[prefetch_distance + 1];
  int waiting = 0, oldest = 0;
  const auto take_next = [&]() -> const Context* {
    if constexpr (!from_list)
      while (next < end && !is_due(next)) ++next;
    if (next == end) return nullptr;
    const int slot = (oldest + waiting++) % (prefetch_distance + 1);
    const std::uint64_t group = from_list ? border_.leaving[next] : next;
    number[slot] = group;
    lanes[slot] = groups_.lanes(group);
    if constexpr (Groups::joins && sizeof(T) == sizeof(Storage)) {
      const int joined = groups_.run_of(
          group, end_group, [&](std::uint64_t g) { return is_due(g) && !is_changed_first(g) && collides_alike(g); });
      ring[slot].open(groups_, group, joined, storage.step);
      lanes[slot] = ring[slot].lanes();
      next += static_cast<std::uint64_t>(joined);
    } else {
      ring[slot].open(groups_, group, storage.step);
      ++next;
    }
    return &ring[slot];
  };
  while (waiting < prefetch_distance && take_next()) {
  }
  while (waiting > 0) {
    const Context* ahead = take_next();
    core::update_group(storage, Boundary{*this, step.boundaries}, Collision{*this},
                       Group{ring[oldest], ahead, number[oldest], lanes[oldest], is_changed_first(number[oldest])});
    oldest = (oldest + 1) % (prefetch_distance + 1);
    --waiting;
  }
}

template <class Groups, class Format>
double CpuSolver<Groups, Format>::set(const BoundaryValue& boundary) {
  core::set_value(boundaries_.surfaces[boundary.surface], boundary.value);
  return boundary.value;
}

template <class Groups, class Format>
double CpuSolver<Groups, Format>::set(const ProfileTime& profile) {
  boundaries_.changing.set_time(profile.time, boundaries_.records, boundaries_.carried);
  return static_cast<double>(boundaries_.changing.size());
}

template <class Groups, class Format>
void CpuSolver<Groups, Format>::set_values_ahead(std::span<const BoundaryValues> values) {
  ahead_.clear();
  for (const BoundaryValues& of_step : values) {
    this->set_boundary_values(of_step);
    if (values.size() == 1) return;
    ahead_.push_back({boundaries_.surfaces, {}});
    if (!boundaries_.changing.empty()) ahead_.back().records = boundaries_.records;
  }
}

}  // namespace fluvia::cpu
