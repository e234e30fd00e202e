// SPDX-License-Identifier: Apache-2.0
#include "fluvia/domain/exchange.hpp"

#include "fluvia/base/error.hpp"

namespace fluvia::domain {

namespace {
/// Index of the neighbour of `solver` that has a number.
std::size_t border_with(const BlockSolver& solver, int number) {
  const auto& neighbours = solver.block().neighbours;
  for (std::size_t k = 0; k < neighbours.size(); ++k)
    if (neighbours[k].block == number && neighbours[k].link == ExchangeLink::copy) return k;
  throw Error(ExitCode::internal, "two blocks do not agree about being neighbours");
}
}  // namespace

void Exchange::talk(const std::vector<BlockSolver*>& blocks, int round) {
  std::vector<Bytes> said;
  for (BlockSolver* block : blocks) said.push_back(block->say(round));
  for (BlockSolver* block : blocks) block->hear(round, said);
}

void for_each_message(const std::vector<BlockSolver*>& parts, const std::function<void(const MessageEnds&)>& visit) {
  for (std::size_t p = 0; p < parts.size(); ++p)
    for (std::size_t k = 0; k < parts[p]->block().neighbours.size(); ++k) {
      if (parts[p]->block().neighbours[k].link != ExchangeLink::copy) continue;
      const auto to = static_cast<std::size_t>(parts[p]->block().neighbours[k].block);
      const std::size_t there = border_with(*parts[to], parts[p]->block().number);
      if (parts[p]->message_bytes(k).leaving != parts[to]->message_bytes(there).arriving)
        throw Error(ExitCode::internal, "two blocks do not agree about what crosses between them");
      visit({p, to, k, there});
    }
}

MemoryExchange::MemoryExchange(const std::vector<BlockSolver*>& parts) {
  for_each_message(parts, [&](const MessageEnds& ends) {
    messages_.push_back({parts[ends.from], parts[ends.to], ends.from_border, ends.to_border,
                         std::vector<std::byte>(parts[ends.from]->message_bytes(ends.from_border).leaving)});
  });
}

void MemoryExchange::start() {
  for (Message& message : messages_) message.from->pack(message.from_border, message.bytes.data());
}

void MemoryExchange::wait() {
  for (const Message& message : messages_) message.to->unpack(message.to_border, message.bytes.data());
}

}  // namespace fluvia::domain
