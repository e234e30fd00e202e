// SPDX-License-Identifier: Apache-2.0
// Counters by which the blocks of a sweep over an array that slides know who has read; kernels/chunks.hpp.
#pragma once
#include <cstdint>

#include "fluvia/cuda/layout/layout.hpp"

namespace fluvia::cuda {

/// Counters of sweeps upwards and of those downwards, which alternate. A sweep counts with its own, which are zero when
/// it begins, and clears those of the next one.
class SweepCounters {
 public:
  SweepCounters() = default;
  explicit SweepCounters(std::uint64_t chunks)
      : bytes_of_sweep_(chunks * kernels::slide_counters * kernels::slide_sector * sizeof(std::uint32_t)) {}

  [[nodiscard]] std::uint64_t bytes() const { return 2 * bytes_of_sweep_; }
  void place(ArrayStore& store) { first_ = static_cast<char*>(store.room(bytes(), "slide counters")); }
  /// Begins anew: the next sweep goes upwards.
  void reset(ArrayStore& store) const { store.clear(first_); }
  /// Counters and direction of the sweep after so many others.
  [[nodiscard]] kernels::SweepOrder order(std::int64_t sweeps) const {
    const bool downwards = sweeps % 2 == 1;
    const auto at = [&](std::uint64_t byte) { return reinterpret_cast<std::uint32_t*>(first_ + byte); };
    return {at(downwards ? bytes_of_sweep_ : 0), at(downwards ? 0 : bytes_of_sweep_), downwards ? 1u : 0u};
  }

 private:
  std::uint64_t bytes_of_sweep_ = 0;
  char* first_ = nullptr;  ///< address on the GPU: counters of sweeps upwards, then of those downwards
};

}  // namespace fluvia::cuda
