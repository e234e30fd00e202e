// SPDX-License-Identifier: Apache-2.0
// The parts of a domain as whoever looks at the whole of it sees them: asked all at once, by messages of bytes,
// wherever they are.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "fluvia/base/bytes.hpp"
#include "fluvia/domain/exchange.hpp"
#include "fluvia/solver/part_solver.hpp"

namespace fluvia::domain {

/// What a part is asked; the arguments follow in the message.
enum class Request : std::uint8_t {
  flow_sums,
  force_sums,
  opening_sums,
  moments,
  save_populations,
  load_populations,
  condition_memory,
  set_condition_memory,
  set_boundary_value,
  set_profile_time,
  set_wall_supply,
  resume_at,
  // Of processes, see rank_team.hpp.
  initialise,
  step,
  make,
  release,
  end
};

/// What a part answers; of a range of tiles, about those that it owns.
Bytes answer(PartSolver& part, ByteReader request);

class Team {
 public:
  virtual ~Team() = default;
  /// A part of this process, which knows what all know.
  [[nodiscard]] virtual PartSolver& own() = 0;
  virtual void step(std::int64_t count) = 0;
  virtual void initialise(const Solver::InitialState& state) = 0;
  /// The answers of all parts, in canonical order.
  virtual std::vector<Bytes> ask(const Bytes& request) = 0;
  /// For requests that change all parts alike: returns what the own part answers.
  virtual Bytes tell(const Bytes& request) = 0;
};

/// All parts in this process.
class LocalTeam final : public Team {
 public:
  /// `exchange`: null, through host memory.
  explicit LocalTeam(std::vector<std::unique_ptr<PartSolver>> parts, std::unique_ptr<Exchange> exchange = nullptr);
  [[nodiscard]] PartSolver& own() override { return *parts_.front(); }
  void step(std::int64_t count) override { step_parts(pointers_, *exchange_, count); }
  void initialise(const Solver::InitialState& state) override;
  std::vector<Bytes> ask(const Bytes& request) override;
  Bytes tell(const Bytes& request) override { return ask(request).front(); }

 private:
  std::vector<std::unique_ptr<PartSolver>> parts_;
  std::vector<PartSolver*> pointers_;
  std::unique_ptr<Exchange> exchange_;
};

}  // namespace fluvia::domain
