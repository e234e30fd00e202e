// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fluvia/cuda/kernels/level_arguments.hpp"
#include "fluvia/cuda/runtime/compiler/kernel_cache.hpp"
#include "fluvia/cuda/runtime/module.hpp"
#include "fluvia/cuda/solver/device_arrays.hpp"
#include "fluvia/cuda/solver/device_block.hpp"

namespace fluvia::cuda {

/// Lists of what passes between a level of refinement and the next finer one, as kernels/levels.hpp takes them, still
/// on the host.
struct LevelArrays {
  std::vector<kernels::LevelSource> sources;
  std::vector<kernels::LevelChild> children;
  std::array<std::vector<kernels::LevelChild>, 2> entering;
  std::vector<kernels::LevelLink> links;
  std::array<std::vector<std::uint32_t>, 2> leaving;
  std::vector<std::uint32_t> passing;
  std::vector<kernels::LevelNeighbours> along_openings;
  std::vector<kernels::LevelMove> moves;  ///< none, or one more than links that give or get something
  std::vector<kernels::LevelPart> parts;
  double share = 0;

  /// Bytes that LevelTransfer takes of a GPU.
  [[nodiscard]] std::uint64_t bytes(int storage_bytes) const;
};

/// What a compiler makes the kernels of a format of.
CompileRequest level_request(const std::string& format);

/// Makes, on a GPU that both are on, of what leaves a level and the next finer one what arrives there.
class LevelTransfer {
 public:
  /// Messages of both levels to each other must stay where they are.
  LevelTransfer(const DeviceBlock& coarse, const DeviceMessages& to_fine, const DeviceMessages& to_coarse,
                const LevelArrays& arrays, KernelCache& cache);

  /// Queues it, when the messages that leave after fine step 0 or 1 of a coarse one are there. What arrives at the
  /// coarse level is there after step 1.
  void queue(const Stream& stream, int step) const;

 private:
  DeviceArrays arrays_;
  Module module_;
  std::string type_;
  Kernel first_, second_, move_;
  kernels::LevelLists lists_{};
  kernels::LevelMoves moves_{};
  kernels::LevelMessages messages_{};
  double* sums_;
  void* passing_;
};

}  // namespace fluvia::cuda
