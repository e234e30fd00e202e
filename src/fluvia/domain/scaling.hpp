// SPDX-License-Identifier: Apache-2.0
// What a domain in parts is expected to reach (docs/scaling.md).
#pragma once
#include <string>

#include "fluvia/solver/blocks/block.hpp"

namespace fluvia::domain {

/// How messages between parts go.
struct Transport {
  std::string name;      ///< for people
  double bandwidth = 0;  ///< bytes per second, one way, while the other way is as busy
  /// What a step takes longer besides: whatever its size (launches, events, messages), and for each population that
  /// leaves, which is packed and unpacked at nodes that are stepped apart from the others.
  double seconds_of_step = 0, seconds_of_halo_population = 0;
  bool beside_steps = true;  ///< messages are on their way while inner nodes are stepped

  /// What a step takes longer, besides its messages, where so many populations leave.
  [[nodiscard]] double seconds_besides(std::uint64_t halo_populations) const {
    return seconds_of_step + seconds_of_halo_population * static_cast<double>(halo_populations);
  }
};

/// Between GPUs of one process: directly, or by the driver through host memory; on one GPU; between GPUs of ranks by
/// NCCL; and of ranks through host memory and MPI. Numbers of docs/scaling.md, not of this machine.
Transport between_gpus(bool reach);
Transport on_one_gpu(double copy_bandwidth);
Transport between_peers();
Transport between_ranks(bool gpus);

/// Messages that wait for each other in a step of the coarsest of so many levels of refinement: the halos of each step
/// of each of them, and between two levels one after each coarse and each fine step.
int level_messages(int levels);

/// What a border of a part on a GPU costs in a step, for each fluid node of its plane across an axis, in updates of
/// nodes: for cut_tiles(). All ranks come to the same answer, whatever connects them.
double border_cost(const std::vector<Int3>& velocities, int axis, int population_bytes, double bytes_per_update,
                   bool beside_steps);

/// Share of what the parts would reach without each other, if a part steps `rate` nodes per second: nodes of the mean
/// part over those that the largest has time for meanwhile.
double expected_efficiency(const PartitionFacts& facts, int population_bytes, double rate, const Transport& transport);

}  // namespace fluvia::domain
