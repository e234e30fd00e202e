// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>

#include "fluvia/case/case.hpp"
#include "fluvia/domain/scaling.hpp"
#include "fluvia/geometry/geometry.hpp"
#include "fluvia/solver/blocks/block.hpp"
#include "fluvia/solver/solver.hpp"
#include "fluvia/units/units.hpp"

namespace fluvia::cli {

/// What a domain loses by its parts' waiting for each other.
struct ExpectedParts {
  PartitionFacts facts;
  domain::Transport transport;
  double efficiency = 1;  ///< speed over what the parts would reach without each other
};

/// How long a planned run takes on this machine: from its copy bandwidth, which is measured here; of a flow of up to a
/// million nodes on CPUs from some steps that are done.
struct ExpectedTime {
  double bandwidth = 0;           ///< bandwidth of copies on one device, bytes/s
  int devices = 1;                ///< devices that step at a time
  double transfer_bandwidth = 0;  ///< between GPU and host memory, bytes/s each way; 0 where a step needs no transfers
  double step_seconds = 0;        ///< expected time of a step, s
  double steps = 0;               ///< largest number of steps that the case asks for
  bool is_measured = false;       ///< step_seconds comes from steps that were done
  std::optional<ExpectedParts> parts{};

  [[nodiscard]] double seconds() const { return steps * step_seconds; }
};

/// `partition`: what is known of its parts, or nothing. Throws Error(resource) if the plan's device is not there.
ExpectedTime expected_time(const Problem& problem, const Plan& plan,
                           const std::optional<PartitionFacts>& partition = {});

}  // namespace fluvia::cli
