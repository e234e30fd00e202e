// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "fluvia/cuda/runtime/compiler/kernel_cache.hpp"
#include "fluvia/cuda/runtime/device.hpp"
#include "fluvia/domain/levels/level_exchange.hpp"
#include "fluvia/domain/levels/level_share.hpp"
#include "fluvia/solver/blocks/block_solver.hpp"

namespace fluvia {

/// What computes all levels of a flow, each by a solver of its own: the processors, or one GPU.
class LevelDevice {
 public:
  LevelDevice() = default;
  LevelDevice(const LevelDevice&) = delete;
  LevelDevice& operator=(const LevelDevice&) = delete;
  virtual ~LevelDevice() = default;

  /// Case::Numerics::device of the levels, "cpu" or "cuda".
  [[nodiscard]] virtual const char* name() const = 0;
  /// The order of places in which its storages have them.
  [[nodiscard]] virtual domain::PlaceOrder order() const = 0;
  /// In how many parts it has each level, and where they are.
  [[nodiscard]] virtual Domain domain() const { return {}; }
  /// The plan of a level.
  [[nodiscard]] virtual Plan plan(const Problem& level) const = 0;
  /// Whether what a level takes is known only when it is prepared with what passes to others.
  [[nodiscard]] virtual bool prepares() const = 0;
  /// Sets what a plan takes by that.
  virtual void prepare(const Problem& level, const Block& block, Plan& plan) const = 0;
  /// Bytes that connect() takes of its memory for what passes between two levels with such a plan.
  [[nodiscard]] virtual std::uint64_t exchange_bytes(const domain::LevelLinks& links, const Plan& plan) const = 0;
  /// Why its memory does not do for the plan of all levels, and what would; empty if it does.
  [[nodiscard]] virtual std::string refusal(const Case& c, const Plan& all) const = 0;

  /// Makes the solver of the next level, or of a part of it, the coarsest first. Throws Error(resource) if it does not
  /// fit.
  virtual std::unique_ptr<BlockSolver> make(OwningProblem level, Plan plan, const Block& block) = 0;
  /// After the last, of whole levels: what steps them. `shares`: between each and the next finer one.
  virtual std::unique_ptr<domain::LevelExchange> connect(std::vector<domain::LevelShare> shares) = 0;
};

/// `reason`: why not on a GPU; empty if nobody asked. `domain`: the parts of each level that ranks have.
std::unique_ptr<LevelDevice> levels_on_cpu(const std::string& reason, const Domain& domain = {});
/// `device_name`: of that GPU, for plans. `device` and `cache` must stay.
std::unique_ptr<LevelDevice> levels_on_gpu(const cuda::Device& device, cuda::KernelCache& cache,
                                           const std::string& device_name);

}  // namespace fluvia
