// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <memory>
#include <vector>

#include "fluvia/cpu/buffer.hpp"
#include "fluvia/cpu/physics.hpp"
#include "fluvia/cpu/storage.hpp"
#include "fluvia/solver/boundary_setup.hpp"
#include "fluvia/solver/scheme.hpp"
#include "fluvia/solver/solver.hpp"
#include "fluvia/solver/wall_links.hpp"

namespace fluvia::cpu {

/// The solver on CPU threads for one addressing and format; streaming and physics are tables.
template <class Groups, class Format>
class CpuSolver final : public Solver {
 public:
  using T = typename Format::Arithmetic;
  using Storage = typename Format::Storage;

  CpuSolver(const Case& c, const Units& units, Geometry geometry, Plan plan);

  void step(std::int64_t count) override;
  [[nodiscard]] std::int64_t time_step() const override { return time_step_; }
  [[nodiscard]] const Plan& plan() const override { return plan_; }
  [[nodiscard]] const Geometry& geometry() const override { return geometry_; }
  void moments(std::uint64_t first_tile, std::uint64_t tile_count, bool with_stress, Moments& out) const override;
  [[nodiscard]] Totals totals() const override;
  [[nodiscard]] SurfaceForce surface_force(int surface, const Real3& center) const override;
  [[nodiscard]] OpeningFlow opening_flow(int opening) const override;
  void set_boundary_value(int surface, double value) override;
  bool set_profile_time(double time) override;
  double set_wall_supply(double mass) override;
  void initialise(const InitialState& state) override;
  void save_populations(int direction, std::uint64_t first_tile, std::uint64_t tile_count,
                        std::span<std::byte> out) const override;
  void load_populations(int direction, std::uint64_t first_tile, std::uint64_t tile_count,
                        std::span<const std::byte> in) override;
  [[nodiscard]] std::vector<double> condition_memory() const override {
    return {memory_of_conditions_.begin(), memory_of_conditions_.end()};
  }
  void set_condition_memory(std::span<const double> memory) override {
    std::transform(memory.begin(), memory.end(), memory_of_conditions_.begin(),
                   [](double x) { return static_cast<T>(x); });
  }
  void resume_at(std::int64_t time_step) override { time_step_ = time_step; }

 private:
  using Context = typename Groups::Context;
  /// Vector loads may reach a little before the first and behind the last population.
  static constexpr std::int64_t padding = group_lanes;
  using Block = PopulationBlock<T>;

  [[nodiscard]] const StepAccess& access() const { return streaming_.step[updates_ % streaming_.parities]; }
  /// The copy that holds the current state, and the one that the next step writes.
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
  /// Key of the random bits of the step to come.
  [[nodiscard]] core::StepKey step_key() const { return core::step_key(static_cast<core::Uint64>(time_step_)); }
  void touch_first();
  void advance(const StepAccess& step, Storage* target);
  void propagate();
  void update_ghosts();
  void advance_by_tile();
  void index_boundaries(const BoundarySetup& setup);
  void index_monitored_links(const BoundarySetup& setup);
  [[nodiscard]] bool has_records(std::uint64_t group) const { return !has_records_.empty() && has_records_[group]; }
  /// True if some walls of the group are not half-way.
  [[nodiscard]] bool has_walls(std::uint64_t group) const {
    return !walls_.empty() && walls_.first[group] != core::no_walls;
  }
  /// Completes cut links; what conditions keep from step to step is changed if `keep`.
  void apply_boundaries(std::uint64_t group, T* f, bool keep) const;
  /// Collision of a group of a step, with what its walls make of the populations that leave towards them.
  void collide(std::uint64_t group, Block& p, int lanes) const;
  /// Arriving populations with boundaries applied; `raw`, if given, gets them before boundaries.
  void load_complete(std::uint64_t group, Block& f, Block* raw = nullptr) const;
  /// Canonical index of a lane's node, or -1 if its tile lies outside the range.
  template <class Body>
  void for_each_node(std::uint64_t first_tile, std::uint64_t tile_count, Body&& body) const;

  Plan plan_;
  Geometry geometry_;
  Scheme scheme_;
  StreamingTable streaming_;
  Groups groups_;
  PhysicsKernels<T> physics_;
  core::CollisionParameters<T> parameters_;
  std::vector<double> weights_;
  std::vector<core::SurfaceState> surfaces_;
  std::vector<BoundaryRecord> records_;  ///< sorted by group, lane, boundary order
  ProfileRecords changing_;
  mutable std::vector<T> memory_of_conditions_;
  std::vector<std::uint8_t> has_records_;  ///< per group; empty if there are no records
  WallLinks walls_;                        ///< by groups and lanes; empty if all walls are half-way
  struct MonitoredLink {
    std::uint32_t group;
    std::uint8_t lane, direction;
  };
  std::vector<std::vector<MonitoredLink>> monitored_;  ///< per surface, sorted by group
  std::vector<bool> is_monitored_;
  std::vector<SurfaceForce> carried_;  ///< BoundarySetup::carried
  std::int64_t time_step_ = 0;
  std::int64_t updates_ = 0;  ///< since the populations were placed; its parity says where they are
  Buffer memory_;
};

std::unique_ptr<Solver> make_dense_solver(const Case&, const Units&, Geometry, Plan);
std::unique_ptr<Solver> make_compact_solver(const Case&, const Units&, Geometry, Plan);
std::unique_ptr<Solver> make_sites_solver(const Case&, const Units&, Geometry, Plan);

}  // namespace fluvia::cpu
