// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "fluvia/base/error.hpp"
#include "fluvia/cpu/border_index.hpp"
#include "fluvia/cpu/boundary_index.hpp"
#include "fluvia/cpu/buffer.hpp"
#include "fluvia/cpu/node_forces.hpp"
#include "fluvia/cpu/pass_schedule.hpp"
#include "fluvia/cpu/physics/body_exchange.hpp"
#include "fluvia/cpu/physics/physics.hpp"
#include "fluvia/cpu/scalars/carried_scalars.hpp"
#include "fluvia/cpu/storage/kept_arrays.hpp"
#include "fluvia/cpu/storage/storage.hpp"
#include "fluvia/solver/blocks/block_solver.hpp"
#include "fluvia/solver/links/exchanged_links.hpp"
#include "fluvia/solver/links/wall_links.hpp"
#include "fluvia/solver/plan/scheme.hpp"
#include "fluvia/solver/solver.hpp"

namespace fluvia::cpu {

/// The solver on CPU threads for one addressing and format; streaming and physics are tables. It solves the whole
/// domain, or one block of it, which differs in what it stores and in the groups that it steps.
template <class Groups, class Format>
class CpuSolver final : public BlockSolver {
 public:
  using T = typename Format::Arithmetic;
  using Storage = typename Format::Storage;

  CpuSolver(OwningProblem problem, Plan plan, const Block* block = nullptr);

  void step(std::int64_t count) override;
  [[nodiscard]] std::int64_t time_step() const override { return time_step_; }
  [[nodiscard]] const Plan& plan() const override { return plan_; }
  [[nodiscard]] const Geometry& geometry() const override { return geometry_; }
  void moments(std::uint64_t first_tile, std::uint64_t tile_count, bool with_stress, Moments& out) const override;
  double apply(const FlowChange& change) override {
    return std::visit([this](const auto& row) { return set(row); }, change);
  }
  void set_values_ahead(std::span<const BoundaryValues> values) override;
  void take_links(const LinkTable& table) override;
  void initialise(const InitialState& state) override;
  [[nodiscard]] std::span<const NodeArray> arrays() const override { return arrays_; }
  void save(const ArrayRange& range, std::span<std::byte> out) const override;
  void load(const ArrayRange& range, std::span<const std::byte> in) override;
  void resume_at(std::int64_t time_step) override {
    time_step_ = time_step;
    place_bodies(time_step);
    if (scalars_) scalars_->set_step(time_step);
  }
  [[nodiscard]] const FlowScalars* scalars() const override { return scalars_.get(); }
  [[nodiscard]] const MovingBodies* bodies() const override { return bodies_.empty() ? nullptr : &bodies_; }

  [[nodiscard]] const Block& block() const override { return block_; }
  void step_border(int steps) override;
  void step_interior(int steps) override;
  /// Of bodies (cpu_solver_bodies.hpp): what free ones feel, and then what nodes beside uncovered ones have.
  [[nodiscard]] int rounds() const override { return bodies_.empty() ? 0 : bodies_.any_free() ? 2 : 1; }
  Bytes say(int round) override;
  void hear(int round, std::span<const Bytes> said) override;
  [[nodiscard]] MessageBytes message_bytes(std::size_t neighbour) const override {
    if (block_.neighbours[neighbour].scalar != Neighbour::of_flow) {
      const auto& level = scalars_->level(neighbour);
      return {level.leaves.size() * sizeof(double), level.arrives.size() * sizeof(double)};
    }
    const auto& border = border_.borders[neighbour];
    const ScalarMessage of_scalars = scalars_ ? scalars_->message(neighbour) : ScalarMessage{};
    return {border.leaves.bytes(sizeof(Storage), sizeof(T)) + of_scalars.leaving,
            border.arrives.bytes(sizeof(Storage), sizeof(T)) + of_scalars.arriving};
  }
  void pack(std::size_t neighbour, std::byte* out) override;
  void unpack(std::size_t neighbour, const std::byte* in) override;
  void exchange(std::size_t neighbour, std::span<double> leaving, std::span<const double> numbers,
                std::span<const std::uint32_t> chosen) override;
  void exchange_in_pass(std::size_t neighbour, std::span<const double> numbers,
                        std::span<const ExchangeInPass> steps) override {
    in_pass_ = {neighbour, numbers, {steps.begin(), steps.end()}};
  }
  void unpack_number(std::size_t neighbour, std::uint32_t at, double number) override;
  [[nodiscard]] ObservableSums sums_of(const Observable& what) const override {
    return std::visit([this](const auto& row) -> ObservableSums { return summed(row); }, what);
  }
  [[nodiscard]] SurfaceMotion motion_of(int surface) const override {
    return {boundaries_.carried[surface], boundaries_.surfaces[surface].scale,
            corner_flow(boundaries_.corners, surface, boundaries_.surfaces)};
  }

 private:
  using Context = typename Groups::Context;
  /// Vector loads may reach a little before the first and behind the last population.
  static constexpr std::int64_t padding = group_lanes;
  using GroupPopulations = PopulationBlock<T>;

  [[nodiscard]] const StepAccess& access(int ahead = 0) const {
    return streaming_.step[(updates_ + ahead) % streaming_.parities];
  }
  /// Memory of the copy that holds the current state, and, below, of the one that the next step writes.
  [[nodiscard]] Storage* current() const { return memory(updates_ % scheme_.copies); }
  [[nodiscard]] Storage* next() const { return memory((updates_ + 1) % scheme_.copies); }
  [[nodiscard]] Storage* memory(std::int64_t copy) const {
    return static_cast<Storage*>(memory_.data()) + padding + copy * groups_.elements();
  }
  [[nodiscard]] Context open(std::uint64_t group) const {
    Context context;
    context.open(groups_, group, access());
    return context;
  }
  [[nodiscard]] bool rounds_stochastically() const { return plan_.rounding == core::Rounding::stochastic; }
  /// Values and records of boundaries in a step.
  struct OfBoundaries {
    const core::SurfaceState* surfaces;
    const std::vector<BoundaryRecord>& records;
  };
  /// Values of boundaries in single steps, and in all steps of a pass if nothing else was given.
  [[nodiscard]] OfBoundaries of_boundaries() const { return {boundaries_.surfaces.data(), boundaries_.records}; }
  [[nodiscard]] OfBoundaries of_boundaries(int step) const {
    if (ahead_.empty()) return of_boundaries();
    const Ahead& ahead = ahead_[static_cast<std::size_t>(step)];
    return {ahead.surfaces.data(), ahead.records.empty() ? boundaries_.records : ahead.records};
  }
  /// Data of a step that all groups need.
  struct Step {
    StepAccess access;
    Storage *source, *target;  ///< populations before and after it
    core::StepKey key;         ///< key of its random bits
    OfBoundaries boundaries;
    int reach = 0;  ///< how many steps away from own nodes others are worth stepping
    /// Whether it takes the groups on which populations that leave depend; else it takes the others.
    bool is_early = false;
  };
  /// The step to come, or the one after so many others.
  [[nodiscard]] Step step_ahead(int steps = 0) const {
    return {access(steps), memory((updates_ + steps) % scheme_.copies), memory((updates_ + steps + 1) % scheme_.copies),
            core::step_key(static_cast<core::Uint64>(time_step_ + steps)), of_boundaries(steps)};
  }
  /// Storage index of a fluid node of the box.
  [[nodiscard]] std::uint64_t storage_index_of(const Int3& node) const {
    std::uint64_t group;
    int lane;
    groups_.locate(node, group, lane);
    return group * group_lanes + static_cast<std::uint64_t>(lane);
  }
  /// Element that an access of a node reads or writes; for groups that can be stored in parts.
  [[nodiscard]] std::uint64_t element_of([[maybe_unused]] const Int3& node, [[maybe_unused]] const signed char* c,
                                         [[maybe_unused]] core::Access access) const {
    if constexpr (requires { groups_.element(node, c, access); })
      return groups_.element(node, c, access);
    else
      throw Error(ExitCode::internal, "populations of '" + plan_.scheme_name() + "' cannot be exchanged");
  }
  /// Element of a population of an exchanged pair, before a step; `is_cut`: whether its link leads to no fluid.
  [[nodiscard]] std::uint64_t exchanged_element(const Int3& node, int direction, const StepAccess& step,
                                                bool is_cut = true) const;
  void index_exchange();
  /// For passes, the row of the box, counted through all layers, with which the group of a node is stepped.
  [[nodiscard]] std::uint32_t row_of(const Int3& node) const;
  /// Finds, for passes, the rows of the box in which the ends of these pairs lie, and the rows after which pairs may be
  /// due.
  void index_exchange_of_passes(const std::vector<ExchangedPair>& pairs);
  /// Swaps, in a pass, the pairs of which a step has been to both ends when it has been through rows of a layer.
  void swap_exchanged(const PassSchedule& schedule, int step, std::int64_t layer, std::int64_t first,
                      std::int64_t end) const;
  void index_links(const Problem& problem);
  /// Finds, for passes, the rows in which what they exchange with other levels lies, and after which it is due.
  [[nodiscard]] std::vector<LevelExchangeIndex> index_level_exchanges() const;
  /// Exchanges, in a pass, with the next coarser level what is due when a step has been through rows of a layer.
  void exchange_with_level(const PassSchedule& schedule, int step, std::int64_t layer, std::int64_t first,
                           std::int64_t end) const;
  /// After a pass: what is known then only.
  void end_exchange_in_pass();
  /// Whether so many steps are taken as a pass: always if neighbours are told what happened after several steps only.
  [[nodiscard]] bool is_pass(int steps) const {
    return steps > 1 || !border_.distance.empty() || !in_pass_.steps.empty();
  }
  void step_groups(Which which);
  /// Swaps the populations of each pair that planes of symmetry and sheets exchange after a step.
  void swap_exchanged();
  void touch_first();
  void advance(Which which, const Step& step);
  template <Which which>
  void advance_groups(const Step& step);
  template <Which which>
  void advance_range(const Step& step, std::uint64_t first, std::uint64_t end) const;
  enum class Share { border, interior };
  /// Takes `count` time steps in one pass over memory. A part whose halo is several nodes deep takes one share of them:
  /// what leaves to neighbours and all that it depends on, or the rest.
  void pass(int count, Share share);
  /// Layers with groups that belong to the border's share of a pass.
  void find_border_layers();
  /// The order in which a pass takes so many steps of rows.
  [[nodiscard]] PassSchedule pass_schedule(int steps) const;
  void propagate();
  void update_ghosts();
  void advance_by_tile();
  [[nodiscard]] bool has_records(std::uint64_t group) const {
    return !boundaries_.has_records.empty() && boundaries_.has_records[group];
  }
  /// True if some walls of the group are not half-way.
  [[nodiscard]] bool has_walls(std::uint64_t group) const {
    return !walls_.empty() && walls_.first[group] != core::no_walls;
  }
  /// Whether the step of a group changes its populations before the collision, so that they must be in the block.
  [[nodiscard]] bool is_changed_first(std::uint64_t group) const {
    return has_records(group) || forces_.of(group) != nullptr;
  }
  /// The forces that the nodes of a group have of their own, [axis][lane], those of scalars included; null if it has
  /// none. `room` may get them.
  [[nodiscard]] const T* own_forces(std::uint64_t group, typename NodeForces<T>::Block& room) const {
    const T* const fixed = forces_.of(group);
    if (!scalars_ || !scalars_->acts()) return fixed;
    if (fixed)
      std::copy_n(fixed, room.size(), room.begin());
    else
      room.fill(T(0));
    scalars_->add_forces(group, room);
    return room.data();
  }
  void make_scalars(const Problem& problem);
  /// Takes the step of the scalars of groups that were opened as one, whose populations are complete, before their
  /// nodes' own forces, which `own` has, or null.
  void step_scalars(std::uint64_t group, const T* own, const GroupPopulations& p, int lanes) const;
  /// Whether no lane of a group needs more than the collision of all nodes.
  [[nodiscard]] bool collides_alike(std::uint64_t group) const {
    return !(scalars_ && scalars_->acts()) && !has_walls(group) && !body_exchange_.acts_on(group);
  }
  /// Completes cut links; what boundary conditions keep from step to step is changed if `keep`.
  void apply_boundaries(std::uint64_t group, T* f, const OfBoundaries& boundaries, bool keep) const;
  /// Gives complete populations of a group `part` of the forces that its nodes have of their own.
  void kick(std::uint64_t group, T part, T* f) const {
    typename NodeForces<T>::Block room;
    if (const T* const own = own_forces(group, room)) physics_.kick(own, part, f, parameters_);
  }
  /// Collision of a group of a step, after its nodes' own forces, with what its walls make of the populations that
  /// leave towards them.
  void collide(std::uint64_t group, GroupPopulations& p, int lanes) const {
    if (body_exchange_.acts_on(group))
      collide_beside_bodies(group, p, lanes);
    else
      collide_at_walls(group, p, lanes);
  }
  void collide_at_walls(std::uint64_t group, GroupPopulations& p, int lanes) const;
  void collide_beside_bodies(std::uint64_t group, GroupPopulations& p, int lanes) const;
  void make_bodies(const Problem& problem);
  /// Puts bodies where they are at a step.
  void place_bodies(std::int64_t step);
  void exchange_over_body_links();
  void settle_bodies();
  void take_body_links();
  /// What a node beside uncovered ones is, for these.
  struct BesideUncovered {
    std::uint64_t index;  ///< storage index
    double density, stress[6];
  };
  void look_beside_uncovered();
  [[nodiscard]] const BesideUncovered& beside_uncovered(const Int3& node) const;
  void refill_uncovered();
  void put_node(const Int3& node, const GroupPopulations& block);
  /// Arriving populations with boundaries applied; `raw`, if given, gets them before boundaries.
  void load_complete(std::uint64_t group, GroupPopulations& f, GroupPopulations* raw = nullptr) const;
  /// Tile and canonical index of the nodes of a group, by lane.
  struct CanonicalNodes {
    std::uint32_t tile[group_lanes];
    std::uint64_t node[group_lanes];
  };
  void find_canonical(std::uint64_t group, std::uint64_t mask, CanonicalNodes& canonical) const;
  void save_populations(const ArrayRange& range, std::span<std::byte> out) const;
  void load_populations(const ArrayRange& range, std::span<const std::byte> in);
  /// Calls body(group, mask, index): canonical index of a lane's node counted from the first of the range, or -1 if its
  /// tile lies outside of it. Tiles that are not this part's own are left out, unless nodes of its halo are wanted that
  /// it steps, too.
  template <class Body>
  void for_each_node(std::uint64_t first_tile, std::uint64_t tile_count, bool with_halo, Body&& body) const;
  /// Adds the groups with nodes of the halo that are stepped, too, and sorts the list.
  void append_groups_of_halo(const TileRange& tiles, std::vector<std::uint64_t>& list) const;
  double set(const BoundaryValue& boundary);
  double set(const ProfileTime& profile);
  double set(const BodyVelocity& of) {
    bodies_.set_velocity(of.body, of.velocity, of.angular_velocity);
    take_body_links();
    return 1;
  }
  /// Walls between the nodes and bodies give alike: the same to every link, in parts of its weight.
  double set(const WallMass& walls) {
    WallMassCorrection all = walls_.supply;
    all.weight += body_exchange_.weight();
    const double given = all.set(walls.mass);
    walls_.supply.per_weight = all.per_weight;
    return given;
  }
  double set(const ScalarValue& of) {
    scalars_->set(of);
    return of.value;
  }
  [[nodiscard]] TileSums<FlowSum> summed(const FlowTotals&) const;
  [[nodiscard]] TileSums<ForceSum> summed(const ForceOnSurface& what) const;
  [[nodiscard]] TileSums<OpeningSum> summed(const FlowThroughOpening& what) const;
  [[nodiscard]] TileSums<ScalarSum> summed(const ScalarTotals& what) const { return scalars_->sums(what); }
  [[nodiscard]] TileSums<ScalarPassage> summed(const ScalarThrough& what) const { return scalars_->sums(what); }
  [[nodiscard]] TileSums<FlowSum> flow_sums(const TileRange& range) const;

  Plan plan_;
  Geometry geometry_;
  Block block_;
  NodeMap stepped_halo_;  ///< nodes that others own, where there are several steps between exchanges
  Scheme scheme_;
  StreamingTable streaming_;
  Groups groups_;
  PhysicsKernels<T> physics_;
  core::CollisionParameters<T> parameters_;
  NodeForces<T> forces_;                        ///< of nodes whose body force is not that of all
  std::unique_ptr<CarriedScalars<T>> scalars_;  ///< null if the case has none
  std::vector<double> weights_;
  BoundaryIndex boundaries_;
  std::vector<NodeArray> arrays_;
  std::size_t first_scalar_ = 0;                     ///< row of the first scalar in arrays_, if there is one
  mutable KeptArrays<T> kept_;                       ///< the numbers of all arrays but the populations
  std::vector<core::FitBatch<T>> fit_coefficients_;  ///< coefficients of core::PlaneFits
  /// Values of boundaries in a step to come; no records if these stay as they are.
  struct Ahead {
    std::vector<core::SurfaceState> surfaces;
    std::vector<BoundaryRecord> records;
  };
  std::vector<Ahead> ahead_;  ///< values in the steps of the next pass, if they change
  ExchangeIndex exchange_;
  WallLinks walls_;  ///< by storage index; empty if all walls are half-way
  MovingBodies bodies_;
  mutable BodyExchange<T> body_exchange_;
  std::vector<SurfaceForce> felt_by_bodies_;       ///< in the step at hand; where some are free
  std::vector<BesideUncovered> beside_uncovered_;  ///< by storage index
  std::int64_t links_version_ = 0;                 ///< LinkTable::version() of records and walls
  std::int64_t time_step_ = 0;
  std::int64_t updates_ = 0;  ///< steps or passes since the initial state; its parity says where populations are
  int begun_ = 0;             ///< steps of which the first half is done
  Buffer memory_;

  /// Calls copy(run) for the runs of a list, by all threads if that is worth it.
  template <class Copy>
  void for_each_run(const BorderList& list, std::int64_t parity, const Copy& copy) const;
  template <class Visit>
  void for_each_number(const BorderList& list, std::int64_t parity, const Visit& visit) const;
  BorderIndex border_;
  /// What the next steps exchange with another level, if they are a pass that does.
  struct InPass {
    std::size_t neighbour = 0;
    std::span<const double> numbers;
    std::vector<ExchangeInPass> steps;
  };
  InPass in_pass_;
  std::vector<bool> has_border_;  ///< [layer], whether it has groups of the border's share of passes
};

std::unique_ptr<BlockSolver> make_dense_solver(OwningProblem, Plan, const Block*);
std::unique_ptr<BlockSolver> make_compact_solver(OwningProblem, Plan, const Block*);
std::unique_ptr<BlockSolver> make_index_map_solver(OwningProblem, Plan, const Block*);

}  // namespace fluvia::cpu
