// SPDX-License-Identifier: Apache-2.0
// One part on each rank, or one of each level of refinement. The first rank has the run, asks and tells; the others
// serve.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "fluvia/base/communicator.hpp"
#include "fluvia/domain/group.hpp"
#include "fluvia/domain/levels/level_share.hpp"
#include "fluvia/ranks/ranks.hpp"

namespace fluvia::domain {

/// What a rank has of a flow.
struct RankParts {
  std::vector<std::unique_ptr<BlockSolver>> blocks;  ///< its part of the domain; or of each level, the coarsest first
  std::vector<LevelShare> shares;                    ///< in what passes between each level and the next finer one
};

/// Makes what this rank has, as all ranks do with theirs. Throws what is wrong with the case or the machine.
using MakeParts = std::function<RankParts(Communicator& communicator)>;
/// Makes what steps it with those of other ranks; all ranks call it alike, once all have their parts.
using Connect = std::function<std::unique_ptr<Stepping>(RankParts&)>;

/// What crosses between ranks, of the domain or of one level, by messages of MPI.
class RankExchange final : public Exchange {
 public:
  explicit RankExchange(BlockSolver& part);
  void start() override;
  void wait() override;
  /// An error of one rank is thrown by all, as CommunicatorError.
  void talk(const std::vector<BlockSolver*>& blocks, int round) override;

 private:
  BlockSolver& part_;
  std::vector<std::size_t> neighbours_;    ///< of the block: those of its own level
  std::vector<Bytes> leaving_, arriving_;  ///< by these
  ranks::Messages messages_;
};

/// The team of all ranks, as the first rank has it. It steps all that they have.
class RankTeam final : public Stepping {
 public:
  /// All ranks make their parts. Throws the first rank's error that has one; then no rank has a part.
  RankTeam(const MakeParts& make, const Connect& connect);
  ~RankTeam() override;
  void step(std::int64_t count) override;
  [[nodiscard]] TileSums<ForceSum> force_between_levels(std::size_t level, const ForceOnSurface& what) override;
  /// What this rank has.
  [[nodiscard]] RankParts& own() { return parts_; }

 private:
  RankParts parts_;
  std::unique_ptr<Stepping> stepping_;
};

/// The parts of all ranks, as the first rank has them: of the domain, or of one of its levels.
class RankGroup final : public SolverGroup {
 public:
  explicit RankGroup(std::shared_ptr<RankTeam> team, std::uint8_t level = 0)
      : team_(std::move(team)), level_(level), part_(*team_->own().blocks[level]) {}
  [[nodiscard]] BlockSolver& own() override { return part_; }
  /// Throws Error(internal) if there are several levels, which are stepped together.
  void step(std::int64_t count) override;
  void initialise(const Solver::InitialState& state) override;
  std::vector<Answer> ask(const Bytes& request) override;
  Answer tell(const Bytes& request) override;
  void save(const ArrayRange& range, std::span<std::byte> out) override;
  void load(const ArrayRange& range, std::span<const std::byte> in) override;

 private:
  std::shared_ptr<RankTeam> team_;
  std::uint8_t level_;
  BlockSolver& part_;
};

/// What parts follow from, besides the number of their rank; all ranks must agree about it.
std::string fingerprint(const RankParts& parts);

/// What ranks other than the first do in a run of a case.
struct Service {
  std::function<void(Communicator& communicator)> build;  ///< voxelises with the others
  std::function<void(Communicator& communicator)> plan;   ///< plans with the others what was built
  MakeParts make;                                         ///< from what was built
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
