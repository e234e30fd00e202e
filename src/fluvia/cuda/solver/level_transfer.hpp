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

/// Lists of what passes between a level of refinement and the next finer one, or of the share of a part in it, as
/// kernels/levels.hpp takes them, still on the host.
struct LevelArrays {
  std::vector<kernels::LevelSource> sources;
  std::vector<kernels::LevelOffset> offsets;
  std::vector<kernels::LevelChild> children;
  std::array<std::vector<kernels::LevelChild>, 2> entering;
  std::vector<kernels::LevelLink> links;
  std::array<std::vector<std::uint32_t>, 2> leaving;
  std::vector<std::uint32_t> passing;
  std::vector<kernels::LevelNeighbours> along_openings;
  std::vector<kernels::LevelMove> moves;  ///< none, or one more than links that give or get something
  std::vector<kernels::LevelPart> parts;
  std::vector<kernels::LevelGain> link_gains, place_gains;
  std::array<std::vector<kernels::LevelForce>, 4> forces;  ///< by groups
  std::vector<kernels::LevelForceGroup> force_groups;      ///< none, or one more than there are
  double share = 0;
  std::uint32_t own_links = 0;  ///< the first of the links
  /// Values that are read of each level, and how many of them this part packs, which are the first.
  struct Read {
    std::size_t values = 0, own = 0;
    [[nodiscard]] bool has_others() const { return values > own; }
  };
  Read coarse, fine;

  /// Bytes that LevelTransfer takes of a GPU.
  [[nodiscard]] std::uint64_t bytes(int storage_bytes) const;
};

/// What a compiler makes the kernels of a format of.
CompileRequest level_request(const std::string& format);

/// Makes, on a GPU that both are on, of what leaves a level and the next finer one, or a part of both, what arrives
/// there.
class LevelTransfer {
 public:
  /// `format`: of what crosses. Messages of both levels to each other must stay where they are. Where values of other
  /// parts are read, those of this one must be packed to where coarse_values() and fine_values() say.
  LevelTransfer(const DeviceBlock& coarse, const DeviceBlock& fine, const DeviceMessages& to_fine,
                const DeviceMessages& to_coarse, const FormatFacts& format, const LevelArrays& arrays,
                KernelCache& cache);

  /// Where values of each level are read: those that this part packs, then those of others.
  [[nodiscard]] CuDevicePointer coarse_values() const { return messages_.coarse_leaving; }
  [[nodiscard]] CuDevicePointer fine_values() const { return messages_.fine_leaving; }

  /// What the groups of LevelArrays::forces have got in the last coarse step: momentum and its moment about the corner.
  /// Waits for it.
  [[nodiscard]] std::vector<std::array<double, 6>> forces(const Stream& stream) const;

  /// Queues it, when the messages that leave after fine step 0 or 1 of a coarse one are there. What arrives at the
  /// coarse level is there after step 1.
  void queue(const Stream& stream, int step) const;

 private:
  DeviceArrays arrays_;
  Module module_;
  std::string type_;
  Kernel first_, second_, move_, to_links_, to_places_, begin_forces_, end_forces_;
  kernels::LevelLists lists_{};
  kernels::LevelGains gains_{};
  kernels::LevelForces forces_{};
  kernels::LevelMoves moves_{};
  kernels::LevelMessages messages_{};
  double *sums_, *force_sums_;
  void* passing_;
};

}  // namespace fluvia::cuda
