// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cli/expected_time.hpp"

#include <omp.h>

#include <algorithm>

#include "fluvia/backend/backend.hpp"
#include "fluvia/cpu/bandwidth.hpp"

namespace fluvia::cli {

namespace {

/// Those of all ranks, as far as they may be on this machine.
int threads_here(const Plan& plan) {
  return plan.parts == 1 ? plan.threads : std::min(plan.threads * plan.parts, omp_get_num_procs());
}

}  // namespace

ExpectedTime expected_time(const Case& c, const Units& units, const Geometry& geometry, const Plan& plan) {
  const bool gpu = plan.device == "cuda";
  ExpectedTime time;
  // Of schemes that were not measured: what others reach; see docs/performance.md.
  const double share = plan.expected_share > 0 ? plan.expected_share : gpu ? 0.8 : 0.5;
  time.bandwidth =
      gpu ? measure_gpu_copy_bandwidth() : measure_copy_bandwidth(threads_here(plan), std::size_t{256} << 20);
  time.step_seconds =
      static_cast<double>(geometry.nodes.fluid_nodes) * plan.bytes_per_update / (share * time.bandwidth);
  if (plan.slabs > 1) {
    time.transfer_bandwidth = measure_gpu_transfer_bandwidth();
    time.step_seconds += static_cast<double>(plan.transfer_bytes) / time.transfer_bandwidth;
  }
  time.steps = c.run.steps ? static_cast<double>(*c.run.steps) : c.run.time ? *c.run.time / units.time_step : 0;
  return time;
}

}  // namespace fluvia::cli
