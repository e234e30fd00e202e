// SPDX-License-Identifier: Apache-2.0
#include "fluvia/domain/rank_group.hpp"

#include <fmt/format.h>

#include <exception>
#include <utility>

#include "fluvia/case/physics/registered_formats.hpp"
#include "fluvia/domain/rank_communicator.hpp"
#include "fluvia/solver/plan/scheme.hpp"

namespace fluvia::domain {

namespace {

/// How a request went on one rank. A message of it is followed by the answer, which is long and not copied.
struct Outcome {
  ExitCode code = ExitCode::success;
  std::string text;

  void put(ByteWriter& writer) const { writer.put(code).put(text); }
  [[nodiscard]] Bytes message() const {
    ByteWriter writer;
    put(writer);
    return writer.take();
  }
  static Outcome from(ByteReader& reader) {
    Outcome outcome;
    outcome.code = reader.get<ExitCode>();
    outcome.text = reader.get_text();
    return outcome;
  }
};

template <class Body>
Outcome outcome_of(const Body& body) {
  try {
    body();
    return {};
  } catch (...) {
    Failure failure = failure_of(std::current_exception());
    return {failure.code, std::move(failure.text)};
  }
}

/// The message of what a body writes as its answer, or of its error.
template <class Body>
Bytes message_of(const Body& body) {
  ByteWriter writer;
  Outcome{}.put(writer);
  const Outcome outcome = outcome_of([&] { body(writer); });
  return outcome.code == ExitCode::success ? writer.take() : outcome.message();
}

/// Makes parts with all other ranks, and says in which case.
RankParts make_with_all(const MakeParts& make, ByteWriter& writer) {
  RankParts parts;
  RankCommunicator communicator;
  together(communicator, [&] { parts = make(communicator); });
  writer.put(fingerprint(parts));
  return parts;
}

/// A share in what all ranks do together. If it fails, the first rank knows and reports it.
void take_part(const std::function<void(Communicator&)>& body) {
  RankCommunicator communicator;
  outcome_of([&] { together(communicator, [&] { body(communicator); }); });
}

/// At the first rank: the answers of all, or the error of the first that has one.
std::vector<Answer> collect(Bytes own) {
  std::vector<Answer> answers;
  for (Bytes& message : ranks::gather(std::move(own))) {
    ByteReader reader(message);
    const Outcome outcome = Outcome::from(reader);
    const std::size_t rank = answers.size(), begin = message.size() - reader.rest().size();
    if (outcome.code != ExitCode::success)
      throw Error(outcome.code, rank == 0 ? outcome.text : fmt::format("rank {}: {}", rank, outcome.text));
    answers.push_back({std::move(message), begin});
  }
  return answers;
}

/// Neighbours wait for each other within steps, so an error there ends all ranks; but for one that all know, which the
/// first rank reports.
void step_or_abort(Stepping& stepping, std::int64_t count) {
  std::exception_ptr known;
  const Outcome outcome = outcome_of([&] {
    try {
      stepping.step(count);
    } catch (const CommunicatorError&) {
      known = std::current_exception();
    }
  });
  if (outcome.code != ExitCode::success) ranks::abort(outcome.code, outcome.text.c_str());
  if (known && ranks::rank() == 0) std::rethrow_exception(known);
}

/// Sends what the own tiles have of the numbers of a range to the first rank, where they come to lie in `out`, which is
/// empty elsewhere. Returns how that went; a rank that failed sends none. `room` serves from call to call, since fresh
/// memory takes as long as the message.
Bytes send_numbers(const BlockSolver& part, const ArrayRange& range, std::span<std::byte> out, Bytes& room) {
  std::span<std::byte> own;
  const Outcome outcome = outcome_of([&] {
    const OwnTiles tiles = own_tiles(part, range.first_tile, range.tile_count);
    if (tiles.count == 0) return;
    const NodeMap& nodes = part.geometry().nodes;
    if (ranks::rank() == 0) {
      own = own_numbers(nodes, part, tiles, range, out);
    } else {
      const NodeArray& array = part.arrays()[range.array];
      room.resize(array.entries(nodes, tiles.first, tiles.count).count * number_bytes(part, range));
      own = room;
    }
    part.save({range.array, range.component, tiles.first, tiles.count}, own);
  });
  ranks::gather_into(outcome.code == ExitCode::success ? own : std::span<std::byte>{}, out);
  return outcome.message();
}

/// A message to all ranks: the level of the parts that it is about, and what answer() reads.
template <class... Values>
Bytes message_about(std::uint8_t level, Request request, const Values&... values) {
  ByteWriter writer;
  writer.put(level).put(request);
  (writer.put(values), ...);
  return writer.take();
}
template <class... Values>
Bytes message(Request request, const Values&... values) {
  return message_about(0, request, values...);
}
Bytes addressed(std::uint8_t level, const Bytes& request) {
  Bytes message;
  message.reserve(request.size() + 2);
  message.push_back(static_cast<std::byte>(level));
  message.insert(message.end(), request.begin(), request.end());
  return message;
}

/// The answers of all parts to a message.
std::vector<Answer> answers_to(Bytes& message, BlockSolver& part) {
  ranks::broadcast(message);
  return collect(message_of(
      [&](ByteWriter& writer) { answer(part, ByteReader(std::span<const std::byte>(message).subspan(1)), writer); }));
}

}  // namespace

RankExchange::RankExchange(BlockSolver& part) : part_(part) {
  for (std::size_t k = 0; k < part.block().neighbours.size(); ++k) {
    if (part.block().neighbours[k].link != ExchangeLink::copy) continue;
    neighbours_.push_back(k);
    const BlockSolver::MessageBytes bytes = part.message_bytes(k);
    leaving_.emplace_back(bytes.leaving);
    arriving_.emplace_back(bytes.arriving);
  }
}

void RankExchange::start() {
  const auto rank_of = [&](std::size_t k) { return part_.block().neighbours[neighbours_[k]].block; };
  for (std::size_t k = 0; k < neighbours_.size(); ++k)
    messages_.receive(rank_of(k), arriving_[k].data(), arriving_[k].size());
  for (std::size_t k = 0; k < neighbours_.size(); ++k) {
    part_.pack(neighbours_[k], leaving_[k].data());
    messages_.send(rank_of(k), leaving_[k].data(), leaving_[k].size());
  }
}

void RankExchange::wait() {
  messages_.wait();
  for (std::size_t k = 0; k < arriving_.size(); ++k) part_.unpack(neighbours_[k], arriving_[k].data());
}

void RankExchange::talk(const std::vector<BlockSolver*>& blocks, int round) {
  static_cast<void>(blocks);  // one block of each level is all that a rank has
  RankCommunicator communicator;
  Bytes own;
  try {
    own = part_.say(round);
  } catch (...) {
    communicator.fail(failure_of(std::current_exception()));
  }
  part_.hear(round, communicator.share(std::move(own)));
}

std::string fingerprint(const RankParts& parts) {
  std::string text;
  for (const auto& part : parts.blocks) {
    const Plan& plan = part->plan();
    text +=
        fmt::format("{} {} {} {} {} {} {} nodes {:a} {} steps\n", plan.flow().lattice->name,
                    plan.flow().collision->name, plan.flow().equilibrium->name, plan.scheme_name(), plan.format->name,
                    plan.device, part->geometry().nodes.fluid_nodes, plan.flow().omega(), plan.steps_per_pass);
  }
  return text;
}

RankTeam::RankTeam(const MakeParts& make, const Connect& connect) {
  Bytes request = message(Request::make);
  ranks::broadcast(request);
  try {
    const std::vector<Answer> answers =
        collect(message_of([&](ByteWriter& writer) { parts_ = make_with_all(make, writer); }));
    for (std::size_t rank = 1; rank < answers.size(); ++rank)
      if (answers[rank].message != answers[0].message)
        throw Error(ExitCode::input,
                    fmt::format("rank {} has another case than rank 0; all must read the same files", rank));
  } catch (...) {
    request = message(Request::release);
    ranks::broadcast(request);
    throw;
  }
  request = message(Request::connect);
  ranks::broadcast(request);
  stepping_ = connect(parts_);
}

RankTeam::~RankTeam() {
  Bytes request = message(Request::release);
  ranks::broadcast(request);
}

void RankTeam::step(std::int64_t count) {
  Bytes request = message(Request::step, count);
  ranks::broadcast(request);
  step_or_abort(*stepping_, count);
}

namespace {

/// At each rank: what its parts have of a sum over tiles.
Bytes force_message(Stepping& stepping, std::size_t level, const ForceOnSurface& what) {
  return message_of([&](ByteWriter& writer) {
    for (const TileSum<ForceSum>& sum : stepping.force_between_levels(level, what)) writer.put(sum);
  });
}

}  // namespace

TileSums<ForceSum> RankTeam::force_between_levels(std::size_t level, const ForceOnSurface& what) {
  Bytes request = message_about(static_cast<std::uint8_t>(level), Request::force_between_levels, what);
  ranks::broadcast(request);
  TileSums<ForceSum> sums;
  for (const Answer& answer : collect(force_message(*stepping_, level, what)))
    for (ByteReader reader = answer.reader(); !reader.rest().empty();) sums.push_back(reader.get<TileSum<ForceSum>>());
  return sums;
}

void RankGroup::step(std::int64_t count) {
  if (team_->own().blocks.size() > 1) throw Error(ExitCode::internal, "levels of ranks are stepped together");
  team_->step(count);
}

void RankGroup::initialise(const Solver::InitialState& state) {
  // Other ranks take the case's own state, which is not what finer nodes have of coarser ones.
  if (team_->own().blocks.size() > 1) throw Error(ExitCode::internal, "levels of ranks begin as their case says");
  Bytes request = message_about(level_, Request::initialise);
  ranks::broadcast(request);
  collect(outcome_of([&] { part_.initialise(state); }).message());
}

std::vector<Answer> RankGroup::ask(const Bytes& request) {
  Bytes message = addressed(level_, request);
  return answers_to(message, part_);
}

Answer RankGroup::tell(const Bytes& request) {
  return std::move(ask(request).front());
}

void RankGroup::save(const ArrayRange& range, std::span<std::byte> out) {
  Bytes request = message_about(level_, Request::save, range);
  ranks::broadcast(request);
  Bytes no_room;
  collect(send_numbers(part_, range, out, no_room));
}

void RankGroup::load(const ArrayRange& range, std::span<const std::byte> in) {
  const EntryRange entries =
      part_.arrays()[range.array].entries(part_.geometry().nodes, range.first_tile, range.tile_count);
  Bytes request = message_about(level_, Request::load, range, entries.first);
  request.insert(request.end(), in.begin(), in.end());
  answers_to(request, part_);
}

int serve(const Service& service) {
  RankParts parts;
  std::unique_ptr<Stepping> stepping;
  Bytes room;
  const auto release = [&] {
    stepping.reset();
    parts = {};
  };
  for (;;) {
    Bytes request;
    ranks::broadcast(request);
    ByteReader reader(request);
    const auto level = reader.get<std::uint8_t>();
    const ByteReader asked = reader;
    const auto part = [&]() -> BlockSolver& { return *parts.blocks.at(level); };
    switch (reader.get<Request>()) {
      case Request::build:
        take_part(service.build);
        break;
      case Request::plan:
        take_part(service.plan);
        break;
      case Request::make:
        ranks::gather(message_of([&](ByteWriter& writer) {
          release();
          parts = make_with_all(service.make, writer);
        }));
        break;
      case Request::connect:
        stepping = service.connect(parts);
        break;
      case Request::release:
        release();
        break;
      case Request::step:
        step_or_abort(*stepping, reader.get<std::int64_t>());
        break;
      case Request::force_between_levels:
        ranks::gather(force_message(*stepping, level, reader.get<ForceOnSurface>()));
        break;
      case Request::initialise:
        ranks::gather(outcome_of([&] { service.initialise(part()); }).message());
        break;
      case Request::save:
        ranks::gather(send_numbers(part(), reader.get<ArrayRange>(), {}, room));
        break;
      case Request::end:
        return reader.get<int>();
      default:
        ranks::gather(message_of([&](ByteWriter& writer) { answer(part(), asked, writer); }));
    }
  }
}

void call_others(Request request) {
  if (ranks::count() == 1) return;
  Bytes bytes = message(request);
  ranks::broadcast(bytes);
}

void end_service(int exit_code) noexcept {
  if (ranks::count() == 1 || ranks::rank() > 0) return;
  Bytes request = message(Request::end, exit_code);
  ranks::broadcast(request);
}

}  // namespace fluvia::domain
