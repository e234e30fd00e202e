// SPDX-License-Identifier: Apache-2.0
#include "fluvia/domain/scaling.hpp"

#include <algorithm>
#include <numeric>

namespace fluvia::domain {

namespace {
constexpr double seconds_of_one = 15e-12, nvlink = 300e9;  // four H100
}

Transport between_gpus(bool reach) {
  if (reach) return {"packed straight into the memory of the other GPU", nvlink, 3e-6, seconds_of_one};
  return {"copies from GPU to GPU through host memory, by the driver", 10e9, 30e-6, seconds_of_one};
}

Transport on_one_gpu(double copy_bandwidth) {
  return {"copies on one GPU", copy_bandwidth / 2, 8e-6};
}

Transport between_peers() {
  return {"messages from GPU to GPU by NCCL", 100e9, 30e-6, seconds_of_one};
}

Transport between_ranks(bool gpus) {
  if (gpus) return {"packed host buffers through MPI", 10e9, 60e-6};
  return {"packed messages of MPI", 5e9, 20e-6, 0, false};
}

int level_messages(int levels) {
  const int steps = (1 << levels) - 1, coarse_steps = (1 << (levels - 1)) - 1;
  return steps + 3 * coarse_steps;
}

double border_cost(const std::vector<Int3>& velocities, int axis, int population_bytes, double bytes_per_update,
                   bool beside_steps) {
  constexpr double memory = 3e12;  // bytes per second of these
  const auto halo_populations = static_cast<double>(std::count_if(
      velocities.begin(), velocities.end(), [&](const Int3& c) { return c[static_cast<std::size_t>(axis)] > 0; }));
  const double seconds = seconds_of_one + (beside_steps ? 0 : population_bytes / nvlink);
  return halo_populations * seconds * memory / bytes_per_update;
}

double expected_efficiency(const PartitionFacts& facts, int population_bytes, double rate, const Transport& transport) {
  const double mean = static_cast<double>(std::accumulate(facts.nodes.begin(), facts.nodes.end(), std::uint64_t{0})) /
                      static_cast<double>(facts.nodes.size());
  double slowest = 0;
  for (std::size_t k = 0; k < facts.nodes.size(); ++k) {
    const double updates = static_cast<double>(facts.nodes[k]) * facts.steps + static_cast<double>(facts.repeated[k]);
    const double stepping = updates / rate,
                 messages = static_cast<double>(facts.halo_populations[k]) * population_bytes / transport.bandwidth;
    const double both = transport.beside_steps ? std::max(stepping, messages) : stepping + messages;
    slowest = std::max(slowest, both + transport.seconds_besides(facts.halo_populations[k]));
  }
  return mean * facts.steps / rate / slowest;
}

}  // namespace fluvia::domain
