// SPDX-License-Identifier: Apache-2.0
#include "fluvia/run/serve.hpp"

#include <optional>

#include "fluvia/backend/backend.hpp"
#include "fluvia/backend/connect.hpp"
#include "fluvia/domain/rank_team.hpp"
#include "fluvia/run/prepared_flow.hpp"
#include "fluvia/solver/initial_state.hpp"

namespace fluvia {

int serve_run(const Case& c) {
  std::optional<Units> units;
  const auto make = [&] {
    PreparedFlow flow(c, {});
    flow.build();
    units = flow.units();
    return make_rank_part(c, flow.units(), flow.take_geometry());
  };
  return domain::serve(
      make, [&](PartSolver& part) { return connect_rank_part(c, part); },
      [&](PartSolver& part) { place_initial_state(part, c, *units); });
}

int serve_refusal(ExitCode code, const std::string& message) {
  return domain::serve([&]() -> std::unique_ptr<PartSolver> { throw Error(code, message); },
                       [](PartSolver&) -> std::unique_ptr<domain::Exchange> { return nullptr; }, [](PartSolver&) {});
}

}  // namespace fluvia
