// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cli/expected_time.hpp"

#include <omp.h>

#include <algorithm>
#include <chrono>
#include <set>

#include "fluvia/backend/backend.hpp"
#include "fluvia/backend/transport.hpp"
#include "fluvia/case/physics/registered_formats.hpp"
#include "fluvia/cpu/bandwidth.hpp"
#include "fluvia/run/session.hpp"
#include "fluvia/solver/links/cut_links.hpp"
#include "fluvia/solver/plan/passes.hpp"
#include "fluvia/solver/plan/scheme.hpp"

namespace fluvia::cli {

namespace {

/// Threads of all ranks, as far as they may be on this machine.
int threads_here(const Plan& plan) {
  return plan.domain.is_whole() ? plan.threads : std::min(plan.threads * plan.domain.blocks, omp_get_num_procs());
}

/// GPUs that step the domain at a time. Ranks on CPUs are taken to share this machine, whose
/// bandwidth is measured with all of their threads.
int devices_of(const Plan& plan, const DeviceChoice& choice) {
  if (plan.device != "cuda") return 1;
  if (plan.domain.is_on_ranks()) return plan.domain.blocks;
  return static_cast<int>(std::set<int>(choice.gpus.begin(), choice.gpus.end()).size());
}

/// Seconds that a step takes, of some that are done; nothing if the flow cannot be stepped.
std::optional<double> measured_step(const Case& c) {
  using Clock = std::chrono::steady_clock;
  constexpr double enough = 0.2;  // s
  try {
    Session flow(c);
    flow.advance(4);
    for (std::int64_t steps = 8;; steps *= 2) {
      const auto start = Clock::now();
      flow.advance(steps);
      const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
      if (seconds > enough) return seconds / static_cast<double>(steps);
    }
  } catch (const Error&) {  // whoever runs the case is told
    return {};
  }
}

}  // namespace

ExpectedTime expected_time(const Problem& problem, const Plan& plan, const std::optional<PartitionFacts>& partition) {
  const Case& c = problem.settings;
  const bool gpu = plan.device == "cuda";
  const DeviceChoice choice = choose_device(c);
  ExpectedTime time;
  // Schemes that were not measured are expected to reach the fraction of the roofline that others do; see
  // docs/performance.md.
  const double fraction = plan.expected_fraction > 0 ? plan.expected_fraction : gpu ? 0.8 : 0.5;
  const double fluid = plan.updates_per_step(problem.geometry.nodes.fluid_nodes);
  time.bandwidth = gpu ? measure_gpu_copy_bandwidth(choice.gpus.front())
                       : measure_copy_bandwidth(threads_here(plan), std::size_t{256} << 20);
  time.devices = devices_of(plan, choice);
  time.step_seconds = fluid * plan.bytes_per_update / (fraction * time.bandwidth * time.devices);
  if (const double tried = plan.tried_mflups(); tried > 0) time.step_seconds = fluid / (1e6 * tried);
  if (plan.domain.is_streamed()) {  // steps and both ways go on side by side
    time.transfer_bandwidth = measure_gpu_link_bandwidth(choice.gpus.front()).both_ways;
    const double one_way = static_cast<double>(plan.transfer_bytes) / 2 / time.transfer_bandwidth;
    time.step_seconds = std::max(time.step_seconds, one_way);
  }
  if (plan.domain.side_by_side() > 1) {
    const PartitionFacts facts =
        partition ? *partition
                  : partition_facts(problem.geometry.nodes, plan.flow().lattice->velocities,
                                    domain_cuts(problem.geometry.nodes, plan.domain), plan.steps_per_pass,
                                    numbers_of_node(*plan.scheme, plan.flow().lattice->name));
    domain::Transport transport = transport_of(c, plan, time.bandwidth);
    if (!plan.levels.empty()) transport.seconds_of_step *= domain::level_messages(static_cast<int>(plan.levels.size()));
    const double rate = fluid / time.step_seconds / plan.domain.blocks;  // nodes that a part steps per second
    const double efficiency = domain::expected_efficiency(facts, plan.format->storage_bytes, rate, transport);
    time.step_seconds /= efficiency;
    time.parts = ExpectedParts{facts, transport, efficiency};
  }
  // On CPUs the arithmetic of a collision, interpolated walls and openings whose values change with every step take as
  // long as the traffic that the roofline knows: a flow that is set up within a second is tried.
  constexpr double fewest_tried = 2e3, most_tried = 1e6;
  if (!gpu && plan.domain.is_whole() && plan.refusal.empty() && fluid >= fewest_tried && fluid <= most_tried)
    if (const auto measured = measured_step(c)) {
      time.step_seconds = *measured;
      time.is_measured = true;
    }
  time.steps = c.run.steps ? static_cast<double>(*c.run.steps) : c.run.time ? *c.run.time / problem.units.time_step : 0;
  return time;
}

}  // namespace fluvia::cli
