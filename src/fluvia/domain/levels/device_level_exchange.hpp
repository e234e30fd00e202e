// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "fluvia/cuda/runtime/compiler/kernel_cache.hpp"
#include "fluvia/cuda/solver/level_transfer.hpp"
#include "fluvia/domain/device_delivery.hpp"
#include "fluvia/domain/exchange.hpp"
#include "fluvia/domain/levels/level_exchange.hpp"
#include "fluvia/domain/levels/level_share.hpp"
#include "fluvia/domain/recording.hpp"

namespace fluvia::domain {

/// What a GPU is given of the share of a part between a level and the next finer one, of the flow or of a scalar.
/// `dimension`: of the lattice.
cuda::LevelArrays level_arrays(const LevelShare& share, int dimension);
/// Bytes that it takes for the share of a part, with those of the scalars.
std::uint64_t exchange_bytes(const LevelShare& share, const Plan& plan);

/// How what crosses between parts of levels on GPUs gets from one to another.
class DevicePartLinks {
 public:
  DevicePartLinks() = default;
  DevicePartLinks(const DevicePartLinks&) = delete;
  DevicePartLinks& operator=(const DevicePartLinks&) = delete;
  virtual ~DevicePartLinks() = default;
  /// What crosses between parts of a level, of those in this process.
  [[nodiscard]] virtual std::unique_ptr<Exchange> halos(const std::vector<cuda::DeviceBlock*>& parts) const = 0;
  /// Values that parts of a level hand over to others, of those in this process.
  [[nodiscard]] virtual std::unique_ptr<DeviceDelivery> values(const std::vector<DeviceEnd>& ends) const = 0;
  /// Whether the host takes part in none of it, so that steps may be recorded.
  [[nodiscard]] virtual bool records() const = 0;
};

/// All parts are in this process.
class DeviceMemoryLinks final : public DevicePartLinks {
 public:
  [[nodiscard]] std::unique_ptr<Exchange> halos(const std::vector<cuda::DeviceBlock*>& parts) const override;
  [[nodiscard]] std::unique_ptr<DeviceDelivery> values(const std::vector<DeviceEnd>& ends) const override;
  [[nodiscard]] bool records() const override { return true; }
};

/// Between levels that are all on GPUs, each with one part in this process, or several, the parts of one number on one
/// GPU: kernels make messages of messages, queued beside the steps of all levels and ordered by events, so that the
/// host waits for nothing. Steps of small levels are recorded, and queued many at a time.
class DeviceLevelExchange final : public LevelExchange {
 public:
  /// `levels`: [level][part], the coarsest first; `shares`: [level][part], between each and the next finer one. `warn`
  /// is told why steps are not recorded if the driver refuses that.
  DeviceLevelExchange(const std::vector<std::vector<cuda::DeviceBlock*>>& levels,
                      const std::vector<std::vector<LevelShare>>& shares, const DevicePartLinks& links,
                      cuda::KernelCache& cache, const std::function<void(const std::string&)>& warn);
  [[nodiscard]] std::uint64_t bytes() const override { return *std::ranges::max_element(bytes_); }
  [[nodiscard]] std::size_t levels() const override { return levels_.size(); }
  void begin_step(std::size_t level, int step) override;
  void end_step(std::size_t level) override;
  [[nodiscard]] TileSums<ForceSum> force_between_levels(std::size_t level, const ForceOnSurface& what) override;
  std::int64_t replay(std::int64_t wanted, const std::function<void()>& cycle) override;
  void finish() const override;

 private:
  struct Part {
    cuda::DeviceBlock* block;
    cuda::Event arrived;  ///< what comes from the next finer level, in messages
    /// To that level, of the flow and then of each scalar; none: it is the finest.
    std::vector<std::unique_ptr<cuda::LevelTransfer>> finer{};
    LevelLinks::WallForces forces{};  ///< between both

    /// Of a scalar, by its number, or of the flow.
    [[nodiscard]] const cuda::LevelTransfer& transfer(int scalar) const {
      return *finer[static_cast<std::size_t>(scalar - Neighbour::of_flow)];
    }
  };
  struct Level {
    std::vector<Part> parts;
    Schedule schedule;
    std::unique_ptr<Exchange> halos;
    std::unique_ptr<DeviceDelivery> values;
  };
  void make_transfers(std::size_t level, const std::vector<LevelShare>& shares, cuda::KernelCache& cache);
  /// Returns the bytes that it takes.
  static std::uint64_t make_transfer(Part& part, cuda::DeviceBlock& fine, int scalar, const LevelShare& share,
                                     cuda::KernelCache& cache);

  std::vector<Level> levels_;
  Recording recording_;
  bool records_;
  std::vector<std::uint64_t> bytes_;  ///< by part
};

}  // namespace fluvia::domain
