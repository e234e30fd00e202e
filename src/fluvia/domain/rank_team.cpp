// SPDX-License-Identifier: Apache-2.0
#include "fluvia/domain/rank_team.hpp"

#include <fmt/format.h>

#include <exception>
#include <new>
#include <stdexcept>

namespace fluvia::domain {

namespace {

/// How a request went on one rank, and its answer.
struct Outcome {
  ExitCode code = ExitCode::success;
  std::string message;
  Bytes answer;

  [[nodiscard]] Bytes bytes() const { return ByteWriter().put(code).put(message).put(answer).take(); }
  static Outcome from(const Bytes& bytes) {
    ByteReader reader(bytes);
    Outcome outcome;
    outcome.code = reader.get<ExitCode>();
    outcome.message = reader.get_text();
    outcome.answer = reader.get_all<std::byte>();
    return outcome;
  }
};

template <class Body>
Outcome outcome_of(const Body& body) {
  try {
    return {ExitCode::success, {}, body()};
  } catch (const Error& e) {
    return {e.code(), e.what(), {}};
  } catch (const std::bad_alloc&) {
    return {ExitCode::resource, "memory ran out; use more nodes of the cluster or a coarser spacing", {}};
  } catch (const std::exception& e) {
    return {ExitCode::internal, e.what(), {}};
  }
}

/// At the first rank: the answers of all, or the error of the first that has one.
std::vector<Bytes> collect(const Outcome& own) {
  std::vector<Bytes> answers;
  const std::vector<Bytes> all = ranks::gather(own.bytes());
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    Outcome outcome = Outcome::from(all[rank]);
    if (outcome.code != ExitCode::success)
      throw Error(outcome.code, rank == 0 ? outcome.message : fmt::format("rank {}: {}", rank, outcome.message));
    answers.push_back(std::move(outcome.answer));
  }
  return answers;
}

/// Neighbours wait for each other within steps, so an error there ends all ranks.
void step_or_abort(PartSolver& part, Exchange& exchange, std::int64_t count) {
  const Outcome outcome = outcome_of([&] {
    PartSolver* const parts[] = {&part};
    step_parts(parts, exchange, count);
    return Bytes{};
  });
  if (outcome.code != ExitCode::success) ranks::abort(outcome.code, outcome.message.c_str());
}

template <class... Values>
Bytes message(Request request, const Values&... values) {
  ByteWriter writer;
  writer.put(request);
  (writer.put(values), ...);
  return writer.take();
}

}  // namespace

RankExchange::RankExchange(PartSolver& part) : part_(part) {
  for (std::size_t k = 0; k < part.subdomain().neighbours.size(); ++k) {
    leaving_.emplace_back(part.leaving_bytes(k));
    arriving_.emplace_back(part.arriving_bytes(k));
  }
}

void RankExchange::start() {
  const auto& neighbours = part_.subdomain().neighbours;
  for (std::size_t k = 0; k < neighbours.size(); ++k)
    messages_.receive(neighbours[k].part, arriving_[k].data(), arriving_[k].size());
  for (std::size_t k = 0; k < neighbours.size(); ++k) {
    part_.pack(k, leaving_[k].data());
    messages_.send(neighbours[k].part, leaving_[k].data(), leaving_[k].size());
  }
}

void RankExchange::wait() {
  messages_.wait();
  for (std::size_t k = 0; k < arriving_.size(); ++k) part_.unpack(k, arriving_[k].data());
}

std::string fingerprint(const PartSolver& part) {
  const Plan& plan = part.plan();
  return fmt::format("{} {} {} {} {} {} {} nodes {:a}", plan.lattice, plan.collision, plan.equilibrium, plan.scheme,
                     plan.format, plan.device, part.geometry().nodes.fluid_nodes, plan.omega);
}

RankTeam::RankTeam(const MakePart& make) {
  Bytes request = message(Request::make);
  ranks::broadcast(request);
  try {
    const std::vector<Bytes> answers = collect(outcome_of([&] {
      part_ = make();
      return message(Request::make, fingerprint(*part_));
    }));
    for (std::size_t rank = 1; rank < answers.size(); ++rank)
      if (answers[rank] != answers[0])
        throw Error(ExitCode::input,
                    fmt::format("rank {} has another case than rank 0; all must read the same files", rank));
  } catch (...) {
    request = message(Request::release);
    ranks::broadcast(request);
    throw;
  }
  exchange_ = std::make_unique<RankExchange>(*part_);
}

RankTeam::~RankTeam() {
  Bytes request = message(Request::release);
  ranks::broadcast(request);
}

void RankTeam::step(std::int64_t count) {
  Bytes request = message(Request::step, count);
  ranks::broadcast(request);
  step_or_abort(*part_, *exchange_, count);
}

void RankTeam::initialise(const Solver::InitialState& state) {
  Bytes request = message(Request::initialise);
  ranks::broadcast(request);
  collect(outcome_of([&] {
    part_->initialise(state);
    return Bytes{};
  }));
}

std::vector<Bytes> RankTeam::ask(const Bytes& request) {
  Bytes copy = request;
  ranks::broadcast(copy);
  return collect(outcome_of([&] { return answer(*part_, ByteReader(request)); }));
}

Bytes RankTeam::tell(const Bytes& request) {
  return ask(request).front();
}

int serve(const MakePart& make, const std::function<void(PartSolver&)>& initialise) {
  std::unique_ptr<PartSolver> part;
  std::unique_ptr<RankExchange> exchange;
  const auto reply = [](const Outcome& outcome) { ranks::gather(outcome.bytes()); };
  for (;;) {
    Bytes request;
    ranks::broadcast(request);
    ByteReader reader(request);
    switch (reader.get<Request>()) {
      case Request::make:
        reply(outcome_of([&] {
          exchange.reset();
          part.reset();
          part = make();
          exchange = std::make_unique<RankExchange>(*part);
          return message(Request::make, fingerprint(*part));
        }));
        break;
      case Request::release:
        exchange.reset();
        part.reset();
        break;
      case Request::step:
        step_or_abort(*part, *exchange, reader.get<std::int64_t>());
        break;
      case Request::initialise:
        reply(outcome_of([&] {
          initialise(*part);
          return Bytes{};
        }));
        break;
      case Request::end:
        return reader.get<int>();
      default:
        reply(outcome_of([&] { return answer(*part, ByteReader(request)); }));
    }
  }
}

void end_service(int exit_code) noexcept {
  if (ranks::count() == 1 || ranks::rank() > 0) return;
  Bytes request = message(Request::end, exit_code);
  ranks::broadcast(request);
}

}  // namespace fluvia::domain
