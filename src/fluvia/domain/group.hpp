// SPDX-License-Identifier: Apache-2.0
// The parts of a domain as whoever looks at the whole of it sees them: asked all at once, by messages of bytes,
// wherever they are. Numbers of arrays are most of what moves and go without messages of their own.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "fluvia/base/bytes.hpp"
#include "fluvia/domain/exchange.hpp"
#include "fluvia/solver/blocks/block_solver.hpp"

namespace fluvia::domain {

/// What a part is asked; the arguments follow in the message.
enum class Request : std::uint8_t {
  observable,
  moments,
  save,
  load,
  change,
  set_values_ahead,
  resume_at,
  // Requests to processes, see rank_group.hpp.
  build,
  plan,
  initialise,
  step,
  force_between_levels,
  make,
  connect,
  release,
  end
};

/// Bytes of a number of the array of a range, as it is saved and loaded.
std::uint64_t number_bytes(const FlowState& state, const ArrayRange& range);

/// The tiles of a range that a part owns.
struct OwnTiles {
  std::uint64_t first = 0, count = 0;
  std::uint64_t nodes = 0;
};
OwnTiles own_tiles(const BlockSolver& part, std::uint64_t first_tile, std::uint64_t tile_count);

/// Where the numbers that a part's own tiles have lie among those of a range. `nodes`: all of the domain.
std::span<std::byte> own_numbers(const NodeMap& nodes, const BlockSolver& part, const OwnTiles& tiles,
                                 const ArrayRange& range, std::span<std::byte> all);

/// Saves those of a state that the part is in, or was in, to their place among those of the range.
void save_own(const NodeMap& nodes, const FlowState& state, const BlockSolver& part, const ArrayRange& range,
              std::span<std::byte> out);

/// Takes what the part holds of the numbers of a range; `first_entry`: of the first of them.
void load_held(BlockSolver& part, const ArrayRange& range, std::uint64_t first_entry, std::span<const std::byte> in);

/// Appends what a part answers; of a range of tiles, about those that it owns.
void answer(BlockSolver& part, ByteReader request, ByteWriter& out);

/// What came of it.
struct Answer {
  Bytes message;
  std::size_t begin = 0;
  [[nodiscard]] ByteReader reader() const { return ByteReader(std::span<const std::byte>(message).subspan(begin)); }
};

class SolverGroup {
 public:
  virtual ~SolverGroup() = default;
  /// A part of this process, which knows what all know.
  [[nodiscard]] virtual BlockSolver& own() = 0;
  virtual void step(std::int64_t count) = 0;
  virtual void initialise(const Solver::InitialState& state) = 0;
  /// The answers of all parts, in canonical order.
  virtual std::vector<Answer> ask(const Bytes& request) = 0;
  /// For requests that change all parts alike: returns what the own part answers.
  virtual Answer tell(const Bytes& request) = 0;
  /// Saves numbers of an array as Solver does, from all parts; load(): loads them.
  virtual void save(const ArrayRange& range, std::span<std::byte> out) = 0;
  virtual void load(const ArrayRange& range, std::span<const std::byte> in) = 0;
  [[nodiscard]] virtual std::unique_ptr<FlowState> snapshot() { return nullptr; }
};

/// All parts in this process.
class LocalGroup final : public SolverGroup {
 public:
  /// `exchange`: null, through host memory.
  explicit LocalGroup(std::vector<std::unique_ptr<BlockSolver>> parts, std::unique_ptr<Exchange> exchange = nullptr);
  [[nodiscard]] BlockSolver& own() override { return *parts_.front(); }
  void step(std::int64_t count) override { schedule_.step(*exchange_, count); }
  void initialise(const Solver::InitialState& state) override;
  std::vector<Answer> ask(const Bytes& request) override;
  Answer tell(const Bytes& request) override { return std::move(ask(request).front()); }
  void save(const ArrayRange& range, std::span<std::byte> out) override;
  void load(const ArrayRange& range, std::span<const std::byte> in) override;
  /// A snapshot of all parts; null if any part gives none.
  [[nodiscard]] std::unique_ptr<FlowState> snapshot() override;

 private:
  std::vector<std::unique_ptr<BlockSolver>> parts_;
  Schedule schedule_;
  std::unique_ptr<Exchange> exchange_;
};

}  // namespace fluvia::domain
