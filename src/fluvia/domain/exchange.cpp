// SPDX-License-Identifier: Apache-2.0
#include "fluvia/domain/exchange.hpp"

#include "fluvia/base/error.hpp"

namespace fluvia::domain {

namespace {
/// Of the neighbour that is this part.
std::size_t border_with(const PartSolver& solver, int part) {
  const auto& neighbours = solver.subdomain().neighbours;
  for (std::size_t k = 0; k < neighbours.size(); ++k)
    if (neighbours[k].part == part) return k;
  throw Error(ExitCode::internal, "two subdomains do not agree about being neighbours");
}
}  // namespace

void step_parts(std::span<PartSolver* const> parts, Exchange& exchange, std::int64_t count) {
  for (; count > 0; --count) {
    for (PartSolver* part : parts) part->step_border();
    exchange.start();
    for (PartSolver* part : parts) part->step_interior();
    exchange.wait();
  }
}

MemoryExchange::MemoryExchange(std::vector<PartSolver*> parts) {
  for (PartSolver* from : parts)
    for (std::size_t k = 0; k < from->subdomain().neighbours.size(); ++k) {
      PartSolver* to = parts[static_cast<std::size_t>(from->subdomain().neighbours[k].part)];
      const std::size_t there = border_with(*to, from->subdomain().part);
      if (from->leaving_bytes(k) != to->arriving_bytes(there))
        throw Error(ExitCode::internal, "two subdomains do not agree about what crosses between them");
      messages_.push_back({from, to, k, there, std::vector<std::byte>(from->leaving_bytes(k))});
    }
}

void MemoryExchange::start() {
  for (Message& message : messages_) message.from->pack(message.from_border, message.bytes.data());
}

void MemoryExchange::wait() {
  for (const Message& message : messages_) message.to->unpack(message.to_border, message.bytes.data());
}

}  // namespace fluvia::domain
