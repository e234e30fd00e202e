// SPDX-License-Identifier: Apache-2.0
// One part on each rank. The first rank has the run, asks and tells; the others serve.
#pragma once
#include <functional>
#include <memory>
#include <string>

#include "fluvia/base/communicator.hpp"
#include "fluvia/domain/group.hpp"
#include "fluvia/ranks/ranks.hpp"

namespace fluvia::domain {

/// Makes the part of this rank, as all ranks do with theirs. Throws what is wrong with the case or the machine.
using MakeBlock = std::function<std::unique_ptr<BlockSolver>(Communicator& communicator)>;
/// Makes what carries messages of the part of this rank; all ranks call it alike, once all have their parts.
using Connect = std::function<std::unique_ptr<Exchange>(BlockSolver&)>;

/// What crosses between ranks, by messages of MPI.
class RankExchange final : public Exchange {
 public:
  explicit RankExchange(BlockSolver& part);
  void start() override;
  void wait() override;

 private:
  BlockSolver& part_;
  std::vector<Bytes> leaving_, arriving_;  ///< by neighbour
  ranks::Messages messages_;
};

/// The team of all ranks, as the first rank has it.
class RankGroup final : public SolverGroup {
 public:
  /// All ranks make their parts. Throws the first rank's error that has one; then no rank has a part.
  RankGroup(const MakeBlock& make, const Connect& connect);
  ~RankGroup() override;
  RankGroup(const RankGroup&) = delete;
  RankGroup& operator=(const RankGroup&) = delete;
  [[nodiscard]] BlockSolver& own() override { return *part_; }
  void step(std::int64_t count) override;
  void initialise(const Solver::InitialState& state) override;
  std::vector<Answer> ask(const Bytes& request) override;
  Answer tell(const Bytes& request) override;
  void save(const ArrayRange& range, std::span<std::byte> out) override;
  void load(const ArrayRange& range, std::span<const std::byte> in) override;

 private:
  std::unique_ptr<BlockSolver> part_;
  std::unique_ptr<Exchange> exchange_;
};

/// What a part follows from, besides the number of its rank; all ranks must agree about it.
std::string fingerprint(const BlockSolver& part);

/// What ranks other than the first do in a run of a case.
struct Service {
  std::function<void(Communicator& communicator)> build;  ///< voxelises with the others
  std::function<void(Communicator& communicator)> plan;   ///< plans with the others what was built
  MakeBlock make;                                         ///< from what was built
  Connect connect;
  std::function<void(BlockSolver&)> initialise;  ///< gives a part the initial state of the case
};

/// Does that until the first rank ends; returns its exit code. Errors are the first rank's to report.
int serve(const Service& service);

/// Called by the first rank: lets the others, if there are any, do their share of something in which it is about to
/// take part.
void call_others(Request request);

/// Ends the service of the other ranks, if there are any; of the first rank.
void end_service(int exit_code) noexcept;

}  // namespace fluvia::domain
