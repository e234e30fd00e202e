// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

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
  /// Bytes that it takes of the memory of a GPU.
  [[nodiscard]] virtual std::uint64_t bytes() const { return 0; }
};

}  // namespace fluvia::domain
