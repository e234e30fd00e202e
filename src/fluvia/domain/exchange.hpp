// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "fluvia/domain/schedule.hpp"

namespace fluvia::domain {

/// Carries what crosses between blocks in one step, or several at a time, from those that it left to those where it
/// arrives.
class Exchange {
 public:
  virtual ~Exchange() = default;
  /// After BlockSolver::step_border() of this process's parts.
  virtual void start() = 0;
  /// After their step_interior(). Whatever a part is asked or does from now on comes after all arrivals.
  virtual void wait() = 0;
  /// A round of what all parts of the domain tell each other (BlockSolver::say()). `blocks`: those of this process,
  /// which are all of them unless an exchange knows better.
  virtual void talk(const std::vector<BlockSolver*>& blocks, int round);
  /// Takes many steps of all parts at once, as they were recorded, if so many are wanted and recordings are faster;
  /// returns how many.
  virtual int replay(const Schedule& schedule, std::int64_t wanted) {
    static_cast<void>(schedule);
    static_cast<void>(wanted);
    return 0;
  }
};

/// A message from one part to another, which are neighbours.
struct MessageEnds {
  std::size_t from, to;                ///< parts
  std::size_t from_border, to_border;  ///< number of the neighbour at either end
};
/// Calls visit(ends) for all messages between parts that are together the whole domain, or all of a level.
void for_each_message(const std::vector<BlockSolver*>& parts, const std::function<void(const MessageEnds&)>& visit);

/// Between parts in one process, which together are the whole domain, by copies in memory.
class MemoryExchange final : public Exchange {
 public:
  explicit MemoryExchange(const std::vector<BlockSolver*>& parts);
  void start() override;
  void wait() override;

 private:
  struct Message {
    BlockSolver *from, *to;
    std::size_t from_border, to_border;  ///< number of the neighbour at either end
    std::vector<std::byte> bytes;
  };
  std::vector<Message> messages_;
};

}  // namespace fluvia::domain
