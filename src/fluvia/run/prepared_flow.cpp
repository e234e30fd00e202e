// SPDX-License-Identifier: Apache-2.0
#include "fluvia/run/prepared_flow.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <utility>

#include "fluvia/backend/backend.hpp"
#include "fluvia/base/machine/threads.hpp"
#include "fluvia/domain/rank_communicator.hpp"
#include "fluvia/domain/rank_group.hpp"
#include "fluvia/run/checks/parameters.hpp"
#include "fluvia/run/checks/preflight.hpp"

namespace fluvia {

PreparedFlow::PreparedFlow(const Case& c, Warn warn) : case_(c), warn_(std::move(warn)) {
  validate(c);
  grid_ = make_grid(c);
  units_ = make_units(c, grid_.spacing);
}

void PreparedFlow::build_on_all_ranks() {
  domain::call_others(domain::Request::build);
  domain::RankCommunicator communicator;
  together(communicator, [&] { build(communicator); });
}

void PreparedFlow::build(Communicator& communicator) {
  require_threads(std::max(case_.numerics.threads, omp_get_max_threads()));
  for (const UnitsAdvice& advice : advise_units(case_, units_)) warn(advice.message);
  geometry_ = build_geometry(case_, grid_, communicator);
  for (const std::string& text : geometry_.report.warnings) warn(text);
  for (const std::string& text : check_before_run({case_, units_, geometry_, communicator})) warn(text);
}

void PreparedFlow::make_solver(const std::atomic<bool>* interrupt) {
  const Trial trial = make_trial({case_, units_, geometry_}, TrialMode::allowed, TrialMemory(), {},
                                 [interrupt] { return interrupt && interrupt->load(); });
  if (trial.was_lost) warn(fmt::format("the next run repeats the trial of schemes (numerics.trial): {}", trial.note));
  std::optional<Geometry> whole;
  if (stores_half(case_)) whole = geometry_;
  solver_ = fluvia::make_solver({case_, units_, std::move(geometry_)}, trial);
  if (whole) full_.emplace(*solver_, std::move(*whole));
  for (const std::string& text : advise(solver_->plan().flow().viscosity, units_)) warn(text);
}

}  // namespace fluvia
