// SPDX-License-Identifier: Apache-2.0
#include "fluvia/backend/level_device.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <map>
#include <utility>

#include "fluvia/backend/device_plan.hpp"
#include "fluvia/backend/level_memory.hpp"
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
  [[nodiscard]] bool packs_values() const override { return false; }
  void prepare(const Problem&, const Block&, Plan&) const override {}
  [[nodiscard]] std::uint64_t exchange_bytes(const domain::LevelShare&, const Plan&) const override { return 0; }
  [[nodiscard]] std::string refusal(const Case&, const Plan&) const override { return ""; }
  std::vector<std::unique_ptr<BlockSolver>> make(OwningProblem level, Plan plan,
                                                 const std::vector<Block>& blocks) override {
    threads_ = plan.threads;
    std::vector<std::unique_ptr<BlockSolver>> solvers;
    for (const Block& block : blocks) {
      const bool is_last = &block == &blocks.back();
      Geometry geometry = is_last ? std::move(level.geometry) : level.geometry;
      solvers.push_back(
          cpu::make_solver({level.settings, level.units, std::move(geometry), level.communicator}, plan, &block));
      levels_.resize(static_cast<std::size_t>(block.level) + 1);
      levels_.back().push_back(solvers.back().get());
    }
    return solvers;
  }
  [[nodiscard]] std::unique_ptr<domain::Exchange> halos(std::size_t) const override { return nullptr; }
  std::unique_ptr<domain::LevelExchange> connect(std::vector<std::vector<domain::LevelShare>> shares) override {
    return std::make_unique<domain::HostLevelExchange>(levels_, shares, domain::MemoryLinks(), threads_);
  }

 private:
  std::string reason_;
  Domain domain_;
  std::vector<std::vector<BlockSolver*>> levels_;  ///< [level][part]
  int threads_ = 1;
};

class GpuLevels final : public LevelDevice {
 public:
  GpuLevels(std::vector<const cuda::Device*> devices, int sharers, cuda::KernelCache& cache, std::string device_name,
            const Domain& domain, std::shared_ptr<const domain::DevicePartLinks> links, LevelTurns turns = {})
      : devices_(std::move(devices)),
        sharers_(sharers),
        cache_(cache),
        device_name_(std::move(device_name)),
        domain_(domain),
        links_(links ? std::move(links) : std::make_shared<domain::DeviceMemoryLinks>()),
        turns_(std::move(turns)) {}
  [[nodiscard]] const char* name() const override { return "cuda"; }
  [[nodiscard]] domain::PlaceOrder order() const override { return domain::PlaceOrder::tiles; }
  [[nodiscard]] Domain domain() const override { return domain_; }
  [[nodiscard]] Plan plan(const Problem& level) const override {
    Plan plan = make_plan(level, name(), cuda::memory_for_run(level.settings, *devices_.front()), domain_);
    plan.device_name = device_name_;
    return plan;
  }
  [[nodiscard]] bool prepares() const override { return true; }
  [[nodiscard]] bool packs_values() const override { return true; }
  void prepare(const Problem& level, const Block& block, Plan& plan) const override {
    (void)cuda::prepare_block(level, device_of(block), block, room_of(block), plan);
    plan.refusal.clear();  // all levels together are told
  }
  [[nodiscard]] std::uint64_t exchange_bytes(const domain::LevelShare& share, const Plan& plan) const override {
    return domain::exchange_bytes(share, plan);
  }
  [[nodiscard]] std::string refusal(const Case& c, const Plan& all) const override {
    const cuda::Device& device = *devices_.front();
    const auto sharers = sharers_ * std::ranges::count(devices_, &device);
    const auto needed = static_cast<double>(all.total_bytes()) * static_cast<double>(sharers),
               memory = static_cast<double>(cuda::memory_for_run(c, device));
    return needed <= memory ? "" : too_large(device, fmt::format("{:.1f} MiB", needed / mebibyte), memory);
  }
  [[nodiscard]] const cuda::Device* turning() const override { return domain_.is_whole() ? devices_.front() : nullptr; }
  [[nodiscard]] std::unique_ptr<LevelDevice> in_turns(const LevelTurns& turns) const override {
    return std::make_unique<GpuLevels>(devices_, sharers_, cache_, device_name_,
                                       Domain{turns.parts, BlockPlace::streamed}, links_, turns);
  }

  std::vector<std::unique_ptr<BlockSolver>> make(OwningProblem level, Plan plan,
                                                 const std::vector<Block>& blocks) override {
    const auto shared = std::make_shared<Geometry>(std::move(level.geometry));
    std::vector<std::unique_ptr<BlockSolver>> solvers;
    for (const Block& block : blocks) {
      auto solver = make_block({level.settings, level.units, *shared}, shared, plan, block);
      levels_.resize(static_cast<std::size_t>(block.level) + 1);
      levels_.back().push_back(solver.get());
      solvers.push_back(std::move(solver));
    }
    // Questions about all of a level are answered by the first rank.
    if (domain_.is_on_ranks() && blocks.front().number > 0) keep_local_part(*shared, blocks.front());
    return solvers;
  }
  [[nodiscard]] std::unique_ptr<domain::Exchange> halos(std::size_t level) const override {
    return links_->halos(levels_[level]);
  }
  std::unique_ptr<domain::LevelExchange> connect(std::vector<std::vector<domain::LevelShare>> shares) override {
    return std::make_unique<domain::DeviceLevelExchange>(levels_, shares, *links_, cache_,
                                                         [](const std::string& text) { spdlog::warn(text); });
  }

 private:
  [[nodiscard]] const cuda::Device& device_of(const Block& block) const {
    return *devices_[static_cast<std::size_t>(block.number) % devices_.size()];
  }
  /// A part of a level, after those of coarser ones.
  std::unique_ptr<cuda::DeviceBlock> make_block(const Problem& level, const std::shared_ptr<const Geometry>& geometry,
                                                const Plan& plan, const Block& block) {
    const cuda::Device& device = device_of(block);
    if (is_streamed(block)) return make_streamed_block(level, geometry, plan, block);
    std::uint64_t& taken = taken_[&device];
    const double limit = level.settings.numerics.memory_limit, rest = limit - static_cast<double>(taken) / mebibyte;
    if (limit > 0 && rest <= 0) throw_resource(too_large(device, "more", limit * mebibyte));
    Case settings = level.settings;
    if (limit > 0) settings.numerics.memory_limit = rest;
    try {
      auto solver =
          cuda::make_block_solver(level.with(settings), geometry, plan, device, cache_, block, room_of(block));
      taken += solver->plan().total_bytes();
      return solver;
    } catch (const Error& error) {
      if (error.code() != ExitCode::resource) throw;
      throw_resource(
          fmt::format("level {} of refinement: {}; levels of a flow are in the memory of its GPUs: use more of them "
                      "(--devices), device = \"cpu\", or smaller regions in [[refine]]",
                      block.level, error.what()));
    }
  }
  [[nodiscard]] bool is_streamed(const Block& block) const {
    const auto level = static_cast<std::size_t>(block.level);
    return level < turns_.streamed.size() && turns_.streamed[level];
  }
  std::unique_ptr<cuda::DeviceBlock> make_streamed_block(const Problem& level,
                                                         const std::shared_ptr<const Geometry>& geometry, Plan plan,
                                                         const Block& block) {
    const cuda::Device& device = device_of(block);
    if (!streaming_) {
      auto channel = std::make_shared<const cuda::Channel>(device, turns_.references_bytes, turns_.exchange_bytes);
      streaming_ = std::make_shared<cuda::BlockStreaming>(device, turns_.slot_bytes, std::move(channel));
    }
    plan.domain = domain_;
    return cuda::make_streamed_block(level, geometry, plan, device, cache_, cuda::prepare_case(level, plan, &block),
                                     streaming_);
  }
  [[nodiscard]] static std::string too_large(const cuda::Device& device, const std::string& needed, double memory) {
    return fmt::format(
        "{} needs {} for all levels of refinement, but may take {:.1f} MiB. On several GPUs they are in their "
        "memory, and not streamed through them; what would fit: more GPUs (--devices), one copy only (numerics.scheme "
        "= "
        "\"compact-aa\"), a larger spacing, smaller regions in [[refine]], or numerics.device = \"cpu\"",
        device.label(), needed, memory / mebibyte);
  }
  /// Of a level; snapshots would be of one level alone.
  [[nodiscard]] cuda::BlockRoom room_of(const Block& block) const {
    const auto part = static_cast<std::ptrdiff_t>(static_cast<std::size_t>(block.number) % devices_.size());
    const auto here = std::count(devices_.begin() + part, devices_.end(), devices_[static_cast<std::size_t>(part)]);
    return {sharers_ * static_cast<int>(here), false};
  }

  std::vector<const cuda::Device*> devices_;
  int sharers_;
  cuda::KernelCache& cache_;
  std::string device_name_;
  Domain domain_;
  std::shared_ptr<const domain::DevicePartLinks> links_;
  LevelTurns turns_;                                     ///< of levels that do not fit
  std::shared_ptr<cuda::BlockStreaming> streaming_;      ///< of all that are streamed; null before there are some
  std::vector<std::vector<cuda::DeviceBlock*>> levels_;  ///< [level][part]
  std::map<const cuda::Device*, std::uint64_t> taken_;   ///< bytes
};

}  // namespace

std::unique_ptr<LevelDevice> LevelDevice::in_turns(const LevelTurns&) const {
  throw Error(ExitCode::internal, "levels cannot take turns there");
}

std::unique_ptr<LevelDevice> levels_on_cpu(const std::string& reason, const Domain& domain) {
  return std::make_unique<CpuLevels>(reason, domain);
}

std::unique_ptr<LevelDevice> levels_on_gpus(std::vector<const cuda::Device*> devices, int sharers,
                                            cuda::KernelCache& cache, const std::string& device_name,
                                            const Domain& domain,
                                            std::shared_ptr<const domain::DevicePartLinks> links) {
  return std::make_unique<GpuLevels>(std::move(devices), sharers, cache, device_name, domain, std::move(links));
}

}  // namespace fluvia
