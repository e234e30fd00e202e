// SPDX-License-Identifier: Apache-2.0
#include "fluvia/domain/exchange.hpp"

#include "fluvia/base/error.hpp"

namespace fluvia::domain {

namespace {
/// Index of the neighbour of `solver` that is `part`.
std::size_t border_with(const PartSolver& solver, int part) {
  const auto& neighbours = solver.subdomain().neighbours;
  for (std::size_t k = 0; k < neighbours.size(); ++k)
    if (neighbours[k].part == part) return k;
  throw Error(ExitCode::internal, "two subdomains do not agree about being neighbours");
}
}  // namespace

void step_parts_once(std::span<PartSolver* const> parts, Exchange& exchange, int steps) {
  for (PartSolver* part : parts) part->step_border(steps);
  exchange.start();
  for (PartSolver* part : parts) part->step_interior(steps);
  exchange.wait();
}

void step_parts(std::span<PartSolver* const> parts, Exchange& exchange, std::int64_t count) {
  while (count > 0) {
    int steps = exchange.replay(count);
    if (steps == 0) {
      steps = parts.front()->next_steps(count);
      step_parts_once(parts, exchange, steps);
    }
    count -= steps;
  }
  for (const PartSolver* part : parts) part->finish();
}

void for_each_message(const std::vector<PartSolver*>& parts, const std::function<void(const MessageEnds&)>& visit) {
  for (std::size_t p = 0; p < parts.size(); ++p)
    for (std::size_t k = 0; k < parts[p]->subdomain().neighbours.size(); ++k) {
      const auto to = static_cast<std::size_t>(parts[p]->subdomain().neighbours[k].part);
      const std::size_t there = border_with(*parts[to], parts[p]->subdomain().part);
      if (parts[p]->leaving_bytes(k) != parts[to]->arriving_bytes(there))
        throw Error(ExitCode::internal, "two subdomains do not agree about what crosses between them");
      visit({p, to, k, there});
    }
}

MemoryExchange::MemoryExchange(const std::vector<PartSolver*>& parts) {
  for_each_message(parts, [&](const MessageEnds& ends) {
    messages_.push_back({parts[ends.from], parts[ends.to], ends.from_border, ends.to_border,
                         std::vector<std::byte>(parts[ends.from]->leaving_bytes(ends.from_border))});
  });
}

void MemoryExchange::start() {
  for (Message& message : messages_) message.from->pack(message.from_border, message.bytes.data());
}

void MemoryExchange::wait() {
  for (const Message& message : messages_) message.to->unpack(message.to_border, message.bytes.data());
}

}  // namespace fluvia::domain
