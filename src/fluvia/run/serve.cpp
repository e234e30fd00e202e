// SPDX-License-Identifier: Apache-2.0
#include "fluvia/run/serve.hpp"

#include <optional>

#include "fluvia/backend/backend.hpp"
#include "fluvia/backend/connect.hpp"
#include "fluvia/domain/rank_group.hpp"
#include "fluvia/run/planning.hpp"
#include "fluvia/run/prepared_flow.hpp"
#include "fluvia/solver/initial_state.hpp"
#include "fluvia/solver/plan/half_lattice.hpp"

namespace fluvia {

int serve_run(const Case& c) {
  std::optional<PreparedFlow> flow;
  domain::Service service;
  service.build = [&](Communicator& communicator) { flow.emplace(c, PreparedFlow::Warn{}).build(communicator); };
  service.plan = [&](Communicator& communicator) {
    plan_together({c, flow->units(), stored_geometry(c, flow->take_geometry()), communicator});
  };
  service.make = [&](Communicator& communicator) {
    return make_rank_parts({c, flow->units(), flow->take_geometry(), communicator});
  };
  service.connect = [&](domain::RankParts& parts) { return connect_rank_parts(c, parts); };
  service.initialise = [&](BlockSolver& part) { place_initial_state(part, {c, flow->units(), part.geometry()}); };
  return domain::serve(service);
}

int serve_refusal(ExitCode code, const std::string& message) {
  const auto refuse = [&](Communicator&) { throw Error(code, message); };
  domain::Service service;
  service.build = service.plan = refuse;
  service.make = [&](Communicator& communicator) -> domain::RankParts {
    refuse(communicator);
    return {};
  };
  service.connect = [](domain::RankParts&) -> std::unique_ptr<domain::Stepping> { return nullptr; };
  service.initialise = [](BlockSolver&) {};
  return domain::serve(service);
}

}  // namespace fluvia
