// SPDX-License-Identifier: Apache-2.0
#include "fluvia/backend/connect.hpp"

#include <spdlog/spdlog.h>

#include <cstring>
#include <set>
#include <vector>

#include "fluvia/backend/backend.hpp"
#include "fluvia/base/bytes.hpp"
#include "fluvia/base/communicator.hpp"
#include "fluvia/base/error.hpp"
#include "fluvia/case/gpus.hpp"
#include "fluvia/cuda/runtime/device.hpp"
#include "fluvia/cuda/runtime/nccl.hpp"
#include "fluvia/domain/levels/device_rank_links.hpp"
#include "fluvia/domain/levels/rank_links.hpp"
#include "fluvia/domain/peer_exchange.hpp"
#include "fluvia/domain/rank_group.hpp"
#include "fluvia/domain/scaling.hpp"
#include "fluvia/ranks/ranks.hpp"

namespace fluvia {

namespace {

/// Whether ranks of this machine would share a GPU: NCCL knows each GPU once.
bool share_gpus(const Case& c) {
  const GpuList wish = is_on_gpus(c.numerics.device) ? parse_gpus("numerics.device", c.numerics.device) : GpuList{};
  if (wish.ordinals.empty()) return static_cast<std::size_t>(ranks::local_count()) > cuda::list_devices().size();
  return std::set<int>(wish.ordinals.begin(), wish.ordinals.end()).size() != wish.ordinals.size();
}

/// Whether all ranks named GPUs, each its own; asked by the first rank.
bool all_have_gpus(const std::vector<Bytes>& answers) {
  std::set<Bytes> names(answers.begin(), answers.end());
  return names.size() == answers.size() && !names.contains(Bytes{});
}

/// What all ranks need to reach each other's GPUs, from the first one; empty if they do not.
Bytes agree(const std::vector<Bytes>& answers) {
  Bytes verdict;
  if (ranks::rank() == 0 && all_have_gpus(answers)) {
    const cuda::NcclId id = cuda::PeerCommunicator::make_id();
    verdict.resize(id.bytes.size());
    std::memcpy(verdict.data(), id.bytes.data(), id.bytes.size());
  }
  ranks::broadcast(verdict);
  return verdict;
}

/// Whether messages from GPU to GPU take no longer than host buffers are expected to, at each rank: NCCL goes through
/// sockets where it finds nothing better. The first rank prints it if not.
bool peers_are_fast(const domain::PeerDelivery& peers) {
  struct Trial {
    double seconds, expected;
  };
  const domain::Transport host = domain::between_ranks(true);
  const auto bytes = static_cast<double>(peers.step_bytes());
  const Trial own{peers.measure(), bytes / host.bandwidth + host.seconds_of_step};
  const std::vector<Bytes> trials = ranks::gather(ByteWriter().put(own).take());
  Bytes verdict;
  if (ranks::rank() == 0) {
    bool fast = true;
    for (const Bytes& message : trials) {
      const auto trial = ByteReader(message).get<Trial>();
      if (trial.seconds <= trial.expected || !fast) continue;
      fast = false;
      spdlog::warn(
          "NCCL took {:.2g} ms for the messages of a step, where host memory and MPI are expected to take {:.2g} ms; "
          "they go that way instead (NCCL_DEBUG=INFO shows which links it found)",
          1e3 * trial.seconds, 1e3 * trial.expected);
    }
    verdict = ByteWriter().put(fast).take();
  }
  ranks::broadcast(verdict);
  return ByteReader(verdict).get<bool>();
}

}  // namespace

std::string why_no_peers(const Case& c) {
  if (!cuda::nccl().problem.empty()) return cuda::nccl().problem;
  return share_gpus(c) ? "ranks share GPUs" : "";
}

namespace {

/// What joins the GPUs of all ranks, tried with the halos of a part of each; null if not all have one of their own, or
/// host memory is expected to be faster. All ranks call it alike.
std::shared_ptr<const cuda::PeerCommunicator> join_peers(const Case& c, BlockSolver& part) {
  auto* const on_gpu = dynamic_cast<cuda::DeviceBlock*>(&part);
  Bytes name;
  if (on_gpu != nullptr && why_no_peers(c).empty()) {
    const std::string& uuid = on_gpu->device().info().uuid;
    name.resize(uuid.size());
    std::memcpy(name.data(), uuid.data(), uuid.size());
  }
  const Bytes verdict = agree(ranks::gather(std::move(name)));
  if (verdict.empty()) return nullptr;
  cuda::NcclId id;
  std::memcpy(id.bytes.data(), verdict.data(), id.bytes.size());
  auto peers = std::make_shared<const cuda::PeerCommunicator>(on_gpu->device(), ranks::count(), ranks::rank(), id);
  return peers_are_fast(domain::PeerDelivery(domain::halo_end(*on_gpu), cuda::Crossing::halos, peers)) ? peers
                                                                                                       : nullptr;
}

/// What carries messages of this rank's part.
std::unique_ptr<domain::Exchange> exchange_of(const Case& c, BlockSolver& part) {
  if (auto peers = join_peers(c, part))
    return std::make_unique<domain::PeerExchange>(dynamic_cast<cuda::DeviceBlock&>(part), std::move(peers));
  return std::make_unique<domain::RankExchange>(part);
}

/// How what crosses between levels on GPUs gets from one rank to another.
std::unique_ptr<domain::DevicePartLinks> device_links(const Case& c, BlockSolver& finest) {
  if (auto peers = join_peers(c, finest)) return std::make_unique<domain::DevicePeerLinks>(std::move(peers));
  return std::make_unique<domain::DeviceRankLinks>();
}

/// Steps this rank's part of each level. The shares go to what does so.
std::unique_ptr<domain::Stepping> connect_levels(const Case& c, domain::RankParts& parts) {
  std::vector<std::vector<domain::LevelShare>> shares(parts.shares.size());
  for (std::size_t l = 0; l < shares.size(); ++l) shares[l].push_back(std::move(parts.shares[l]));
  parts.shares.clear();
  if (parts.blocks.front()->plan().device == "cuda") {
    std::vector<std::vector<cuda::DeviceBlock*>> levels;
    for (const auto& block : parts.blocks) levels.push_back({&dynamic_cast<cuda::DeviceBlock&>(*block)});
    return std::make_unique<domain::DeviceLevelExchange>(levels, shares, *device_links(c, *parts.blocks.back()),
                                                         gpu_kernels(),
                                                         [](const std::string& text) { spdlog::warn(text); });
  }
  std::vector<std::vector<BlockSolver*>> levels;
  for (const auto& block : parts.blocks) levels.push_back({block.get()});
  return std::make_unique<domain::HostLevelExchange>(levels, shares, domain::RankLinks(),
                                                     parts.blocks.front()->plan().threads);
}

}  // namespace

std::unique_ptr<domain::Stepping> connect_rank_parts(const Case& c, domain::RankParts& parts) {
  try {
    if (parts.blocks.size() > 1) return connect_levels(c, parts);
    BlockSolver& part = *parts.blocks.front();
    return std::make_unique<domain::ScheduledSteps>(domain::Schedule({&part}), exchange_of(c, part));
  } catch (...) {
    const Failure failure = failure_of(std::current_exception());
    ranks::abort(failure.code, failure.text.c_str());
  }
}

}  // namespace fluvia
