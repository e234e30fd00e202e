// SPDX-License-Identifier: Apache-2.0
#include "fluvia/backend/level_device.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <utility>

#include "fluvia/backend/device_plan.hpp"
#include "fluvia/base/error.hpp"
#include "fluvia/cpu/make_solver.hpp"
#include "fluvia/cuda/solver/cuda_solver.hpp"
#include "fluvia/domain/levels/device_level_exchange.hpp"
#include "fluvia/domain/levels/host_level_exchange.hpp"

namespace fluvia {

namespace {

class CpuLevels final : public LevelDevice {
 public:
  CpuLevels(std::string reason, const Domain& domain) : reason_(std::move(reason)), domain_(domain) {}
  [[nodiscard]] const char* name() const override { return "cpu"; }
  [[nodiscard]] domain::PlaceOrder order() const override { return domain::PlaceOrder::rows; }
  [[nodiscard]] Domain domain() const override { return domain_; }
  [[nodiscard]] Plan plan(const Problem& level) const override {
    Plan plan = make_plan(level, name(), 0, domain_);
    take_threads_of_rank(level.settings, plan);
    if (!reason_.empty()) plan.reason += (plan.reason.empty() ? "" : "; ") + ("on the CPU: " + reason_);
    return plan;
  }
  [[nodiscard]] bool prepares() const override { return false; }
  void prepare(const Problem&, const Block&, Plan&) const override {}
  [[nodiscard]] std::uint64_t exchange_bytes(const domain::LevelLinks&, const Plan&) const override { return 0; }
  [[nodiscard]] std::string refusal(const Case&, const Plan&) const override { return ""; }
  std::unique_ptr<BlockSolver> make(OwningProblem level, Plan plan, const Block& block) override {
    threads_ = plan.threads;
    auto solver = cpu::make_solver(std::move(level), std::move(plan), &block);
    solvers_.push_back(solver.get());
    return solver;
  }
  std::unique_ptr<domain::LevelExchange> connect(std::vector<domain::LevelShare> shares) override {
    std::vector<std::vector<BlockSolver*>> levels;
    for (BlockSolver* solver : solvers_) levels.push_back({solver});
    std::vector<std::vector<domain::LevelShare>> parts(shares.size());
    for (std::size_t l = 0; l < shares.size(); ++l) parts[l].push_back(std::move(shares[l]));
    return std::make_unique<domain::HostLevelExchange>(levels, parts, domain::MemoryLinks(), threads_);
  }

 private:
  std::string reason_;
  Domain domain_;
  std::vector<BlockSolver*> solvers_;
  int threads_ = 1;
};

constexpr double mebibyte = 1024.0 * 1024;

class GpuLevels final : public LevelDevice {
 public:
  GpuLevels(const cuda::Device& device, cuda::KernelCache& cache, std::string device_name)
      : device_(device), cache_(cache), device_name_(std::move(device_name)) {}
  [[nodiscard]] const char* name() const override { return "cuda"; }
  [[nodiscard]] domain::PlaceOrder order() const override { return domain::PlaceOrder::tiles; }
  [[nodiscard]] Plan plan(const Problem& level) const override {
    Plan plan = make_plan(level, name(), cuda::memory_for_run(level.settings, device_));
    plan.device_name = device_name_;
    return plan;
  }
  [[nodiscard]] bool prepares() const override { return true; }
  void prepare(const Problem& level, const Block& block, Plan& plan) const override {
    (void)cuda::prepare_block(level, device_, block, room, plan);
    plan.refusal.clear();  // all levels together are told
  }
  [[nodiscard]] std::uint64_t exchange_bytes(const domain::LevelLinks& links, const Plan& plan) const override {
    return domain::level_arrays(links, plan.flow().lattice->dimension).bytes(plan.format->storage_bytes);
  }
  [[nodiscard]] std::string refusal(const Case& c, const Plan& all) const override {
    const auto needed = static_cast<double>(all.total_bytes()),
               memory = static_cast<double>(cuda::memory_for_run(c, device_));
    return needed <= memory ? "" : too_large(fmt::format("{:.1f} MiB", needed / mebibyte), memory);
  }

  std::unique_ptr<BlockSolver> make(OwningProblem level, Plan plan, const Block& block) override {
    const auto shared = std::make_shared<const Geometry>(std::move(level.geometry));
    const double limit = level.settings.numerics.memory_limit, rest = limit - static_cast<double>(taken_) / mebibyte;
    if (limit > 0 && rest <= 0) throw_resource(too_large("more", limit * mebibyte));
    Case settings = level.settings;
    if (limit > 0) settings.numerics.memory_limit = rest;
    try {
      auto solver = cuda::make_block_solver({settings, level.units, *shared}, shared, std::move(plan), device_, cache_,
                                            block, room);
      taken_ += solver->plan().total_bytes();
      solvers_.push_back(solver.get());
      return solver;
    } catch (const Error& error) {
      if (error.code() != ExitCode::resource) throw;
      throw_resource(
          fmt::format("level {} of refinement: {}; levels of a flow are in the memory of one GPU: use "
                      "device = \"cpu\", or smaller regions in [[refine]]",
                      block.level, error.what()));
    }
  }
  std::unique_ptr<domain::LevelExchange> connect(std::vector<domain::LevelShare> shares) override {
    std::vector<domain::LevelLinks> links;
    for (domain::LevelShare& share : shares) links.push_back(std::move(share.links));
    return std::make_unique<domain::DeviceLevelExchange>(solvers_, links, cache_,
                                                         [](const std::string& text) { spdlog::warn(text); });
  }

 private:
  [[nodiscard]] std::string too_large(const std::string& needed, double memory) const {
    return fmt::format(
        "{} needs {} for all levels of refinement, but may take {:.1f} MiB. They are in the memory of one GPU, and "
        "are not streamed through it; what would fit: one copy only (numerics.scheme = \"compact-aa\"), a larger "
        "spacing, smaller regions in [[refine]], or numerics.device = \"cpu\"",
        device_.label(), needed, memory / mebibyte);
  }
  /// Of a level; snapshots would be of one level alone.
  static constexpr cuda::BlockRoom room{1, false};

  const cuda::Device& device_;
  cuda::KernelCache& cache_;
  std::string device_name_;
  std::vector<cuda::DeviceBlock*> solvers_;
  std::uint64_t taken_ = 0;
};

}  // namespace

std::unique_ptr<LevelDevice> levels_on_cpu(const std::string& reason, const Domain& domain) {
  return std::make_unique<CpuLevels>(reason, domain);
}

std::unique_ptr<LevelDevice> levels_on_gpu(const cuda::Device& device, cuda::KernelCache& cache,
                                           const std::string& device_name) {
  return std::make_unique<GpuLevels>(device, cache, device_name);
}

}  // namespace fluvia
