// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

#include "fluvia/solver/observables.hpp"

namespace fluvia::domain {

/// Takes time steps of all blocks that this process has of a flow, with what crosses between them and to the blocks of
/// other processes.
class Stepping {
 public:
  Stepping() = default;
  Stepping(const Stepping&) = delete;
  Stepping& operator=(const Stepping&) = delete;
  virtual ~Stepping() = default;

  virtual void step(std::int64_t count) = 0;
  /// What walls got in the last step between the blocks of a level of refinement in this process and the next finer
  /// level, beside what nodes of both exchange with them: momentum in lattice units of the coarser one, by its tiles.
  [[nodiscard]] virtual TileSums<ForceSum> force_between_levels(std::size_t level, const ForceOnSurface& what) {
    static_cast<void>(level);
    static_cast<void>(what);
    return {};
  }
  /// Bytes that it takes of the memory of a GPU.
  [[nodiscard]] virtual std::uint64_t bytes() const { return 0; }
};

}  // namespace fluvia::domain
