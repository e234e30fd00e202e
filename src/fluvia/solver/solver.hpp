// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "fluvia/geometry/problem.hpp"
#include "fluvia/solver/device_fields.hpp"
#include "fluvia/solver/method.hpp"
#include "fluvia/solver/moments.hpp"
#include "fluvia/solver/node_array.hpp"
#include "fluvia/solver/observables.hpp"
#include "fluvia/solver/plan/domain.hpp"
#include "fluvia/units/units.hpp"

namespace fluvia {

/// A way to store and step a case that was tried, and what it reached.
struct TrialRow {
  std::string scheme;
  int steps_per_pass = 1;
  double mflups = 0;  ///< million fluid node updates a second
};

/// A level of refinement in a plan.
struct LevelPlan {
  std::uint64_t nodes = 0;      ///< that it computes
  double spacing = 1;           ///< case units
  double tau = 1;               ///< relaxation time in its own steps
  double updates = 0;           ///< of its nodes in a step of the coarsest level
  std::uint64_t bytes = 0;      ///< of its populations, its geometry and its boundaries
  int steps_per_pass = 1;       ///< of its own steps
  bool is_streamed = false;     ///< through a GPU; its populations are in host memory then
  std::uint64_t exchanged = 0;  ///< populations that pass between it and the next coarser level in a step of that
};

/// A case turned into numbers: how it will be computed, what will run, how much memory it needs, and why. Printed by
/// `fluvia plan`.
struct Plan : Method {
  std::string device;
  std::string device_name;  ///< name of a GPU
  int threads = 1;
  std::string pass_reason;         ///< why a scheme that could take several takes fewer; empty if it does not
  std::uint64_t scalar_bytes = 0;  ///< of scalars: their populations, what is upstream of each, velocities
  std::uint64_t population_bytes = 0, geometry_bytes = 0, boundary_bytes = 0, other_bytes = 0;
  /// Memory of a GPU for Solver::snapshot(); 0: the case writes nothing between steps.
  std::uint64_t snapshot_bytes = 0;
  bool snapshot_fits = true;        ///< without it no snapshot is taken, and output holds up the stepping
  std::uint64_t staging_bytes = 0;  ///< pinned memory of the host for data that pass between it and a GPU
  /// Pinned memory of the host for populations that have no room on a GPU before the first step, after which moments
  /// are kept; 0 of other schemes.
  std::uint64_t beginning_bytes = 0;
  [[nodiscard]] std::uint64_t total_bytes() const {
    return population_bytes + scalar_bytes + geometry_bytes + boundary_bytes + other_bytes +
           (snapshot_fits ? snapshot_bytes : 0);
  }
  /// What a trial found of the scheme and steps that were chosen; 0 without one.
  [[nodiscard]] double tried_mflups() const {
    for (const TrialRow& row : trial)
      if (row.scheme == scheme_name() && row.steps_per_pass == steps_per_pass) return row.mflups;
    return 0;
  }
  std::vector<LevelPlan> levels;  ///< of refinement, the coarsest first; empty if there is one spacing only
  /// Updates of nodes in a step of the coarsest level, which has so many if there are no others.
  [[nodiscard]] double updates_per_step(std::uint64_t fluid_nodes) const {
    double updates = levels.empty() ? static_cast<double>(fluid_nodes) : 0;
    for (const LevelPlan& level : levels) updates += level.updates;
    return updates;
  }
  Domain domain;                     ///< the blocks, and where they are
  std::uint64_t host_bytes = 0;      ///< of populations in host memory, if blocks are streamed
  std::uint64_t transfer_bytes = 0;  ///< between host and GPU in a step, in the mean of a pass; both ways together
  std::string refusal;               ///< why it will not run: it does not fit; empty if it does
  double bytes_per_update = 0;       ///< memory traffic per fluid node and step
  double expected_fraction = 0;      ///< of the roofline, per fluid node, from what was measured; 0 if nothing was
  double kernel_seconds = 0;         ///< to compile GPU kernels, or take them from disk, before the first step
  std::string reason;                ///< why this scheme, if "auto" chose, and these steps a pass, if a trial did
  std::vector<TrialRow> trial;       ///< what was tried for this machine; empty if nothing was
};

/// Where the time of a step goes, seconds.
struct StepTimes {
  double step = 0;   ///< the step itself, with boundary conditions
  double ghost = 0;  ///< filling of ghost cells, schemes that have them
};

/// The value of a surface: the factor on the prescribed velocity of a velocity surface, or the (gauge, lattice)
/// pressure of a pressure surface; used for time series.
struct BoundaryValue {
  int surface;
  double value;
};

/// The time, in the unit of the case, of openings whose profile changes its shape (changing_profile.hpp); at first they
/// have the profile of time 0.
struct ProfileTime {
  double time;
};

/// The mass that walls between the nodes (docs/walls.md) together give to the fluid in each step, in the unit of
/// Totals, evenly over their links; half-way walls keep the mass by themselves.
struct WallMass {
  double mass;
};

/// Velocities with which a body that moves goes on from where it is, lattice units: that of its center, and the one
/// about it. A body that is free goes on freely from there, others keep them.
struct BodyVelocity {
  int body;
  Real3 velocity, angular_velocity;
};

/// What a surface that prescribes a value, a flux or an ambient value of scalar number `scalar` prescribes from now on,
/// in the unit that the case gives it in.
struct ScalarValue {
  int scalar, surface;
  double value;
};

/// What a run changes of the conditions that a flow is under, between two steps.
using FlowChange = std::variant<BoundaryValue, ProfileTime, WallMass, BodyVelocity, ScalarValue>;

/// Values of boundaries in a step, where they change before every step.
struct BoundaryValues {
  std::vector<BoundaryValue> values;
  double profile_time = 0;
};

class FlowScalars;
class MovingBodies;
class Solver;

/// A level of refinement as a flow of its own: at the nodes that it computes, in its lattice units. Of its fields those
/// are right that need no neighbours.
struct FlowLevel {
  const Solver* state;
  Units units;
  Grid grid;
};

/// A flow at one time, as files and pictures are made from it. All quantities are in lattice units.
class FlowState {
 public:
  virtual ~FlowState() = default;
  /// Steps done so far, those before a checkpoint included.
  [[nodiscard]] virtual std::int64_t time_step() const = 0;
  [[nodiscard]] virtual const Plan& plan() const = 0;
  [[nodiscard]] virtual const Geometry& geometry() const = 0;

  /// Moments of tiles [first_tile, first_tile + tile_count), canonical order, lattice units.
  virtual void moments(std::uint64_t first_tile, std::uint64_t tile_count, bool with_stress, Moments& out) const = 0;
  /// What the flow consists of: all that a solver needs to go on from here, beside the number of the step.
  [[nodiscard]] virtual std::span<const NodeArray> arrays() const = 0;
  /// Writes numbers of an array in canonical order, as many as NodeArray::entries() says, each in NodeArray::format().
  /// They are independent of scheme and thread count. Populations are the deviations f_i - w_i that arrive at each node
  /// at this time, before boundaries, in the storage format's own bits (8, 4 or 2 bytes each).
  virtual void save(const ArrayRange& range, std::span<std::byte> out) const = 0;
  /// What solids have of the scalars that the flow carries along, those of plan().scalars; null if there are none, and
  /// of flows in parts or on levels, where scalars spread in the fluid only.
  [[nodiscard]] virtual const FlowScalars* scalars() const { return nullptr; }
  /// The bodies that move through the flow; null if there are none.
  [[nodiscard]] virtual const MovingBodies* bodies() const { return nullptr; }
  /// The levels of refinement, the coarsest first, of a flow that has several; geometry() is that of the coarsest
  /// spacing everywhere, and what finer nodes have is averaged there. Else empty.
  [[nodiscard]] virtual std::span<const FlowLevel> levels() const { return {}; }
  /// Of a flow that has levels: the flow at the nodes of one of them in some of its tiles, whatever level computes
  /// them: the mean of finer nodes, and what lies between coarser ones. Its lattice units and steps are those of the
  /// level. It reads this flow, which must outlive it. Else null.
  [[nodiscard]] virtual std::unique_ptr<FlowState> seen_at(int level,
                                                           const std::function<bool(const Int3& tile)>& tiles) const {
    static_cast<void>(level), static_cast<void>(tiles);
    return nullptr;
  }
  /// The level of refinement in whose nodes and steps this flow is given; 0 unless seen_at() made it.
  [[nodiscard]] virtual int level() const { return 0; }
};

/// One running simulation, on one device or on several: the state of the flow now, and what changes it.
class Solver : public FlowState {
 public:
  /// Advances `count` time steps.
  virtual void step(std::int64_t count) = 0;
  /// Advances as many time steps as there are values. Each begins with what set_boundary_value() and
  /// set_profile_time() do with its own, and the last ones stay. Several steps may be taken in one pass over memory
  /// nevertheless, which is why they are given beforehand: Plan::steps_per_pass of them at a time, or a multiple.
  virtual void step_with(std::span<const BoundaryValues> values) {
    for (const BoundaryValues& of_step : values) {
      set_boundary_values(of_step);
      step(1);
    }
  }
  /// Advances `count` time steps and measures their parts by the device's clock: means over these steps. Nothing, and
  /// no step, where there is no such clock.
  virtual std::optional<StepTimes> time_parts(std::int64_t count) {
    static_cast<void>(count);
    return std::nullopt;
  }
  /// The flow as it is now, which stays while the solver steps on; another thread may read it meanwhile. There is one
  /// at a time: destroy it before asking for the next, and before the solver. Null from solvers that keep none: CPUs,
  /// where it would take cores from the steps, and GPUs without the memory or without need (Plan::snapshot_bytes).
  [[nodiscard]] virtual std::unique_ptr<FlowState> snapshot() { return nullptr; }
  /// Fields in the memory of the GPU that all of the flow is on; null from all other solvers.
  [[nodiscard]] virtual const DeviceFields* device_fields() const { return nullptr; }

  /// Updates of nodes that a step takes: one of each, unless there are levels of refinement.
  [[nodiscard]] double updates_per_step() const { return plan().updates_per_step(geometry().nodes.fluid_nodes); }

  /// The solver of the nodes that are really stored: this one, unless it is a view of another solver.
  [[nodiscard]] virtual const Solver& stored() const { return *this; }
  /// An observable at the current time, whatever solver, device or number of parts has the flow.
  [[nodiscard]] virtual Observation measure(const Observable& what) const = 0;
  /// Sums over all fluid nodes.
  [[nodiscard]] Totals totals() const { return result_of(FlowTotals{}); }
  /// Force on `surface` at the current time by momentum exchange over all of its cut links, as seen from the moving
  /// surface; torque about `center`; lattice units. It takes what leaves now and what has just arrived: the mean of the
  /// exchanges half a step ago and in half a step (Ladd, J. Fluid Mech. 271 (1994) 285, eq. 3.4 for one of them), which
  /// differ by the lattice's staggered momentum. Gauge pressure: deviations leave out the w_i of the fluid at rest.
  [[nodiscard]] SurfaceForce surface_force(int surface, const Real3& center) const {
    return result_of(ForceOnSurface{surface, center});
  }
  /// The flow through Geometry::openings[opening], lattice units.
  [[nodiscard]] OpeningFlow opening_flow(int opening) const { return result_of(FlowThroughOpening{opening}); }

  /// Sums of a scalar over the fluid, or over one of its solids.
  [[nodiscard]] ScalarSummary scalar_summary(std::size_t scalar, int solid = ScalarTotals::fluid) const {
    return result_of(ScalarTotals{static_cast<int>(scalar), solid});
  }
  /// What passed a surface in the last step, from outside or from a solid.
  [[nodiscard]] ScalarPassage scalar_passage(std::size_t scalar, int surface, bool from_solid = false) const {
    return result_of(ScalarThrough{static_cast<int>(scalar), surface, from_solid});
  }

  /// Changes what the flow is under from now on. Returns what really acts: the value; how many profiles change their
  /// shape; the mass, which is rounded and bounded, and 0 without such walls. Throws Error(input) for the value of a
  /// scalar at a surface that prescribes none.
  virtual double apply(const FlowChange& change) = 0;

  void set_boundary_value(int surface, double value) { apply(BoundaryValue{surface, value}); }
  /// Returns whether there is a profile that changes its shape.
  bool set_profile_time(double time) { return apply(ProfileTime{time}) > 0; }
  /// Returns the mass that walls really give.
  double set_wall_mass_correction(double mass) { return apply(WallMass{mass}); }

  /// Applies the values of a step. Returns whether there is a profile that changes its shape.
  bool set_boundary_values(const BoundaryValues& of_step) {
    for (const BoundaryValue& value : of_step.values) apply(value);
    return set_profile_time(of_step.profile_time);
  }

  /// Starts from density and velocity given at every node (equilibrium), time step 0.
  using InitialState = std::function<void(const Int3& node, double& density, Real3& velocity)>;
  virtual void initialise(const InitialState& state) = 0;
  /// The solver of a level of refinement, for whoever begins its flow: one of levels(). Else null.
  [[nodiscard]] virtual Solver* solver_of_level([[maybe_unused]] int level) { return nullptr; }

  /// Reads numbers that save() wrote.
  virtual void load(const ArrayRange& range, std::span<const std::byte> in) = 0;
  /// Continues from this step, after all arrays were loaded.
  virtual void resume_at(std::int64_t time_step) = 0;

 private:
  template <class Row>
  [[nodiscard]] typename Row::Result result_of(const Row& row) const {
    return std::get<typename Row::Result>(measure(row));
  }
};

/// True if the case has anything written from the flow between steps: fields, checkpoints, time averages.
bool writes_between_steps(const Case& c);

/// Resolves "auto" choices for a device ("cpu" or "cuda"), checks that the combination is valid, and predicts the
/// memory of a CPU (that of a GPU is the CUDA backend's to say). `device_memory`: free bytes of the device, 0 if
/// unknown; `domain`: in how many blocks, and where. Members of a communicator plan together, each its share, and get
/// the same plan. Throws Error(input).
Plan make_plan(const Problem& problem, const std::string& device = "cpu", std::uint64_t device_memory = 0,
               const Domain& domain = {});

}  // namespace fluvia
