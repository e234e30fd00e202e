// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "fluvia/base/communicator.hpp"
#include "fluvia/case/case.hpp"
#include "fluvia/geometry/geometry.hpp"
#include "fluvia/solver/plan/half_lattice.hpp"
#include "fluvia/solver/solver.hpp"
#include "fluvia/units/units.hpp"

namespace fluvia {

/// A case on its way to the first step, whoever will step it: a run, a session, a trial of other settings; `plan` goes
/// part of the way. Each part throws Error(input) or Error(resource).
class PreparedFlow {
 public:
  using Warn = std::function<void(const std::string&)>;

  /// Validates the case, which must outlive this object, and finds its box and units. `warn` may be empty.
  PreparedFlow(const Case& c, Warn warn);

  /// Voxelises the geometry and makes all checks that can be made before anything is computed, together with the
  /// members of `communicator`, all of which call it within together().
  void build(Communicator& communicator = communicator_of_one());
  /// Builds with all ranks (domain/rank_group.hpp), if there are several; the first one calls it.
  void build_on_all_ranks();
  /// Chooses the fastest scheme by a trial where that pays, takes memory and a device, and sets the initial state. To
  /// be called after build(). `interrupt`, if there is one, ends the trial.
  void make_solver(const std::atomic<bool>* interrupt = nullptr);

  [[nodiscard]] const Grid& grid() const { return grid_; }
  [[nodiscard]] const Units& units() const { return units_; }
  /// The geometry of all nodes; not after make_solver() and take_geometry().
  [[nodiscard]] const Geometry& geometry() const { return geometry_; }
  [[nodiscard]] Geometry take_geometry() { return std::move(geometry_); }

  /// The solver, after make_solver().
  [[nodiscard]] Solver& solver() const { return *solver_; }
  /// The flow that pictures and probes look at: all nodes, also where only half of them are stored.
  [[nodiscard]] const Solver& seen() const { return full_ ? *full_ : static_cast<const Solver&>(*solver_); }

 private:
  void warn(const std::string& text) const {
    if (warn_) warn_(text);
  }

  const Case& case_;
  Warn warn_;
  Grid grid_;
  Units units_;
  Geometry geometry_;
  std::unique_ptr<Solver> solver_;
  std::optional<FullView> full_;
};

}  // namespace fluvia
