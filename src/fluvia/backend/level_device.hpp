// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "fluvia/cuda/runtime/compiler/kernel_cache.hpp"
#include "fluvia/cuda/runtime/device.hpp"
#include "fluvia/domain/exchange.hpp"
#include "fluvia/domain/levels/level_exchange.hpp"
#include "fluvia/domain/levels/level_share.hpp"
#include "fluvia/solver/blocks/block_solver.hpp"

namespace fluvia {

namespace domain {
class DevicePartLinks;
}
struct LevelTurns;

/// What computes all levels of a flow, each by a solver of its own, or by one for each part: processors or GPUs.
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
  /// In how many parts each level is, and where they are.
  [[nodiscard]] virtual Domain domain() const { return {}; }
  /// The plan of a level.
  [[nodiscard]] virtual Plan plan(const Problem& level) const = 0;
  /// Whether what a level takes is known only when it is prepared with what passes to others.
  [[nodiscard]] virtual bool prepares() const = 0;
  /// Whether blocks pack what parts hand over to others of what passes between levels.
  [[nodiscard]] virtual bool packs_values() const = 0;
  /// Sets what a plan, of a level or a part of it, takes by that.
  virtual void prepare(const Problem& level, const Block& block, Plan& plan) const = 0;
  /// Bytes that connect() takes of its memory for what passes between two levels, or for a part's share in that, with
  /// such a plan.
  [[nodiscard]] virtual std::uint64_t exchange_bytes(const domain::LevelShare& share, const Plan& plan) const = 0;
  /// Why its memory does not do for the plan of all levels, or of a part of them, and what would; empty if it does.
  [[nodiscard]] virtual std::string refusal(const Case& c, const Plan& all) const = 0;

  /// The GPU through which levels can be streamed in parts that take turns; null: they cannot.
  [[nodiscard]] virtual const cuda::Device* turning() const { return nullptr; }
  /// Where they can: what computes them so.
  [[nodiscard]] virtual std::unique_ptr<LevelDevice> in_turns(const LevelTurns& turns) const;

  /// Makes the solvers of the next level's blocks in this process, the coarsest level first: of the whole, or of parts.
  /// Throws Error(resource) if they do not fit.
  virtual std::vector<std::unique_ptr<BlockSolver>> make(OwningProblem level, Plan plan,
                                                         const std::vector<Block>& blocks) = 0;
  /// After that, where this process has all parts of the level: what carries their halos when it is stepped by itself;
  /// null: through host memory.
  [[nodiscard]] virtual std::unique_ptr<domain::Exchange> halos(std::size_t level) const = 0;
  /// After the last, where this process has all parts: what steps them. `shares`: [level][part], between each level and
  /// the next finer one.
  virtual std::unique_ptr<domain::LevelExchange> connect(std::vector<std::vector<domain::LevelShare>> shares) = 0;
};

/// `reason`: why not on a GPU; empty if nobody asked. `domain`: the parts of each level that ranks have.
std::unique_ptr<LevelDevice> levels_on_cpu(const std::string& reason, const Domain& domain = {});
/// `devices`: the GPU of each part that this process has; `sharers`: ranks that share each; `device_name`: of these,
/// for plans; `domain`: all parts of each level; `links`: between parts of this process, null: by their memory.
/// `devices` and `cache` must stay.
std::unique_ptr<LevelDevice> levels_on_gpus(std::vector<const cuda::Device*> devices, int sharers,
                                            cuda::KernelCache& cache, const std::string& device_name,
                                            const Domain& domain = {},
                                            std::shared_ptr<const domain::DevicePartLinks> links = nullptr);

}  // namespace fluvia
