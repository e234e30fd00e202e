// SPDX-License-Identifier: Apache-2.0
// Levels of refinement in parts on GPUs of the fake driver, of one process or of ranks, beside those on one GPU.
#pragma once
#include <algorithm>
#include <cstdlib>
#include <map>
#include <queue>
#include <string>
#include <vector>

#include "cuda/fake_driver/level_gpus.hpp"
#include "fluvia/backend/levels.hpp"
#include "fluvia/cuda/runtime/device.hpp"
#include "fluvia/domain/levels/device_rank_links.hpp"
#include "fluvia/domain/peer_exchange.hpp"

namespace fluvia::cuda {

/// Ways to put parts on GPUs; "apart": these do not reach each other.
struct Placement {
  const char* devices;
  bool apart = false;
};
constexpr Placement placements[] = {{"cuda:0,1"}, {"cuda:0,1", true}, {"cuda:2,0,1"}, {"cuda:0,0"}};

/// Parts on several GPUs have the bits of one: single steps and recorded ones, sums, and after a restart, in either
/// parity, from what one GPU saved. A plan knows what the fullest of them takes. Of the placements two, `turn` and the
/// one after it.
template <class Spec>
void compare_parts(std::size_t turn, Beside beside = Beside::walls) {
  SCOPED_TRACE(testing::Message() << Spec::Lattice::name << ' ' << Spec::scheme.name << ' ' << Spec::Format::name);
  const LevelGpus<Spec> gpus;
  const auto whole = make(case_with_levels<Spec>("cuda", beside));
  whole->step(3);
  const std::vector<std::byte> middle = saved(*whole);
  whole->step(5);
  const std::vector<std::byte> end = saved(*whole);
  const Totals expected = whole->totals();
  const int ball = static_cast<int>(whole->geometry().surfaces.size()) - 1;
  const SurfaceForce wanted = whole->surface_force(ball, {1, 2, 0});
  for (const std::size_t next : {0, 1}) {
    const Placement& placement = placements[(turn + next) % std::size(placements)];
    SCOPED_TRACE(testing::Message() << placement.devices << (placement.apart ? " apart" : ""));
    if (placement.apart) ::setenv("FAKE_CUDA_PEERS", "0", 1);
    const Case c = case_with_levels<Spec>(placement.devices, beside);
    const std::size_t before = Device().free_bytes();  // of all GPUs of the fake driver
    const auto solver = make(c);
    const auto taken = static_cast<double>(before - Device().free_bytes());
    const Grid grid = make_grid(c);
    const Plan plan = plan_case({c, make_units(c, grid.spacing), build_geometry(c, grid)});
    const double planned = static_cast<double>(plan.total_bytes()) * plan.domain.blocks;
    EXPECT_EQ(plan.domain.blocks, std::ranges::count(std::string(placement.devices), ',') + 1);
    EXPECT_LE(taken, planned);
    EXPECT_GT(taken, 0.8 * planned);  // parts are about as large as each other
    for (int k = 0; k < 3; ++k) solver->step(1);
    EXPECT_TRUE(saved(*solver) == middle);
    const int graphs = fake_cuda_graphs();
    solver->step(5);
    EXPECT_GT(fake_cuda_graphs(), graphs);
    EXPECT_TRUE(saved(*solver) == end);
    const Totals totals = solver->totals();
    EXPECT_EQ(totals.mass, expected.mass);
    EXPECT_EQ(totals.momentum, expected.momentum);
    EXPECT_EQ(totals.max_speed, expected.max_speed);
    EXPECT_EQ(solver->surface_force(ball, {1, 2, 0}).force, wanted.force);
    const auto again = make(c);
    again->step(static_cast<int>(next));
    load(*again, middle);
    again->resume_at(3);
    again->step(5);
    EXPECT_TRUE(saved(*again) == end) << "resumed";
    ::unsetenv("FAKE_CUDA_PEERS");
  }
}

/// The exchanges of all ranks, in one process.
class AllPeers final : public domain::Exchange {
 public:
  AllPeers(const std::vector<DeviceBlock*>& parts, const std::vector<std::shared_ptr<const PeerCommunicator>>& peers) {
    for (std::size_t p = 0; p < parts.size(); ++p)
      exchanges_.push_back(std::make_unique<domain::PeerExchange>(*parts[p], peers[p]));
  }
  void start() override {
    for (const auto& exchange : exchanges_) exchange->start();
  }
  void wait() override {
    for (const auto& exchange : exchanges_) exchange->wait();
  }

 private:
  std::vector<std::unique_ptr<domain::PeerExchange>> exchanges_;
};

/// Likewise what carries values.
class AllDeliveries final : public domain::DeviceDelivery {
 public:
  explicit AllDeliveries(std::vector<std::unique_ptr<domain::DeviceDelivery>> of_parts)
      : of_parts_(std::move(of_parts)) {}
  void start() override {
    for (const auto& delivery : of_parts_) delivery->start();
  }
  void wait(std::size_t block, const Stream& stream) override { of_parts_[block]->wait(0, stream); }

 private:
  std::vector<std::unique_ptr<domain::DeviceDelivery>> of_parts_;
};

/// All ranks in one process, whose GPUs reach each other by NCCL.
class LinksByPeers final : public domain::DevicePartLinks {
 public:
  explicit LinksByPeers(const std::vector<Device>& devices) {
    const NcclId id = PeerCommunicator::make_id();
    for (std::size_t p = 0; p < devices.size(); ++p)
      peers_.push_back(std::make_shared<const PeerCommunicator>(devices[p], static_cast<int>(devices.size()),
                                                                static_cast<int>(p), id));
  }
  [[nodiscard]] std::unique_ptr<domain::Exchange> halos(const std::vector<DeviceBlock*>& parts) const override {
    return std::make_unique<AllPeers>(parts, peers_);
  }
  [[nodiscard]] std::unique_ptr<domain::DeviceDelivery> values(
      const std::vector<domain::DeviceEnd>& ends) const override {
    std::vector<std::unique_ptr<domain::DeviceDelivery>> of_parts;
    for (std::size_t p = 0; p < ends.size(); ++p)
      of_parts.push_back(domain::DevicePeerLinks(peers_[p]).values({ends[p]}));
    return std::make_unique<AllDeliveries>(std::move(of_parts));
  }
  [[nodiscard]] bool records() const override { return false; }

 private:
  std::vector<std::shared_ptr<const PeerCommunicator>> peers_;
};

/// Messages between parts in one process, in the order in which they were sent.
using Mailbox = std::map<std::pair<int, int>, std::queue<std::vector<std::byte>>>;
class MailboxMessages final : public domain::ByteMessages {
 public:
  MailboxMessages(int part, std::shared_ptr<Mailbox> mail) : part_(part), mail_(std::move(mail)) {}
  void receive(int from, std::byte* bytes, std::size_t size) override { expected_.push_back({from, bytes, size}); }
  void send(int to, const std::byte* bytes, std::size_t size) override {
    (*mail_)[{part_, to}].emplace(bytes, bytes + size);
  }
  void wait() override {
    for (const Expected& expected : expected_) {
      auto& sent = (*mail_)[{expected.from, part_}];
      ASSERT_FALSE(sent.empty());
      ASSERT_EQ(sent.front().size(), expected.size);
      std::ranges::copy(sent.front(), expected.bytes);
      sent.pop();
    }
    expected_.clear();
  }

 private:
  struct Expected {
    int from;
    std::byte* bytes;
    std::size_t size;
  };
  int part_;
  std::shared_ptr<Mailbox> mail_;
  std::vector<Expected> expected_;
};

/// All ranks in one process, whose messages go through host memory.
class LinksByHost final : public domain::DevicePartLinks {
 public:
  [[nodiscard]] std::unique_ptr<domain::Exchange> halos(const std::vector<DeviceBlock*>& parts) const override {
    return std::make_unique<domain::MemoryExchange>(std::vector<BlockSolver*>(parts.begin(), parts.end()));
  }
  [[nodiscard]] std::unique_ptr<domain::DeviceDelivery> values(
      const std::vector<domain::DeviceEnd>& ends) const override {
    const auto mail = std::make_shared<Mailbox>();
    std::vector<std::unique_ptr<domain::DeviceDelivery>> of_parts;
    for (const domain::DeviceEnd& end : ends)
      of_parts.push_back(std::make_unique<domain::HostDelivery>(
          end, std::make_unique<MailboxMessages>(end.block->block().number, mail)));
    return std::make_unique<AllDeliveries>(std::move(of_parts));
  }
  [[nodiscard]] bool records() const override { return false; }
};

/// Ranks have the bits of one GPU, too, by either way.
template <class Spec>
void compare_ranks(int parts, Beside beside) {
  SCOPED_TRACE(testing::Message() << parts << " ranks " << Spec::Lattice::name << ' ' << Spec::scheme.name);
  const LevelGpus<Spec> gpus;
  const Case c = case_with_levels<Spec>("cuda", beside);
  const Grid grid = make_grid(c);
  const auto whole = make(c);
  whole->step(7);
  const std::vector<std::byte> expected = saved(*whole);
  std::vector<Device> devices;
  std::vector<const Device*> addresses;
  for (int p = 0; p < parts; ++p) devices.emplace_back(p % 3);
  for (const Device& device : devices) addresses.push_back(&device);
  const auto check = [&](std::shared_ptr<const domain::DevicePartLinks> links) {
    const auto on_gpus =
        levels_on_gpus(addresses, 1, gpu_kernels(), "GPUs", {parts, BlockPlace::devices}, std::move(links));
    const auto solver =
        started(make_levels_solver({c, make_units(c, grid.spacing), build_geometry(c, grid)}, *on_gpus));
    const int graphs = fake_cuda_graphs();
    solver->step(3);
    solver->step(4);
    EXPECT_EQ(fake_cuda_graphs(), graphs) << "the host takes part in messages of ranks";
    EXPECT_TRUE(saved(*solver) == expected);
  };
  {
    SCOPED_TRACE("by NCCL");
    check(std::make_shared<LinksByPeers>(devices));
  }
  SCOPED_TRACE("through host memory");
  check(std::make_shared<LinksByHost>());
}

}  // namespace fluvia::cuda
